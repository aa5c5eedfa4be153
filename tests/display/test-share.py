#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Handing an episode on: by the menu and by keys; by a code, which another program reads from the screen as a camera would."""

import contextlib
import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile

import feeds
import harness
from feeds import Episode
from harness import MENU_ITEMS, GLib, case, on_page, pattern, wait_until

TITLE = "Sound in minute.cbr.mp3"


def wait_for_code(app, address):
    wait_until(f"a camera reads {address}", lambda: app.read_code() == address)


@case
def menu():
    """The menus of the page and of a row share in the same ways"""
    with feeds.tones() as app:
        app.from_menu("Episode Menu", "Share", on_page)
        for name in ("Copy Link", "Copy Link at This Time", "Continue on Phone…", "Open in Web Browser"):
            app.wait_for(MENU_ITEMS, name)
        app.press(MENU_ITEMS, "Copy Link at This Time")
        app.wait_for_toast("Copied")
        app.wait_until_gone(MENU_ITEMS, "Copy Link")
        app.from_menu_of(app.row(1), "Share")
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_for_toast("Copied")
        for key in ("ctrl+shift+t", "ctrl+shift+k", "ctrl+shift+c"):
            app.key(key)
            app.wait_for_toast("Copied")


@case
def code():
    """A camera reads the position and the page from the code, dark on light in every style and size; screen readers are told the link"""
    if shutil.which("zbarimg") is None:
        raise harness.Skip("there is no zbarimg")
    with feeds.tones() as app:
        app.choose_episode(TITLE)
        app.pause_at(20)
        app.key("ctrl+shift+p")
        app.wait_for("dialog", "Continue on Phone")
        picture = app.wait_for("image", "QR code")
        sound = app.server.url("minute.cbr.mp3#t=20")
        wait_for_code(app, sound)
        assert picture.description == sound, picture.description
        app.wait_for("label", pattern("Starts at .*0:20"))
        app.press("radio button", "Web Page")
        wait_for_code(app, "https://example.org/0#t=20")
        app.close_dialog("Continue on Phone")
    for environment, height in (({"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"}, 640), ({}, 294)):
        with feeds.tones(1, environment, window_width=360, window_height=height) as app:
            app.window_action("select-episode", GLib.Variant("u", 0))
            app.wait_for("heading", TITLE, on_page)
            app.window_action("show-code")
            wait_for_code(app, app.server.url("minute.cbr.mp3"))


SOURCE = pathlib.Path(__file__).parent / "drag-source.py"


def is_framed(app):
    """Whether the accent colour stands along the left edge of the window."""
    left, top, _, height = app.geometry(app.window_id)
    return (0x35, 0x84, 0xe4) in app.pixels(left, top + height // 2, 16, 1)


def drop(app, kind, text):
    """Drags TEXT from another program's window to the middle of the app's, as a hand does it."""
    app.focus()
    left, top, width, height = app.geometry(app.window_id)
    with tempfile.NamedTemporaryFile("w+") as output:
        source = subprocess.Popen([sys.executable, SOURCE, kind, text], stdin=subprocess.DEVNULL, stdout=output)

        def said(word):
            return word in pathlib.Path(output.name).read_text()

        steps = itertools.cycle((0, 12, 24))

        def move_along(x, y):
            """Back and forth: what a pointer that stands still says is easily lost."""
            step = next(steps)
            app.xdotool("mousemove", x + step, y - step)
        try:
            wait_until("there is something to drag", lambda: said("there"))
            window = app.xdotool("search", "--onlyvisible", "--name", "^Drag Source$").split()[-1]
            app.xdotool("windowmove", window, left + 40, top + height - 160, "windowraise", window)
            wait_until("it is in its place", lambda: app.geometry(window)[:2] == (left + 40, top + height - 160))
            x, y = left + 60, top + height - 120

            def begin():
                """A press that comes before the window knows of the pointer begins nothing."""
                app.xdotool("mouseup", 1, "mousemove", x, y, "mousedown", 1)
                with contextlib.suppress(AssertionError):
                    wait_until("it begins", lambda: move_along(x, y) or said("begun"), harness.DEADLINE / 10)
                return said("begun")
            wait_until("the drag has begun", begin)
            wait_until("the window would take it", lambda: move_along(left + width // 2, top + height // 2) or said("taken"))
            wait_until("the window says so", lambda: move_along(left + width // 2, top + height // 2) or is_framed(app))
            app.xdotool("mouseup", 1)
            wait_until("the drag has ended", lambda: said("ended"))
            wait_until("the window says so no more", lambda: not is_framed(app))
        finally:
            harness.end_process(source)


@case
def drops():
    """A link to a podcast or to its page that is dropped opens its preview, a file the offer to import it.
    File dialogs import and export, too; a failed export is reported until it is dismissed."""
    with feeds.tones() as app:
        server, profile = app.server, app.profile
        address = feeds.write(server, "one", "One", [Episode("Only")])
        # As browsers offer a link
        drop(app, "text/uri-list", address + "\r\n")
        app.wait_for("heading", "One")
        app.wait_for_focus("Follow")
        app.escape_from("heading", "One")
        app.close_dialog("Add Podcast")
        # As text, from an editor
        (server.root / "page.html").write_text("<html><head><link rel='alternate' type='application/rss+xml' href='one.xml'></head></html>")
        drop(app, "string", "a sentence that was dropped by mistake")
        drop(app, "string", f"  {server.url('page.html')}\n")
        app.wait_for("heading", "One")
        app.wait_for_focus("Follow")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("it is followed", lambda: len(app.podcasts()) == 2)
        # As file managers offer files: two at once
        files = [feeds.write_opml(profile.folder / f"{name} list.opml", *(server.url(f"generated/{name}{i}-2.xml") for i in range(count)))
                 for name, count in (("Alpha", 2), ("Beta", 3))]
        drop(app, "text/uri-list", "".join(f"{file.as_uri()}\r\n" for file in files))
        app.wait_for("label", "Follow 2 Podcasts?")
        app.key("Return")
        app.wait_for("label", "Follow 3 Podcasts?")
        app.close_dialog("Add Podcast")
        wait_until("the first list is followed", lambda: len(app.podcasts()) == 4)
        app.key("ctrl+o")
        harness.write_path(app, "Import Podcasts", "Open", files[1])
        wait_until("the second one is followed", lambda: len(app.podcasts()) == 7)
        app.wait_for_toast("Followed 3 podcasts")
        app.action("export")
        harness.write_path(app, "Export Podcasts", "Save", profile.folder / "out.opml")
        wait_until("the list is written", lambda: (profile.folder / "out.opml").exists() and "Beta" in (profile.folder / "out.opml").read_text())
        app.action("export")
        harness.write_path(app, "Export Podcasts", "Save", "/proc/out.opml")
        app.wait_for("label", "The list could not be saved")
        app.wait_for("button", "Dismiss")


harness.main()
