package skills

import (
	"encoding/json"
	"slices"

	"github.com/seed-12b313d8/skills/internal/folders"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/sent"
	"github.com/seed-12b313d8/skills/internal/unlock"
)

// stateVersion is the version of the exported JSON. A reader refuses others.
const stateVersion = 1

// sessionState is an exported session. Policy, usage and options never travel.
type sessionState struct {
	Version  int          `json:"version"`
	ID       string       `json:"id"`
	Unlocked []unlock.Key `json:"unlocked,omitempty"`
	Folders  []string     `json:"folders,omitempty"`
	Remote   []discovery  `json:"remote,omitempty"`
	Sent     []sent.Entry `json:"sent,omitempty"`
	Records  []Record     `json:"records,omitempty"`
	Lineage  []string     `json:"lineage,omitempty"`

	Delivered map[string]string `json:"delivered,omitempty"`
}

// Export returns the session's state as JSON with a version. It holds no
// policy and no skill text.
func (s *Session) Export() ([]byte, error) {
	s.mu.Lock()
	st := sessionState{
		Version: stateVersion, ID: s.id, Unlocked: s.unlocked.All(), Folders: s.folders, Remote: exported(s.remote),
		Sent: slices.Collect(s.sent.All()), Records: s.records, Lineage: s.lineage, Delivered: s.delivered,
	}
	defer s.mu.Unlock() // st shares the session's slices and maps
	return json.Marshal(st)
}

// RestoreSession returns the session that [Session.Export] wrote, with the
// policy and options of o. It does no I/O: nested folders are loaded, and
// checked against the switches again, at first use. The error is an [*Error]
// with [CodeInvalid] if b is not such a state or has another version.
func (r *Registry) RestoreSession(b []byte, o *SessionOptions) (*Session, error) {
	var st sessionState
	if err := json.Unmarshal(b, &st); err != nil {
		return nil, invalidState("the session state is no JSON of ours", err)
	}
	if st.Version != stateVersion {
		return nil, invalidState("the session state has another version", nil)
	}
	s := r.NewSession(st.ID, o)
	s.unlocked = r.unlocks.With(nil, st.Unlocked...)
	s.folders = slices.DeleteFunc(st.Folders, func(dir string) bool { return !paths.Below(dir) })
	slices.Sort(s.folders)
	s.folders = slices.Compact(s.folders)
	s.folders = s.folders[:min(len(s.folders), folders.MaxFull)]
	s.remote = r.restored(st.Remote)
	if len(st.Sent) > 0 {
		s.sent = r.sents.Share(sent.New(st.Sent))
	}
	s.records, s.lineage, s.delivered = st.Records[max(0, len(st.Records)-maxRecords):], st.Lineage, st.Delivered
	return s, nil
}

func invalidState(msg string, err error) error {
	return newError(CodeInvalid, msg, "start a new session; states of other versions are not read").because(err)
}
