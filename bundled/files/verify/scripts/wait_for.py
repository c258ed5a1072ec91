#!/usr/bin/env python3
"""Waits until something is ready.

    python3 wait_for.py TARGET [--timeout S] [--interval S] [--status N] [--pid PID]

TARGET is http://... or https://... (ready: any answer below 500, or status N),
tcp://HOST:PORT (ready: accepts a connection) or file://PATH (ready: exists and
is not empty). Ends with 0 when ready, 1 after the timeout, 2 for wrong usage,
3 when the process PID has gone. Needs Python 3.7 and nothing else.
"""
import argparse
import http.client
import os
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


def http_ready(url, status, patience):
    # A proxy would answer in place of a server that is not there yet.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=patience) as answer:
            code = answer.status
    except urllib.error.HTTPError as error:
        code = error.code
    return (code == status if status else code < 500), "status %d" % code


def tcp_ready(host, port, patience):
    with socket.create_connection((host, port), timeout=patience):
        return True, "connected"


def file_ready(path):
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        return False, "no such file"
    return size > 0, "%d bytes" % size


def check(target, status, patience):
    if target.scheme in ("http", "https"):
        return http_ready(target.geturl(), status, patience)
    if target.scheme == "tcp" and target.hostname and target.port:
        return tcp_ready(target.hostname, target.port, patience)
    if target.scheme == "file" and target.path:
        return file_ready(urllib.parse.unquote(target.path))
    raise ValueError("the target is none of http://, https://, tcp://HOST:PORT, file://PATH")


def alive(pid):
    # A child that has ended but was not collected still has an entry.
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        if os.path.exists("/proc/self"):
            return False
    except OSError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def main():
    parser = argparse.ArgumentParser(description="Waits until TARGET is ready.")
    parser.add_argument("target")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--interval", type=float, default=0.25)
    parser.add_argument("--status", type=int, default=0)
    parser.add_argument("--pid", type=int, default=0)
    options = parser.parse_args()
    deadline = time.monotonic() + options.timeout
    state = "not tried"
    while True:
        left = deadline - time.monotonic()
        try:
            ready, state = check(urllib.parse.urlsplit(options.target), options.status, max(0.1, min(5, left)))
        except (ValueError, http.client.InvalidURL) as error:
            print("wait_for: %s" % error, file=sys.stderr)
            return 2
        except (OSError, http.client.HTTPException) as error:  # also what is no HTTP
            ready, state = False, str(error)
        if ready:
            print("ready: %s" % state)
            return 0
        if options.pid and not alive(options.pid):
            print("wait_for: process %d has gone; see its output (%s)" % (options.pid, state), file=sys.stderr)
            return 3
        if time.monotonic() >= deadline:
            print("wait_for: not ready after %g s: %s" % (options.timeout, state), file=sys.stderr)
            return 1
        time.sleep(options.interval)


if __name__ == "__main__":
    sys.exit(main())
