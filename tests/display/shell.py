# SPDX-License-Identifier: GPL-3.0-or-later
"""GNOME Shell's part in a search: its calls, and the bus that starts the provider. The benchmark uses it as well."""

import contextlib
import os
import pathlib
import shlex

from gi.repository import Gio, GLib

APP_ID = os.environ.get("EARMARK_APP_ID", "io.github.earmark_app.Earmark")
PATH = "/io/github/earmark_app/Earmark/SearchProvider"
INTERFACE = "org.gnome.Shell.SearchProvider2"
PATIENCE = 120_000  # milliseconds


class Shell:
    """Calls the search provider as GNOME Shell does."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, method, signature, *arguments):
        reply = self.bus.call_sync(APP_ID, PATH, INTERFACE, method, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE,
                                   PATIENCE, None)
        return reply.unpack()[0] if reply.n_children() else None

    def search(self, *terms):
        return self.call("GetInitialResultSet", "(as)", terms)

    def describe(self, keys):
        return self.call("GetResultMetas", "(as)", keys)

    def names(self, *terms):
        return [meta["name"] for meta in self.describe(self.search(*terms))]

    def open(self, name, *terms):
        """Opens a result, as a click does."""
        key = next(meta["id"] for meta in self.describe(self.search(*terms)) if meta["name"] == name)
        self.call("ActivateResult", "(sasu)", key, terms, 0)

    def search_in_app(self, *terms):
        self.call("LaunchSearch", "(asu)", terms, 0)

    def owner(self, name=APP_ID):
        """The process that owns the name, or None."""
        with contextlib.suppress(GLib.Error):
            return self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                      "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)), None,
                                      Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
        return None


class Service:
    """A program that the bus starts when its NAME is called."""

    def __init__(self, name, program, environment, errors=os.devnull):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        folder = pathlib.Path(os.environ["XDG_DATA_HOME"], "dbus-1", "services")
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / f"{name}.service"
        command = f"exec 2>{shlex.quote(str(errors))} {shlex.quote(str(program))} --gapplication-service"
        self.file.write_text(f'[D-BUS Service]\nName={name}\nExec=/bin/sh -c "{command}"\n')
        self.tell_bus("UpdateActivationEnvironment", GLib.Variant("(a{ss})", (environment,)))
        self.tell_bus("ReloadConfig")

    def tell_bus(self, method, arguments=None):
        self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments, None,
                           Gio.DBusCallFlags.NONE, -1, None)

    def remove(self):
        self.file.unlink()
        self.tell_bus("ReloadConfig")
