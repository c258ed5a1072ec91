// Package osshell runs the commands of skills with the shells of the operating
// system, and asks git which folders are ignored. Of all packages of this
// module only this one starts processes; a host that does not import it cannot
// start any by accident.
//
//	inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: osshell.New(nil)})
//
// # What a command gets and what is left of it
//
// [New] describes the rules: a small environment, no input, one stream of
// output, a deadline, a bound on output and on commands at once (04 §4). The
// author's text is handed to the shell as one argument, byte for byte. Nothing
// is ever inserted into it; values come as environment variables.
//
// A command runs in a session of its own without a terminal, so /dev/tty does
// not open and nothing can wait for a password there. When its shell has ended
// or must end, every process of its process group is killed while the shell is
// not reaped yet, so that no number can have passed to a stranger. On Linux the
// rest of the session follows: the groups that timeout(1) and "set -m" make.
//
// # What stays open
//
//   - A process that leaves the session on purpose (setsid, daemons such as
//     gpg-agent) is not killed. It cannot hold up the call: its end of the
//     output is closed and the result returned.
//   - Without Linux's /proc, on macOS and the BSDs too, process groups that a
//     command makes within its session are left running if their parent ends.
//   - On Windows a process that the shell starts before it has been put into
//     its job object, within the first moments, is not in the job. Windows
//     PowerShell prints in the code page of the console; what is not UTF-8 is
//     replaced.
//   - A process that the kernel does not let go (a dead network disk) ends when
//     it can. The call does not wait for it; one goroutine does.
//   - Deadline and bounds are no sandbox. A command has the rights of the host.
package osshell
