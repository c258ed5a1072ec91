package names

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, reason string
		ok           bool
	}{
		{"commit", "plain", true},
		{"残量", "N2: any script", true},
		{"rédaction", "N2: any script", true},
		{"A b_c.d", "N2: what only breaks the open format is no load matter", true},
		{"-a", "N2: a hyphen in front is a lint matter", true},
		{strings.Repeat("é", 64), "N2: 64 code points, not bytes", true},
		{strings.Repeat("é", 65), "N2: more than 64 code points", false},
		{"", "N2: empty", false},
		{"a/b", "N2: slash", false},
		{`a\b`, "N2: backslash", false},
		{"<b>", "N2: angle brackets", false},
		{"a\x00b", "N2: NUL", false},
		{"a\nb", "N2: control character", false},
		{"a\u2028b", "N2: line separator", false},
		{"commit\u200b", "N2: invisible character", false},
		{"a\u202eb", "N2: bidi override", false},
		{"a\U000e0072", "N2: tag character", false},
		{" a", "N2: leading blank", false},
		{"a ", "N2: trailing blank", false},
		{"..", "N2: parent directory", false},
		{"a..b", "N2: two dots", false},
		{"_canonical_x", "N2: reserved prefix", false},
		{"x_canonical_", "N2: only the prefix is reserved", true},
		{"a\xffb", "N2: invalid UTF-8 holds no name", false},
	} {
		require.NotEmpty(t, tt.reason)
		assert.Equal(t, tt.ok, Check(tt.name) == "", "%q (%s): %s", tt.name, tt.reason, Check(tt.name))
	}
}

func TestCheckQualified(t *testing.T) {
	assert.Empty(t, CheckQualified("a:b:c"))
	assert.Empty(t, CheckQualified(strings.Repeat("p", 64)+":"+strings.Repeat("s", 64)), "N2: each part")
	assert.NotEmpty(t, CheckQualified("a::c"), "an empty part is no name")
	assert.NotEmpty(t, CheckQualified("a:"+strings.Repeat("s", 65)))
}

func TestNormalize(t *testing.T) {
	assert.Equal(t, "r\u00e9d", Normalize("re\u0301d"), "N2: names are compared after NFC")
}

func TestFoldNFKC(t *testing.T) {
	for _, tt := range []struct{ in, want, reason string }{
		{"\ufb01le", "file", "a ligature is its letters"},
		{"\uff41\uff42\uff43", "abc", "full width is plain"},
		{"a\u00b2", "a2", "a superscript is a digit"},
		{"re\u0301d", "r\u00e9d", "composed as in NFC"},
		{"x\u200d", "x\u200d", "joiners stay"},
		{"plain-1", "plain-1", "ASCII stays"},
	} {
		require.NotEmpty(t, tt.reason)
		assert.Equal(t, tt.want, FoldNFKC(tt.in), tt.reason)
	}
}

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"deploy", "Deploy", "DEPLOY", "deploy\u017f"[:6]},
		{"a b", "a  b", "a\u00a0b", "A\tB"},
		{"οδος", "ΟΔΟΣ", "οδοσ"},
		{"straße", "STRASSE", "STRAẞE"},
		{"deploys", "deployſ"},
		{"re\u0301d", "r\u00e9d"},
		{"k", "\u212a"},
	} {
		for _, s := range same {
			assert.Equal(t, Fold(same[0]), Fold(s), "%q", s)
		}
	}
	assert.NotEqual(t, Fold("a"), Fold("b"))
	assert.Empty(t, CheckFolder("apps/web"))
	assert.NotEmpty(t, CheckFolder("apps/we\nb"))
	assert.NotEmpty(t, CheckFolder("apps/\u202e"))
	assert.NotEmpty(t, CheckFolder("_canonical_x"), "N2: a folder's skills would have the names of remote ones")
	assert.NotEmpty(t, CheckFolder("_canonical_x/apps"), "N2: likewise")
	assert.Empty(t, CheckFolder("apps/_canonical_x"), "no name begins with that")
}

func TestNear(t *testing.T) {
	known := []string{"commit", "compact", "office:pdf", "review", "review-pr", "deploy"}
	for _, tt := range []struct {
		in, reason string
		want       []string
	}{
		{"comit", "one missing letter", []string{"commit"}},
		{"Commit", "case does not count", []string{"commit"}},
		{"reveiw", "swapped neighbours count once", []string{"review"}},
		{"rev", "N4: a prefix is near", []string{"review", "review-pr"}},
		{"pfd", "the bare tail of a qualified name is compared too", []string{"office:pdf"}},
		{"zzz", "nothing near", nil},
		{"", "nothing typed", nil},
		{strings.Repeat("x", 100_000), "a huge name costs nothing", nil},
	} {
		require.NotEmpty(t, tt.reason)
		assert.Equal(t, tt.want, Near(tt.in, known, 3), tt.reason)
	}
	assert.Len(t, Near("review", []string{"review1", "review2", "review3", "review4"}, 3), 3)
}
