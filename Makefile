# SPDX-License-Identifier: GPL-2.0-or-later
# Benchmark suite for Linux idle governors. "make help" prints the targets from the '##' comments below.
#
# Variables: CC=clang, DEVELOPER=1 (warnings are errors), SANITIZE=address,undefined, V=1 (show commands),
# O=build/DIR (build there), PREFIX=/usr/local, DESTDIR=. A change of flags rebuilds what it touches.
# Nothing asks a compiler or a library while this file is parsed: "make deps run" must work before they exist.

PREFIX  ?= /usr/local
O       ?= build
VERSION := 0.1

MAKEFLAGS += --no-builtin-rules
ifeq ($(origin CC),default)
CC := gcc
endif
ifneq ($(words $(CURDIR) x),2)
$(error the source folder's path has a blank in it, which make cannot handle: $(CURDIR))
endif
ifneq ($(words $(O) x),2)
$(error O='$(O)': objects need a folder, its path without blanks)
endif
ifneq ($(filter $(realpath $(O)),/ $(realpath $(CURDIR)) $(realpath src workloads analysis tests docs tools configs)),)
$(error O=$(O) is no folder for objects; they need one of their own)
endif
CFLAGS  ?= -O2 -g

override CFLAGS += -std=gnu17 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla \
	-Wwrite-strings -fno-common
override CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -I. -Isrc
override LDFLAGS += -pthread
ifdef DEVELOPER
override CFLAGS += -Werror
endif
ifdef SANITIZE
override CFLAGS += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
override LDFLAGS += -fsanitize=$(SANITIZE)
endif

# Libraries of a layer and the header that each is known by. Each is in the compiler's default path.
LIBS_lib       := -linih -lm
LIBS_hw        := -lcpupower -lhwloc -lpfm -ltraceevent -lz
LIBS_store     :=
LIBS_trace     := -lz
LIBS_workloads := -lhwloc
LIBS_run       := -ljansson
LIBS_governors :=
LIBS_model     :=
LIBS_analysis  := -lgsl -lgslcblas -ljansson -llzma -ldl
HEADERS        := ini.h cpufreq.h hwloc.h perfmon/pfmlib.h traceevent/event-parse.h zlib.h jansson.h \
	gsl/gsl_version.h lzma.h

# What a program or test of a layer is linked from, in link order; tools/check-layers holds includes to it too.
LAYERS         := lib hw store trace governors model run workloads analysis
USES_lib       := lib
USES_hw        := hw lib
USES_store     := store lib
USES_trace     := trace lib
USES_workloads := workloads lib
USES_run       := run workloads store trace hw lib
USES_governors := governors lib
USES_model     := model governors lib
USES_analysis  := analysis model store trace governors lib

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))
# Stores a text in the target, touching it only when the text is another one than last time.
remember = $(Q)mkdir -p $(@D); echo '$(subst ','\'',$(1))' | cmp -s - $@ || echo '$(subst ','\'',$(1))' >$@

dir_of    = $(if $(filter workloads analysis,$(1)),$(1),src/$(1))
sources   = $(filter-out %/main.c,$(wildcard $(call dir_of,$(1))/*.c $(call dir_of,$(1))/*/*.c))
objects   = $(patsubst %.c,$(O)/obj/%.o,$(call sources,$(1)))
archives  = $(foreach l,$(USES_$(1)),$(O)/lib$(l).a)
libraries = $(foreach l,$(USES_$(1)),$(LIBS_$(l)))

WORKLOADS := $(shell sed -n 's/^WORKLOAD(\([a-z0-9_]*\)).*/\1/p' workloads/workloads.def | tr _ -)
PROGRAMS  := $(O)/runner $(O)/analysis $(addprefix $(O)/workloads/,$(WORKLOADS))
UNIT_SRC  := $(wildcard tests/unit/*/*.c)
UNIT      := $(patsubst tests/unit/%.c,$(O)/tests/unit/%.t,$(UNIT_SRC))
FUZZ      := $(filter-out replay,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZERS   := $(addprefix $(O)/fuzz/,$(FUZZ))
CLI       := $(wildcard tests/cli/*.t)
LIVE      := $(wildcard tests/live/*.t)
LAB       := $(wildcard tests/lab/*.t)
MAN       := $(patsubst docs/%.scd,$(O)/man/%,$(wildcard docs/*.scd))
OWN       := $(wildcard $(foreach d,src/* workloads analysis analysis/* tests/unit/* tests/*,$(d)/*.c $(d)/*.h))
CLANG_FORMAT := $$(command -v clang-format-14 || echo clang-format)
# "make -j clean deps check": what is built waits for these when they are asked for as well.
DEPS_FIRST := $(filter deps clean,$(MAKECMDGOALS))

all: $(PROGRAMS) $(O)/source ## build everything into build/ (the default)

deps: ## install the needed packages (Debian, Fedora, openSUSE), only those that are missing
	@tools/deps

run: all ## build, then measure the smoke suite with every governor (simulate it where the kernel switches none)
	$(O)/runner --suite smoke --or-simulate

check: check-layers check-headers all $(UNIT) $(FUZZERS) ## all tests; live ones skip where they cannot run
	@command -v prove >/dev/null || { echo "prove is missing: run 'make deps'" >&2; exit 1; }
	$(Q)BUILD=$(O) prove -j2 --rules='par=**/unit/**' --rules='par=tests/cli/{adaptive,check,criteria,explain,fuzz,import,machines,manual,privilege,replay,report,runner,sequential,simulate,suites,trace}*' \
		$(UNIT) $(CLI) $(LIVE) tests/lab/short.t

check-lab: all ## tests in guests with teo and five idle states; needs what tools/deps --lab brings
	$(Q)BUILD=$(O) prove --timer $(LAB)

check-long: export IDLE_TEST_LONG = 1
check-long: check ## the same with the tests' long forms

check-unit: all $(UNIT) $(FUZZERS) ## unit and command line tests only: nothing touches the machine
	$(Q)BUILD=$(O) prove -j2 $(UNIT) $(CLI)

check-layers: all $(UNIT) $(FUZZERS) ## no layer includes what it may not use
	$(Q)tools/check-layers $(O)/obj $(foreach l,$(LAYERS),'$(l)=$(USES_$(l))')

check-headers: $(O)/found ## every header compiles on its own
	$(Q)tools/check-headers '$(CC) $(subst ','\'',$(CPPFLAGS)) $(CFLAGS)' $(filter %.h,$(OWN))

SECONDS ?= 60
fuzz: ## fuzz every target for SECONDS=60 with clang; what is new goes to build/fuzz/found
	$(Q)$(MAKE) O=$(O)/fuzz/clang CC=clang SANITIZE=fuzzer-no-link,address,undefined,float-cast-overflow fuzzers
	$(Q)for t in $(FUZZ); do mkdir -p $(O)/fuzz/found/$$t && $(O)/fuzz/clang/fuzz/$$t -max_total_time=$(SECONDS) \
		-max_len=4096 -timeout=10 -print_final_stats=1 -artifact_prefix=$(O)/fuzz/$$t- \
		$(O)/fuzz/found/$$t tests/fuzz/corpus/$$t || exit; done

fuzzers: $(FUZZERS)

check-format: ## clang-format 14 would change nothing
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(OWN)

format: ## let clang-format 14 rewrite the sources
	$(Q)$(CLANG_FORMAT) -i $(OWN)

man: $(MAN) ## manual pages, from docs/*.scd

# Kept, not made when installing: it takes running the programs, which a cross compiler's cannot be.
workload-page: $(addprefix $(O)/workloads/,$(WORKLOADS)) ## write the workloads' manual page anew, from their --help
	$(Q)tools/workload-page $^ >docs/idle-runner-workloads.7.scd

# Where each file goes below PREFIX, and where it comes from: install and uninstall read the same list.
INSTALLED = bin/idle-runner:$(O)/runner libexec/idle-runner/analysis:$(O)/analysis \
	$(foreach w,$(WORKLOADS),libexec/idle-runner/workloads/$(w):$(O)/workloads/$(w)) \
	$(foreach f,$(wildcard configs/*.ini configs/machines/*.ini),share/idle-runner/$(f):$(f)) \
	share/idle-runner/include/governors/governor.h:src/governors/governor.h \
	share/doc/idle-runner/examples/teo-ng.c:docs/examples/teo-ng.c \
	$(foreach f,$(wildcard analysis/plots/*.gp),share/idle-runner/plots/$(notdir $(f)):$(f)) \
	$(foreach f,$(wildcard LICENSE README.md docs/*.md docs/*.json),share/doc/idle-runner/$(notdir $(f)):$(f)) \
	$(foreach m,$(MAN),share/man/man$(patsubst .%,%,$(suffix $(m)))/$(patsubst runner.%,idle-runner.%,$(notdir $(m))):$(m))
OWN_DIRS = libexec/idle-runner/workloads libexec/idle-runner share/idle-runner/include/governors \
	share/idle-runner/include share/idle-runner/configs/machines share/idle-runner/configs share/doc/idle-runner/examples \
	share/idle-runner/plots share/idle-runner share/doc/idle-runner

install: all man ## install below DESTDIR and PREFIX; the command is called idle-runner
	$(Q)for f in $(INSTALLED); do from=$${f#*:}; mode=644; [ ! -x "$$from" ] || mode=755; \
		install -D -m $$mode "$$from" "$(DESTDIR)$(PREFIX)/$${f%%:*}" || exit; done

uninstall: ## remove exactly what install puts there
	$(Q)for f in $(INSTALLED); do rm -f "$(DESTDIR)$(PREFIX)/$${f%%:*}"; done; \
	for d in $(OWN_DIRS); do d="$(DESTDIR)$(PREFIX)/$$d"; \
		[ ! -d "$$d" ] || rmdir --ignore-fail-on-non-empty "$$d"; done

# build/ is ours whole; in a folder of the user's choice only what was made there is.
MADE = $(if $(filter build,$(O)),build,$(addprefix $(O)/,obj tests fuzz workloads man lib*.a lib*.objects runner analysis \
	flags found found-tests source))
clean: ## remove what was built
	$(Q)rm -rf $(MADE)
	$(Q)[ ! -d $(O) ] || rmdir --ignore-fail-on-non-empty $(O)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' Makefile
	@sed -n 's/^# Variables: /Variables: /p; s/^# \(O=build.*[.]\) A change.*/  \1/p' Makefile

$(O)/flags: FORCE | $(DEPS_FIRST)
	$(call remember,$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(foreach l,$(LAYERS),$(LIBS_$(l))))

# Are a compiler and the libraries' headers ($(1)) there? One line that says what to do, not a cascade.
define look_for
$(Q)command -v $(firstword $(CC)) >/dev/null || \
	{ echo "$(firstword $(CC)) is missing: run 'make deps' (for clang: tools/deps --ci)" >&2; exit 1; }; \
for h in $(1); do echo "#include <$$h>" | $(CC) $(CPPFLAGS) -E -xc - >/dev/null 2>&1 || missing="$$missing $$h"; done; \
[ -z "$$missing" ] || { echo "missing headers:$$missing: run 'make deps'" >&2; exit 1; }; touch $@
endef

$(O)/found: $(O)/flags
	$(call look_for,$(HEADERS))

$(O)/found-tests: $(O)/flags
	$(call look_for,cmocka.h)

$(O)/obj/%.o: %.c $(O)/flags | $(O)/found
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# The list of objects is a prerequisite of its own, so that a deleted source leaves its archive.
define layer_rule
$(O)/lib$(1).objects: FORCE | $(DEPS_FIRST)
	$$(call remember,$(call objects,$(1)))
$(O)/lib$(1).a: $(O)/lib$(1).objects $(call objects,$(1))
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@; ar rcs $$@ $(call objects,$(1))
endef
$(foreach l,$(LAYERS),$(eval $(call layer_rule,$(l))))

# How programs in an object folder elsewhere find configs/ and analysis/plots.
$(O)/source: | $(DEPS_FIRST)
	$(Q)mkdir -p $(@D); ln -sfn $(CURDIR) $@

link = $(Q)mkdir -p $(@D); $(CC) $(CFLAGS) $(LDFLAGS) $^ $(call libraries,$(1)) $(2) -o $@

$(O)/runner: $(O)/obj/src/run/main.o $(call archives,run)
	$(call say,LD,$@)
	$(call link,run)

$(O)/analysis: $(O)/obj/analysis/main.o $(call archives,analysis)
	$(call say,LD,$@)
	$(call link,analysis)

# Each workload's program is the common main, told its descriptor's name.
$(O)/obj/workloads/main.%.o: workloads/main.c $(O)/flags | $(O)/found
	$(call say,CC,"$< ($*)")
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -DWORKLOAD=workload_$(subst -,_,$*) -MMD -MP -c $< -o $@

$(O)/workloads/%: $(O)/obj/workloads/main.%.o $(call archives,workloads)
	$(call say,LD,$@)
	$(call link,workloads)

# tests/unit/LAYER/NAME.c links the archives of its layer (GSL and libcpupower never meet in one program).
$(patsubst $(O)/tests/%.t,$(O)/obj/tests/%.o,$(UNIT)): | $(O)/found-tests
.SECONDEXPANSION:
$(O)/tests/unit/%.t: $(O)/obj/tests/unit/%.o $$(call archives,$$(firstword $$(subst /, ,$$*)))
	$(call say,LD,$@)
	$(call link,$(firstword $(subst /, ,$*)),-lcmocka)

# tests/fuzz/NAME.c with a main(): libFuzzer's where the objects are made for it, else one that replays a corpus.
fuzz_layer = $(or $(filter governors,$(1)),$(if $(filter result import trace periods,$(1)),analysis,run))
FUZZ_MAIN := $(if $(findstring fuzzer,$(SANITIZE)),,$(O)/obj/tests/fuzz/replay.o)
$(FUZZERS): $(O)/fuzz/%: $(O)/obj/tests/fuzz/%.o $(FUZZ_MAIN) $$(call archives,$$(call fuzz_layer,$$*))
	$(call say,LD,$@)
	$(call link,$(call fuzz_layer,$*),$(if $(FUZZ_MAIN),,-fsanitize=fuzzer))

$(O)/man/%: docs/%.scd $(O)/flags
	$(call say,MAN,$@)
	$(Q)command -v scdoc >/dev/null || { echo "scdoc is missing: run 'make deps'" >&2; exit 1; }
	$(Q)mkdir -p $(@D); scdoc <$< >$@

.PRECIOUS: $(O)/obj/%.o $(O)/obj/workloads/main.%.o
.DELETE_ON_ERROR:
.PHONY: all deps run check check-lab check-long check-unit check-layers check-headers check-format fuzz fuzzers format \
	man workload-page install uninstall clean help FORCE
FORCE:

-include $(shell find $(O)/obj -name '*.d' 2>/dev/null)
