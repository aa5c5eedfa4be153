#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""local-runtime.py ROOT FOLDER: make a Flatpak runtime out of a Debian root, where no runtime store
is at hand.

FOLDER/repo gets local.earmark.Sdk (the whole root) and local.earmark.Platform (only what the
run-time packages need, so that the app cannot lean on a file that only the Sdk has). It is for
building and testing on this machine: what is built on it is linked against Debian's libraries, and
must not be given to others. The files are hard links, so ROOT and FOLDER share one file system.
"""

import os
import re
import shutil
import subprocess
import sys

VERSION = '1'
ARCH = os.uname().machine

# What stands for org.gnome.Platform. Debian's essential packages come with them.
PLATFORM = '''libgtk-4-1 libgtk-4-bin libadwaita-1-0 libsoup-3.0-0 libxml2 libjson-glib-1.0-0
libsqlite3-0 libsecret-1-0 libgdk-pixbuf-2.0-0 gstreamer1.0-plugins-base gstreamer1.0-plugins-good
gstreamer1.0-libav glib-networking gsettings-desktop-schemas dconf-gsettings-backend
adwaita-icon-theme fonts-cantarell fonts-dejavu-core fonts-noto-core libgl1-mesa-dri libegl1
libgles2 librsvg2-common ca-certificates shared-mime-info tzdata libglib2.0-bin locales'''.split()

# Belong to the machine, and flatpak makes its own.
MACHINE_FILES = '''passwd passwd- group group- shadow shadow- gshadow gshadow- resolv.conf hosts
hostname machine-id mtab localtime .pwd.lock apt'''.split()

DEVELOPMENT = ['include', 'share/gir-1.0', 'share/pkgconfig', 'lib/{triplet}/pkgconfig']

METADATA = '''[Runtime]
name=local.earmark.{name}
runtime=local.earmark.Platform/{arch}/{version}
sdk=local.earmark.Sdk/{arch}/{version}

[Environment]
XDG_DATA_DIRS=/app/share:/usr/share:/usr/share/runtime/share:/run/host/user-share:/run/host/share
GI_TYPELIB_PATH=/app/lib/girepository-1.0
GST_PLUGIN_SYSTEM_PATH=/app/lib/gstreamer-1.0:/usr/lib/{triplet}/gstreamer-1.0
PKG_CONFIG_PATH=/app/lib/pkgconfig:/app/share/pkgconfig:/usr/lib/{triplet}/pkgconfig:/usr/share/pkgconfig
LANG=C.UTF-8
'''


class Packages:
    """The packages installed in a Debian root."""

    def __init__(self, root):
        self.info = f'{root}/var/lib/dpkg/info'
        self.fields, self.providers = {}, {}
        with open(f'{root}/var/lib/dpkg/status', encoding='utf-8') as status:
            for paragraph in status.read().split('\n\n'):
                fields = dict(re.findall(r'^([A-Za-z-]+): (.*)$', paragraph, re.M))
                if fields.get('Status', '').endswith(' installed'):
                    self.fields[fields['Package']] = fields
        for name, fields in self.fields.items():
            for provided in self.names(fields.get('Provides', '')):
                self.providers.setdefault(provided[0], name)

    @staticmethod
    def names(relation):
        """The alternatives of every member of a relation field, versions left out."""
        for member in relation.split(','):
            names = [re.sub(r'[(\[<].*', '', name).strip().split(':')[0] for name in member.split('|')]
            if names[0]:
                yield names

    def with_dependencies(self, wanted):
        found, waiting = set(), list(wanted)
        waiting += [name for name, fields in self.fields.items() if fields.get('Essential') == 'yes']
        while waiting:
            name = waiting.pop()
            name = name if name in self.fields else self.providers.get(name)
            if name is None or name in found:
                continue
            found.add(name)
            for field in ('Depends', 'Pre-Depends'):
                for names in self.names(self.fields[name].get(field, '')):
                    waiting += [n for n in names if n in self.fields or n in self.providers][:1]
        return found

    def files(self, name):
        for suffix in ('', ':' + self.fields[name]['Architecture']):
            path = f'{self.info}/{name}{suffix}.list'
            if os.path.exists(path):
                with open(path, encoding='utf-8') as listing:
                    return listing.read().splitlines()
        return []


def inside(files, path):
    """Where a path of the root lies in a runtime's files, or None."""
    first = path.split('/')[1] if path.count('/') else ''
    if first in ('bin', 'lib', 'lib64', 'sbin'):
        path = '/usr' + path
    if path.startswith('/usr/'):
        return files + path[4:]
    return files + path if path.startswith('/etc/') else None


def link_tree(root, files):
    os.makedirs(os.path.dirname(files))
    subprocess.check_call(['cp', '-al', f'{root}/usr', files])
    subprocess.check_call(['cp', '-al', f'{root}/etc', f'{files}/etc'])
    for name in MACHINE_FILES:
        remove(f'{files}/etc/{name}')


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def thin_out(files, packages, triplet):
    """Takes out of a platform what only packages outside of it own."""
    kept = packages.with_dependencies(PLATFORM)
    keep = {inside(files, path) for name in kept for path in packages.files(name)}
    for name in packages.fields.keys() - kept:
        for path in packages.files(name):
            path = inside(files, path)
            if path and path not in keep and (os.path.islink(path) or not os.path.isdir(path)):
                remove(path)
    for folder in DEVELOPMENT:
        remove(f'{files}/{folder.format(triplet=triplet)}')
    for folder, _, _ in os.walk(files, topdown=False):
        if not os.path.islink(folder) and not os.listdir(folder):
            os.rmdir(folder)
    return len(kept)


def main(root, folder):
    packages = Packages(root)
    triplet = f'{ARCH}-linux-gnu'
    repo, trees = f'{folder}/repo', f'{folder}/trees'
    remove(repo)
    remove(trees)
    # The mode of a user's installation: installing from it is hard links again.
    subprocess.check_call(['ostree', 'init', f'--repo={repo}', '--mode=bare-user-only'])
    for name in ('Sdk', 'Platform'):
        files = f'{trees}/{name}/files'
        print(f'linking {name}', flush=True)
        link_tree(root, files)
        if name == 'Platform':
            print(f'{thin_out(files, packages, triplet)} of {len(packages.fields)} packages kept', flush=True)
        with open(f'{trees}/{name}/metadata', 'w', encoding='utf-8') as metadata:
            metadata.write(METADATA.format(name=name, arch=ARCH, version=VERSION, triplet=triplet))
        print(f'exporting {name}', flush=True)
        subprocess.check_call(['flatpak', 'build-export', '--runtime', '--files=files', '--disable-fsync',
                               '--no-update-summary', repo, f'{trees}/{name}', VERSION])
        remove(f'{trees}/{name}')
    subprocess.check_call(['flatpak', 'build-update-repo', repo])


if __name__ == '__main__':
    main(*sys.argv[1:])
