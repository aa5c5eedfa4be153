#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-lint.py BUILD: nothing is to be said against what was built; and each rule of lint.py fails
when what it looks at is broken, on a copy. Speaks TAP."""

import contextlib
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import lint

HERE = pathlib.Path(__file__).resolve().parent
MANIFEST = HERE / f'{lint.ID}.json'
SHARE = 'files/share'
DESKTOP = f'{SHARE}/applications/{lint.ID}.desktop'
METAINFO = f'{SHARE}/metainfo/{lint.ID}.metainfo.xml'
PROVIDER = f'{SHARE}/gnome-shell/search-providers/{lint.ID}.search-provider.ini'
ICON = f'{SHARE}/icons/hicolor/scalable/apps/{lint.ID}.svg'


# --- Ways to break a manifest: the rule that has to speak up, and what is done to the manifest ------


def earmark(manifest):
    return manifest['modules'][-1]


def bundled(manifest):
    return manifest['modules'][0]


def released(manifest, **source):
    """As it would be handed in, with something else in its source."""
    earmark(manifest)['sources'] = [{'type': 'git', 'url': 'https://example.org/earmark.git', 'tag': 'v1', 'commit': '0' * 40} | source]


MANIFESTS = [
    ('appid-filename-mismatch', lambda m: m.update(id='io.github.earmark_app.Other')),
    ('manifest-unknown-properties', lambda m: m.update(branch='stable')),
    ('toplevel-command-is-path', lambda m: m.update(command='/app/bin/earmark')),
    ('runtime', lambda m: m.update(runtime='org.kde.Platform')),
    ('runtime-is-eol', lambda m: m.update({'runtime-version': '48'})),
    ('toplevel-cleanup-debug', lambda m: m['cleanup'].append('/lib/debug')),
    *[('finish-args', lambda m, argument=argument: m['finish-args'].append(argument)) for argument in (
        '--filesystem=home', '--filesystem=xdg-music:ro', '--socket=x11', '--socket=session-bus', '--device=all',
        '--own-name=org.mpris.MediaPlayer2.earmark', '--talk-name=org.freedesktop.secrets', '--persist=.')],
    *[('finish-args-missing', lambda m, argument=argument: m['finish-args'].remove(argument)) for argument in lint.PERMISSIONS],
    ('modules', lambda m: m['modules'].insert(0, {'name': 'libbundled'})),
    ('modules', lambda m: m['modules'].pop(0)),
    ('module-libqrencode', lambda m: bundled(m).update({'build-options': {'build-args': ['--share=network']}})),
    ('module-libqrencode-cleanup', lambda m: bundled(m).pop('cleanup')),
    ('module-libqrencode-sources', lambda m: bundled(m)['sources'].append({'type': 'patch', 'path': 'other.patch'})),
    ('module-libqrencode-source-git-url-not-http', lambda m: bundled(m)['sources'][0].update(url='git@example.org:other.git')),
    ('module-libqrencode-source-git-no-commit-with-tag', lambda m: bundled(m)['sources'][0].pop('commit')),
    ('module-earmark', lambda m: earmark(m).update({'build-options': {'build-args': ['--share=network']}})),
    ('module-earmark-run-tests', lambda m: earmark(m).pop('run-tests')),
    ('module-earmark-sources', lambda m: earmark(m)['sources'].append({'type': 'dir', 'path': '.'})),
    ('module-earmark-source-git-url-not-http', lambda m: released(m, url='git@example.org:earmark.git')),
    ('module-earmark-source-git-no-commit-with-tag', lambda m: released(m, commit='main')),
    ('module-earmark-source-dir-not-allowed', lambda m: None),
]


# --- Ways to break what was built: the rule, and what is done to the copy -----------------------------


def replace(path, pattern, by):
    """Puts BY in the place of every PATTERN in the file at PATH."""
    def change(build):
        text = (build / path).read_text(encoding='utf-8')
        changed = re.sub(pattern, by, text, flags=re.S)
        assert changed != text, f'{pattern} is not in {path}'
        (build / path).write_text(changed, encoding='utf-8')
    return change


def remove(path):
    return lambda build: (build / path).unlink()


def put(path, content=''):
    def change(build):
        (build / path).parent.mkdir(parents=True, exist_ok=True)
        (build / path).write_text(content, encoding='utf-8')
    return change


def grow(build):
    (build / 'files/share/large').write_bytes(bytes(lint.LARGEST_INSTALLATION))


def take_program(path):
    """Another program in the place of ours: what it needs, calls and carries is not what ours does."""
    return lambda build: shutil.copy(path, build / 'files/bin/earmark')


def enlarge_picture(build):
    picture = build / 'screenshots' / 'episode.png'
    content = bytearray(picture.read_bytes())
    content[16:20] = (1920).to_bytes(4, 'big')
    picture.write_bytes(content)


def compile_program(*options):
    """A program that calls dlopen(), in the place of ours."""
    def change(build):
        source = build / 'other.c'
        source.write_text('#include <dlfcn.h>\nint main (void) { return dlopen ("liblater.so", RTLD_LAZY) != 0; }\n', encoding='utf-8')
        subprocess.run(['cc', '-o', str(build / 'files/bin/earmark'), str(source), *options], check=True)
    return change


def compose(old, new):
    """Something else in what the stores get to read."""
    def change(build):
        path = build / f'{SHARE}/app-info/xmls/{lint.ID}.xml.gz'
        text = gzip.decompress(path.read_bytes()).decode()
        changed = re.sub(old, new, text, flags=re.S)
        assert changed != text, f'{old} is not in the catalogue'
        path.write_bytes(gzip.compress(changed.encode()))
    return change


def remove_translation(build):
    next((build / 'files').rglob('earmark.mo')).unlink()


BUILDS = [
    ('metadata-name', replace('metadata', 'name=io[^\n]*', 'name=other')),
    ('metadata-permissions', replace('metadata', 'devices=dri;', 'devices=all;')),
    ('metadata-permissions', replace('metadata', 'devices=dri;', 'devices=dri;\nfilesystems=home;')),
    ('finish-args-talk-name', replace('metadata', r'$', '\n[Session Bus Policy]\norg.freedesktop.secrets=talk\n')),
    ('files', put('files/lib/libbundled.so')),
    ('files', put('files/include/earmark.h')),
    ('programs', put('files/bin/earmark-inspect')),
    ('size', grow),
    ('export', put('export/share/applications/earmark.desktop')),
    ('export-missing', remove(f'export/share/dbus-1/services/{lint.ID}.service')),
    ('export-missing', remove(f'export/share/gnome-shell/search-providers/{lint.ID}.search-provider.ini')),
    ('search-provider', replace(PROVIDER, 'ObjectPath=/', 'ObjectPath=/org')),
    ('search-provider', remove(PROVIDER)),
    ('desktop-file-not-installed', remove(DESKTOP)),
    ('desktop-file-failed-validation', replace(DESKTOP, 'Type=Application', 'Type=Program')),
    ('desktop-file-failed-validation', replace(DESKTOP, 'AudioVideo;', 'Sound;')),
    ('desktop-file-icon-key-wrong-value', replace(DESKTOP, 'Icon=[^\n]*', 'Icon=earmark')),
    ('desktop-file-is-hidden', replace(DESKTOP, 'Terminal=false', 'Terminal=false\nNoDisplay=true')),
    ('desktop-file-exec', replace(DESKTOP, 'Exec=earmark --', 'Exec=earmark-control --')),
    ('desktop-file-mime-types', replace(DESKTOP, 'x-scheme-handler/itpc;', '')),
    ('desktop-file-not-activatable', replace(DESKTOP, 'DBusActivatable=true', 'DBusActivatable=false')),
    ('service', replace(f'{SHARE}/dbus-1/services/{lint.ID}.service', '/app/bin', '/usr/bin')),
    ('non-svg-icon-in-scalable-folder', put(f'{SHARE}/icons/hicolor/scalable/apps/{lint.ID}.png')),
    ('no-exportable-icon-installed', remove(ICON)),
    ('icons-not-square', replace(ICON, 'viewBox="0 0 128 128"', 'viewBox="0 0 128 96"')),
    ('appstream-metainfo-missing', remove(METAINFO)),
    ('appstream-failed-validation', replace(METAINFO, '<metadata_license>.*?</metadata_license>', '')),
    ('appstream-failed-validation', replace(METAINFO, '<content_rating type="oars-1.1"/>', '<content_rating type="oars-0"/>')),
    ('appstream-id-mismatch-flatpak-id', replace(METAINFO, '<id>.*?</id>', '<id>io.github.other.Earmark</id>')),
    ('metainfo-launchable-tag-wrong-value', replace(METAINFO, f'{re.escape(lint.ID)}.desktop</l', 'other.desktop</l')),
    ('name', replace(METAINFO, '<name translate="no">Earmark<', '<name translate="no">Earmark, the Podcast Player<')),
    ('summary', replace(METAINFO, '<summary>[^<]*<', '<summary>A podcast player<')),
    ('summary', replace(METAINFO, '<summary>[^<]*<', '<summary>Listen to podcasts and read their notes<')),
    ('appstream-missing-developer-name', replace(METAINFO, '<developer .*?</developer>', '')),
    ('appstream-missing-url', replace(METAINFO, '<url type="bugtracker">[^<]*</url>', '')),
    ('branding', replace(METAINFO, '<color type="primary" scheme_preference="dark">[^<]*</color>', '')),
    ('content-rating', replace(METAINFO, '<content_rating [^>]*>', '')),
    ('hardware', replace(METAINFO, '<control>touch</control>', '')),
    ('release', replace(METAINFO, '<release ([^>]*)>.*?</release>', r'<release \1/>')),
    ('release', replace(METAINFO, '<release version="[^"]*"', '<release version="1.beta"')),
    ('metainfo-missing-screenshots', replace(METAINFO, '<screenshots>.*</screenshots>', '')),
    ('appstream-external-screenshot-url', replace(METAINFO, '/v[0-9.]*/', '/main/')),
    ('screenshot-missing', remove('screenshots/dark.png')),
    ('screenshot-size', enlarge_picture),
    ('screenshot-caption', replace(METAINFO, '<caption>[^<]*', '<caption>Shows a window.')),
    ('appstream-missing-appinfo-file', remove(f'{SHARE}/app-info/xmls/{lint.ID}.xml.gz')),
    ('appstream-id-mismatch', compose('<id>.*?</id>', '<id>io.github.other.Earmark</id>')),
    ('appstream-missing-icon-file', compose('<icon [^>]*type="cached".*?</icon>', '')),
    ('appstream-missing-categories', compose('<categories>.*?</categories>', '')),
    ('translation', remove_translation),
    ('library', take_program('/usr/bin/python3')),
    ('library-loaded', compile_program()),
    ('library-path', compile_program('-Wl,-rpath,/opt/lib')),
    ('stripped', compile_program('-g')),
]


# --- Running them ---------------------------------------------------------------------------------


class Tap:
    def __init__(self):
        self.count, self.failed = 0, False

    def that(self, good, what, more=()):
        self.count += 1
        self.failed |= not good
        print(f'{"ok" if good else "not ok"} {self.count} - {what}', flush=True)
        for line in () if good else more:
            print(f'#   {line}', flush=True)


def rules(complaints):
    return [complaint.split(':')[0] for complaint in complaints]


@contextlib.contextmanager
def copy_of(build):
    """A copy of what was built, and of the pictures, to be broken."""
    with tempfile.TemporaryDirectory(prefix='earmark-lint.') as folder:
        copy = pathlib.Path(folder, 'build')
        copy.mkdir()
        shutil.copy(build / 'metadata', copy)
        for part in ('files', 'export'):
            shutil.copytree(build / part, copy / part, symlinks=True,
                            ignore=shutil.ignore_patterns('source') if part == 'files' else None)
        shutil.copytree(HERE.parent / 'data' / 'screenshots', copy / 'screenshots')
        yield copy


def check_build(build):
    return lint.check_build(build, build / 'screenshots')


def try_manifests(tap):
    manifest = json.loads(MANIFEST.read_text(encoding='utf-8'))
    complaints = lint.check_manifest(MANIFEST)
    tap.that(not complaints, 'nothing is to be said against the manifest', complaints)
    with tempfile.TemporaryDirectory(prefix='earmark-lint.') as folder:
        path = pathlib.Path(folder, MANIFEST.name)
        good = json.loads(json.dumps(manifest))
        released(good)
        path.write_text(json.dumps(good), encoding='utf-8')
        complaints = lint.check_manifest(path, for_flathub=True)
        tap.that(not complaints, 'nor as it would be handed in', complaints)
        path.write_text('{ "id": "a", "id": "b" }', encoding='utf-8')
        tap.that(rules(lint.check_manifest(path)) == ['manifest-invalid-json'], 'breaks manifest-invalid-json')
        for rule, change in MANIFESTS:
            broken = json.loads(json.dumps(manifest))
            change(broken)
            path.write_text(json.dumps(broken), encoding='utf-8')
            complaints = lint.check_manifest(path, for_flathub='source' in rule)
            tap.that(rule in rules(complaints), f'breaks {rule}', complaints)


def try_builds(tap, build):
    complaints = lint.check_build(build)
    tap.that(not complaints, 'nothing is to be said against what was built', complaints)
    for rule, change in BUILDS:
        with copy_of(build) as copy:
            change(copy)
            complaints = check_build(copy)
            tap.that(rule in rules(complaints), f'breaks {rule}', complaints)


def main(build):
    tap = Tap()
    try_manifests(tap)
    try_builds(tap, pathlib.Path(build))
    # A rule that nothing here breaks might never fail.
    text = (HERE / 'lint.py').read_text(encoding='utf-8')
    named = set(re.findall(r"yield f?'([a-z0-9-]+(?:\{name\}[a-z0-9-]*)?)", text))
    tried = {rule for rule, _ in MANIFESTS + BUILDS} | {'manifest-invalid-json'}
    never = sorted(rule for rule in named if not any(rule.replace('{name}', name) in tried for name in (*lint.BUNDLED, 'earmark')))
    tap.that(not never, 'every rule is broken here', never)
    print(f'1..{tap.count}')
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
