#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Links and files that are dropped on the window, and those that are chosen in a file dialog."""

import contextlib
import itertools
import pathlib
import subprocess
import sys
import tempfile

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, wait_until

SOURCE = pathlib.Path(__file__).parent / "drag-source.py"


@contextlib.contextmanager
def toned_app():
    with Server() as server, Profile(feeds.write_tones(server)) as profile, App(profile) as app:
        app.wait_for_rows(3)
        yield server, profile, app


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


def write_list(path, *addresses):
    outlines = "".join(f'<outline type="rss" xmlUrl="{address}"/>' for address in addresses)
    path.write_text(f'<opml version="2.0"><body>{outlines}</body></opml>')
    return path


@case
def drops():
    """A link to a podcast or to its page opens its preview, a file the offer to import it; words do nothing"""
    with toned_app() as (server, profile, app):
        address = feeds.write(server, "one", "One", [Episode("Only")])
        # As browsers offer a link
        drop(app, "text/uri-list", address + "\r\n")
        app.wait_for("heading", "One")
        app.wait_for_focus("Follow")
        app.key("Escape")
        app.wait_until_gone("heading", "One")
        app.key("Escape")
        app.wait_until_gone("dialog", "Add Podcast")
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
        files = [write_list(profile.folder / f"{name} list.opml", *(server.url(f"generated/{name}{i}-2.xml") for i in range(count)))
                 for name, count in (("Alpha", 2), ("Beta", 3))]
        drop(app, "text/uri-list", "".join(f"{file.as_uri()}\r\n" for file in files))
        app.wait_for("label", "Follow 2 Podcasts?")
        app.key("Return")
        app.wait_for("label", "Follow 3 Podcasts?")
        app.key("Escape")
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("the first list is followed", lambda: len(app.podcasts()) == 4)


def choose(app, title, path):
    """Writes a path into GTK's own file dialog."""
    def find():
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], capture_output=True, text=True).stdout.split()
        return found[-1] if found else None

    def find_entry():
        return next((node for node in app.find_all(("text", "entry")) if "focused" in node.states and node.is_in("dialog", title)), None)
    window = wait_until(f"there is the dialog “{title}”", find)
    app.xdotool("windowfocus", "--sync", window)
    # A slash opens the entry for a path, where there is none yet.
    wait_until("there is an entry for the path", lambda: find_entry() or app.xdotool("key", "slash") or app.let_it_act())
    app.xdotool("key", "ctrl+a")
    app.xdotool("type", "--delay", "8", str(path))
    app.let_it_act()
    # What the dialog has completed by itself, after what was typed
    app.xdotool("key", "shift+End", "Delete", "Return")
    wait_until("the dialog is gone", lambda: find() is None)


@case
def dialogs():
    """Import and export by a file dialog"""
    with toned_app() as (server, profile, app):
        path = write_list(profile.folder / "in.opml", server.url("generated/Alpha-2.xml"), server.url("generated/Beta-2.xml"))
        app.key("ctrl+o")
        choose(app, "Import Podcasts", path)
        wait_until("they are followed", lambda: len(app.podcasts()) == 3)
        app.wait_for_toast("Followed 2 podcasts")
        app.action("export")
        choose(app, "Export Podcasts", profile.folder / "out.opml")
        wait_until("the list is written", lambda: (profile.folder / "out.opml").exists() and "Beta" in (profile.folder / "out.opml").read_text())


harness.main()
