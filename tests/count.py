#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""count.py LOG.json...: count the test cases in meson's logs, one "passed failed skipped" line.

Meson counts programs; a reader wants to know about cases, so the TAP that each program wrote is
counted. A program that died, or failed without saying which case, adds one failed case. Failed and
skipped cases are named on standard error, the failed ones with what the program told about them:
of a program that speaks TAP, meson shows nothing of that. Lines that begin with "# show: " are
figures, which are shown there as well."""

import json
import re
import sys

CASE = re.compile(r'^( *)(not )?ok\b *\d* *-? *([^#]*)(?:# *(SKIP|TODO)\b(.*))?', re.IGNORECASE)
GOOD = ('OK', 'EXPECTEDFAIL')
# Lines that are shown from before and after a failed case, and from the end of what a program said.
BEFORE, AFTER, END = 30, 40, 20


class Case:
    """A case, and what was said before it (since the case before) and after it (until the next)."""

    def __init__(self, name, outcome, reason='', before=(), after=()):
        self.name = name
        self.outcome = outcome
        self.reason = reason
        self.before = before
        self.after = after

    def told(self):
        return [*self.before[-BEFORE:], *self.after[:AFTER]]


def lines_of(text):
    """The lines that a program said, with what it wrote over, such as how far it was. Of bytes that are no text
    splitlines() takes some for the ends of lines."""
    return re.split(r'\r\n|\r|\n', text.rstrip('\r\n')) if text else []


def tap_cases(text):
    """The cases of a TAP output; an "ok" that sums up the indented cases before it is none itself."""
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
    """The last that a program said."""
    return [*lines_of(test.get('stdout'))[-END:], *lines_of(test.get('stderr'))[-END:]]


def program_cases(test):
    """The cases of one program, as meson logged it."""
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


def main(paths):
    totals = {'passed': 0, 'failed': 0, 'skipped': 0}
    for path in paths:
        with open(path, encoding='utf-8') as log:
            tests = [json.loads(line) for line in log if line.strip()]
        for test in tests:
            for figure in re.findall(r'^# show: (.*)', test.get('stdout') or '', re.M):
                print(f'    {figure}', file=sys.stderr)
            for case in program_cases(test):
                totals[case.outcome] += 1
                if case.outcome != 'passed':
                    print(f'    {case.outcome}: {test["name"]} {case.name} {case.reason}'.rstrip(), file=sys.stderr)
                if case.outcome == 'failed':
                    for line in case.told():
                        print(f'        {line}', file=sys.stderr)
    print(totals['passed'], totals['failed'], totals['skipped'])


if __name__ == '__main__':
    main(sys.argv[1:])
