#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lint.py MANIFEST [BUILD]: what Flathub would hold against the manifest, and against what was built.
lint.py --release MANIFEST TAG COMMIT: the manifest with that release as its source, if it is one for Flathub.
lint.py --local MANIFEST: the manifest on the runtime that stands in for GNOME's, without what would have to be fetched.

BUILD is the folder that flatpak-builder has built in. Each complaint begins with the name of its rule;
where Flathub's own linter (flatpak-builder-lint) has the rule, with the name that it has there. Its
rules that no part of Earmark could break are left out. test-lint.py breaks each of these.
"""

import configparser
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

REPOSITORY = 'https://github.com/earmark-app/earmark'
SOURCE = pathlib.Path(__file__).resolve().parent.parent
ID = 'io.github.earmark_app.Earmark'
RUNTIME = '51'

# All that Earmark may do outside of its sandbox, and why.
PERMISSIONS = {
    '--share=network': 'feeds, covers and episodes come from the web',
    '--share=ipc': 'X11 shares its pictures by memory',
    '--socket=wayland': 'the window',
    '--socket=fallback-x11': 'the window, where there is no Wayland',
    '--device=dri': 'drawing by the graphics card',
    '--socket=pulseaudio': 'sound',
}
# Neither is asked for, because nobody has to: files come through the file portal, the media keys by
# org.mpris.MediaPlayer2.ID and notifications by the application's own name, passwords by the secret
# portal, settings in a file of its own, staying awake and in the background by their portals.

MANIFEST_KEYS = {'id', 'runtime', 'runtime-version', 'sdk', 'command', 'finish-args', 'cleanup', 'modules'}
MODULE_KEYS = {'name', 'buildsystem', 'builddir', 'run-tests', 'config-opts', 'sources'}
# What is not in the runtime is built before Earmark and becomes a part of it, so that nothing else is installed.
BUNDLED = {'libqrencode': '-Dqrcode'}
BUNDLED_KEYS = {'name', 'buildsystem', 'config-opts', 'cleanup', 'sources'}

LARGEST_INSTALLATION = 3_000_000
LARGEST_PICTURE = (1000, 700)
# What the compositor draws around a window.
SHADOW = 60
OPENS = {'x-scheme-handler/feed', 'x-scheme-handler/podcast', 'x-scheme-handler/pcast', 'x-scheme-handler/itpc',
         'application/rss+xml', 'application/atom+xml', 'text/x-opml+xml', 'application/x-antennapod-backup'}


# --- The manifest ---------------------------------------------------------------------------------


def check_manifest(path, for_flathub=False):
    """Complaints about the manifest itself; FOR_FLATHUB: as it would be handed in there."""
    try:
        manifest = json.loads(pathlib.Path(path).read_text(encoding='utf-8'), object_pairs_hook=refuse_doubles)
    except ValueError as error:
        return [f'manifest-invalid-json: {error}']
    return [*check_top_level(manifest, pathlib.Path(path).stem), *check_permissions(manifest.get('finish-args', [])),
            *check_modules(manifest.get('modules', []), for_flathub)]


def refuse_doubles(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError('a key is there twice')
    return dict(pairs)


def check_top_level(manifest, name):
    if manifest.get('id') != name or name != ID:
        yield f'appid-filename-mismatch: {manifest.get("id")} in {name}'
    if unknown := manifest.keys() - MANIFEST_KEYS:
        yield f'manifest-unknown-properties: {unknown}'
    if not manifest.get('command') or '/' in manifest['command']:
        yield 'toplevel-command-is-path: the command is to be the name of a program in /app/bin'
    if (manifest.get('runtime'), manifest.get('sdk')) != ('org.gnome.Platform', 'org.gnome.Sdk'):
        yield 'runtime: Earmark is built for that of GNOME'
    if manifest.get('runtime-version') != RUNTIME:
        yield f'runtime-is-eol: not {RUNTIME}'
    if any(entry.startswith('/lib/debug') for entry in manifest.get('cleanup', [])):
        yield 'toplevel-cleanup-debug: debugging symbols are an extension of their own'


def check_permissions(asked):
    for permission in asked:
        if permission not in PERMISSIONS:
            yield f'finish-args: {permission} is more than Earmark needs'
    for permission in PERMISSIONS.keys() - set(asked):
        yield f'finish-args-missing: {permission} is needed for {PERMISSIONS[permission]}'


def check_modules(modules, for_flathub):
    if [module.get('name') if isinstance(module, dict) else module for module in modules] != [*BUNDLED, 'earmark']:
        yield f'modules: all that Earmark needs is in the runtime, but for {", ".join(BUNDLED)}'
        return
    *bundled, module = modules
    for other in bundled:
        yield from check_bundled(other)
    if unknown := module.keys() - MODULE_KEYS:
        yield f'module-earmark: not in a plain module: {unknown}'
    if not module.get('run-tests'):
        yield 'module-earmark-run-tests: the files of the desktop are to be validated in the Sdk too'
    sources = module.get('sources', [])
    if len(sources) != 1:
        yield 'module-earmark-sources: one source, and no patches'
    for source in sources:
        yield from check_source('earmark', source, for_flathub)


def check_bundled(module):
    name = module['name']
    if unknown := module.keys() - BUNDLED_KEYS:
        yield f'module-{name}: not in a plain module: {unknown}'
    if module.get('cleanup') != ['*']:
        yield f'module-{name}-cleanup: it is a part of the program, and nothing of it is installed'
    if [source.get('type') for source in module.get('sources', [])] != ['git']:
        yield f'module-{name}-sources: one release, and no patches'
        return
    yield from check_source(name, module['sources'][0], True)


def check_source(name, source, for_flathub):
    kind = source.get('type')
    if kind == 'dir':
        if for_flathub:
            yield f'module-{name}-source-dir-not-allowed: a release, not a folder'
    elif kind != 'git' or not source.get('url', '').startswith('https://'):
        yield f'module-{name}-source-git-url-not-http: {source}'
    elif not source.get('tag') or not re.fullmatch('[0-9a-f]{40}', source.get('commit', '')):
        yield f'module-{name}-source-git-no-commit-with-tag: a tag can be moved, a commit cannot'


# --- What was built -------------------------------------------------------------------------------


def check_build(folder, screenshots=SOURCE / 'data' / 'screenshots'):
    """Complaints about what flatpak-builder has built in FOLDER."""
    folder = pathlib.Path(folder)
    files = folder / 'files'
    return [*check_metadata(folder / 'metadata'), *check_files(files), *check_exports(folder / 'export' / 'share'),
            *check_desktop_file(files), *check_service(files), *check_search_provider(files), *check_icons(files / 'share' / 'icons'),
            *check_metainfo(files, screenshots), *check_catalogue(files), *check_translations(files),
            *check_libraries(files)]


def read_keys(path):
    parser = configparser.ConfigParser(interpolation=None, strict=True, delimiters=('=',), comment_prefixes=('#',))
    parser.optionxform = str
    parser.read_string(path.read_text(encoding='utf-8') if path.exists() else '')
    return parser


def check_metadata(path):
    keys = read_keys(path)
    if keys.get('Application', 'name', fallback='') != ID:
        yield 'metadata-name: the build is of another application'
    granted = {f'--{kind}={value}'
               for name, kind in (('shared', 'share'), ('sockets', 'socket'), ('devices', 'device'), ('filesystems', 'filesystem'))
               for value in keys.get('Context', name, fallback='').split(';') if value}
    # Older versions of Flatpak know the fallback by this name.
    if extra := granted - {'--socket=x11'} - PERMISSIONS.keys():
        yield f'metadata-permissions: {" ".join(sorted(extra))}'
    for section in keys.sections():
        if 'Policy' in section:
            yield f'finish-args-talk-name: {section}'


def installed(files):
    """The files that people get: not the symbols, which are an extension."""
    for folder, _, names in os.walk(files):
        for name in names:
            path = pathlib.Path(folder, name)
            if not path.is_relative_to(files / 'lib' / 'debug'):
                yield path


def check_files(files):
    size = 0
    for path in installed(files):
        size += path.lstat().st_size
        place = path.relative_to(files)
        if place.parts[0] not in ('bin', 'share', 'manifest.json') or path.suffix in ('.a', '.h', '.la', '.pc', '.so'):
            yield f'files: {place} does not belong to an application'
    programs = sorted(path.name for path in (files / 'bin').iterdir())
    if programs != ['earmark']:
        yield f'programs: one is wanted, there are {programs}'
    if size > LARGEST_INSTALLATION:
        yield f'size: {size / 1e6:.2f} MB are installed'


def check_exports(share):
    for folder, _, names in os.walk(share):
        for name in names:
            if not re.match(re.escape(ID) + r'[.-]', name):
                yield f'export: {name} is not named after the application'
    for place in (f'applications/{ID}.desktop', f'dbus-1/services/{ID}.service', f'gnome-shell/search-providers/{ID}.search-provider.ini',
                  f'metainfo/{ID}.metainfo.xml',
                  f'icons/hicolor/scalable/apps/{ID}.svg', f'icons/hicolor/symbolic/apps/{ID}-symbolic.svg'):
        if not (share / place).exists():
            yield f'export-missing: {place}'


def run(*command):
    """Whether a validator is content, and what it says."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def check_desktop_file(files):
    path = files / 'share' / 'applications' / f'{ID}.desktop'
    if not path.exists():
        yield 'desktop-file-not-installed'
        return
    good, said = run('desktop-file-validate', str(path))
    if not good or said:
        yield f'desktop-file-failed-validation: {said}'
    keys = read_keys(path)
    entry = keys['Desktop Entry'] if keys.has_section('Desktop Entry') else {}
    if entry.get('Icon') != ID:
        yield f'desktop-file-icon-key-wrong-value: {entry.get("Icon")}'
    if entry.get('NoDisplay') == 'true' or entry.get('Hidden') == 'true':
        yield 'desktop-file-is-hidden'
    for section in keys.sections():
        program = keys[section].get('Exec', '').split(' ')[0]
        if not (files / 'bin' / (program or 'none')).exists():
            yield f'desktop-file-exec: {section} starts {program}'
    if OPENS != set(filter(None, entry.get('MimeType', '').split(';'))):
        yield f'desktop-file-mime-types: {entry.get("MimeType")}'
    if entry.get('DBusActivatable') != 'true':
        yield 'desktop-file-not-activatable: the actions of notifications need it'


def check_service(files):
    path = files / 'share' / 'dbus-1' / 'services' / f'{ID}.service'
    service = read_keys(path)
    expected = (ID, '/app/bin/earmark --gapplication-service')
    if (service.get('D-BUS Service', 'Name', fallback=''), service.get('D-BUS Service', 'Exec', fallback='')) != expected:
        yield f'service: it has to start {expected[1]} for {ID}'


def check_search_provider(files):
    keys = read_keys(files / 'share' / 'gnome-shell' / 'search-providers' / f'{ID}.search-provider.ini')
    provider = dict(keys['Shell Search Provider']) if keys.has_section('Shell Search Provider') else {}
    expected = {'DesktopId': f'{ID}.desktop', 'BusName': ID, 'ObjectPath': f'/{ID.replace(".", "/")}/SearchProvider', 'Version': '2'}
    if provider != expected:
        yield f'search-provider: {provider}'


def check_icons(icons):
    for folder, _, names in os.walk(icons / 'hicolor'):
        for name in names:
            if name != 'icon-theme.cache' and not name.endswith('.svg'):
                yield f'non-svg-icon-in-scalable-folder: {name}'
    for place in (f'scalable/apps/{ID}.svg', f'symbolic/apps/{ID}-symbolic.svg'):
        path = icons / 'hicolor' / place
        if not path.exists():
            yield f'no-exportable-icon-installed: {place}'
            continue
        box = xml.parse(path).getroot().get('viewBox', '').split()
        if len(box) != 4 or box[2] != box[3]:
            yield f'icons-not-square: {place}'


def check_metainfo(files, screenshots):
    path = files / 'share' / 'metainfo' / f'{ID}.metainfo.xml'
    if not path.exists():
        yield 'appstream-metainfo-missing'
        return
    good, said = run('appstreamcli', 'validate', '--no-net', '--pedantic', str(path))
    # The last part of an application's name is written so everywhere.
    issues = [line for line in said.splitlines() if re.match('[EWIP]: ', line) and 'cid-contains-uppercase-letter' not in line]
    if not good or issues:
        yield f'appstream-failed-validation: {said}'
    root = xml.parse(path).getroot()
    yield from check_listing(root)
    yield from check_screenshots(root, screenshots)


def text_of(root, path):
    """The text that is not translated."""
    language = '{http://www.w3.org/XML/1998/namespace}lang'
    return next((''.join(node.itertext()).strip() for node in root.findall(path) if node.get(language) is None), '')


def check_listing(root):
    """What Flathub's quality guidelines say of words, colours and hardware."""
    if text_of(root, 'id') != ID:
        yield 'appstream-id-mismatch-flatpak-id'
    if text_of(root, 'launchable') != f'{ID}.desktop':
        yield 'metainfo-launchable-tag-wrong-value'
    name, summary = text_of(root, 'name'), text_of(root, 'summary')
    if not 0 < len(name) <= 15:
        yield f'name: {name}'
    if not 10 <= len(summary) <= 35 or summary.endswith('.') or name in summary or re.match('(A|An|The) ', summary):
        yield f'summary: {summary}'
    if not text_of(root, 'developer/name'):
        yield 'appstream-missing-developer-name'
    kinds = {url.get('type') for url in root.findall('url') if (url.text or '').startswith('https://')}
    if missing := {'homepage', 'bugtracker', 'vcs-browser'} - kinds:
        yield f'appstream-missing-url: {missing}'
    colors = {color.get('scheme_preference'): color.text for color in root.findall('branding/color')}
    if colors.keys() != {'light', 'dark'} or colors['light'] == colors['dark']:
        yield f'branding: {colors}'
    if root.find('content_rating') is None:
        yield 'content-rating'
    if {node.text for node in root.findall('supports/control')} != {'pointing', 'keyboard', 'touch'} or \
            not root.findall('requires/display_length'):
        yield 'hardware: which controls and displays it is for'
    release = root.find('releases/release')
    if release is None or not release.get('date') or not text_of(release, 'description') or \
            re.search('[a-z~]', release.get('version', 'none')):
        yield 'release: the latest has no date, no notes, or is none'


def check_screenshots(root, folder):
    release = root.find('releases/release')
    version = release.get('version') if release is not None else 'none'
    shots = root.findall('screenshots/screenshot')
    if not 3 <= len(shots) <= 6:
        yield f'metainfo-missing-screenshots: 3 to 6, not {len(shots)}'
    for shot in shots:
        address, caption = text_of(shot, 'image'), text_of(shot, 'caption')
        picture = folder / address.rsplit('/', 1)[-1]
        if not address.startswith('https://') or f'/v{version}/' not in address:
            yield f'appstream-external-screenshot-url: {address} is not of version {version}'
        if not picture.exists():
            yield f'screenshot-missing: {picture.name} is not in {folder.name}'
        elif any(size > limit + SHADOW for size, limit in zip(read_size(picture), LARGEST_PICTURE)):
            yield f'screenshot-size: {picture.name} is of a window larger than {LARGEST_PICTURE}'
        if not caption or caption.endswith('.') or not caption[0].isupper() or len(caption) > 60:
            yield f'screenshot-caption: {caption}'


def read_size(picture):
    """Width and height of a PNG."""
    head = picture.read_bytes()[:24]
    return int.from_bytes(head[16:20], 'big'), int.from_bytes(head[20:24], 'big')


def check_catalogue(files):
    """What the stores get to read, which `appstreamcli compose` has made of it."""
    path = files / 'share' / 'app-info' / 'xmls' / f'{ID}.xml.gz'
    if not path.exists():
        yield 'appstream-missing-appinfo-file'
        return
    component = xml.fromstring(gzip.decompress(path.read_bytes())).find('component')
    if component is None or text_of(component, 'id') != ID:
        yield 'appstream-id-mismatch: nothing was composed'
        return
    if component.find("icon[@type='cached']") is None:
        yield 'appstream-missing-icon-file'
    if not component.findall('categories/category'):
        yield 'appstream-missing-categories'


def languages():
    """Those that Earmark is translated to."""
    text = (SOURCE / 'po' / 'LINGUAS').read_text(encoding='utf-8')
    return [word for line in text.splitlines() if not line.startswith('#') for word in line.split()]


def check_translations(files):
    for language in languages():
        # Flatpak puts them into an extension, and links to where that is mounted.
        if not (files / 'share' / 'runtime' / 'locale' / language / 'share' / language / 'LC_MESSAGES' / 'earmark.mo').exists():
            yield f'translation: {language} is not in the extension of languages'


def read_libraries(path=SOURCE / 'flatpak' / 'libraries.txt'):
    """All names of what the runtime has."""
    lines = path.read_text(encoding='utf-8').splitlines()
    return {name for line in lines if not line.startswith('#') for name in line.split()}


def check_libraries(files):
    known = read_libraries()
    for path in installed(files):
        if path.is_symlink() or path.read_bytes()[:4] != b'\x7fELF':
            continue
        said = subprocess.run(['readelf', '--wide', '--dynamic', '--dyn-syms', str(path)], capture_output=True, text=True,
                              check=True).stdout
        for needed in re.findall(r'\(NEEDED\).*\[(.*)\]', said):
            if needed not in known:
                yield f'library: {path.name} needs {needed}, which is not in the runtime'
        for name in re.findall(r'UND (dlopen|g_module_open\w*)\b', said):
            yield f'library-loaded: {path.name} calls {name}, and what it loads is not known'
        if re.search(r'\((RPATH|RUNPATH)\)', said):
            yield f'library-path: {path.name} looks for libraries in a place of its own'
        if '.debug_info' in subprocess.run(['readelf', '--wide', '--sections', str(path)], capture_output=True, text=True,
                                           check=True).stdout:
            yield f'stripped: {path.name} carries its debugging symbols'


def tell(complaints):
    print(*complaints, sep='\n', end='\n' if complaints else '', file=sys.stderr)
    return 1 if complaints else 0


def release(path, tag, commit):
    """Prints the manifest at PATH with a release in the place of this folder."""
    manifest = json.loads(pathlib.Path(path).read_text(encoding='utf-8'))
    manifest['modules'][-1]['sources'] = [{'type': 'git', 'url': f'{REPOSITORY}.git', 'tag': tag, 'commit': commit}]
    text = json.dumps(manifest, indent=2)
    with tempfile.TemporaryDirectory(prefix='earmark-lint.') as folder:
        copy = pathlib.Path(folder, pathlib.Path(path).name)
        copy.write_text(text, encoding='utf-8')
        complaints = check_manifest(copy, for_flathub=True)
    print(text)
    return tell(complaints)


def local(path):
    """Prints the manifest at PATH as it is built without Flathub: where nothing is at hand that is bundled, Earmark does without."""
    manifest = json.loads(pathlib.Path(path).read_text(encoding='utf-8'))
    manifest |= {'runtime': 'local.earmark.Platform', 'runtime-version': '1', 'sdk': 'local.earmark.Sdk', 'modules': manifest['modules'][-1:]}
    options = manifest['modules'][0]['config-opts']
    manifest['modules'][0]['config-opts'] = [option for option in options if option.split('=')[0] not in BUNDLED.values()] + \
        [f'{option}=disabled' for option in BUNDLED.values()]
    print(json.dumps(manifest, indent=2))


if __name__ == '__main__':
    if sys.argv[1:2] == ['--local'] and len(sys.argv) == 3:
        sys.exit(local(sys.argv[2]))
    if sys.argv[1:2] == ['--release'] and len(sys.argv) == 5:
        sys.exit(release(*sys.argv[2:]))
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(tell(check_manifest(sys.argv[1]) + (check_build(sys.argv[2]) if len(sys.argv) == 3 else [])))
