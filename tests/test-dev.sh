#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the parts of ../dev that start the tests, which no other test covers.
set -uo pipefail

src=${1:?usage: test-dev.sh SOURCE-FOLDER}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0 making=:

# in_dev SCRIPT: runs SCRIPT in ./dev in place of a verb, with folders of its own. The command $making stands for
# making a root.
in_dev() {
  mkdir -p "$folder/tests"
  cp "$src/tests/debian-root.sh" "$src/tests/count.py" "$folder/tests"
  sed '$d' "$src/dev" >"$folder/dev"
  cat >>"$folder/dev" <<DEV
    set -euo pipefail
    mmdebstrap() { :; }
    bwrap() { :; }
    renice() { :; }
    root_of() { echo $folder/root; }
    have_root() { $making; }
    $1
    exit
DEV
  XDG_CACHE_HOME=$folder/cache bash "$folder/dev" >"$folder/log" 2>&1
}

# check NAME COMMAND...
check() {
  local name=$1; shift
  number=$((number + 1))
  if "$@"; then
    echo "ok $number - $name"
  else
    echo "not ok $number - $name"
    sed 's/^/# /' "$folder/log"
  fi
}

# ./dev expands the variables, not this script.
# shellcheck disable=SC2016
makes_early() { in_dev 'wants_newest=yes; begin_newest_root; sleep 0.2; await_newest_root'; }
# shellcheck disable=SC2016
makes_late() { making='sleep 0.5' in_dev 'wants_newest=yes; begin_newest_root; await_newest_root'; }
# Without a suite that waits for the root, making it must end with the run.
# shellcheck disable=SC2016
ends_first() {
  making='sleep 60' in_dev 'wants_newest=yes; begin_newest_root; kill -0 "$newest_maker"; echo "$newest_maker" >"$src/maker"' ||
    return
  for _ in {1..600}; do
    kill -0 "$(cat "$folder/maker")" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}
# The exit status and the last line, which CI and callers use
counts() {
  local status=0
  in_dev "test_unit() { add_cases unit 2 $1 0 1; }; run_tests unit" || status=$?
  [ "$status" = "$1" ] && grep -qx "2 passed, $1 failed, 0 skipped" "$folder/log"
}

# A program may print bytes that are no text: the last line is still shown, without warnings.
# shellcheck disable=SC2016
tells_bytes() {
  in_dev 'printf "1/2 begun\r\377\376 \0 2/2 ended \342\226\n\377\n" >"$src/said"; last_line "$src/said"
    head -c 2100 /dev/zero | tr "\0" "\n" >"$src/said"; last_line "$src/said"' &&
    grep -aq "2/2 ended" "$folder/log" && grep -qx working "$folder/log" && ! grep -aq "binary\|null byte" "$folder/log"
}

# Meson logs lines that are not UTF-8 as Latin-1, where Python's splitlines() takes one of the bytes for the end of a
# line.
# shellcheck disable=SC2016
counts_bytes() {
  in_dev 'step() { mkdir -p "$out/native/meson-logs"; cat "$src/said" >"$out/native/meson-logs/unit.json"; return 1; }
    meson_suite unit "$out/native" plain || true; echo "$passed $failed $skipped"' &&
    grep -qx "4 1 1" "$folder/log" && grep -aq "failed: bytes third" "$folder/log" &&
    grep -aq "skipped: bytes fourth" "$folder/log"
}
write_bytes() {
  cat >"$folder/said" <<'JSON'
{"name": "bytes", "result": "FAIL", "returncode": 1, "stdout": "1..6\nok 1 first\n# \u00ff\u00feC\u0085ok 9 none\n# \u0000\u000bnot ok 9 none\nok 2 second\n# caf\u00e9\u0000\nnot ok 3 third \u00c3\nok 4 fourth # SKIP \u00ff\r\nworking 10%\rworking 90%\rok 5 fifth\r\nok 6 sixth\r\n", "stderr": "\u0000\u00ff\n"}
JSON
}

# log_line PROGRAM RESULT TAP: a line of meson's log
log_line() { printf '{"name": "earmark:unit / %s", "result": "%s", "stdout": "1..1\\n%s 1 case\\n"}\n' "$@"; }

# runs_again RESULT TAP: the program "second" fails; RESULT and TAP are those of its second run.
# shellcheck disable=SC2016
runs_again() {
  { log_line first OK ok; log_line second FAIL "not ok"; } >"$folder/unit.json"
  log_line second "$@" >"$folder/again-unit.json"
  in_dev 'step() {
      local log=unit
      case $1 in *again) log=again-unit; echo "alone: ${*: -1}" ;; esac
      mkdir -p "$out/native/meson-logs"
      cp "$src/$log.json" "$out/native/meson-logs"
      ! grep -q FAIL "$src/$log.json"
    }
    test_unit() { meson_suite unit "$out/native" plain; }
    run_tests unit' || [ "$1" = FAIL ] || return
  grep -qx "alone: second" "$folder/log"
}
passes_again() {
  runs_again OK ok && grep -q "^==> unit: 2 passed, 0 failed.*, flaky: second$" "$folder/log" &&
    grep -qx "flaky: second" "$folder/log" && grep -qx "2 passed, 0 failed, 0 skipped" "$folder/log"
}
fails_again() {
  runs_again FAIL "not ok" && ! grep -q flaky "$folder/log" && grep -qx "1 passed, 1 failed, 0 skipped" "$folder/log"
}

# A suite built in the background reports its result, and is counted once.
builds_meanwhile() {
  local status=0
  mkdir -p "$folder/root"
  touch "$folder/root/.ready"
  in_dev "test_flatpak() { add_cases flatpak 1 0 0 0; }; configure() { :; }; compile() { : >\$log; return $1; }
    run_tests flatpak newest" || status=$?
  [ "$status" = "$1" ] && grep -q "^==> newest: $((1 - $1)) passed, $1 failed" "$folder/log" &&
    grep -qx "$((2 - $1)) passed, $1 failed, 0 skipped" "$folder/log"
}

# The root only has a file outside of the source tree if its folder is shared.
shares() {
  mkdir -p "$folder/figures"
  in_dev "prepare() { :; }; configure() { :; }; compile() { :; }; step() { :; }
    inside() { shift 2; echo \"\$* in\$EARMARK_BIND\"; }; cd $folder; EARMARK_BIND=; bench --only parse $*" &&
    grep -qx -- "--only parse --json $folder/figures/all.json in $folder/figures" "$folder/log"
}
shares_nothing() { ! in_dev 'bench --json nowhere/all.json' && grep -q 'no such folder: nowhere' "$folder/log"; }

echo 1..14
check 'all is well though the newest root was ready before it was waited for' makes_early
check 'all is well when the newest root is waited for' makes_late
check 'the newest root is not made any longer than the tests run' ends_first
check 'a run without failures ends well' counts 0
check 'a run with a failure does not' counts 1
check 'what is no text in a log is shown as far as it goes' tells_bytes
write_bytes
check 'what is no text in what tests print is counted rightly' counts_bytes
check 'a program that fails once is run again, and named flaky' passes_again
check 'a program that fails twice is a failure' fails_again
check 'the newest is built while the Flatpak is tested' builds_meanwhile 0
check 'what fails there meanwhile is counted' builds_meanwhile 1
check 'figures are written where they are wanted' shares --json figures/all.json
check 'however that is said' shares --json=figures/all.json
check 'a folder that is not there is told before anything is measured' shares_nothing
