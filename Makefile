# The two commands: `make run` to play, `make test` to check everything. The rest serves them.

CARGO ?= cargo
ADDRESS ?=
DATABASE ?= raichi.sqlite
export RAICHI_CHROMIUM ?= $(firstword $(foreach name,chromium chromium-browser google-chrome,$(shell command -v $(name))) /usr/bin/chromium)
export RAICHI_BIN ?= $(abspath $(or $(CARGO_TARGET_DIR),target))/debug/raichi

.PHONY: help run test setup page check-rust check-page e2e screenshots nightly onnx fuzz soak bench bench-peers findings strength learning clean

.DELETE_ON_ERROR:

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

run: page ## set everything up and open the table: the page at http://127.0.0.1:8080
	@mkdir -p $(dir $(DATABASE))
	$(CARGO) run --release --bin raichi -- serve $(if $(ADDRESS),--address $(ADDRESS)) --database $(DATABASE)

test: check-page check-rust e2e ## set everything up and pass every test
	@echo "All tests passed."

page: web/dist/service-worker.js ## build the page into web/dist, where its sources have changed

# The folders are among the sources because a file that is removed changes only its folder. The small page that
# crates/server/build.rs writes where there is none has no service worker.
PAGE_SOURCES := $(shell find web/src web/public) \
  $(addprefix web/,index.html package.json svelte.config.js tsconfig.json vite.config.ts vite.plugins.ts)
web/dist/service-worker.js: web/node_modules/.installed $(PAGE_SOURCES)
	cd web && npm run build

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

setup: ## install what the browser tests need (Debian or Ubuntu)
	scripts/setup.sh

check-page: page
	cd web && npm run check && npm test

# The page is built first: the server embeds it. Examples are checked by clippy; to build them too takes minutes.
RUST_TESTS = test --workspace --tests
check-rust: page
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	$(CARGO) $(RUST_TESTS)
	$(CARGO) test --workspace --doc

# The tests' build has the command too; a build of the command alone would compile everything once more, with fewer
# features.
e2e: page setup ## play in a real browser
	$(CARGO) $(RUST_TESTS) --no-run
	cd web && npm run e2e

screenshots: page setup ## take the README's pictures again
	$(CARGO) $(RUST_TESTS) --no-run
	cd web && RAICHI_SCREENSHOTS=1 npm run e2e -- screenshots

nightly: page setup ## the long checks: deep perft, many drawn parameters, WebAssembly, long games in the browser
	RAICHI_NIGHTLY=1 $(CARGO) $(RUST_TESTS) --profile nightly
	RAICHI_NIGHTLY=1 $(CARGO) $(RUST_TESTS) --profile nightly -- --ignored nightly_
	scripts/wasm.sh
	cd web && RAICHI_NIGHTLY=1 RAICHI_BIN=$(abspath $(dir $(RAICHI_BIN))../nightly/raichi) npm run e2e -- every-game

# Only builds with the feature `onnx` run networks in ONNX's form, by a library that is no crate.
ONNX_RUNTIME ?= 1.32.0
onnx: ## test networks in ONNX's form (installs ONNX Runtime in target/onnx)
	python3 -m venv target/onnx && target/onnx/bin/pip install --quiet onnxruntime==$(ONNX_RUNTIME)
	ORT_DYLIB_PATH=$$(ls $(CURDIR)/target/onnx/lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*) \
	  $(CARGO) test -p raichi-agents --features onnx --test onnx

# Without a sanitizer: only the crate machine has unsafe code, and seven times as many inputs are tried. An input that takes a
# second or half a gigabyte is reported.
FUZZ_SECONDS ?= 600
fuzz: ## run each fuzz target for FUZZ_SECONDS (600); wants `cargo install cargo-fuzz`
	for target in spec history position record choice agent; do \
	  RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer none $$target -- -dict=fuzz/words.dict -max_len=4096 \
	    -timeout=1 -rss_limit_mb=512 -max_total_time=$(FUZZ_SECONDS) || exit 1; \
	done

# On the loopback address only; it stops by itself. SOAK_ONLY names the scenarios (bench/soak/src/main.rs).
SOAK_SECONDS ?= 300
SOAK_CONNECTIONS ?= 2000
soak: page ## load and faults: kills, full disks, 2,000 connections (SOAK_CONNECTIONS), in 5 minutes (SOAK_SECONDS)
	$(CARGO) build --release --bin raichi --package raichi-cli --package raichi-soak --bin raichi-soak
	SOAK_SECONDS=$(SOAK_SECONDS) SOAK_CONNECTIONS=$(SOAK_CONNECTIONS) \
	  RAICHI_BIN=$(abspath $(or $(CARGO_TARGET_DIR),target))/release/raichi \
	  $(abspath $(or $(CARGO_TARGET_DIR),target))/release/raichi-soak

bench: ## print this machine's figures, of the whole program optimised as one (profile `figures`)
	$(CARGO) run --profile figures --bin raichi -- bench

findings: ## play the games of docs/findings.md again and print its tables (an hour and more)
	$(CARGO) build --profile figures --bin raichi
	RAICHI=$(abspath $(or $(CARGO_TARGET_DIR),target))/figures/raichi python3 scripts/findings.py

STRENGTH_MINUTES ?= 20
strength: ## measure agents at equal time: the tables of docs/strength.md, STRENGTH_MINUTES (20) a game; goes on where it was stopped
	$(CARGO) build --release --bin raichi
	python3 scripts/strength.py --minutes $(STRENGTH_MINUTES)

learning: ## train presets three times and measure what comes of it: a table of docs/learning.md (hours); goes on where it was stopped
	$(CARGO) build --release --bin raichi
	python3 scripts/learning.py

bench-peers: ## measure Raichi beside OpenSpiel, Pgx, PettingZoo, board-game and minimax (installs them in target/peers)
	python3 bench/peers/run.py

clean: ## remove what was built
	$(CARGO) clean
	rm -rf web/dist web/node_modules web/test-results
