#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Show notes by pointer and keys: selecting over paragraphs, copying, the menu of a link, a picture."""

import contextlib
import subprocess

import feeds
import harness
from feeds import Episode
from harness import MENU_ITEMS, case, pattern, wait_until

NOTES = ("<p>The first paragraph of them.</p><ul><li>An item with a <a href='https://example.org/link'>link</a></li></ul>"
         "<p>The last paragraph of them.</p><img src='@BASE@/picture.png' alt='A red square'><p>0:20</p>")


@contextlib.contextmanager
def app_with_notes():
    def write(server):
        subprocess.run(["convert", "-size", "320x320", "xc:#e01010", server.root / "picture.png"], check=True)
        return feeds.write_minutes(server, "notes", "Notes", [Episode("One", "minute.cbr.mp3", notes=NOTES)])
    with feeds.following(write) as app:
        app.wait_for_rows(1)
        app.wait_for("label", paragraph("last"))
        yield app


def paragraph(which):
    return pattern(f"^The {which} paragraph")


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
def select_and_copy():
    """Text that is drawn over from paragraph to paragraph is copied as text or Markdown; a link's menu copies its address, a text's all of it"""
    with app_with_notes() as app:
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
        open_menu_of_link(app)
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_for_pasted("https://example.org/link")
        app.click(app.wait_for("label", paragraph("first")), button=3)
        app.wait_for(MENU_ITEMS, "Select All")
        assert not app.find(MENU_ITEMS, "Open Link")
        app.press(MENU_ITEMS, "Copy as Markdown")
        app.wait_for_pasted("- An item with a [link](https://example.org/link)", "![A red square](")


@case
def stars():
    """A link's menu gives it a star, which the list of links shows, and removes it; that is taken back.
    The link of a time stamp that is copied leads to the sound from there."""
    with app_with_notes() as app:
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
        app.key("Escape")
        app.wait_until_gone(MENU_ITEMS, "Remove Star")

        def offers_link():
            # Beside the link there is a menu, too.
            if app.find("menu item", "Copy as Markdown") and not app.find("menu item", "Copy Link"):
                app.key("Escape")
            return app.find("menu item", "Copy Link")
        label = app.wait_for("label", "0:20")
        app.click(label, 14 / app.settled_place(label)[2], 3, offers_link)
        app.press("menu item", "Copy Link")
        app.wait_until_gone("menu item", "Copy Link")
        # What was copied is offered there.
        app.key("ctrl+n")
        app.wait_for_entry()
        wait_until("it is the sound's address and the time", lambda: app.typed() == app.server.url("minute.cbr.mp3#t=20"))


@case
def pictures():
    """A picture is asked for once it is clicked, and not before, unless the settings of the podcast have its pictures loaded"""
    with app_with_notes() as app:
        def asked():
            return any("picture.png" in request["path"] for request in app.server.requests())
        link = app.wait_for("label", pattern("^Picture: A red square"))
        harness.stays("nothing is asked for", lambda: not asked(), 0.5)
        app.click(link, across=0.1)
        app.wait_for(("image", "img", "icon"), "A red square")
        assert asked()
        app.restart()
        app.wait_for("label", pattern("^Picture: A red square"))
        app.window_action("podcast-settings")
        app.wait_for("check box", "Load Pictures")
        app.key("alt+p")
        app.key("Escape")
        app.wait_for(("image", "img", "icon"), "A red square")
        app.restart()
        app.wait_for(("image", "img", "icon"), "A red square")


FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Talking</title><language>en-gb</language><pubDate>Wed, 01 Jan 2025 00:00:00 +0000</pubDate>
<description>Made for a test.</description>
<podcast:person role="Host">Ann Lee</podcast:person>
<podcast:funding url="https://example.org/give">Keep us going</podcast:funding>
<podcast:funding url="https://other.example/tea"/>
<podcast:location>Kyoto</podcast:location>
<item><title>With a guest</title><guid>1</guid><pubDate>Tue, 14 Nov 2023 22:13:20 +0000</pubDate>
<podcast:person>Ann Lee</podcast:person><podcast:person role="guest">&lt;b&gt;Bob&lt;/b&gt; &amp;amp; co.</podcast:person></item>
<item><title>As always</title><guid>2</guid><pubDate>Mon, 13 Nov 2023 22:13:20 +0000</pubDate></item>
<item><title>A crowd</title><guid>3</guid><pubDate>Sun, 12 Nov 2023 22:13:20 +0000</pubDate>@CROWD@</item>
</channel></rss>
"""
CROWD = "".join(f"<podcast:person role='guest'>Somebody with a long name {number}</podcast:person>" for number in range(40))


def write_people(server):
    (server.root / "people.xml").write_text(FEED.replace("@CROWD@", CROWD))
    return server.url("people.xml")


def in_about(node):
    return node.is_in("dialog")


@case
def people():
    """The page of an episode names its people with their roles, or else those of its podcast; a crowd takes lines, and ends after twenty.
    About This Podcast has them, too, and lists where to give something; by keys, each opens in the browser."""
    with feeds.following(write_people, window_width=360, window_height=640) as app:
        for number, words in enumerate(("^With Ann Lee .host., <b>Bob</b> & co. .guest.$", "^With Ann Lee .host.$",
                                        "^With Somebody with a long name 0 .guest., .*, and 21 more$")):
            app.wait_for_rows(3)
            app.click(app.row(number))
            label = app.wait_for("label", pattern(words))
            left, _, width, height = app.settled_place(label)
            app.key("Escape")
        assert app.geometry(app.window_id)[2] == 360
        assert width <= 360 and height > 100, f"{width} x {height} at {left}"
        app.wait_for_rows(3)
        # The date of the latest episode is known when the check is over.
        app.wait_for("label", pattern("Checked"))
        app.key("alt+Return")
        app.wait_for("dialog", "About This Podcast")
        app.wait_for("label", "Support This Podcast", in_about)
        app.wait_for("label", "Ann Lee (host)", in_about)
        app.wait_for("label", "Kyoto", in_about)
        app.wait_for("label", "English", in_about)
        # That of the episode, and not the feed's own
        app.wait_for("label", "November 14, 2023", in_about)
        app.wait_for("list item", pattern("^Keep us going"), in_about)
        app.wait_for("list item", pattern("^Support"), in_about)

        def on_row():
            app.key("Tab")
            return app.find("list item", pattern("^Keep us going"), lambda node: "focused" in node.states)
        wait_until("Tab comes to the row", on_row)
        app.key("Return")
        # No program opens a web page here.
        app.wait_for_toast(pattern("The link could not be opened"))


harness.main()
