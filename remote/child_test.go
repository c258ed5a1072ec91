package remote

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Some tests need other processes. They are this test again, and do the job this
// variable names in the directory that is their first argument.
const childJob = "REMOTE_TEST_JOB"

func child(job string) int {
	if err := jobs()[job](os.Args[1]); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func jobs() map[string]func(dir string) error {
	return map[string]func(string) error{"save": saveForever, "share": share}
}

// version returns a content that differs in each generation, large enough to be
// torn.
func version(n int) []byte {
	return []byte(fmt.Sprintf("generation %d\n", n) + strings.Repeat(fmt.Sprintf("line of %d\n", n), 8000))
}

func childDisk(dir string) (*disk, error) {
	o, err := (&Options{CacheDir: dir}).withDefaults()
	if err != nil {
		return nil, err
	}
	return newDisk(&o, nil)
}

// saveForever replaces the same document until it is killed.
func saveForever(dir string) error {
	d, err := childDisk(dir)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for n := 0; ; n++ {
		body := version(n % 7)
		rec := &record{ETag: fmt.Sprint(n % 7), Time: time.Now(), Digest: digestOf(body)}
		if err := d.save(keyOf("", "u"), rec, body); err != nil {
			return err
		}
	}
}

// share saves and loads beside others.
func share(dir string) error {
	d, err := childDisk(dir)
	if err != nil {
		return err
	}
	for n := range 40 {
		body := version(n % 7)
		rec := &record{ETag: fmt.Sprint(n % 7), Time: time.Now(), Digest: digestOf(body)}
		if err := d.save(keyOf("", "u"), rec, body); err != nil {
			return err
		}
		rec, got, ok := d.load(keyOf("", "u"))
		if !ok {
			return fmt.Errorf("round %d: what is stored cannot be read", n)
		}
		if string(got) != string(version(int(rec.ETag[0]-'0'))) {
			return fmt.Errorf("round %d: record and content do not fit", n)
		}
	}
	return nil
}

// cacheFiles lists the files of a cache on disk.
func cacheFiles(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(dir, folder))
	require.NoError(t, err)
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// removeFiles removes the files of a cache that begin with a prefix.
func removeFiles(t testing.TB, dir, prefix string) {
	t.Helper()
	for _, name := range cacheFiles(t, dir) {
		if strings.HasPrefix(name, prefix) {
			require.NoError(t, os.Remove(filepath.Join(dir, folder, name)))
		}
	}
}
