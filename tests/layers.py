#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the includes against HACKING.md's table: each outside library is known to one
folder only, and no folder includes one that is not below it."""

import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.') / 'src'

BELOW = {
    'model': set(),
    'feed': {'model'},
    'net': {'model'},
    'store': {'model'},
    'player': {'model'},
    'library': {'model', 'feed', 'net', 'store', 'player'},
    'desktop': {'model', 'feed', 'net', 'store', 'player', 'library'},
    'ui': {'model', 'feed', 'net', 'store', 'player', 'library', 'desktop'},
    '.': {'library', 'desktop', 'ui'},
}
LIBRARIES = {
    r'(gtk|gdk|gsk|pango|graphene)/|gtk/|gdk/|adwaita': {'ui'},
    r'libsoup/': {'net'},
    r'libsecret/': {'net'},
    r'gdk-pixbuf/': {'net'},
    r'jpeglib': {'net'},
    r'libxml/': {'feed'},
    r'sqlite3': {'store'},
    r'gst/': {'player'},
    r'json-glib/': {'feed', 'net', 'store'},
}


def folder_of(path):
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else '.'


def main():
    files = sorted(p for p in SOURCE.rglob('*') if p.suffix in ('.c', '.h'))
    own = {p.name: folder_of(p) for p in files}
    wrong = []
    for path in files:
        folder = folder_of(path)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if not match:
                continue
            name = match.group(2)
            home = own.get(name)
            if home and home != folder and home not in BELOW[folder]:
                wrong.append(f'{path}:{number}: {folder}/ includes {name} of {home}/')
            for pattern, allowed in LIBRARIES.items():
                if not home and re.match(pattern, name) and folder not in allowed:
                    wrong.append(f'{path}:{number}: {folder}/ includes <{name}>')
    print('TAP version 13\n1..1')
    for line in wrong:
        print('#', line)
    print(f'{"not ok" if wrong else "ok"} 1 - {len(files)} files keep to the layers')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
