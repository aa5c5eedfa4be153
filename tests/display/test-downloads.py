#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Episodes on this computer: having them there, and no longer; what is said meanwhile, and where they are listed."""

import contextlib
import os

from gi.repository import GLib

import feeds
import harness
from feeds import Episode
from harness import MENU_ITEMS, case, on_page, pattern, wait_until
from stand_in import StandIn

CLIP = "minute.cbr.mp3"
TITLES = ("Alpha", "Bravo", "Charlie")


@contextlib.contextmanager
def running(way="", n_wrapped=1, **settings):
    """A podcast, of which the first N_WRAPPED episodes are behind WAY, a wrapper of the server's; the first is shown."""
    episodes = [Episode(title, (way if number < n_wrapped else "") + CLIP) for number, title in enumerate(TITLES)]
    with feeds.one_podcast("Letters", episodes, **settings) as app:
        if not settings:
            choose(app, "Alpha")
        yield app


def choose(app, title):
    app.click(app.wait_for("list item", pattern(f"^{title}, ")), happened=lambda: app.find("heading", title, on_page))


def wait_for_state(app, title, state):
    """As a screen reader hears the row; of what is not wanted nothing is said."""
    app.wait_for("list item", pattern(f"^{title}, .*, {state}$" if state else f"^{title}, [^,]*, [^,]*, 1 minute(, new)?$"))


def files(app):
    """Whole ones, by the path below the folder of downloads; what is hidden is not whole yet."""
    folder = app.profile.folder / "data" / "earmark" / "downloads"
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.mp3")
            if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts)}


def view_of(app, name):
    return app.wait_for("list item", name, lambda node: node.is_in("list", "Podcasts"))


@case
def download():
    """The page's button, a key and the row's menu download an episode to an ordinary file; view and filter list it; Undo brings it back"""
    with running() as app:
        app.press("button", "Download", on_page)
        wait_for_state(app, "Alpha", "downloaded")
        app.wait_for("button", "Remove Download", on_page)
        assert list(files(app).values()) == [harness.clip(CLIP).read_bytes()], files(app).keys()
        assert "Letters/" in next(iter(files(app))) and "Alpha" in next(iter(files(app)))
        app.choose_filter("Downloaded")
        app.wait_for_titles("Alpha")
        app.key("alt+3")
        view_of(app, "Downloads")
        app.wait_for_titles("Alpha")
        app.wait_for("label", pattern(r"1 episode\W+\d+\skB"))
        app.press("button", "Remove Download", on_page)
        app.wait_for("label", "No Downloads")
        app.press_undo()
        app.wait_for_titles("Alpha")
        assert list(files(app).values()) == [harness.clip(CLIP).read_bytes()], files(app).keys()

        app.show_podcast(app.address)
        app.choose_filter("All")
        choose(app, "Bravo")
        app.key("ctrl+s")
        wait_for_state(app, "Bravo", "downloaded")
        app.key("ctrl+s")
        wait_for_state(app, "Bravo", None)
        app.from_row_menu("Charlie", "Download")
        wait_for_state(app, "Charlie", "downloaded")
        app.click(app.row_of("Charlie"), button=3)
        app.wait_for(MENU_ITEMS, "Remove Download")
        assert not app.find(MENU_ITEMS, "Download") and not app.find(MENU_ITEMS, "Cancel Download")
        app.press(MENU_ITEMS, "Remove Download")
        wait_for_state(app, "Charlie", None)
        app.key("ctrl+z")
        wait_for_state(app, "Charlie", "downloaded")


def with_all(app, act):
    app.key("ctrl+a")
    app.wait_for("label", "3 selected")
    act()


class FilePortal(StandIn):
    """Shows files in their folders, as the desktop's portal does; remembers which it was asked for."""

    INTERFACE = """<node><interface name="org.freedesktop.portal.OpenURI"><property name="version" type="u" access="read"/>
<method name="OpenDirectory"><arg type="s" direction="in"/><arg type="h" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method></interface></node>"""

    def __init__(self):
        super().__init__("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", self.INTERFACE)
        self.shown = []

    def get(self, *question):
        return GLib.Variant("u", 4)

    def called(self, bus, sender, path, interface, method, parameters, invocation):
        fd = invocation.get_message().get_unix_fd_list().get(parameters[1])
        self.shown.append(os.readlink(f"/proc/self/fd/{fd}"))
        os.close(fd)
        handle = f"{path}/request/{sender[1:].replace('.', '_')}/{parameters[2]['handle_token']}"
        invocation.return_value(GLib.Variant("(o)", (handle,)))
        bus.emit_signal(sender, handle, "org.freedesktop.portal.Request", "Response", GLib.Variant("(ua{sv})", (0, {})))


@case
def several():
    """Selected episodes are downloaded and removed together, by button and by key, and so is the whole view; all of it can be undone.
    Show File opens the folder of one download, and Open Folder that of all."""
    with FilePortal() as portal, running() as app:
        with_all(app, lambda: app.press("button", "Download"))
        app.wait_for_toast("3 episodes are being downloaded")
        for title in TITLES:
            wait_for_state(app, title, "downloaded")
        with_all(app, lambda: app.key("ctrl+s"))
        for title in TITLES:
            wait_for_state(app, title, None)
        app.wait_until_gone("label", "3 selected")
        app.key("ctrl+z")
        for title in TITLES:
            wait_for_state(app, title, "downloaded")
        app.window_action("show-downloads")
        app.wait_for_titles(*TITLES)
        choose(app, "Bravo")
        for remove in (lambda: with_all(app, lambda: app.press("button", "Remove Download")), lambda: app.from_menu("Menu", "Remove All Downloads")):
            remove()
            app.wait_for("label", "No Downloads")
            app.wait_for_toast("3 downloads removed")
            # The toast before this one, with a button of the same name, may still be on its way out.
            app.key("ctrl+z")
            app.wait_for_titles(*TITLES)
        choose(app, "Bravo")
        app.from_menu("Episode Menu", "Show File")
        wait_until("it is shown", lambda: portal.shown)
        app.window_action("open-downloads")
        wait_until("its folder is shown", lambda: len(portal.shown) == 2)
        folder = app.profile.folder / "data" / "earmark" / "downloads"
        assert portal.shown == [str(folder / next(path for path in files(app) if "Bravo" in path)), str(folder / "Letters")], portal.shown


@case
def cancel():
    """A slow download shows its progress, is listed, and is canceled by the same button"""
    with running("~slow=20000/") as app:
        app.press("button", "Download", on_page)
        wait_for_state(app, "Alpha", "downloading")
        view_of(app, "Downloads")
        wait_until("it is told how far it is", lambda: (node := app.find("button", "Cancel Download", on_page)) and "%" in node.description)
        app.wait_for("label", pattern(r"^\W*\d+\W%\W+of\W+\d+\WkB\W*$"), on_page)
        app.window_action("show-downloads")
        app.wait_for_titles("Alpha")
        # None of them is on this computer yet.
        app.press("toggle button", "Menu")
        app.wait_for(MENU_ITEMS, "Pause All Downloads")
        assert not app.find(MENU_ITEMS, "Remove All Downloads")
        app.key("Escape")
        app.wait_for_titles("Alpha")
        app.press("button", "Cancel Download", on_page)
        app.wait_until_gone("label", pattern(r"\d\W+of\W"), on_page)
        app.wait_until_gone("list item", pattern("^Alpha, "))
        app.wait_for("label", "No Downloads")
        view_of(app, "Downloads")
        assert not files(app)


@case
def order_and_pause():
    """Waiting downloads are listed in their order, which keys change; they are paused one by one or all, also over a restart"""
    with running("~slow=2000/", len(TITLES)) as app:
        with_all(app, lambda: app.key("ctrl+s"))
        for title in TITLES:
            wait_for_state(app, title, "(downloading|waiting to be downloaded)")
        app.window_action("show-downloads")
        app.wait_for_titles(*TITLES)
        app.wait_for("label", pattern(r"\d\W+MB left"))
        choose(app, "Charlie")
        app.key("alt+Up")
        app.wait_for_titles("Alpha", "Charlie", "Bravo")
        app.key("alt+Up")
        app.wait_for_titles("Charlie", "Alpha", "Bravo")
        app.key("ctrl+z")
        app.wait_for_titles("Alpha", "Charlie", "Bravo")
        app.from_row_menu("Bravo", "Pause Download")
        wait_for_state(app, "Bravo", "download paused")
        app.from_menu("Menu", "Pause All Downloads")
        for title in TITLES:
            wait_for_state(app, title, "download paused")
        view_of(app, "Downloads")
        # What is shown as paused is stored a moment later.
        app.start_again()
        app.window_action("show-downloads")
        for title in TITLES:
            wait_for_state(app, title, "download paused")
        app.click(app.row_of("Charlie"))
        app.press("button", "Resume Download", on_page)
        wait_for_state(app, "Charlie", "downloading")
        app.from_menu("Menu", "Resume All Downloads")
        wait_for_state(app, "Alpha", "downloading")


@case
def failed():
    """A web page in place of audio fails a download; the reason is shown and announced, and Retry works"""
    with running("~times=1/~html/") as app:
        app.press("button", "Download", on_page)
        app.wait_for("label", pattern("^Not Audio. The server sent a web page"), on_page)
        app.wait_to_hear(pattern("sent a web page"))
        app.wait_for("button", "Download Again", on_page)
        wait_for_state(app, "Alpha", "download failed")
        choose(app, "Bravo")
        app.press("button", "Download", on_page)
        wait_for_state(app, "Bravo", "downloaded")
        app.window_action("show-downloads")
        app.wait_for_titles("Alpha", "Bravo")
        view_of(app, "Downloads")
        for heading in ("Failed", "Done"):
            app.wait_for("heading", heading)
        choose(app, "Alpha")
        app.press("button", "Retry", on_page)
        wait_for_state(app, "Alpha", "downloaded")
        app.wait_until_gone("label", pattern("^Not Audio"), on_page)
        app.wait_until_gone("heading", "Failed")
        assert list(files(app).values()) == [harness.clip(CLIP).read_bytes()] * 2, files(app).keys()


@case
def delayed():
    """A server that has a problem for now is asked again by itself, and at once when the listener does not want to wait"""
    with running("~500then=2/") as app:
        def count():
            return sum(CLIP in request["path"] for request in app.server.requests())
        app.press("button", "Download", on_page)
        app.wait_for("label", "Server Error. The download resumes automatically.", on_page)
        wait_for_state(app, "Alpha", "waiting to be downloaded")
        # After the second try it waits for half a minute.
        wait_until("it was tried twice", lambda: count() == 2)
        wait_for_state(app, "Alpha", "waiting to be downloaded")
        app.from_row_menu("Alpha", "Retry")
        wait_until("it is tried again now", lambda: count() == 3, 15)
        wait_for_state(app, "Alpha", "downloaded")
        app.wait_until_gone("label", pattern("resumes automatically"), on_page)


@case
def while_it_downloads():
    """An episode plays while it is downloaded, and from its file after the next jump, without the server"""
    with running("~slow=60000/") as app, harness.Listener() as listener:
        app.key("ctrl+Return")
        listener.wait_for_sound(0, 20)
        app.key("ctrl+s")
        app.wait_for("list item", pattern("^Alpha, .*, downloading"))
        assert app.mpris_get("PlaybackStatus") == "Playing"
        app.wait_for("list item", pattern("^Alpha, .*, downloaded"))
        app.server.stop()
        app.mpris("SetPosition", GLib.Variant("(ox)", (app.mpris_get("Metadata")["mpris:trackid"], 50_000_000)))
        listener.wait_for_sound(49, 58)
        app.action("play-pause")
        listener.wait_for_silence()
        app.server.start()


harness.main()
