package skills

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
)

// An unlock is one conditional skill that a touched path has matched. The
// source is part of it, so that another skill of the name stays locked.
type unlock struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

// unlock returns the key under which s is unlocked. It is the same whether s
// goes by its bare or its qualified name.
func (s *Skill) unlock() unlock {
	return unlock{strings.TrimPrefix(strings.TrimPrefix(s.Name, s.folder+":"), s.Owner+":"), s.Source}
}

func (u unlock) compare(o unlock) int {
	return cmp.Or(strings.Compare(u.Name, o.Name), strings.Compare(u.Source, o.Source))
}

// unlocks is what a session has unlocked, sorted. It never changes, so sessions
// may share it; nil is nothing.
type unlocks struct{ list []unlock }

func (u *unlocks) all() []unlock {
	if u == nil {
		return nil
	}
	return u.list
}

func (u *unlocks) has(k unlock) bool {
	_, ok := slices.BinarySearchFunc(u.all(), k, unlock.compare)
	return ok
}

// shareUnlocks returns the set of the given unlocks, which sessions of the
// registry that unlocked the same share.
func (r *Registry) shareUnlocks(list []unlock) *unlocks {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	slices.SortFunc(list, unlock.compare)
	list = slices.Clip(slices.Compact(list))
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, k := range list {
		maphash.WriteComparable(&h, k)
	}
	same := func(o *unlocks) bool { return slices.Equal(o.list, list) }
	return r.unlocks.Get(h.Sum64(), same, func() *unlocks { return &unlocks{list} })
}
