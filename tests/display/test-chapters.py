#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The chapters of an episode: their tab, the way to each of them, and those that are never heard. Bookmarks, moments that the listener wants to
find again: kept by a key, found among the chapters and among all that is saved, played from."""

import contextlib
import json
import subprocess

import feeds
import harness
from gi.repository import GLib
from browser import Browser
from feeds import Episode
from harness import MENU_ITEMS, App, Listener, Profile, Server, case, in_player, on_page, pattern, wait_until

TAB = "page tab"
COVER = 260  # pixels: as high as the cover of the sheet, with what is around it
NOTES = "<ul><li>0:00 Hello</li><li>0:20 Advertising</li><li>0:40 The end</li></ul>"


@contextlib.contextmanager
def app_with_chapters(length=60):
    episodes = [Episode("With", "minute.cbr.mp3", length, NOTES), Episode("Without", "minute.cbr.mp3", notes="<p>Nothing.</p>")]
    with feeds.one_podcast("Chapters", episodes) as app, Listener() as listener:
        app.wait_for("heading", "With", on_page)
        app.wait_for(TAB, "Chapters 3")
        yield app, listener


def is_chapter(node):
    return node.is_in("list", "Chapters")


def row(name):
    return pattern(f"^{name}, ")


@case
def ways():
    """The tab of chapters stays chosen while clicking through episodes; a click and keys lead to a chapter, and Always Skip passes over it"""
    with app_with_chapters() as (app, listener):
        app.key("ctrl+Tab")
        app.wait_for("list item", row("Advertising"), is_chapter)
        app.choose_episode("Without")
        app.wait_until_gone(TAB, "Chapters 3")
        app.click(app.row(0))
        app.click(app.wait_for("list item", row("Advertising"), is_chapter))
        listener.wait_for_sound(20, 35)
        app.wait_for("list item", pattern("^Advertising, .*playing$"), is_chapter)
        app.key("ctrl+shift+Right")
        wait_until("it says where the key led", lambda: "The end" in app.announcements.read())
        listener.wait_for_sound(40, 55)
        app.wait_for("list item", pattern("^The end, .*playing$"), is_chapter)
        app.key("ctrl+shift+Left", "ctrl+shift+Left")
        listener.wait_for_sound(20, 35)
        app.pause()
        # The rest of the chapter is told in the listener's own time.
        app.action("seek", GLib.Variant("x", 20_000_000))
        app.action("speed", GLib.Variant("d", 2.0))
        app.wait_for("label", pattern(r"^\W*0:(09|10)\W* left$"), is_chapter)
        app.action("speed", GLib.Variant("d", 1.0))
        app.press("toggle button", "Always Skip", lambda node: any(above.name.startswith("Advertising, ") for above in node.ancestors()))
        app.wait_for("list item", pattern("^Advertising, .*always skipped$"), is_chapter)
        app.action("seek", GLib.Variant("x", 17_000_000))
        app.action("play-pause")
        listener.wait_for_sound(40, 55)
        app.key("ctrl+z")
        app.wait_for("list item", pattern("^Advertising, [^,]*, [^,]*$"), is_chapter)
        app.key("ctrl+shift+Tab")
        app.wait_until_gone("list item", row("Advertising"), is_chapter)


@case
def rows():
    """The last chapter has a length once the media tells it; the keys stay in their row meanwhile; screen readers can play and skip"""
    with app_with_chapters(length=None) as (app, listener):
        app.key("ctrl+Tab")
        app.wait_for("list item", pattern("^The end, [^,]*$"), is_chapter)
        app.go_with("Tab", "the chapters", is_chapter)
        app.key("End")
        wait_until("the keys go to the last chapter", lambda: (node := app.focused()) and node.name.startswith("The end, "))
        app.key("Return")
        app.wait_for_status("Playing")
        app.action("bookmark")
        app.wait_for("list item", pattern("^Bookmark"), is_chapter)
        app.wait_for("list item", pattern("^The end, [^,]*, [^,]*"), is_chapter)
        wait_until("the keys go to the last chapter still", lambda: (node := app.focused()) and node.name.startswith("The end, "))
        chapter = app.wait_for("list item", row("Advertising"), is_chapter)
        content = next(node for node in chapter.walk() if "chapter.skip" in node.actions())
        assert sorted(content.actions()) == ["chapter.skip", "row.menu", "row.open"], content.actions()
        app.click(chapter, button=3)
        app.wait_for(MENU_ITEMS, "Always Skip")
        assert not app.find(MENU_ITEMS, "Open Link"), "a chapter without a link offers to open none"
        app.key("Escape")
        content.do("row.open")
        listener.wait_for_sound(20, 35)


@case
def found_from_outside():
    """A search finds the episode by a chapter, says that it is one, and plays from there; the page of the episode shows it"""
    with app_with_chapters() as (app, listener):
        app.choose_episode("Without")
        app.search("advert")
        wait_until("it is the only one", lambda: len(app.rows()) == 1 and "With" in app.row(0).name)
        found = app.wait_for("label", pattern(r"^Chapter \W*0:20\W* · \W*Advertising"), harness.in_row)

        def on_link(right, down):
            x, y, _, _ = app.settled_place(found)
            app.xdotool("mousemove", x + right, y + down)
            app.let_it_act()
            app.xdotool("click", 1)
            app.let_it_act()
            return app.find("button", "Pause", harness.in_player) is not None
        # GTK does not tell where in a label a link is.
        assert any(on_link(right, down) for right in range(50, 90, 10) for down in (8, 16, 24)), "the time is no link"
        listener.wait_for_sound(20, 35)
        app.click(app.row(0))
        app.wait_for("list item", pattern("^Advertising, "), is_chapter)


def has_button(app, button, chapter):
    return any(any(above.name.startswith(f"{chapter}, ") for above in node.ancestors()) for node in app.find_all(("button", "toggle button"), button))


@case
def buttons():
    """Only a chapter with a title has a button to skip it, and only one with a link has one to open it; both are pressed.
    Nothing but the browser fetches the link. The feed's end of a chapter is shown."""
    with Server() as server:
        chapters = [{"startTime": 0, "title": "Hello"}, {"startTime": 20},
                    {"startTime": 40, "endTime": 45, "title": "The end", "url": server.url("page")}]
        (server.root / "untitled.json").write_text(json.dumps({"version": "1.2.0", "chapters": chapters}))
        address = feeds.write(server, "untitled", "Untitled", [Episode(
            "With", feeds.sound(server, "minute.cbr.mp3"), notes="<p>Nothing.</p>",
            extra='<podcast:chapters url="@BASE@/untitled.json" type="application/json+chapters"/>')])
        with Profile(address) as profile:
            browser = Browser(profile)
            with App(profile) as app:
                app.wait_for_rows(1)
                app.wait_for("heading", "With", on_page)
                app.wait_for(TAB, "Chapters 3")
                app.key("ctrl+Tab")
                app.wait_for("list item", row("Chapter 2"), is_chapter)
                app.wait_for("list item", pattern("^The end, .*, 5 seconds$"), is_chapter)
                assert [has_button(app, "Always Skip", name) for name in ("Hello", "Chapter 2", "The end")] == [True, False, True]
                assert [has_button(app, "Open Link", name) for name in ("Hello", "Chapter 2", "The end")] == [False, False, True]
                app.press("button", "Open Link", is_chapter)
                wait_until("the browser is asked", browser.opened)
                assert browser.opened() == [server.url("page")], browser.opened()
                assert app.status() == "Stopped", app.status()
                assert not any("page" in request["path"] for request in server.requests())
                app.go_with("Tab", "the chapters", is_chapter)
                app.go_with("Tab", "the button", lambda node: node.name == "Always Skip")
                app.key("space")
                app.wait_for("list item", pattern("^Hello, .*always skipped$"), is_chapter)


@contextlib.contextmanager
def app_with_many(**settings):
    """Thirty chapters of two seconds each; the 25th plays, without going on."""
    notes = "".join(f"<p>0:{number * 2:02} Part {number + 1}</p>" for number in range(30))
    with feeds.one_podcast("Many", [Episode("With", "minute.cbr.mp3", notes=notes), "Other"], **settings) as app:
        app.press_play(harness.in_row if settings else on_page)
        wait_until("it is heard", lambda: app.position() > 0)
        app.pause()
        app.seek(48.5)
        yield app


def is_in_sight(app, number, above, below):
    """Whether the row of a chapter stands in the window, without what is at its upper and its lower edge."""
    node = app.find("list item", row(f"Part {number}"), is_chapter)
    return node is not None and app.is_in_sight(node, above, below)


@case
def in_sight():
    """The chapter that plays comes into sight with its tab, and is followed until the listener scrolls away, or resumes the episode"""
    with app_with_many() as app:
        app.key("ctrl+Tab")
        wait_until("the chapter that plays is in sight", lambda: is_in_sight(app, 25, 40, 80))
        app.action("seek", GLib.Variant("x", 8_500_000))
        wait_until("it is followed", lambda: is_in_sight(app, 5, 40, 80))
        x, y = app.place_in(app.find("list item", row("Part 5"), is_chapter), 0.5)
        app.xdotool("mousemove", round(x), round(y), "click", "--repeat", 30, 5)
        wait_until("the listener has scrolled away", lambda: is_in_sight(app, 30, 40, 80))
        app.action("seek", GLib.Variant("x", 12_500_000))
        wait_until("another one plays", lambda: "playing" in app.find("list item", row("Part 7"), is_chapter).name)
        assert is_in_sight(app, 30, 40, 80), "it was followed although the listener has scrolled away"
        # A position that was moved by hand is kept once it was heard.
        app.action("seek", GLib.Variant("x", 48_500_000))
        app.action("play-pause")
        wait_until("it is heard there", lambda: app.position() > 48.6)
        app.pause()
        part = int(app.position() // 2) + 1
        app.choose_episode("Other")
        app.press("button", "Play", on_page)
        app.wait_for("button", "Pause", on_page)
        app.choose_episode("With")
        wait_until("the first one is in sight", lambda: is_in_sight(app, 1, 40, 80))
        assert not is_in_sight(app, part, 40, 80)
        app.press("button", pattern("^Resume"), on_page)
        wait_until("the one that plays is in sight", lambda: is_in_sight(app, part, 40, 80))


@case
def in_the_sheet():
    """360 px: the bar names the chapter; the sheet has the tabs of the episode that plays, in which keys go, and shows the chapter"""
    with app_with_many(window_width=360, window_height=640) as app:
        app.wait_for("label", "Part 25", lambda node: not harness.in_row(node))
        app.window_action("open-player")
        app.choose_tab("Chapters")
        wait_until("the chapter that plays is in sight", lambda: is_in_sight(app, 25, 40, 0))
        app.go_with("Tab", "the chapters", is_chapter)
        app.key("Home", "Down", "Return")
        wait_until("that one plays", lambda: 2 <= app.position() < 20)
        app.key("ctrl+shift+Tab")
        app.wait_until_gone("list item", row("Part 2"), is_chapter)
        app.escape_from(TAB, "Chapters")


@contextlib.contextmanager
def app_with_picture(image="picture.png", **settings):
    """The second of three chapters has a red picture."""
    chapters = [("0:00", "Hello", None), ("0:20", "Pictured", f"@BASE@/{image}"), ("0:40", "The end", None)]

    def write(server):
        subprocess.run(["convert", "-size", "320x320", "xc:#e01010", server.root / "picture.png"], check=True)
        return feeds.write_minutes(server, "pictured", "Pictured", [Episode("With", "minute.cbr.mp3", chapters=chapters)])
    with feeds.following(write, **settings, n_rows=1) as app, Listener() as listener:
        yield app, listener


def count_red(app, node, above=0, beside=0):
    """So many pixels are red where NODE is, and ABOVE it and BESIDE it on the left."""
    left, top, width, height = app.settled_place(node)
    above, beside = min(above, top), min(beside, left)
    return sum(1 for red, green, blue in app.pixels(left - beside, top - above, width + beside, height + above) if red > 190 and green < 60 and blue < 60)


@case
def picture():
    """While a chapter plays, its picture stands in place of the cover, in the bar and on the page of its episode"""
    with app_with_picture() as (app, listener):
        title = app.wait_for("heading", "With", on_page)
        app.press("button", "Play", on_page)
        listener.wait_for_sound(0, 15)
        bar = app.wait_for("button", pattern("^With Hello"))

        def are_red(in_bar, on_page):
            return (count_red(app, bar) > 1000) == in_bar and (count_red(app, title, beside=COVER) > 2000) == on_page
        assert count_red(app, bar) == count_red(app, title, beside=COVER) == 0, "there is a picture before its chapter"
        app.key("ctrl+shift+Right")
        wait_until("the picture is in both places", lambda: are_red(True, True))
        listener.wait_for_sound(20, 35)
        app.key("ctrl+shift+Right")
        wait_until("the cover is back", lambda: count_red(app, bar) == count_red(app, title, beside=COVER) == 0)


@case
def picture_in_the_sheet():
    """360 px: the picture of a chapter stands in the sheet once it is loaded"""
    with app_with_picture("~hold/picture.png", window_width=360, window_height=640) as (app, listener):
        app.press("button", "Play", harness.in_row)
        listener.wait_for_sound(0, 15)
        app.window_action("open-player")
        now = app.wait_for("button", pattern("^With Hello"))
        app.key("ctrl+shift+Right")
        listener.wait_for_sound(20, 35)
        assert count_red(app, now, COVER) == 0, "the picture has come already"
        app.server.hold(False)
        wait_until("the picture is there", lambda: count_red(app, now, COVER) > 20_000)
        app.key("ctrl+shift+Left", "ctrl+shift+Left")
        wait_until("the cover is back", lambda: count_red(app, now, COVER) == 0)


WORDS = ["The lamp is lit.", "The ship is near.", "The fog comes in.", "The keeper sleeps."]


def write_feed(server):
    """The first of two episodes says something each quarter of a minute."""
    cues = [f"00:00:{15 * n:02}.000 --> 00:00:{15 * n + 14:02}.000\n{words}\n" for n, words in enumerate(WORDS)]
    (server.root / "minute.vtt").write_text("\n".join(["WEBVTT\n", *cues]))
    return feeds.write_minutes(server, "kept", "Kept", [Episode("Alpha", "minute.cbr.mp3", extra=feeds.transcript("minute.vtt")), "Bravo"])


def app_with_two(**settings):
    return feeds.following(write_feed, n_rows=2, **settings)


def pause_at(app, number, seconds):
    app.click(app.row(number))
    app.wait_for("heading", ("Alpha", "Bravo")[number], on_page)
    app.pause_at(seconds)


def show_bookmarks(app):
    app.key("alt+4")
    app.choose_tab("Bookmarks")


@case
def bookmark_in_the_sheet():
    """360 px: the toast of a bookmark stands above the player's sheet, and its button works there"""
    with app_with_two(window_width=360, window_height=640) as app:
        app.press_play(harness.in_row)
        app.action("play-pause")
        app.window_action("open-player")

        def is_kept():
            file = app.profile.state / "bookmarks.json"
            return file.exists() and any("value" in record and record["value"] for record in json.loads(file.read_text())["records"].values())

        def added_with_toast():
            app.press("button", "Bookmark Current Position")
            wait_until("it is kept", is_kept)
            if app.hold_toast("Bookmark added"):
                return True
            app.window_action("undo")
            wait_until("it is taken back", lambda: not is_kept())
            return False
        wait_until("it is kept, and the toast stays", added_with_toast)
        app.click(app.wait_for("button", "Add Note"), happened=lambda: app.find("alert", "Note"))
        app.wait_for_entry()
        app.type("The bell")
        app.press("button", "Save", lambda node: node.is_in("alert", "Note"))
        wait_until("the note is kept", lambda: "The bell" in (app.profile.state / "bookmarks.json").read_text())
        app.window_action("undo")
        wait_until("it is taken back", lambda: not is_kept())


@case
def ways_to_bookmark():
    """Bookmarks are made by key, the player's button, the bus and the command line; each has what is said there; they are listed, and searched"""
    with app_with_two() as app:
        show_bookmarks(app)
        app.wait_for("label", "No Bookmarks")
        app.show_podcast(app.address)
        app.wait_for_rows(2)
        pause_at(app, 0, 20)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.key("ctrl+k")
        app.wait_for_toast("Already bookmarked")
        app.seek(35)
        app.press("button", "Bookmark Current Position", in_player)
        show_bookmarks(app)
        wait_until("there are two", lambda: len(app.items("Bookmarks")) == 2)
        wait_until("both have what is said", lambda: sorted(name.split("”")[0] for name in app.names("Bookmarks")) == [
            "“The fog comes in.", "“The ship is near."])
        app.search("fog")
        app.wait_for_items("Bookmarks", "“The fog comes in.”")
        app.type("gy")
        app.wait_for("label", "No Bookmarks Found")
        app.key("Escape")
        app.seek(50)
        app.action("bookmark")
        wait_until("there are three", lambda: len(app.items("Bookmarks")) == 3)
        app.seek(2)
        app.profile.run("--bookmark=From a script")
        wait_until("the newest has the note", lambda: len(app.items("Bookmarks")) == 4 and any(name.startswith("From a script") for name in app.names("Bookmarks")))


def rewrite(app):
    """Gives the bookmark to a podcast that is not followed, and adds a record that is no bookmark."""
    path = app.profile.state / "bookmarks.json"
    state = json.loads(path.read_text())
    record = next(record for record in state["records"].values() if record["value"])
    record["value"]["address"] = "https://example.org/nobody"
    state["records"]["broken"] = {"value": {"time": "never"}, "updated": record["updated"]}
    path.write_text(json.dumps(state))


@case
def one_bookmark():
    """A bookmark shows its episode, plays from there, takes a note, is copied, removed and brought back, and outlives its podcast"""
    with app_with_two() as app:
        pause_at(app, 0, 20)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        pause_at(app, 1, 5)
        show_bookmarks(app)
        app.wait_for_items("Bookmarks", "“The ship is near.”")
        app.click(app.items("Bookmarks")[0])
        app.wait_for("heading", "Alpha", on_page)
        app.wait_for_items("Bookmarks", "“The ship is near.”")
        app.press("button", "Play From Here", lambda node: node.is_in("list", "Bookmarks"))
        app.wait_for_status("Playing")
        wait_until("it plays from there", lambda: 19 < app.position() < 30)
        app.action("play-pause")
        app.from_menu_of(app.items("Bookmarks")[0], "Edit Note…")
        wait_until("the note has the focus", lambda: (node := app.focused()) and node.role in ("text", "entry"))
        app.type("look it up")
        app.key("Return")
        app.wait_for_items("Bookmarks", "look it up, “The ship is near.”")
        app.from_menu_of(app.items("Bookmarks")[0], "Copy")
        app.wait_for_toast("Copied")
        app.click(app.items("Bookmarks")[0])
        wait_until("it has the focus", lambda: (node := app.focused()) and node.name.startswith("look it up"))
        app.key("Delete")
        app.wait_for("label", "No Bookmarks")
        app.key("ctrl+z")
        app.wait_for_items("Bookmarks", "look it up")
        app.quit()
        rewrite(app)
        app.start()
        # Saved opens on the tab that has something.
        app.key("alt+4")
        app.wait_for_items("Bookmarks", "look it up, “The ship is near.”")
        app.click(app.items("Bookmarks")[0])
        app.wait_for_toast("This episode is not in your library")


@case
def bookmarks_among_chapters():
    """Bookmarks stand on the page of their episode, by time, and only there; a click plays from there"""
    with app_with_two() as app:
        app.choose_episode("Alpha")
        app.wait_until_gone(TAB, pattern("^Bookmarks"), on_page)
        pause_at(app, 0, 35)
        app.key("ctrl+k")
        app.wait_for_toast("Bookmark added")
        app.wait_for(TAB, "Bookmarks 1", on_page)
        app.seek(20)
        app.key("ctrl+k")
        app.choose_tab("Bookmarks 2", on_page)

        wait_until("they are in their order", lambda: [name.split("”")[0] for name in app.names("Chapters")] == [
            "Bookmark, “The ship is near.", "Bookmark, “The fog comes in."])
        app.click(app.items("Chapters")[1])
        wait_until("it goes there", lambda: 34 < app.position() < 45)
        app.choose_episode("Bravo")
        app.wait_until_gone(TAB, pattern("^Bookmarks"), on_page)


harness.main()
