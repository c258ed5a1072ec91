package mcpskills

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// An Entry is one skill in a result of skills/list, as it is on the wire.
type Entry struct {
	// URI is the resource of the skill's SKILL.md.
	URI string `json:"uri"`
	// Frontmatter is that of SKILL.md, with every key.
	Frontmatter map[string]any `json:"frontmatter"`
	// Resources are the skill's files.
	Resources Manifest `json:"resources"`
}

// A Manifest lists the files of a skill. In JSON it is an array, or the text
// "dynamic"; anything else is an error.
type Manifest struct {
	// Files are all files of the skill, SKILL.md among them.
	Files []File
	// Dynamic says that the files are made when they are read, so that nothing
	// is known of them.
	Dynamic bool
}

// A File is one file of a [Manifest].
type File struct {
	// URI names the file.
	URI string `json:"uri"`
	// Digest is what [Digest] makes of its bytes.
	Digest string `json:"digest"`
	// Size is its length in bytes.
	Size int64 `json:"size"`
}

const dynamic = "dynamic"

// MarshalJSON returns the array, or "dynamic".
func (m Manifest) MarshalJSON() ([]byte, error) {
	if m.Dynamic {
		return json.Marshal(dynamic)
	}
	return json.Marshal(append([]File{}, m.Files...))
}

// UnmarshalJSON reads an array of files, or "dynamic".
func (m *Manifest) UnmarshalJSON(b []byte) error {
	var word string
	if json.Unmarshal(b, &word) == nil && word == dynamic {
		*m = Manifest{Dynamic: true}
		return nil
	}
	var files []File
	if err := json.Unmarshal(b, &files); err != nil || files == nil {
		return errors.New(`resources is neither an array of files nor "dynamic"`)
	}
	*m = Manifest{Files: files}
	return nil
}

// Digest returns the SHA-256 of b as the extension writes it: "sha256:" and 64
// hexadecimal digits.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return digestPrefix + hex.EncodeToString(sum[:])
}

const digestPrefix = "sha256:"

// checkDigest reports what is wrong with how a digest is written.
func checkDigest(d string) error {
	raw, ok := strings.CutPrefix(d, digestPrefix)
	if b, err := hex.DecodeString(raw); !ok || err != nil || len(b) != sha256.Size {
		return fmt.Errorf("%s is no SHA-256 digest", short(d))
	}
	return nil
}

// verify reports in what b differs from what the server told of it.
func (o *offer) verify(b []byte) error {
	switch {
	case o.sized && int64(len(b)) != o.size:
		return fmt.Errorf("it has %d bytes, and %d were listed", len(b), o.size)
	case o.digest != "" && !strings.EqualFold(Digest(b), o.digest):
		return errors.New("its SHA-256 digest is another than was listed")
	}
	return nil
}
