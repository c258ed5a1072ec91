// Package remote has the stock [skills.Catalog]: an index of skills and their
// SKILL.md files, fetched over HTTP and kept in a cache (06 §3). Of all packages
// of this module only this one opens connections; a host that does not import
// it cannot open any by accident.
//
//	catalog, err := remote.New("https://example.com", &remote.Options{CacheDir: dir})
//	...
//	defer catalog.Close()
//	reg, err := skills.Open(ctx, &skills.Options{Catalog: catalog})
//
// # The index
//
// It is a JSON document in the form of the Agent Skills discovery draft, by
// default at /.well-known/agent-skills/index.json:
//
//	{
//	  "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
//	  "skills": [{
//	    "name": "release-notes", "type": "skill-md",
//	    "description": "Writes release notes from commits.",
//	    "url": "release-notes/SKILL.md", "digest": "sha256:…"
//	  }]
//	}
//
// The older form is read too: entries with "files", a list of names or of
// objects with path and digest, whose SKILL.md is at <name>/SKILL.md beside the
// index. Other formats, told by $schema, are refused.
//
// Each entry is judged alone. It is left out, with an issue, if its name is no
// slug ([a-z0-9][a-z0-9-]{0,63}) or stands there twice; if it has no URL, or one
// that has ".." in its path in any disguise, is not https, holds credentials or
// leads to an origin that is neither the index's nor in [Options].Hosts; if its
// digest is no SHA-256; and if it is an archive. URLs are relative to the URL
// the host gave, whatever it redirects to.
//
// # What is trusted
//
// The content that [Catalog.Get] returns has the SHA-256 that a pin of the host
// names, or else the index. With neither, in the older form, it is whatever the
// server sends. A pin is the only protection against a server that goes back to
// old content, or turns hostile. The body is for package skills to treat as
// remote: no placeholders, no shell, no grants.
//
// # The network
//
//   - https only. There are at most three redirects, each judged like the first
//     URL. They may lead to other public hosts, without the headers of
//     Options.Header.
//   - Every address is judged when it is dialled, after its name was resolved:
//     private, loopback, link-local, shared (100.64.0.0/10), multicast and
//     reserved ones are refused, IPv6 that carries IPv4 (mapped, NAT64, 6to4,
//     Teredo), unique local ones and the metadata services of clouds. There is
//     no option for a catalogue in a private network.
//   - Proxies and other settings of the environment are not used. No cookies
//     are kept, no HTTP/2 is spoken.
//   - A request with its redirects and its body has Options.Timeout, also if the
//     server sends slowly. A body is bounded after decoding; of encodings only
//     gzip is taken. A body that ends too soon is an error, except that nothing
//     tells the end of one that has neither length nor digest and is not
//     encrypted.
//   - The Content-Type does not matter. A SKILL.md must be UTF-8 text without
//     NUL, and without a digest no web page.
//   - Equal requests at one time are one. A caller that goes does not end it for
//     the others; it goes on for the cache until it is done or the catalogue is
//     closed.
//
// # The cache
//
// Contents are kept under their SHA-256 and checked each time they are read. For
// documents without a known SHA-256 (the index, content of the older form) a
// record says when the server vouched for them and how to ask whether they are
// still the same. Records are found by tenant and URL. What is damaged, or is
// not of this cache, counts as missing and is replaced.
//
// A document is used without asking for as long as the server says, up to a day,
// or Options.MaxAge. "no-store" is neither written nor used again. If the server
// cannot be reached, is in trouble (5xx, 429) or sends something broken, what is
// stored stands in: an index or content without a SHA-256 up to
// Options.MaxStale, other content without limit, and pinned content even
// without an index. The server is asked again after half a minute;
// [Catalog.Issues] and the log say so meanwhile. A "no" of the server (404, 403),
// a refused address or redirect, and a SHA-256 that differs are errors, and
// leave the cache as it is.
//
// On disk the cache is the folder skills-remote-1 in Options.CacheDir, with mode
// 0700 and files of 0600, whose names are hashes. It may be deleted at any time.
// Files are written aside, synced and renamed, so that several processes can
// share it and be killed. What was not used for longest is removed when it is
// over Options.CacheSize. A failure of the cache never fails a call; it is
// logged.
package remote
