#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the includes with the table in HACKING.md: each external library is used by few folders, each
folder only includes folders below it, and classes use each other in one direction only."""

import collections
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.') / 'src'

STORES = {'catalogue', 'userdata', 'downloads', 'importers'}
PARTS = {'model', 'json', 'feed', 'net', 'player'} | STORES
BELOW = {
    'model': set(),
    'json': {'model'},
    'feed': {'model'},
    'net': {'model'},
    'catalogue': {'model'},
    'userdata': {'model', 'json'},
    'downloads': {'model', 'json'},
    'importers': {'model'},
    'player': {'model'},
    'library': PARTS,
    'desktop': PARTS | {'library'},
    'ui': PARTS | {'library', 'desktop'},
    '.': {'library', 'desktop', 'ui'},
}
LIBRARIES = {
    r'(gtk|gdk|gsk|pango|graphene)/|gtk/|gdk/|adwaita': {'ui'},
    r'libsoup/': {'net'},
    r'libsecret/': {'net'},
    r'gdk-pixbuf/': {'net'},
    r'jpeglib': {'net'},
    r'libxml/': {'feed'},
    r'sqlite3': {'catalogue', 'importers'},
    r'gst/': {'player'},
    r'qrencode': {'ui'},
    r'json-glib/': {'feed', 'net', 'json', 'userdata', 'downloads'},
}


def folder_of(path):
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else '.'


def includes_of(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1)


def find_wrong(files):
    """Includes that the two tables do not allow."""
    own = {path.name: folder_of(path) for path in files}
    for path in files:
        folder = folder_of(path)
        for number, name in includes_of(path):
            home = own.get(name)
            if home and home != folder and home not in BELOW[folder]:
                yield f'{path}:{number}: {folder}/ includes {name} of {home}/'
            for pattern, allowed in LIBRARIES.items():
                if not home and re.match(pattern, name) and folder not in allowed:
                    yield f'{path}:{number}: {folder}/ includes <{name}>'


def class_of(path):
    """Files that include ear-x-private.h belong to one class, ear-x."""
    names = [path.name, *(name for _, name in includes_of(path))]
    shared = [name.rsplit('-', 1)[0] for name in names if re.search(r'-(private|internal)\.h$', name)]
    return min([path.stem, *(name for name in shared if path.stem.startswith(name))], key=len)


def find_circles(files):
    """Circles of classes that use each other, each as the list of its includes."""
    classes = {path: class_of(path) for path in files}
    homes = {path.name: classes[path] for path in files}
    uses = collections.defaultdict(dict)
    for path in files:
        for _, name in includes_of(path):
            if name in homes and homes[name] != classes[path]:
                uses[classes[path]].setdefault(homes[name], f'{path.name} includes {name}')

    def find_way(start, goal):
        ways, seen = collections.deque([(start, [])]), {start}
        while ways:
            at, steps = ways.popleft()
            for there, reason in uses[at].items():
                if there == goal:
                    return [*steps, reason]
                if there not in seen:
                    seen.add(there)
                    ways.append((there, [*steps, reason]))
        return None

    told = set()
    for name in sorted(set(classes.values())):
        way = find_way(name, name)
        if way and not told & set(way):
            told.update(way)
            yield 'a circle: ' + ', '.join(way)


def main():
    files = sorted(p for p in SOURCE.rglob('*') if p.suffix in ('.c', '.h'))
    wrong = [*find_wrong(files), *find_circles(files)]
    print('TAP version 13\n1..1')
    for line in wrong:
        print('#', line)
    print(f'{"not ok" if wrong else "ok"} 1 - {len(files)} files keep to the layers')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
