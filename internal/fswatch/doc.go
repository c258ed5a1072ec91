// Package fswatch says which directories of skills or commands may have
// changed (03 W2–W4, W7). It is the only package that knows fsnotify.
//
// The caller names targets: an owner and a directory each. What comes back is
// hints, "look at this owner again", and no more: a hint may be superfluous,
// but after every change that matters one follows. They are meant for
// [github.com/seed-12b313d8/skills/internal/settle], which takes any number.
//
// # What is watched
//
// Directories only, and none recursively, since a watch on a file is lost when
// an editor saves by renaming:
//
//   - the directories a target lists: its root, the folders of skills, every
//     folder of commands, and where links among them lead to;
//   - the directories on the way to them, links resolved step by step, for the
//     one name in each that the way passes. If the way ends early, since the
//     root does not exist yet, the last directory is watched for the name that
//     is missing.
//
// Whatever happens to a name on the way, the way is traced again and the
// watches follow it. After a watch was added its owner is hinted at, and traced
// once more, since what happened before the watch existed was not seen.
//
// # What matters
//
// Files that the target's Match accepts; the names on the way; where folders
// matter, new ones, and any name that goes, since it may have been one. Anything
// else written into a folder of a skill costs one look into a map (03 W3).
// Changes of attributes count for files that matter: one may be readable now.
//
// # When events fail
//
// After an overflow, an error of the event source, or a limit of the system,
// everything is hinted at, and all targets are polled: every Poll the status of
// all files that matter is compared, and owners that differ are hinted at. The
// caller is told (03 W4). From time to time events are tried again. A single
// directory that cannot be watched, say for lack of permission, turns only its
// owners to polling. Network and other foreign file systems may accept watches
// and never deliver; there [Options.Polling] helps.
package fswatch
