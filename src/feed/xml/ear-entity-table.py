#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ear-entity-table.py OUTPUT: the named characters of the HTML Standard
(https://html.spec.whatwg.org/multipage/named-characters.html) as tables in C, from Python's own list."""

import html.entities
import sys

LEGACY = 1 << 31  # also known without a semicolon


def main(output):
    names = sorted({name.rstrip(';') for name in html.entities.html5}, key=str.encode)
    offsets, characters, length = [], [], 0
    for name in names:
        codes = [ord(character) for character in html.entities.html5[name + ';']] + [0]
        codes[0] |= LEGACY if name in html.entities.html5 else 0
        offsets.append(str(length))
        characters.append(f'{{ {codes[0]:#x}, {codes[1]:#x} }}')
        length += len(name) + 1
    with open(output, 'w', encoding='ascii') as file:
        file.write('/* Made by ear-entity-table.py */\n')
        file.write('static const char entity_names[] =\n  "' + '\\0"\n  "'.join(names) + '";\n')
        file.write('static const guint16 entity_offsets[] = {\n  ' + ',\n  '.join(offsets) + '\n};\n')
        file.write('static const guint32 entity_characters[][2] = {\n  ' + ',\n  '.join(characters) + '\n};\n')
        file.write(f'#define ENTITY_LEGACY {LEGACY:#x}u\n')


if __name__ == '__main__':
    main(sys.argv[1])
