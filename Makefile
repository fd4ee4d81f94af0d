# make demo    a private release of a real health survey, by a chain in Rust and from a shell; built as make test builds, so that neither builds twice
# make walk    from a stranger's CSV file to a page in ten commands, and what each says when it is used wrongly; make test does it too
# make test    every test; make test-deep the same in release mode, with all of the random cases
# make test-postgres   the tests of ledgers, on a PostgreSQL server, too, which is started for them; DEEP=1 with all of the kills
# make lint    formatting, clippy, documentation; all warnings are errors
# make proofs  the machine-checked part of the proofs, by Coq (installed if missing)
# make bench   speed, as ratios in one run; lints and tests the benchmarks, which make lint and make test leave out
# make bench-peers   releases of ten million rows beside polars and opendp (with Python): docs/PERFORMANCE.md
# make cluster the engines by DataFusion and Ballista, which make test and make lint leave out: formatting, clippy, every test, also of a cluster on this machine
# make engines releases from files by the native engine and by DataFusion beside polars and DuckDB (with Python): docs/PERFORMANCE.md; ROWS="10000000 100000000"
# make figures the figures of the pages; make accounting-table asks 1,486 questions; make bench-accounting
#                asks dp-accounting and PLD-accounting the same (with Python); make accounting-instructions counts instead, with valgrind; ROWS=… for some
# make bench-training   a hundred questions about trainings through the Python package, beside three other accountants (with Python)
# make audit-deep   the audit with a hundred times the draws, of all constructors or of those with ROWS=… in their names; make audit-table writes docs/dev/audit.md
# make fuzz    bytes that are guided by coverage against all constructors, for a minute or FUZZ_SECONDS; FUZZ_TARGETS="noise plans" for some
# make mutants changes to maps, samplers and rounding that no test notices; hours, or FILES=… for some
# make instructions   instructions per draw, with valgrind
# make doc     the documentation, in target/doc
# make site    the guide, topics, proofs and the reference of the code as one folder for a browser, target/site; API=no without
#                the last; make site-check reads it in a browser, and follows its links
# make program   the program `indistinct` as small as it gets, target/dist/indistinct, and its size
# make wheel   the Python package, in target/wheels; make test-python tests it in a clean environment (with Python)
# make bench-python   a release of 10^7 rows through Python beside the program (with Python); ROWS=… for others
# make browser the pages of releases, curves and budgets in a real browser: layout, messages, keyboard, print; pictures of them in target/browser (with Python)
# make package   each library crate as it would be published, built from its package alone
# make deny      licences, known vulnerabilities and sources of all dependencies; make semver   whether the public names since BASELINE=… allow the version
# make all-targets   each of these from a clean clone, in a fresh target folder; hours, or TARGETS="bench doc" for some
#
# Each does its own set-up. GMP and MPFR are built from source (by the crate rug), which needs a C compiler, make and m4.

# Readers that are left out unless they are asked for.
READERS := --features indistinct-tables/parquet,indistinct-tables/ipc,indistinct-tables/engine

TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))

.PHONY: demo walk test test-deep test-postgres lint proofs proofs-oracle bench figures accounting-table accounting-instructions bench-accounting bench-training bench-peers cluster engines audit-deep audit-table fuzz mutants instructions doc site site-check program wheel test-python bench-python browser package deny semver all-targets setup proofs-setup

demo: export CARGO_TARGET_DIR := $(TARGET)
demo: setup
	@echo "Building the library and the survey example. GMP, MPFR and SQLite are compiled from source: about 2.5 minutes on two idle cores."
	cargo build --locked --bin health_survey
	$(TARGET)/debug/health_survey
	@echo "Building the program indistinct: about half a minute."
	cargo build --locked --bin indistinct
	examples/survey.sh $(TARGET)/debug/indistinct

test: setup
	cargo test --locked $(READERS)

walk: setup
	cargo test --locked --package indistinct-cli --test walk

test-deep: setup
	TEST_DEEP=1 cargo test --release --locked $(READERS)

test-postgres: setup
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { $(APT) update -qq; $(APT) install -y --no-install-recommends postgresql; }
	rust/ledger/tests/server/run.sh with $(if $(DEEP),env TEST_DEEP=1) cargo test --package indistinct-ledger --features postgres --locked

lint: setup
	cargo fmt --all --check
	cargo fmt $(CLUSTER) --all --check
	cargo clippy --all-targets --locked $(READERS) -- -D warnings
	cargo clippy --package indistinct --no-default-features --locked -- -D warnings
	cargo clippy --package indistinct-tables --all-targets --locked -- -D warnings
	cargo clippy --package indistinct-ledger --all-targets --features postgres --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked $(READERS)
	@! grep -rlw rug $(addprefix $(TARGET)/doc/indistinct,"" _accounting _numeric _sampling) || { echo "names of rug in the interface"; exit 1; }

proofs: setup proofs-setup
	$(MAKE) --jobs=2 --output-sync=target --directory proofs

proofs-oracle: setup proofs-setup
	$(MAKE) --directory proofs oracle

# Results of an earlier run are no part of this one; a table that names what is not measured fails before it is measured.
bench: export CARGO_TARGET_DIR := $(TARGET)
bench: setup
	rm -rf $(TARGET)/criterion
	cargo clippy --release --locked --package indistinct-bench --all-targets -- -D warnings
	cargo test --release --locked --package indistinct-bench
	cargo build --release --locked --package indistinct-bench --bin ratios
	cargo bench --package indistinct-bench --bench '*' --locked -- --list > $(TARGET)/benchmarks.txt
	$(TARGET)/release/ratios --check < $(TARGET)/benchmarks.txt
	cargo bench --package indistinct-bench --bench '*' --locked -- \
		--warm-up-time 0.3 --measurement-time 1 --sample-size 20 --nresamples 5000 --noplot
	$(TARGET)/release/ratios

figures: setup
	cargo xtask drawings
	cargo run --release --locked --quiet --package indistinct-bench --bin figures

accounting-table: setup
	cargo run --release --locked --quiet --package indistinct-bench --bin accounting_questions -- $(if $(ROWS),--only "$(ROWS)")

accounting-instructions: setup
	@command -v valgrind >/dev/null || $(APT) install -y --no-install-recommends valgrind
	cargo run --release --locked --quiet --package indistinct-bench --bin accounting_table -- --instructions $(if $(ROWS),"$(ROWS)")

PEERS := $(TARGET)/bench-accounting

bench-accounting: setup
	cargo build --release --locked --quiet --package indistinct-bench --bin accounting_table
	@python3 -c 'import ensurepip' 2>/dev/null || $(APT) install -y --no-install-recommends python3 python3-venv
	@[ -x $(PEERS)/bin/python ] || python3 -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet dp-accounting==0.6.0 PLD-accounting==2.0
	$(PEERS)/bin/python tests/bench_accounting.py $(TARGET)/release/accounting_table

bench-training: wheel
	rm -rf $(PEERS)-training
	python3 -m venv $(PEERS)-training
	$(PEERS)-training/bin/pip install --quiet dp-accounting==0.6.0 PLD-accounting==2.0 opake-accounting==0.16.1 $(WHEELS)/*.whl
	$(PEERS)-training/bin/python tests/bench_training.py

TABLE_PEERS := $(TARGET)/bench-peers

bench-peers: setup
	cargo build --release --locked --quiet --package indistinct-bench --bin table_peers
	@python3 -c 'import ensurepip' 2>/dev/null || $(APT) install -y --no-install-recommends python3 python3-venv
	@[ -x $(TABLE_PEERS)/bin/python ] || python3 -m venv $(TABLE_PEERS)
	$(TABLE_PEERS)/bin/pip install --quiet 'opendp[polars]==0.16.0' polars==1.36.1
	$(TABLE_PEERS)/bin/python tests/bench_tables.py $(TARGET)/release/table_peers $(TABLE_PEERS)/rows.arrow

CLUSTER := --manifest-path rust/cluster/Cargo.toml

cluster: export CARGO_TARGET_DIR := $(TARGET)
cluster: setup
	@command -v openssl >/dev/null || $(APT) install -y --no-install-recommends openssl
	cargo fmt $(CLUSTER) --all --check
	cargo clippy $(CLUSTER) --workspace --all-targets --locked -- -D warnings
	cargo test $(CLUSTER) --workspace --locked

engines: export CARGO_TARGET_DIR := $(TARGET)
engines: setup
	cargo build $(CLUSTER) --release --locked --quiet --package indistinct-speed
	@python3 -c 'import ensurepip' 2>/dev/null || $(APT) install -y --no-install-recommends python3 python3-venv
	@[ -x $(TABLE_PEERS)/bin/python ] || python3 -m venv $(TABLE_PEERS)
	$(TABLE_PEERS)/bin/pip install --quiet polars==1.36.1 duckdb==2.0.1
	$(TABLE_PEERS)/bin/python tests/bench_engines.py $(TARGET)/release/engines $(TARGET)/engines $(or $(ROWS),10000000)

audit-deep: setup
	AUDIT_DEEP=1 cargo test --release --locked --package indistinct-gate -- --nocapture $(ROWS)

audit-table: setup
	TEST_DEEP=1 cargo test --locked --package indistinct-gate -- --ignored write_the_table

FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= $(shell sed -n '/^targets! {/,/^}/s/^ *\([a-z_]*\): .*/\1/p' rust/fuzz/src/lib.rs)

# On stable Rust: libFuzzer needs a compiler of C++, and no sanitizer. What fails is kept in rust/fuzz/corpus, where `make test` runs it again.
fuzz: setup
	@command -v c++ >/dev/null || $(APT) install -y --no-install-recommends g++
	@cargo bolero --version >/dev/null 2>&1 || cargo install --locked --no-default-features cargo-bolero
	@set -e; built=$(TARGET)/fuzz; \
	each=$$(( $(FUZZ_SECONDS) / $(words $(FUZZ_TARGETS)) )); \
	for target in $(FUZZ_TARGETS); do \
		echo "== $$target"; \
		cargo bolero test $$target --package indistinct-fuzz --engine libfuzzer --sanitizer NONE --target-dir $$built \
			-T $$(( each > 0 ? each : 1 ))s --timeout 60s --max-input-length 512 --engine-args=-print_final_stats=1 \
			--corpus-dir $$built/corpus/$$target --crashes-dir rust/fuzz/corpus/$$target; \
	done

mutants: setup
	@cargo mutants --version >/dev/null 2>&1 || cargo install --locked cargo-mutants
	@command -v python3 >/dev/null || $(APT) install -y --no-install-recommends python3
	python3 tests/mutants.py

instructions: setup
	@command -v valgrind >/dev/null || $(APT) install -y --no-install-recommends valgrind
	cargo run --release --locked --quiet --package indistinct-bench --bin instructions

# The Python package: docs/PYTHON.md.
PYTHON := $(TARGET)/python
program: export CARGO_TARGET_DIR := $(TARGET)
program: setup
	cargo build --quiet --profile dist --locked --package indistinct-cli
	@ls -l $(TARGET)/dist/indistinct

WHEELS := $(TARGET)/wheels

wheel: export CARGO_TARGET_DIR := $(TARGET)
wheel: setup
	@python3 -c 'import ensurepip' 2>/dev/null || $(APT) install -y --no-install-recommends python3 python3-venv
	@[ -x $(PYTHON)/bin/maturin ] || { python3 -m venv $(PYTHON) && $(PYTHON)/bin/pip install --quiet 'maturin>=1.9,<2'; }
	@! cargo tree --locked --package indistinct-python --edges features | grep -E "(indistinct|-sampling) feature \"testing\"" || { echo "the package would open seeds"; exit 1; }
	rm -rf $(WHEELS)
	$(PYTHON)/bin/maturin build --quiet --profile dist --locked --manifest-path rust/python/Cargo.toml --out $(WHEELS)
	@ls -l $(WHEELS)

test-python: wheel
	cargo fmt --package indistinct-python --check
	cargo clippy --package indistinct-python --all-targets --locked -- -D warnings
	rm -rf $(PYTHON)-tests
	python3 -m venv $(PYTHON)-tests
	$(PYTHON)-tests/bin/pip install --quiet pytest mypy numpy pyarrow pandas dp-accounting==0.6.0 'opendp[polars]==0.16.0' polars==1.36.1 $(WHEELS)/*.whl
	cd rust/python && PYTHONDONTWRITEBYTECODE=1 $(PYTHON)-tests/bin/python -m pytest -q -p no:cacheprovider
	cd rust/python && MYPY_CACHE_DIR=/dev/null $(PYTHON)-tests/bin/python -m mypy.stubtest indistinct

bench-python: program wheel
	rm -rf $(PYTHON)-tests
	python3 -m venv $(PYTHON)-tests
	$(PYTHON)-tests/bin/pip install --quiet pyarrow $(WHEELS)/*.whl
	$(PYTHON)-tests/bin/python tests/bench_python.py $(TARGET)/dist/indistinct $(PYTHON)-rows $(or $(ROWS),10000000)

PICTURES := $(TARGET)/browser
# The browser that is there, or Debian's.
CHROMIUM = $(or $(shell command -v chromium || command -v chromium-browser || command -v google-chrome),chromium)
INSTALL_CHROMIUM = command -v $(CHROMIUM) >/dev/null || { $(APT) update -qq; $(APT) install -y --no-install-recommends chromium; }

browser: export CARGO_TARGET_DIR := $(TARGET)
browser: setup
	@$(INSTALL_CHROMIUM)
	@python3 -c 'import ensurepip' 2>/dev/null || $(APT) install -y --no-install-recommends python3 python3-venv
	@[ -x $(PICTURES)-python/bin/python ] || { python3 -m venv $(PICTURES)-python && $(PICTURES)-python/bin/pip install --quiet playwright==1.65.2; }
	cargo build --locked --quiet --package indistinct-cli
	$(PICTURES)-python/bin/python tests/browser.py $(TARGET)/debug/indistinct $(PICTURES) $$(command -v $(CHROMIUM))

package: setup
	cargo package --locked $(addprefix --package indistinct,-derive -numeric -sampling -accounting -marginals "" -audit -engine -tables -ledger -sessions -sql -report -cli -audit-cli)

# Vulnerabilities are looked up in RustSec's database on GitHub; without a way there, CHECKS="licenses bans sources".
CHECKS ?= advisories licenses bans sources

deny: setup
	@cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
	cargo deny --locked check $(CHECKS)
	cargo deny $(CLUSTER) --locked --config deny.toml check $(CHECKS)

# A tag or commit; the published crates, once there are some.
BASELINE ?=

semver: setup
	@cargo semver-checks --version >/dev/null 2>&1 || cargo install --locked cargo-semver-checks
	cargo semver-checks $(if $(BASELINE),--baseline-rev $(BASELINE)) $(addprefix --package indistinct,-numeric -sampling -accounting -marginals "" -audit -engine -tables -ledger -sessions -sql -report -cli)

doc: setup
	cargo doc --workspace --exclude indistinct-python --no-deps --locked

# The site: Sphinx and KaTeX in versions that docs/site names, kept in target/site-tools.
SITE := $(TARGET)/site
SITE_TOOLS := $(TARGET)/site-tools
API ?= yes
API_CRATES := numeric sampling accounting marginals derive audit engine tables ledger sessions sql

$(SITE_TOOLS)/installed: docs/site/requirements.txt docs/site/package.json docs/site/package-lock.json
	@python3 -c 'import ensurepip' 2>/dev/null || $(APT) install -y --no-install-recommends python3 python3-venv
	@command -v npm >/dev/null || $(APT) install -y --no-install-recommends nodejs npm
	@[ -x $(SITE_TOOLS)/bin/python ] || python3 -m venv $(SITE_TOOLS)
	$(SITE_TOOLS)/bin/pip install --quiet --requirement docs/site/requirements.txt
	cp docs/site/package.json docs/site/package-lock.json $(SITE_TOOLS)
	cd $(SITE_TOOLS) && npm ci --silent
	touch $@

# A crate's page links to another crate's where there is a folder for that one by then.
site: export CARGO_TARGET_DIR := $(TARGET)
site: setup $(SITE_TOOLS)/installed
ifneq ($(API),no)
	rm -rf $(TARGET)/doc
	mkdir -p $(addprefix $(TARGET)/doc/indistinct,"" $(addprefix _,$(API_CRATES)))
	cargo doc --no-deps --locked --package indistinct $(addprefix --package indistinct-,$(API_CRATES)) $(READERS)
endif
	$(SITE_TOOLS)/bin/python docs/site/build.py $(SITE_TOOLS) $(SITE) $(if $(filter no,$(API)),,$(TARGET)/doc)
	@echo "$(SITE)/index.html"

site-check: site
	@[ -x $(SITE_TOOLS)/bin/hyperlink ] || cargo install --locked --quiet --root $(SITE_TOOLS) hyperlink --version 0.3.2
	@$(INSTALL_CHROMIUM)
	$(SITE_TOOLS)/bin/python docs/site/check.py $(SITE) $(SITE_TOOLS)/bin/hyperlink $$(command -v $(CHROMIUM)) $(SITE)-pictures

all-targets: setup
	tests/all_targets.sh $(TARGETS)

APT := $(if $(filter 0,$(shell id -u)),,sudo )apt-get

COQ := coq libcoq-coquelicot libcoq-flocq libcoq-interval

setup:
	@command -v cargo >/dev/null || { echo "Rust is missing: install it from https://rustup.rs"; exit 1; }
	@missing=; \
	command -v cc >/dev/null || missing="$$missing gcc libc6-dev"; \
	command -v m4 >/dev/null || missing="$$missing m4"; \
	[ -z "$$missing" ] || { \
		command -v apt-get >/dev/null && { $(APT) update -qq; $(APT) install -y --no-install-recommends $$missing; }; \
	} || { echo "Please install:$$missing"; exit 1; }

proofs-setup:
	@command -v coqchk >/dev/null && [ -d "$$(coqc -where)/user-contrib/Interval" ] || { \
		command -v apt-get >/dev/null && { $(APT) update -qq; $(APT) install -y --no-install-recommends $(COQ); }; \
	} || { echo "Please install: $(COQ)"; exit 1; }
