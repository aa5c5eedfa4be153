#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""All of it by assistive technologies alone: no pointer, no keys, and no action over D-Bus but theirs."""

import contextlib

import accessible
import feeds
import harness
from harness import App, Profile, Server, case, in_player, on_page, pattern, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")


@contextlib.contextmanager
def running(server, profile, **settings):
    environment = {"EARMARK_ITUNES": server.url("itunes"), "EARMARK_FYYD": server.url("fyyd")}
    with App(profile, environment) as app, accessible.Announcements(app.tree) as announcements:
        yield app, announcements


def write_text(app, name, text, where=None):
    """What is found may be replaced while it is looked at."""
    def written():
        node = app.find(("entry", "text"), name, where)
        if node is None:
            return False
        # The text itself is within the entry.
        for each in node.walk():
            with contextlib.suppress(harness.GLib.Error, AssertionError):
                each.write_text(text)
                return True
        return False
    wait_until(f"“{text}” is written", written)


def open_row(app, name, of):
    def opened():
        row = app.find("list item", name, lambda node: node.is_in("list", of))
        for each in row.walk() if row is not None else []:
            with contextlib.suppress(harness.GLib.Error):
                if "row.open" in each.actions():
                    each.do("row.open")
                    return True
        return False
    wait_until(f"the row {name.pattern} is opened", opened)


def wait_to_hear(announcements, text, times=1):
    """By its whole text, or a pattern; so often since the beginning."""
    try:
        wait_until(f"“{getattr(text, 'pattern', text)}” is announced", lambda: times <= sum(
            1 for each in announcements.read() if (text.search(each) if hasattr(text, "search") else text == each)))
    except AssertionError as error:
        raise AssertionError(f"{error}, only {announcements.texts}") from None


def choose(app, menu, item):
    app.press("toggle button", menu)
    app.press(MENU_ITEMS, item)


@case
def whole_session():
    """From an empty profile: find a podcast, follow it, find an episode, play, seek, download, mark it, take that back, quit"""
    with Server() as server, Profile() as profile:
        feeds.sound(server, "minute.cbr.mp3")
        with running(server, profile) as (app, announcements):
            app.press("button", "Add Podcast", lambda node: not node.is_in("dialog"))
            app.wait_for("dialog", "Add Podcast")
            # The page below the dialog has such an entry too.
            write_text(app, "Search or paste a link", "lighthouse", lambda node: node.is_in("dialog"))
            wait_to_hear(announcements, "1 podcast found")
            app.press("button", "Follow Lighthouse Radio")
            wait_to_hear(announcements, "Followed “Lighthouse Radio”")
            app.press("button", "Close", lambda node: node.is_in("dialog"))
            app.wait_until_gone("dialog", "Add Podcast")

            open_row(app, pattern("^Lighthouse Radio"), "Podcasts")
            app.wait_for("heading", "Lighthouse Radio")
            app.wait_for_rows(3)
            app.press("toggle button", "Search Episodes")
            write_text(app, "Search Episodes", "77 steps")
            wait_to_hear(announcements, pattern(r"^\d+ episodes found$"))
            title = "Day 14: the clock"
            open_row(app, pattern(f"^{title}"), "Episodes")
            app.wait_for("heading", title, on_page)
            app.wait_for_status("Playing")
            wait_to_hear(announcements, f"Playing “{title}”")

            app.press("button", "Pause", in_player)
            wait_to_hear(announcements, "Paused")
            app.wait_for("slider", "Position", lambda node: node.sensitive).write_value(3)
            wait_until("it has gone there", lambda: abs(app.position() - 3) < 1)
            assert app.wait_for("slider", "Position").read_value_text().startswith("3 seconds of "), "it speaks times"

            app.press("button", "Download", on_page)
            wait_to_hear(announcements, "Downloading")
            wait_to_hear(announcements, "Downloaded")
            app.press("button", "Remove Download", on_page)
            wait_to_hear(announcements, pattern("Download removed"))

            app.press("toggle button", "Played", on_page)
            app.wait_for("list item", pattern(f"^{title}, .*, played$"))
            assert "pressed" in app.wait_for("toggle button", "Played", on_page).states
            choose(app, "Podcast Menu", "Mark All as Played")
            app.wait_for("list item", "Lighthouse Radio")
            wait_to_hear(announcements, pattern("119 episodes marked as played"))
            # The toast's button goes away after a while, what it does stays.
            app.wait_for("frame", "Earmark").do("win.undo")
            app.wait_for("list item", pattern(r"^(?!.*, played$).*\bmin"))
            # All but the one that was marked alone are unplayed again: as many are marked once more.
            choose(app, "Podcast Menu", "Mark All as Played")
            wait_to_hear(announcements, pattern("119 episodes marked as played"), 2)

            app.action("quit")
            app.wait_for_end()


harness.main()
