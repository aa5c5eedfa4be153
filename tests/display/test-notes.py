#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Show notes by pointer and keys: selecting over paragraphs, copying, the menu of a link, a picture."""

import contextlib
import subprocess

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, pattern, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
NOTES = ("<p>The first paragraph of them.</p><ul><li>An item with a <a href='https://example.org/link'>link</a></li></ul>"
         "<p>The last paragraph of them.</p><img src='@BASE@/picture.png' alt='A red square'>")


@contextlib.contextmanager
def app_with_notes():
    with Server() as server:
        subprocess.run(["convert", "-size", "320x320", "xc:#e01010", server.root / "picture.png"], check=True)
        address = feeds.write(server, "notes", "Notes", [Episode("One", feeds.sound(server, "minute.cbr.mp3"), notes=NOTES.replace("@BASE@", server.url("").rstrip("/")))])
        with Profile(address) as profile, App(profile) as app:
            app.wait_for_rows(1)
            app.wait_for("label", paragraph("last"))
            yield server, app


def paragraph(which):
    return pattern(f"^The {which} paragraph")


@case
def select_and_copy():
    """Drawn from one paragraph into another, what is between is copied as text or as Markdown; Ctrl+A takes all"""
    with app_with_notes() as (_, app):
        first = app.settled_place(app.wait_for("label", paragraph("first")))
        item = app.settled_place(app.wait_for("label", pattern("^An item")))
        app.xdotool("mousemove", first[0] + 40, first[1] + first[3] // 2)
        app.let_it_act()
        app.xdotool("mousedown", 1)
        for x, y in ((first[0] + 80, first[1] + first[3] // 2), (item[0] + 10, item[1] + item[3] // 2), (item[0] + item[2] - 2, item[1] + item[3] // 2)):
            app.xdotool("mousemove", x, y)
            app.let_it_act()
        app.xdotool("mouseup", 1)
        app.let_it_act()
        app.key("ctrl+c")
        app.wait_for_toast("Copied")
        app.key("ctrl+alt+c")
        # GTK's extents leave out the padding of the page: it is begun somewhere in the first words.
        app.wait_for_pasted("paragraph of them.", "- An item with a [link](https://example.org/link)")
        app.click(app.wait_for("label", paragraph("last")))
        app.key("ctrl+a", "ctrl+c")
        app.wait_for_pasted("The first paragraph of them.", "• An item with a link", "The last paragraph of them.")


def open_menu_of_link(app):
    """Where it stands in its text is not told."""
    x, y, _, height = app.settled_place(app.wait_for("label", pattern("^An item")))
    for right in range(60, 160, 8):
        app.xdotool("mousemove", x + right, y + height // 2, "click", 3)
        app.let_it_act()
        app.wait_for(MENU_ITEMS, "Select All")
        if app.find(MENU_ITEMS, "Copy Link"):
            return
        app.key("Escape")
        app.wait_until_gone(MENU_ITEMS, "Select All")
    raise AssertionError("the link has no menu")


@case
def stars():
    """A link's menu gives it a star, which the list of links shows, and removes it; that is taken back"""
    with app_with_notes() as (_, app):
        open_menu_of_link(app)
        assert not app.find(MENU_ITEMS, "Remove Star")
        app.press(MENU_ITEMS, "Star Link")
        app.wait_for_toast("Link starred")
        open_menu_of_link(app)
        app.wait_for(MENU_ITEMS, "Remove Star")
        assert not app.find(MENU_ITEMS, "Star Link")
        app.key("Escape")
        app.window_action("show-tab", harness.GLib.Variant("s", "links"))
        app.wait_for("list item", pattern("^An item with a link, Unread, Starred"))
        app.window_action("show-tab", harness.GLib.Variant("s", "notes"))
        open_menu_of_link(app)
        app.press(MENU_ITEMS, "Remove Star")
        app.wait_for_toast("Star removed from link")
        app.key("ctrl+z")
        open_menu_of_link(app)
        app.wait_for(MENU_ITEMS, "Remove Star")


@case
def menus():
    """A link's menu copies its address; that of a text, what is selected or all of it"""
    with app_with_notes() as (_, app):
        open_menu_of_link(app)
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_for_pasted("https://example.org/link")
        app.click(app.wait_for("label", paragraph("first")), button=3)
        app.wait_for(MENU_ITEMS, "Select All")
        assert not app.find(MENU_ITEMS, "Open Link")
        app.press(MENU_ITEMS, "Copy as Markdown")
        app.wait_for_pasted("- An item with a [link](https://example.org/link)", "![A red square](")


@case
def picture_on_click():
    """A picture is asked for once it is clicked, and not before"""
    with app_with_notes() as (server, app):
        def asked():
            return any("picture.png" in request["path"] for request in server.requests())
        link = app.wait_for("label", pattern("^Picture: A red square"))
        harness.stays("nothing is asked for", lambda: not asked(), 0.5)
        app.click(link, across=0.1)
        app.wait_for(("image", "img", "icon"), "A red square")
        assert asked()


@case
def pictures_of_podcast():
    """Where the settings of the podcast say so, its pictures are loaded by themselves, and from the next look on as well"""
    with app_with_notes() as (server, app):
        harness.stays("nothing is asked for", lambda: not any("picture.png" in request["path"] for request in server.requests()), 0.5)
        app.window_action("podcast-settings")
        app.wait_for("check box", "Load Pictures")
        app.key("alt+p")
        app.key("Escape")
        app.wait_for(("image", "img", "icon"), "A red square")
        app.restart()
        app.wait_for(("image", "img", "icon"), "A red square")


harness.main()
