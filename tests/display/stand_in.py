# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-ins for programs of the desktop that Earmark calls."""

import os
import threading

from gi.repository import Gio, GLib

from harness import DEADLINE


class StandIn:
    """A program on the bus, with an object that others call; INTERFACE is its XML."""

    def __init__(self, name, path, interface):
        self.name, self.path = name, path
        self.interface = Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0]

    def __enter__(self):
        self.context = GLib.MainContext.new()
        self.loop = GLib.MainLoop.new(self.context, False)
        ready = threading.Event()

        def run():
            self.context.push_thread_default()
            flags = Gio.DBusConnectionFlags
            self.bus = Gio.DBusConnection.new_for_address_sync(
                os.environ["DBUS_SESSION_BUS_ADDRESS"], flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
            self.bus.register_object(self.path, self.interface, self.called, self.get, None)
            self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                               GLib.Variant("(su)", (self.name, 4)), None, Gio.DBusCallFlags.NONE, -1, None)
            ready.set()
            self.loop.run()
            self.bus.close_sync(None)
            self.context.pop_thread_default()
        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        assert ready.wait(DEADLINE)
        return self

    def __exit__(self, *exc):
        self.loop.quit()
        self.thread.join(DEADLINE)

    def called(self, bus, sender, path, interface, method, parameters, invocation):
        raise NotImplementedError

    def get(self, bus, sender, path, interface, name):
        raise NotImplementedError
