#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""stand-in-portal.py LOG: as much of a desktop's portal as Earmark asks of it. Grants everything, and writes
each call to LOG, a line of the interface's last word, the method and the arguments."""

import sys

from gi.repository import Gio, GLib

INTERFACES = """<node>
  <interface name="org.freedesktop.portal.Inhibit">
    <method name="Inhibit"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="o" direction="out"/></method>
  </interface>
  <interface name="org.freedesktop.portal.Notification">
    <method name="AddNotification"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
    <method name="RemoveNotification"><arg type="s" direction="in"/></method>
    <property name="version" type="u" access="read"/>
  </interface>
  <interface name="org.freedesktop.portal.NetworkMonitor">
    <method name="GetAvailable"><arg type="b" direction="out"/></method>
    <method name="GetMetered"><arg type="b" direction="out"/></method>
    <method name="GetConnectivity"><arg type="u" direction="out"/></method>
    <method name="GetStatus"><arg type="a{sv}" direction="out"/></method>
    <method name="CanReach"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="b" direction="out"/></method>
    <property name="version" type="u" access="read"/>
  </interface>
  <interface name="org.freedesktop.portal.ProxyResolver">
    <method name="Lookup"><arg type="s" direction="in"/><arg type="as" direction="out"/></method>
    <property name="version" type="u" access="read"/>
  </interface>
</node>"""
FULL = 4
STATUS = {"available": GLib.Variant("b", True), "metered": GLib.Variant("b", False), "connectivity": GLib.Variant("u", FULL)}
ANSWERS = {
    "Inhibit": GLib.Variant("(o)", ("/org/freedesktop/portal/desktop/request/stand_in",)),
    "GetAvailable": GLib.Variant("(b)", (True,)),
    "GetMetered": GLib.Variant("(b)", (False,)),
    "GetConnectivity": GLib.Variant("(u)", (FULL,)),
    "GetStatus": GLib.Variant("(a{sv})", (STATUS,)),
    "CanReach": GLib.Variant("(b)", (True,)),
    "Lookup": GLib.Variant("(as)", (["direct://"],)),
}


def called(_bus, _sender, _path, interface, method, arguments, invocation):
    print(interface.rsplit(".", 1)[-1], method, arguments.print_(False), file=log, flush=True)
    invocation.return_value(ANSWERS.get(method))


def version(*_):
    return GLib.Variant("u", 3)


def come(bus, _name):
    for interface in Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces:
        bus.register_object("/org/freedesktop/portal/desktop", interface, called, version, None)


with open(sys.argv[1], "w", encoding="utf-8") as log:
    Gio.bus_own_name(Gio.BusType.SESSION, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, come, None, None)
    GLib.MainLoop().run()
