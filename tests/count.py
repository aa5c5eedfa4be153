#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""count.py LOG.json...: count the test cases in meson's logs, one "passed failed skipped" line.

Meson counts programs; a reader wants to know about cases, so the TAP that each program wrote is
counted. A program that died, or failed without saying which case, adds one failed case. Failed and
skipped cases are named on standard error."""

import json
import re
import sys

CASE = re.compile(r'^( *)(not )?ok\b *\d* *-? *([^#]*)(?:# *(SKIP|TODO)\b(.*))?', re.IGNORECASE)
GOOD = ('OK', 'EXPECTEDFAIL')


def tap_cases(text):
    """The cases (name, outcome, reason) of a TAP output; an "ok" that sums up the indented cases
    before it is none itself."""
    cases, inner = [], False
    for line in text.splitlines():
        match = CASE.match(line)
        if not match:
            continue
        indent, bad, name, directive, reason = match.groups()
        if not indent and inner:
            inner = False
            continue
        inner = bool(indent)
        outcome = 'failed' if bad else 'passed'
        if directive:
            outcome = 'skipped'
        cases.append((name.strip(), outcome, (reason or '').strip()))
    return cases


def program_cases(test):
    """The cases of one program, as meson logged it."""
    result, name = test['result'], test['name']
    cases = tap_cases(test.get('stdout') or '')
    if result == 'SKIP' and not cases:
        reason = re.search(r'^1\.\.0 *# *SKIP *(.*)', test.get('stdout') or '', re.M | re.I)
        return [(name, 'skipped', reason.group(1) if reason else '')]
    if not cases:
        return [(name, 'passed' if result in GOOD else 'failed', result)]
    if result not in GOOD + ('SKIP',) and all(outcome != 'failed' for _, outcome, _ in cases):
        cases.append((f'{name} (the program)', 'failed', f'{result}, exit status {test.get("returncode")}'))
    return cases


def main(paths):
    totals = {'passed': 0, 'failed': 0, 'skipped': 0}
    for path in paths:
        with open(path, encoding='utf-8') as log:
            tests = [json.loads(line) for line in log if line.strip()]
        for test in tests:
            for name, outcome, reason in program_cases(test):
                totals[outcome] += 1
                if outcome != 'passed':
                    print(f'    {outcome}: {test["name"]} {name} {reason}'.rstrip(), file=sys.stderr)
    print(totals['passed'], totals['failed'], totals['skipped'])


if __name__ == '__main__':
    main(sys.argv[1:])
