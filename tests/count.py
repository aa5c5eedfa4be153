#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""count.py LOG.json...: counts the test cases in meson's logs and prints "PASSED FAILED SKIPPED FLAKY...".
count.py --failed LOG.json...: prints the names of the programs that failed.

Meson only counts programs, so this counts the cases in the TAP output of each. A program that crashed,
or failed without naming a case, adds one failed case. A program in several logs counts as in the last
one; if it passes there and failed before, it is one of FLAKY. Failed, flaky and skipped cases are
printed to standard error, failed ones with the output around them, which meson does not show for
programs that print TAP. Lines that begin with "# show: " are figures, and printed there as well."""

import json
import re
import sys

CASE = re.compile(r'^( *)(not )?ok\b *\d* *-? *([^#]*)(?:# *(SKIP|TODO)\b(.*))?', re.IGNORECASE)
GOOD = ('OK', 'EXPECTEDFAIL')
# Lines of output shown before and after a failed case, and from the end of a program's output
BEFORE, AFTER, END = 30, 40, 20


class Case:
    """A case, with the output before it (since the previous case) and after it (until the next)."""

    def __init__(self, name, outcome, reason='', before=(), after=()):
        self.name = name
        self.outcome = outcome
        self.reason = reason
        self.before = before
        self.after = after

    def told(self):
        return [*self.before[-BEFORE:], *self.after[:AFTER]]


def lines_of(text):
    """The lines of a program's output, with those that it overwrote, such as progress. Not splitlines(), which takes
    some bytes that are no text for the ends of lines."""
    return re.split(r'\r\n|\r|\n', text.rstrip('\r\n')) if text else []


def tap_cases(text):
    """The cases of a TAP output; an "ok" that sums up the indented cases before it does not count."""
    cases, inner, said = [], False, []
    for line in lines_of(text):
        match = CASE.match(line)
        if not match:
            said.append(line)
            continue
        indent, bad, name, directive, reason = match.groups()
        if not indent and inner:
            inner = False
            continue
        inner = bool(indent)
        outcome = 'failed' if bad else 'passed'
        if directive:
            outcome = 'skipped'
        before, said = said, []
        cases.append(Case(name.strip(), outcome, (reason or '').strip(), before, said))
    return cases


def end_of(test):
    """The end of a program's output."""
    return [*lines_of(test.get('stdout'))[-END:], *lines_of(test.get('stderr'))[-END:]]


def program_cases(test):
    """The cases of one program in meson's log."""
    result, name = test['result'], test['name']
    cases = tap_cases(test.get('stdout'))
    if result == 'SKIP' and not cases:
        reason = re.search(r'^1\.\.0 *# *SKIP *(.*)', test.get('stdout') or '', re.M | re.I)
        return [Case(name, 'skipped', reason.group(1) if reason else '')]
    if not cases:
        return [Case(name, 'passed') if result in GOOD else Case(name, 'failed', result, (), end_of(test))]
    if result not in GOOD + ('SKIP',) and all(case.outcome != 'failed' for case in cases):
        reason = f'{result}, exit status {test.get("returncode")}'
        cases.append(Case(f'{name} (the program)', 'failed', reason, (), end_of(test)))
    return cases


def failed(test):
    return any(case.outcome == 'failed' for case in program_cases(test))


def read_logs(paths):
    """The programs by name, each with its runs in the order of the logs."""
    programs = {}
    for path in paths:
        with open(path, encoding='utf-8') as log:
            for line in log:
                if line.strip():
                    test = json.loads(line)
                    programs.setdefault(test['name'].split(' / ')[-1], []).append(test)
    return programs


def show(name, case, outcome):
    print(f'    {outcome}: {name} {case.name} {case.reason}'.rstrip(), file=sys.stderr)
    if case.outcome == 'failed':
        for line in case.told():
            print(f'        {line}', file=sys.stderr)


def main(paths):
    totals, flaky = {'passed': 0, 'failed': 0, 'skipped': 0}, []
    for name, runs in read_logs(paths).items():
        last = runs[-1]
        if not failed(last) and any(map(failed, runs)):
            flaky.append(name)
            for case in program_cases(runs[0]):
                if case.outcome == 'failed':
                    show(name, case, 'flaky')
        for figure in re.findall(r'^# show: (.*)', last.get('stdout') or '', re.M):
            print(f'    {figure}', file=sys.stderr)
        for case in program_cases(last):
            totals[case.outcome] += 1
            if case.outcome != 'passed':
                show(name, case, case.outcome)
    print(totals['passed'], totals['failed'], totals['skipped'], *flaky)


def print_failed(paths):
    print(*(name for name, runs in read_logs(paths).items() if failed(runs[-1])))


if __name__ == '__main__':
    if sys.argv[1:2] == ['--failed']:
        print_failed(sys.argv[2:])
    else:
        main(sys.argv[1:])
