# Plain commands with names. Each can be typed by hand as well.
FUZZTIME ?= 20s
TOOL = go tool -modfile=tools/go.mod

.PHONY: all fmt lint test race fuzz bench bench-compare golden cross nested listing-eval search-eval shell-diff soak

all: lint test

fmt:
	$(TOOL) gofumpt -w .

lint:
	@test -z "$$($(TOOL) gofumpt -l .)" || { $(TOOL) gofumpt -d .; exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...

test:
	go test -count=1 ./...

race:
	go test -race -count=1 ./...

# Every fuzz target of every package for FUZZTIME, a time or a count such as 3000x.
fuzz:
	@set -e; for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "$$p $$f"; \
			go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$p; \
		done; \
	done

# The table of speed, beside other clients. Figures with a floor are ratios: time
# divided by the floor's, measured in turns in the same run.
bench:
	go run ./bench/table -peers -o docs/bench/latest.txt

# What changed between two such files: make bench-compare OLD=a.txt NEW=b.txt
bench-compare:
	$(TOOL) benchstat $(OLD) $(NEW)

# How well the search finds skills, beside plain BM25:
# make search-eval DIR=folder/of/skills
search-eval:
	go run ./bench/search $(DIR)

# How well a model could find skills in a listing, for each way to shorten:
# make listing-eval DIR=folder/of/skills
listing-eval:
	go run ./bench/listing $(DIR)

# Every shell template with every value, in bash and in dash; CI takes a sample.
shell-diff:
	SKILLS_SHELL_DIFF=all go test -count=1 -timeout 60m -v -run 'Hostile|Honest|Tokens|Mutations' ./internal/shellspan

# The long forms of the tests that change files, time and order at random.
soak:
	go test -count=20 -run 'Soak|Hammer' . ./internal/fswatch ./internal/settle
	go test -race -count=3 -run 'Soak|Hammer' .

golden:
	go test ./examples/quickstart ./examples/host ./examples/skillctl -update

# The modules of their own: examples against real SDKs. NESTED=bench/peers
# checks the comparison with other clients, which takes minutes to build.
NESTED ?= examples/mcp examples/anthropic examples/openai examples/eino examples/portableshell
nested:
	@set -e; for m in $(NESTED); do echo "$$m"; (cd $$m && go mod tidy -diff && go vet ./... && go test -count=1 ./...); done

cross:
	for os in windows darwin; do GOOS=$$os CGO_ENABLED=0 go vet . ./osshell ./remote ./improve ./mcpskills ./internal/atomicfile || exit 1; done
