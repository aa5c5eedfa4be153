#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-corpus.py INSPECT DISPUTED SANITIZERS: checks the results of earmark-inspect for real feeds with known
results, and for hostile ones. The feeds and the programs that score them are stored outside of the repository;
without them the test is skipped.

./dev test shows lines that begin with "# show: ". DISPUTED lists facts that are considered wrong in their
source; the test prints all other differences."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(os.environ.get('EARMARK_SHARED', '../shared')) / 'corpus'
GOALS = {'facts': 98.0, 'CORE': 98.0, 'dates': 97.0}

number = 0
failed = False


def say(name, good, *details):
    global number, failed
    number += 1
    failed = failed or not good
    for line in details:
        print('#', line)
    print(f'{"ok" if good else "not ok"} {number} - {name}', flush=True)


def run(program, *arguments, **environment):
    command = [sys.executable, str(CORPUS / program), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                          env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1', **environment})
    if done.returncode:
        print(''.join(f'# {line}\n' for line in done.stdout.splitlines()[-20:]))
    return done.stdout


def percentage(text, pattern):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else 0.0


def read_disputed(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith('#')]
    return {tuple(part.strip() for part in line.split(' | ')[:2]) for line in lines}


def score_feeds(inspect, disputed, folder):
    result = folder / 'score.json'
    text = run('score.py', '--batch', '--list', CORPUS / 'DEVSET.txt', '--json', result, '--', inspect, '--batch')
    scores = {
        'facts': percentage(text, r'TOTAL facts \S+ = ([\d.]+)%'),
        'CORE': percentage(text, r'(?m)^CORE .*MEAN OVER CATEGORIES ([\d.]+)%'),
        'dates': percentage(text, r'(?m)^items\.published +\d+/\d+ +([\d.]+)%'),
    }
    for name, goal in GOALS.items():
        say(f'{name}: at least {goal} %', scores[name] >= goal, f'{scores[name]} %')
    say('no crash, no hang', 'failures to answer: none' in text, *re.findall(r'(?m)^failures to answer: .*', text))
    facts = re.search(r'TOTAL facts (\S+)', text)
    print(f'# show: corpus: facts {scores["facts"]} % ({facts.group(1) if facts else "?"}), '
          f'CORE mean {scores["CORE"]} %, dates {scores["dates"]} %')

    cases = json.loads(result.read_text()) if result.exists() else []
    wrong = {(case['case'], field) for case in cases for field, _, _ in case['fails']}
    for case, field in sorted(wrong - disputed):
        print(f'# disagrees, and is not disputed: {case} {field}')
    for case, field in sorted(disputed - wrong):
        print(f'# disputed, but agrees: {case} {field}')


def score_notes(inspect):
    text = run('score_extra.py', 'shownotes', '--fails', '100', '--', inspect, '--notes')
    agree = percentage(text, r'shownotes TOTAL facts \S+ = ([\d.]+)%')
    say('show notes: at least 98 % of the facts', agree >= 98, *text.splitlines()[-40:])
    print(f'# show: corpus: show notes {agree} %')


def score_transcripts(inspect):
    text = run('score_extra.py', 'transcripts', '--fails', '100', '--', inspect, '--transcript')
    agree = percentage(text, r'transcripts TOTAL facts \S+ = ([\d.]+)%')
    say('transcripts: at least 98 % of the facts', agree >= 98, *text.splitlines()[-40:])
    print(f'# show: corpus: transcripts {agree} %')


def score_chapters(inspect):
    """Scores chapters of JSON files and of media files."""
    for what in ('chapters', 'media'):
        text = run('score_extra.py', what, '--fails', '100', '--', inspect, f'--{what}')
        found = re.search(rf'{what} TOTAL facts (\d+)/(\d+) = ([\d.]+)%', text)
        say(f'{what}: at least 98 % of the facts', bool(found) and float(found.group(3)) >= 98, *text.splitlines()[-40:])
        print(f'# show: corpus: {what} {f"{found.group(1)}/{found.group(2)}" if found else "not scored"}')


def check_hostile(inspect, sanitizers, folder):
    # The address sanitizer quarantines freed memory, and is slow.
    limits = [] if sanitizers == 'none' else ['--rss', '4000', '--timeout', '100']
    environment = {'HOSTILE_DIR': str(folder), 'TMPDIR': str(folder)}
    run('hostile/hostile.py', 'gen', **environment)
    text = run('hostile/hostile.py', 'check', *limits, '--', inspect, **environment)
    found = re.search(r'(\d+)/(\d+) hostile cases handled', text)
    say('every hostile case', bool(found) and found.group(1) == found.group(2), *text.splitlines())
    print(f'# show: corpus: hostile cases {"/".join(found.groups()) if found else "not scored"}')


def main():
    inspect, disputed = sys.argv[1], pathlib.Path(sys.argv[2])
    if not (CORPUS / 'score.py').exists():
        print(f'1..0 # SKIP there is no {CORPUS}')
        return 0
    with tempfile.TemporaryDirectory(prefix='earmark-corpus-') as name:
        folder = pathlib.Path(name)
        score_feeds(inspect, read_disputed(disputed), folder)
        score_notes(inspect)
        score_transcripts(inspect)
        score_chapters(inspect)
        check_hostile(inspect, sys.argv[3], folder)
    print(f'1..{number}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
