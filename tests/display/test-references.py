#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Episodes that belong together, as their notes say: what is to be heard first, what one refers to, and what refers to it."""

import contextlib

import feeds
import harness
from harness import App, GLib, Profile, Server, case, on_page, wait_until

NOTES = {
    "Alpha": "<p>The beginning of it all.</p>",
    "Bravo": "<p>More of it.</p>",
    "Charlie": "<p>Other episodes to listen to first: <a href='https://example.org/0'>the beginning</a> and"
               " <a href='https://example.org/1'>what came then</a>.</p><p><a href='https://example.org/3'>The end of it all</a></p>",
    "Delta": "<p>Nothing else.</p>",
}


@contextlib.contextmanager
def app_with_four(**settings):
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "told", "Told", [feeds.Episode(title, sound, notes=notes) for title, notes in NOTES.items()])
        with Profile(address, settings) as profile, App(profile) as app:
            app.address = address
            app.wait_for_rows(4)
            yield app


def show(app, number, title):
    app.window_action("select-episode", GLib.Variant("u", number))
    app.wait_for("heading", title, on_page)


def listed(app, heading):
    """What is below a heading of the page."""
    return [node.name for node in app.find_all("list item", where=lambda node: node.is_in("list", heading) and on_page(node))]


def wait_for_list(app, heading, *titles):
    wait_until(f"{heading} is {titles}", lambda: (found := listed(app, heading)) is not None and len(found) == len(titles) and
               all(title in name for title, name in zip(titles, found)))


@case
def lists():
    """What comes first, what is mentioned, and the way back, on the pages of all of them"""
    with app_with_four() as app:
        show(app, 2, "Charlie")
        wait_for_list(app, "Listen First", "Alpha", "Bravo")
        wait_for_list(app, "Refers To", "Delta")
        assert not app.find("heading", "Referred To By", on_page)
        app.click(app.find_all("list item", where=lambda node: node.is_in("list", "Listen First") and on_page(node))[1])
        app.wait_for("heading", "Bravo", on_page)
        wait_for_list(app, "Referred To By", "Charlie")
        app.wait_until_gone("heading", "Listen First", on_page)
        show(app, 3, "Delta")
        wait_for_list(app, "Referred To By", "Charlie")


def write_other(server):
    """Another podcast, on another site, whose notes link to the first one."""
    address = feeds.write(server, "other", "Another Show", [feeds.Episode("Echo", notes="<p>As <a href='@TOLD@/0'>told before</a></p>")])
    path = server.root / "other.xml"
    path.write_text(path.read_text().replace("https://example.org/", "https://example.net/").replace("@TOLD@", "https://example.org"))
    return address


@case
def other_podcast():
    """An episode of another podcast that links to one is below its notes, with the name of that podcast, once links were looked for"""
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        told = feeds.write(server, "told", "Told", [feeds.Episode(title, sound, notes=notes) for title, notes in NOTES.items()])
        other = write_other(server)
        with Profile([told, other]) as profile, App(profile) as app:
            wait_until("both are there", lambda: len(app.podcasts()) == 2)
            app.window_action("select-podcast", GLib.Variant("s", other))
            wait_until("its episode is there", lambda: len(app.rows()) == 1)
            app.window_action("show-saved")
            app.press(("radio button", "toggle button"), "Links")
            app.press("toggle button", harness.pattern(r"^\W*Starred"))
            app.press(("menu item", "radio menu item", "check menu item"), "All")
            app.wait_for("list item", harness.pattern("^told before"))
            app.window_action("select-podcast", GLib.Variant("s", told))
            app.wait_for_rows(4)
            show(app, 0, "Alpha")
            wait_for_list(app, "Referred To By", "Charlie", "Echo")
            app.click(app.find_all("list item", where=lambda node: node.is_in("list", "Referred To By") and on_page(node))[1])
            app.wait_for("heading", "Echo", on_page)
            wait_for_list(app, "Refers To", "Alpha")


@case
def link():
    """A link in the notes to another episode shows that one here, and no browser"""
    with app_with_four() as app:
        show(app, 2, "Charlie")
        wait_for_list(app, "Listen First", "Alpha", "Bravo")
        app.click(app.wait_for("label", "The end of it all", on_page), across=0.1)
        app.wait_for("heading", "Delta", on_page)
        wait_for_list(app, "Referred To By", "Charlie")


@case
def link_by_keys():
    """So it is by keys: the focus comes into the text, and Return follows the link there"""
    with app_with_four() as app:
        show(app, 2, "Charlie")
        wait_for_list(app, "Listen First", "Alpha", "Bravo")
        app.press("button", "Play Next", on_page)
        app.go_with("Tab", "the text with the link", lambda node: node.role == "label" and "The end of it all" in (node.name or ""))
        app.key("Return")
        app.wait_for("heading", "Delta", on_page)


@case
def queue():
    """All that comes first goes to Up Next in its order, by the button or a key; what was heard is left out; that is taken back"""
    with app_with_four() as app:
        show(app, 2, "Charlie")
        wait_for_list(app, "Listen First", "Alpha", "Bravo")
        app.press("button", "Play Next", on_page)
        app.wait_for_toast("2 episodes added to Up Next")
        app.window_action("show-up-next")
        wait_until("both are in Up Next, in their order", lambda: len(rows := app.rows()) == 2 and
                   rows[0].name.startswith("Alpha") and rows[1].name.startswith("Bravo"))
        app.key("ctrl+z")
        wait_until("Up Next is empty", lambda: not app.rows())
        app.window_action("select-podcast", GLib.Variant("s", app.address))
        app.wait_for_rows(4)
        show(app, 0, "Alpha")
        app.window_action("toggle-listened")
        show(app, 2, "Charlie")
        wait_for_list(app, "Listen First", "Alpha", "Bravo")
        app.key("ctrl+shift+u")
        app.wait_for_toast("Added to Up Next")
        app.window_action("show-up-next")
        wait_until("what was not heard is in Up Next", lambda: len(rows := app.rows()) == 1 and rows[0].name.startswith("Bravo"))


harness.main()
