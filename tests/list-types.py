#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the list of all types declared in some folders, for types.c."""

import pathlib
import re
import sys


def main():
    source, output, *folders = sys.argv[1:]
    names = set()
    for folder in folders:
        for file in sorted(pathlib.Path(source, folder).rglob('*.[ch]')):
            names.update(re.findall(r'\b(ear_\w+_get_type) \(', file.read_text()))
    names = sorted(names)
    lines = ['/* Made by list-types.py. */', '#include <glib-object.h>', '']
    lines += [f'GType {name} (void);' for name in names]
    lines += ['', 'static GType (*const all_types[]) (void) = {']
    lines += [f'  {name},' for name in names]
    lines += ['};', '']
    pathlib.Path(output).write_text('\n'.join(lines))


if __name__ == '__main__':
    main()
