package improve

import "github.com/seed-12b313d8/skills/internal/atomicfile"

// SetHook makes the operations of i on disk tell h. It is for tests.
func SetHook(i *Improver, h atomicfile.Hook) { i.disk.Hook = h }
