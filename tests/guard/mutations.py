#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts how many seeded faults the tests notice.

mutations.py plant SOURCE COPY FOLDER... [--seed N] [--count N]
    Copies SOURCE to COPY and plants faults into the .c files of the folders: a condition negated or
    its operator changed, a constant changed, a call left out. All are compiled into one program, and
    EAR_MUTANT=N switches one on, so that 150 faults cost one build.
mutations.py drop COPY LOG
    Takes out the faults that the compiler refuses, by the errors in its output LOG.
mutations.py run COPY BUILD SESSION [--only N...]
    Runs the displayless tests of BUILD once to see which program reaches which fault, then for each
    fault the programs that reach it, until one fails. Writes COPY/mutations.json, from which an interrupted run
    goes on, and prints a summary.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

# Included before every file. Weak, since every file defines it.
HEADER = """\
#pragma once
extern char *getenv (const char *name);
extern int atoi (const char *text);
extern int open (const char *path, int flags, ...);
extern int close (int file);
extern long write (int file, const void *bytes, unsigned long size);

__attribute__ ((weak)) int
ear_mutated (int mutant)
{
  static unsigned char reached[100000];
  static const char *number, *log_path;
  static int started;

  if (!started)
    {
      number = getenv ("EAR_MUTANT");
      log_path = getenv ("EAR_MUTANT_LOG");
      started = 1;
    }
  /* Written at once, since a test may kill the program. */
  if (log_path != 0 && !reached[mutant])
    {
      char line[8] = { '0' + mutant / 1000 % 10, '0' + mutant / 100 % 10, '0' + mutant / 10 % 10, '0' + mutant % 10, '\\n' };
      int file = open (log_path, 02001 | 0100, 0600);

      reached[mutant] = 1;
      if (file >= 0 && write (file, line, 5) == 5)
        close (file);
    }
  return number != 0 && atoi (number) == mutant;
}
#define EAR_MUTATED(n) ear_mutated (n)
"""

OPERATORS = {" == ": " != ", " != ": " == ", " < ": " <= ", " > ": " >= ", " <= ": " < ", " >= ": " > ",
             " && ": " || ", " || ": " && ", " + ": " - ", " - ": " + "}
CALL = re.compile(r"^( +)([a-z_][a-z0-9_]* \(.*\));$")
RETURN = re.compile(r"^( +)return (.+);$")
# Left out, these change nothing that a test could see, or crash at once.
POINTLESS = re.compile(r"^(g_(free|clear|assert|return|debug|info|warning|message|log|object_unref|object_freeze|object_thaw|test_|auto)"
                       r"|G_OBJECT_CLASS|va_|memset|\(void\)|g_task_set_source_tag|g_task_set_name|g_type_ensure|G_)")


def close_of(text, start):
    """The index of the bracket that closes the one at START, or -1 where it is not on this line."""
    depth, quote, index = 0, None, start
    while index < len(text):
        char = text[index]
        if quote:
            if char == "\\":
                index += 1
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return index
        index += 1
    return -1


def outside_strings(text):
    """TEXT with what is in quotes blanked, so that indexes stay."""
    return re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', lambda match: "_" * len(match[0]), text)


def changed_expressions(expression):
    """(kind, changed expression) for each way to change it."""
    blank = outside_strings(expression)
    for old, new in OPERATORS.items():
        at = blank.find(old)
        if at >= 0:
            yield f"{old.strip()} to {new.strip()}", expression[:at] + new + expression[at + len(old):]
    for word, other in (("TRUE", "FALSE"), ("FALSE", "TRUE")):
        if match := re.search(rf"\b{word}\b", blank):
            yield f"{word} to {other}", expression[:match.start()] + other + expression[match.end():]
    if match := re.search(r"(?<![\w.\[])(\d+)\b(?![.\w\]])", blank):
        yield f"{match[0]} to {int(match[0]) + 1}", f"{expression[:match.start()]}{int(match[0]) + 1}{expression[match.end():]}"


def faults_of(line):
    """(kind, line with the fault, in which N stands for its number) for each fault that could be planted into LINE."""
    match = re.match(r"^( +(?:else )?if )\(", line)
    if match:
        end = close_of(line, match.end() - 1)
        if end == len(line) - 1 or end > 0 and line[end + 1:].strip() == "{":
            inside, head, tail = line[match.end():end], match[1], line[end + 1:]
            yield "negate", f"{head}(EAR_MUTATED (N) ? !({inside}) : ({inside})){tail}"
            for kind, changed in changed_expressions(inside):
                yield kind, f"{head}(EAR_MUTATED (N) ? ({changed}) : ({inside})){tail}"
    elif (match := RETURN.match(line)) and close_of(f"({match[2]})", 0) == len(match[2]) + 1:
        for kind, changed in changed_expressions(match[2]):
            yield kind, f"{match[1]}return EAR_MUTATED (N) ? ({changed}) : ({match[2]});"
    elif (match := CALL.match(line)) and not POINTLESS.match(match[2]) and close_of(line, line.index("(")) == len(line) - 2:
        yield "leave out", f"{match[1]}{{ if (!EAR_MUTATED (N)) {match[2]}; }}"


def candidates(root, folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*.c")):
            lines = path.read_text().split("\n")
            inside = False
            for number, line in enumerate(lines):
                # Functions begin with a brace in the first column.
                inside = line == "{" or inside and line != "}"
                if inside and not line.rstrip().endswith("\\"):
                    for kind, changed in faults_of(line):
                        yield path.relative_to(root), number, kind, changed


def plant(options):
    source, copy = pathlib.Path(options.source).resolve(), pathlib.Path(options.copy).resolve()
    files = subprocess.run(["git", "-C", source, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, files):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, copy / name)
    # One fault a line: the expression of a second one would have to contain the first.
    found = collections.defaultdict(list)
    for path, number, kind, changed in candidates(copy, options.folders):
        found[path, number].append((kind, changed))
    chance = random.Random(options.seed)
    # Some are refused by the compiler.
    places = chance.sample(sorted(found), min(len(found), options.count + options.count // 5))
    faults = []
    for (path, number), mutant in zip(places, range(1, len(places) + 1)):
        kind, changed = chance.choice(found[path, number])
        lines = (copy / path).read_text().split("\n")
        faults.append({"mutant": mutant, "file": str(path), "line": number + 1, "kind": kind, "was": lines[number].strip(),
                       "original": lines[number]})
        lines[number] = changed.replace("(N)", f"({mutant})")
        (copy / path).write_text("\n".join(lines))
    save(copy, {"seed": options.seed, "count": options.count, "folders": options.folders, "faults": faults})
    (copy / "src" / "ear-mutant.h").write_text(HEADER)
    build = copy / "meson.build"
    build.write_text(re.sub(r"\n\)\n", """
)
add_project_arguments('-include', meson.project_source_root() / 'src' / 'ear-mutant.h', '-w', language: 'c')
""", build.read_text(), count=1))
    print(f"{len(faults)} faults planted in {copy}")


def drop(options):
    copy = pathlib.Path(options.copy).resolve()
    state = load(copy)
    refused = set()
    for match in re.finditer(r"^(?:\.\./)*(\S+?):(\d+):\d+: (?:fatal )?error:", pathlib.Path(options.log).read_text(), re.M):
        name = re.sub(r"^.*?(?=src/)", "", match[1])
        refused |= {fault["mutant"] for fault in state["faults"] if fault["file"] == name and fault["line"] == int(match[2])}
    for fault in state["faults"]:
        if fault["mutant"] in refused:
            path = copy / fault["file"]
            lines = path.read_text().split("\n")
            lines[fault["line"] - 1] = fault["original"]
            path.write_text("\n".join(lines))
    state["faults"] = [fault for fault in state["faults"] if fault["mutant"] not in refused]
    save(copy, state)
    print(f"{len(refused)} faults dropped, {len(state['faults'])} left")


def load(copy):
    return json.loads((pathlib.Path(copy) / "mutations.json").read_text())


def save(copy, state):
    (pathlib.Path(copy) / "mutations.json").write_text(json.dumps(state, indent=1))


class Tests:
    """The displayless tests of a build folder, run one by one."""

    def __init__(self, build, session):
        self.session = session
        listed = subprocess.run(["meson", "introspect", "--tests", build], check=True, capture_output=True, text=True).stdout
        self.tests = {test["name"]: test for test in json.loads(listed) if "earmark:displayless" in test["suite"] or
                      "displayless" in test["suite"]}
        self.seconds = {}

    def run(self, name, environment, timeout):
        """Whether the test passes."""
        test = self.tests[name]
        start = time.monotonic()
        process = subprocess.Popen([self.session, "plain", *test["cmd"]], env=os.environ | test["env"] | environment,
                                   cwd=test["workdir"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True, errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=timeout)
            passed = process.returncode == 0 and not re.search(r"^not ok(?!.*# TODO)", output, re.M)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            passed = False
        self.seconds.setdefault(name, time.monotonic() - start)
        return passed


def run(options):
    copy = pathlib.Path(options.copy).resolve()
    state = load(copy)
    state["faults"] = state["faults"][:state["count"]]
    tests = Tests(options.build, options.session)
    logs = copy / "reached"
    if "reached" not in state or options.again:
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            passed = dict(zip(tests.tests, pool.map(lambda name: tests.run(name, {"EAR_MUTANT_LOG": str(logs / name)}, 900), tests.tests)))
        reached = collections.defaultdict(list)
        for name in tests.tests:
            # One that fails without a fault says nothing.
            if passed[name] and (logs / name).exists():
                for mutant in set((logs / name).read_text().split()):
                    reached[str(int(mutant))].append(name)
        state |= {"reached": reached, "seconds": tests.seconds, "failing": [name for name in passed if not passed[name]]}
        save(copy, state)
        print(f"{len(passed)} programs, {len(state['failing'])} fail without a fault: {' '.join(state['failing'])}", flush=True)

    def try_fault(fault):
        if "caught" in fault and not options.again:
            return fault
        programs, rest = [], options.seconds
        for name in sorted(state["reached"].get(str(fault["mutant"]), []), key=lambda name: state["seconds"][name]):
            rest -= state["seconds"][name]
            if rest >= 0 or not programs:
                programs.append(name)
        fault["caught"] = next((name for name in programs
                                if not tests.run(name, {"EAR_MUTANT": str(fault["mutant"])}, 60 + 5 * state["seconds"][name])), None)
        fault["tried"] = len(programs)
        return fault

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for fault in pool.map(try_fault, state["faults"]):
            save(copy, state)
            verdict = f"caught by {fault['caught']}" if fault["caught"] else \
                "not reached" if not fault["tried"] else f"missed by {fault['tried']} programs"
            print(f"{fault['mutant']:4} {fault['file']}:{fault['line']} {fault['kind']}: {verdict}", flush=True)
    caught = sum(bool(fault["caught"]) for fault in state["faults"])
    print(f"{caught} of {len(state['faults'])} faults caught, {sum(not fault['tried'] for fault in state['faults'])} not reached")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("plant")
    verb.add_argument("source")
    verb.add_argument("copy")
    verb.add_argument("folders", nargs="+")
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("--count", type=int, default=150)
    verb.set_defaults(do=plant)
    verb = verbs.add_parser("drop")
    verb.add_argument("copy")
    verb.add_argument("log")
    verb.set_defaults(do=drop)
    verb = verbs.add_parser("run")
    verb.add_argument("copy")
    verb.add_argument("build")
    verb.add_argument("session")
    verb.add_argument("--jobs", type=int, default=os.cpu_count() + 1)
    verb.add_argument("--seconds", type=float, default=120, help="of programs to try for a fault, the fastest first")
    verb.add_argument("--again", action="store_true")
    verb.set_defaults(do=run)
    options = parser.parse_args()
    options.do(options)


if __name__ == "__main__":
    sys.exit(main())
