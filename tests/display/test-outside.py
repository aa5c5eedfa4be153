#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens outside of the window: notifications and what they lead to, and going on without a window."""

import contextlib
import email.utils
import hashlib
import json
import time

import feeds
import harness
from gi.repository import Gio, GLib
from harness import App, Profile, Server, case, pattern, wait_until
from stand_in import StandIn

INTERFACE = """<node><interface name='org.gtk.Notifications'>
<method name='AddNotification'><arg type='s'/><arg type='s'/><arg type='a{sv}'/></method>
<method name='RemoveNotification'><arg type='s'/><arg type='s'/></method>
</interface></node>"""


def wait_for_check(app):
    """Until no podcast is being checked any more."""
    def is_over():
        said = app.profile.run("--status", "--json", check=False)
        return said.returncode == 0 and not json.loads(said.stdout)["refreshing"]
    wait_until("the check is over", is_over)


class Shell(StandIn):
    """Shows notifications, and activates what is in them."""

    def __init__(self):
        super().__init__("org.gtk.Notifications", "/org/gtk/Notifications", INTERFACE)
        self.shown = {}

    def called(self, bus, sender, path, interface, method, parameters, invocation):
        application, name, *rest = parameters.unpack()
        assert application == harness.APP_ID
        if method == "AddNotification":
            self.shown[name] = rest[0]
        else:
            self.shown.pop(name, None)
        invocation.return_value(None)

    def wait_for(self, title):
        def there():
            return next((shown for shown in list(self.shown.values()) if shown["title"] == title), None)
        return wait_until(f'there is a notification "{title}"', there)

    def wait_until_gone(self):
        wait_until("the notification is gone", lambda: not self.shown)


class Power(StandIn):
    """Says how much power is to be used."""

    NAME = "org.freedesktop.UPower.PowerProfiles"

    def __init__(self, profile):
        super().__init__(self.NAME, "/org/freedesktop/UPower/PowerProfiles",
                         f"<node><interface name='{self.NAME}'><property name='ActiveProfile' type='s' access='read'/></interface></node>")
        self.profile = profile

    def get(self, bus, sender, path, interface, name):
        return GLib.Variant("s", self.profile)

    def choose(self, profile):
        self.profile = profile
        self.bus.emit_signal(None, self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                             GLib.Variant("(sa{sv}as)", (self.NAME, {"ActiveProfile": GLib.Variant("s", profile)}, [])))


class Service(App):
    """As the session starts it, by itself or because something is wanted of it."""

    def start(self, wait=True):
        self.arguments = ["--gapplication-service"]
        super().start(wait=False)
        wait_until("the app is on the bus", lambda: self.has_name(harness.APP_ID))

    def has_windows(self):
        return bool(self.tree.find_program() and self.windows())


def write(server, count, name="daily", title="Daily Tones"):
    """A podcast with COUNT episodes, of which the last days brought one each."""
    def item(number):
        date = email.utils.formatdate(time.time() - (100 - number) * 60)
        return (f"<item><title>Tone {number}</title><guid isPermaLink='false'>tone-{number}</guid><pubDate>{date}</pubDate>"
                f"<enclosure url='@BASE@/{feeds.sound(server, 'minute.cbr.mp3')}' type='audio/mpeg' length='480000'/></item>")
    items = "".join(item(number) for number in range(count, 0, -1))
    (server.root / f"{name}.xml").write_text(f"<rss version='2.0'><channel><title>{title}</title>{items}</channel></rss>")
    return server.url(f"{name}.xml")


def key_of(address, guid):
    return hashlib.sha256(f"{address}\0{guid}".encode()).hexdigest()[:32]


def activate(app, shown, button=None):
    """What a click on it, or on one of its buttons, does."""
    if button is None:
        name, target = shown["default-action"], shown.get("default-action-target")
    else:
        name, target = next((each["action"], each.get("target")) for each in shown["buttons"] if each["label"] == button)
    assert name.startswith("app.")
    targets = [GLib.Variant("s", target)] if target is not None else []
    app.call(harness.APP_PATH, "org.freedesktop.Application", "ActivateAction",
             GLib.Variant("(sava{sv})", (name[4:], targets, {})))


@contextlib.contextmanager
def listener_at_home(kind=App, settings=None):
    with Shell() as shell, Server() as server:
        address = write(server, 3)
        with Profile(address, settings) as profile, kind(profile) as app:
            app.server, app.address = server, address
            if kind is App:
                app.wait_for_rows(3)
            yield shell, app


@case
def notified():
    """A notification of a new episode plays or shows it, and goes once the episode was seen"""
    with listener_at_home() as (shell, app):
        server = app.server
        app.window_action("show-history")
        write(server, 4)
        app.action("refresh-all")
        shown = shell.wait_for("Tone 4")
        assert shown["body"] == "Daily Tones", shown
        activate(app, shown, "Play")
        app.wait_for_status("Playing")
        assert app.mpris_get("Metadata")["xesam:title"] == "Tone 4"
        shell.wait_until_gone()

        write(server, 5)
        app.action("refresh-all")
        activate(app, shell.wait_for("Tone 5"))
        app.wait_for("heading", "Tone 5")

        # What comes while its podcast is looked at is seen, and not told then or later.
        app.focus()
        shell.wait_until_gone()
        write(server, 6)
        app.action("refresh-all")
        app.wait_for_rows(6)
        wait_for_check(app)
        app.window_action("show-history")

        # Several lead to New, where they have been seen.
        write(server, 9)
        app.action("refresh-all")
        activate(app, shell.wait_for("3 New Episodes"))
        app.wait_for("list item", pattern("^New, "), lambda node: "selected" in node.states)
        app.focus()
        shell.wait_until_gone()


@case
def hostile_parameters():
    """Keys and values that other programs make up do nothing, and the window shows the values that hold"""
    values = {"s": ["", " ", "\u202e", "x" * 100_000, "file:///dev/zero", "http://[", "javascript:alert(1)"], "x": [-2 ** 63, -1, 2 ** 63 - 1],
              "u": [0, 2 ** 32 - 1], "d": [float("nan"), float("inf"), -float("inf"), 0.0, -1.0]}
    with listener_at_home() as (shell, app):
        address = app.address
        app.action("show-episode", GLib.Variant("s", key_of(address, "tone-2")))
        app.wait_for("heading", "Tone 2")
        for key in ("", "a" * 100_000, "0" * 32, "../../etc/passwd", "' OR 1 = 1 --", key_of(address, "tone-3").upper(), "\u202e"):
            for action in ("show-episode", "play-episode"):
                app.action(action, GLib.Variant("s", key))
        app.let_it_act()
        # The last one that is known is found, whatever came before.
        app.action("show-episode", GLib.Variant("s", key_of(address, "tone-1")))
        app.wait_for("heading", "Tone 1")
        assert app.status() == "Stopped", app.status()
        app.call(harness.APP_PATH, "org.gtk.Actions", "SetState", GLib.Variant("(sva{sv})", ("speed", GLib.Variant("d", 3.0), {})))
        wait_until("the speed is the one that is shown", lambda: app.mpris_get("Rate") == 3)
        app.window_action("search-for", GLib.Variant("s", ""))
        app.wait_for_rows(3)
        for path in (harness.APP_PATH, app.window_path()):
            for name, (enabled, parameter, state) in sorted(app.call(path, "org.gtk.Actions", "DescribeAll")[0].items()):
                for value in values.get(parameter, []):
                    app.activate(path, name, GLib.Variant(parameter, value))
        app.let_it_act()
        assert app.status() == "Stopped", app.status()


@case
def without_window():
    """Started with the session, Earmark checks podcasts, notifies, and opens its window when it is called"""
    with listener_at_home(Service, {"background-refresh": "true"}) as (shell, app):
        state, server, address = app.profile.state, app.server, app.address
        wait_until("the feed was read", lambda: any("daily.xml" in request["path"] for request in server.requests()))
        wait_until("what was heard is kept", lambda: (state / "subscriptions.json").exists())
        assert not app.has_windows()
        write(server, 4)

        def told():
            app.action("refresh-all")
            return next((shown for shown in list(shell.shown.values()) if shown["title"] == "Tone 4"), None)
        shown = wait_until("the new episode is told", told)
        activate(app, shown, "Play")
        app.wait_for_status("Playing")
        assert not app.has_windows()

        app.action("show-episode", GLib.Variant("s", key_of(address, "tone-2")))
        app.wait_for_window()
        app.wait_for("heading", "Tone 2")
        app.pause()
        app.key("ctrl+w")
        wait_until("the window is gone", lambda: not app.windows())
        # It does not end, though nothing plays.
        app.action("raise")
        wait_until("the window is back", app.windows)


@case
def window_meanwhile():
    """A window that opens during a check announces only the episodes that came since"""
    with Shell(), Server() as server:
        write(server, 3)
        with Profile(server.url("~hold/daily.xml"), {"background-refresh": "true"}) as profile, App(profile) as app:
            server.hold(False)
            app.wait_for_rows(3)
            write(server, 4)
            app.action("refresh-all")
            app.wait_for_rows(4)
            wait_for_check(app)
            app.key("ctrl+w")
            wait_until("there is no window", lambda: not app.windows())
            server.hold(True)
            app.action("refresh-all")
            app.announcements.read().clear()
            app.action("raise")
            wait_until("the window is back", app.windows)
            server.hold(False)
            app.wait_to_hear(pattern("new episode"))
            assert app.announcements.read() == ["No new episodes"], app.announcements.texts


@case
def checks():
    """The end of a check announces the podcasts that it could not load; the podcast says that checks are paused while power is saved"""
    paused = pattern("Automatic checks paused to save power")
    with Power("power-saver") as power, listener_at_home() as (shell, app):
        app.wait_for("label", paused, harness.on_page)
        power.choose("balanced")
        app.wait_until_gone("label", pattern("paused"), harness.on_page)
        wait_for_check(app)
        feed = app.server.root / "daily.xml"
        away = feed.rename(app.server.root / "away.xml")
        app.action("refresh-all")
        wait_until("the failure is announced", lambda: app.announcements.read()[-1:] == ["1 podcast could not be loaded"])
        away.rename(feed)
        app.action("refresh-all")
        wait_until("the end is announced", lambda: app.announcements.read()[-2:] == ["1 podcast could not be loaded", "No new episodes"])
        power.choose("power-saver")
        app.wait_for("label", paused, harness.on_page)


@case
def menu_of_the_icon():
    """Where none runs, the menu of the icon checks all podcasts, and goes on with the last episode; started for nothing, Earmark ends"""
    with Server() as server, Profile(write(server, 3)) as profile:
        with Service(profile) as app:
            app.wait_for_end()
        assert not server.requests(), server.requests()
        with App(profile) as app:
            app.wait_for_rows(3)
            app.action("play-pause")
            app.wait_for_status("Playing")
            wait_until("some is heard", lambda: app.position() > 0.5)
        before = len(server.requests())
        with Service(profile) as app:
            app.action("refresh-all")
            wait_until("the feed is asked for", lambda: any("daily.xml" in request["path"] for request in server.requests()[before:]))
            assert not app.has_windows()
        with Service(profile) as app:
            app.action("play-pause")
            app.wait_for_status("Playing")
            assert app.mpris_get("Metadata")["xesam:title"] == "Tone 3"
            app.wait_for_window()


@case
def dropped_by_quit():
    """An address that arrives during the end is dropped, and not opened by the next window"""
    with Server() as server, Profile(feeds.write_tones(server)) as profile, App(profile) as app:
        app.wait_for_rows(3)
        first = app.window_path()

        def is_another():
            with contextlib.suppress(IndexError):
                return app.window_path() != first
            return False
        calls = (("ActivateAction", GLib.Variant("(sava{sv})", ("quit", [], {}))),
                 ("Open", GLib.Variant("(asa{sv})", ([server.url("/generated/Alpha-2.xml")], {}))),
                 ("ActivateAction", GLib.Variant("(sava{sv})", ("quit", [], {}))),
                 ("Activate", GLib.Variant("(a{sv})", ({},))))
        with app.stopped():
            for method, arguments in calls:
                app.bus.call(harness.APP_ID, harness.APP_PATH, "org.freedesktop.Application", method, arguments, None,
                             Gio.DBusCallFlags.NO_AUTO_START, -1, None, None)
            app.bus.flush_sync(None)
        wait_until("there is another window", is_another)
        app.wait_for_rows(3)
        harness.stays("nothing is opened", lambda: not app.find("dialog", "Add Podcast"), 1)


harness.main()
