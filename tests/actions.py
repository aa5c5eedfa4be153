#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the actions with the table of keys and the templates: every action has a key, a menu item or a
button, and every key, menu item and button has an action."""

import itertools
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.') / 'src'
UI = SOURCE / 'ui'

# Actions without any of these, and how they are reached
UNSEEN = {
    'app.raise': 'MPRIS',
    'app.show-new': 'a notification of several podcasts; in the window it is win.show-new',
    'win.open-player': 'the narrow player opens by itself, as a button does',
    'collection.review-feed': 'the banner of the podcast that is chosen: win.review-feed',
    'collection.sign-in': 'the banner of the podcast that is chosen: win.sign-in',
    'collection.continue-series': 'the row of the series: win.continue-series',
}

ENTRY = re.compile(r'^  \{ (?:\{ )?"([a-z-]+)", (?:G_CALLBACK \()?(\w+)\)?(, "[^"]*")?[^}]*\}', re.M)
TABLE = re.compile(r'static const (?:GActionEntry|EarActionEntry|ItemAction) (\w*)actions\[\] = \{\n(.*?)\n\};', re.S)
KEY = re.compile(r'^  \{ "((?:app|win|window)\.[a-z-]+)", \{ ("[^}]*") \},', re.M)
VERB = re.compile(r'KEY \("([a-z-]+)", ("[^"]*")')
NAMED = re.compile(r'(?:name="(?:[a-z]+-)*action(?:-name)?"|<constant type="gchararray")>((?:app|win|collection)\.[a-z-]+)<')
QUOTED = re.compile(r'"((?:app|win)\.[a-z-]+)"')


def read_actions():
    """All declared actions, by their detailed names: whether they take a parameter."""
    found = {}
    for file in sorted(UI.rglob('*.c')):
        text = file.read_text(encoding='utf-8')
        for table in TABLE.finditer(text):
            # The window has the actions of a podcast's menus, too, for the selected podcast.
            groups = ['collection', 'win'] if 'item-actions' in file.name else ['win'] if 'window' in file.name else ['app']
            for group, entry in itertools.product(groups, ENTRY.finditer(table[2])):
                found[f'{group}.{entry[1]}'] = entry[3] is not None
    return found


def read_verbs():
    """The window's actions on an episode, with their keys."""
    return {f'win.{name}': key for name, key in VERB.findall((UI / 'window' / 'ear-episode-actions.c').read_text(encoding='utf-8'))}


def main():
    verbs = read_verbs()
    actions = read_actions() | dict.fromkeys(verbs, False)
    table = (UI / 'application' / 'ear-accelerators.c').read_text(encoding='utf-8')
    keys = dict(KEY.findall(table)) | verbs
    named = {name for file in UI.rglob('*.ui') for name in NAMED.findall(file.read_text(encoding='utf-8'))}
    # The code sets the actions of banners and status pages at run time.
    quoted = {name for file in UI.rglob('*.c') if file.name != 'ear-accelerators.c'
              for name in QUOTED.findall(file.read_text(encoding='utf-8'))}
    complaints = []
    if len(actions) < 40 or len(keys) < 30:
        complaints.append(f'only {len(actions)} actions and {len(keys)} keys were found')
    seen = keys.keys() | named | quoted | UNSEEN.keys()
    seen |= {name.replace('collection.', 'win.') for name in seen}
    complaints += [f'{name} has neither a key nor a menu entry or button'
                   for name, parameter in actions.items() if not parameter and name not in seen]
    complaints += [f'{name} is named in a template, and there is no such action' for name in sorted(named - set(actions))]
    complaints += [f'{name} has a key, and there is no such action' for name in sorted(set(keys) - set(actions) - {'window.close'})]
    used = {}
    for name, words in keys.items():
        for key in re.findall(r'"([^"]+)"', words):
            used.setdefault(key.lower(), []).append(name)
    complaints += [f'{key} is a key of {" and ".join(names)}' for key, names in used.items() if len(names) > 1]

    print('1..1')
    for complaint in complaints:
        print(f'# {complaint}')
    print('not ok 1 actions' if complaints else 'ok 1 actions')
    sys.exit(1 if complaints else 0)


main()
