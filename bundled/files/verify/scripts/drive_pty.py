#!/usr/bin/env python3
"""Operates an interactive program in a terminal of its own.

    python3 drive_pty.py SCRIPT [--log FILE] [--timeout S] [--size COLSxROWS] -- COMMAND [ARGUMENT]...

SCRIPT has one step a line; empty lines and those that begin with # are skipped:

    expect TEXT    waits until TEXT is shown, after what was matched before
    absent TEXT    fails if TEXT was shown since the last match
    send TEXT      types TEXT, without Enter
    key NAME       presses enter, tab, escape, space, backspace, up, down, left,
                   right, home, end or ctrl+LETTER
    pause S        lets S seconds pass (at most 10)
    exit N         waits for the end of the program with exit code N

Ends with 0 if all steps succeeded, 1 if one failed, 2 for wrong usage. FILE gets
what was shown, without escape sequences. Needs Python 3.7 on Linux or macOS.
"""
import argparse
import os
import re
import select
import signal
import struct
import sys
import time

KEYS = {
    "enter": "\r", "tab": "\t", "escape": "\x1b", "space": " ", "backspace": "\x7f",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "home": "\x1b[H", "end": "\x1b[F",
}
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[@-Z\\-_=>])")


class Failure(Exception):
    pass


class Terminal:
    def __init__(self, command, cols, rows, timeout):
        import fcntl
        import pty
        import termios

        self.timeout, self.raw, self.seen, self.status = timeout, b"", 0, None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", COLUMNS=str(cols), LINES=str(rows))
            try:
                os.execvp(command[0], command)
            except OSError as error:
                os.write(2, ("%s: %s\r\n" % (command[0], error)).encode())
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def shown(self):
        text = ESCAPES.sub("", self.raw.decode("utf-8", "replace"))
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def read(self, patience):
        """Reads what is there; False at the end of the program's output."""
        if not select.select([self.fd], [], [], patience)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux says that the other side was closed
            return False
        self.raw += data
        return bool(data)

    def expect(self, text):
        deadline = time.monotonic() + self.timeout
        running = True
        while True:
            at = self.shown().find(text, self.seen)
            if at >= 0:
                self.seen = at + len(text)
                return
            if not running:
                raise Failure("the program ended before it showed %r" % text)
            if time.monotonic() >= deadline:
                raise Failure("%r was not shown within %g s" % (text, self.timeout))
            running = self.read(0.1)

    def absent(self, text):
        self.read(0.3)
        if text in self.shown()[self.seen:]:
            raise Failure("%r was shown" % text)

    def type(self, text):
        try:
            os.write(self.fd, text.encode())
        except OSError:
            raise Failure("the program has ended and takes no input")

    def pause(self, seconds):
        deadline = time.monotonic() + min(seconds, 10)
        while time.monotonic() < deadline:
            if not self.read(0.05):
                time.sleep(0.05)

    def exit(self, want):
        deadline = time.monotonic() + self.timeout
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
            elif time.monotonic() >= deadline:
                raise Failure("the program still runs after %g s" % self.timeout)
            elif not self.read(0.05):
                time.sleep(0.05)
        while self.read(0) and select.select([self.fd], [], [], 0)[0]:
            pass
        if self.status != want:
            raise Failure("the exit code is %d, not %d" % (self.status, want))

    def close(self):
        for sig in (signal.SIGHUP, signal.SIGKILL):
            if self.status is not None:
                break
            try:
                os.kill(self.pid, sig)
            except ProcessLookupError:
                pass
            for _ in range(20):
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.status = status
                    break
                time.sleep(0.05)
        os.close(self.fd)


def key(name):
    if name in KEYS:
        return KEYS[name]
    match = re.fullmatch(r"ctrl\+([a-z])", name)
    if not match:
        raise Failure("there is no key %r" % name)
    return chr(ord(match.group(1)) - 96)


def run(terminal, steps):
    for number, line in enumerate(steps, 1):
        verb, _, text = line.rstrip("\r\n").strip().partition(" ")
        try:
            if not verb or verb.startswith("#"):
                continue
            elif verb == "expect":
                terminal.expect(text)
            elif verb == "absent":
                terminal.absent(text)
            elif verb == "send":
                terminal.type(text)
            elif verb == "key":
                terminal.type(key(text))
            elif verb == "pause":
                terminal.pause(float(text))
            elif verb == "exit":
                terminal.exit(int(text))
            else:
                raise Failure("there is no step %r" % verb)
        except (Failure, ValueError) as error:
            return "step %d, %s %s: %s" % (number, verb, text, error)
    return ""


def main():
    if "--" not in sys.argv or sys.argv[-1] == "--":
        print(__doc__, file=sys.stderr)
        return 2
    cut = sys.argv.index("--")
    parser = argparse.ArgumentParser(description="Operates an interactive program.")
    parser.add_argument("script")
    parser.add_argument("--log")
    parser.add_argument("--timeout", type=float, default=15)
    parser.add_argument("--size", default="80x24")
    options = parser.parse_args(sys.argv[1:cut])
    with open(options.script, encoding="utf-8") as f:
        steps = f.readlines()
    cols, rows = (int(n) for n in options.size.split("x"))
    terminal = Terminal(sys.argv[cut + 1:], cols, rows, options.timeout)
    try:
        failure = run(terminal, steps)
    finally:
        terminal.close()
    if options.log:
        with open(options.log, "w", encoding="utf-8") as f:
            f.write(terminal.shown())
    if failure:
        print("drive_pty: %s\n--- shown at the end:\n%s" % (failure, terminal.shown()[-2000:]), file=sys.stderr)
        return 1
    print("all %d lines of the script done" % len(steps))
    return 0


if __name__ == "__main__":
    sys.exit(main())
