#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding podcasts by words, addresses and pages; looking at one and following it."""

import collections
import contextlib
import json
import subprocess
import urllib.request

import feeds
import harness
from feeds import directories
from gi.repository import GLib
from harness import MENU_ITEMS, App, Profile, Server, case, pattern, wait_until

ROW = "list item"


@contextlib.contextmanager
def app_with_tones(**where):
    with Server() as server, Profile(feeds.write_tones(server)) as profile, App(profile, directories(server, **where)) as app:
        app.wait_for_rows(3)
        yield server, app


def open_dialog(app):
    app.key("ctrl+n")
    app.wait_for("dialog", "Add Podcast")


def look_for(app, text):
    open_dialog(app)
    app.type(text)


def wait_for_found(app, *names):
    wait_until(f"found: {names}", lambda: app.names("Podcasts Found") == list(names))


LIGHTHOUSE = "Lighthouse Radio, Ada Brook, 120 episodes"


def find_color(server, number):
    """The one that there is most of in the cover that the directories have."""
    with urllib.request.urlopen(server.url(f"directories/cover/{number}.png")) as answer:
        data = subprocess.run(["convert", "png:-", "-depth", "8", "rgb:-"], input=answer.read(), check=True, capture_output=True).stdout
    return collections.Counter(zip(data[0::3], data[1::3], data[2::3])).most_common(1)[0][0]


@case
def by_words():
    """Words search both directories; each podcast is listed once, the best first, and with its own cover.
    One that is followed leads to others by its author and in its category."""
    with app_with_tones() as (server, app):
        look_for(app, "compiler")
        wait_until("both have answered", lambda: len(app.names("Podcasts Found")) == 5)
        wait_until("the best is the first", lambda: app.names("Podcasts Found")[:1] == ["The Quiet Compiler, Ada Brook, 42 episodes"])
        titles = {find_color(server, number): title
                  for number, title in enumerate(("The Quiet Compiler", "Compiler Weekly", "Ask a Compiler"))}
        assert len(titles) == 3, f"they look alike: {titles}"

        def is_seen(color, title):
            row = app.find(ROW, pattern(f"^{title}"), lambda node: node.is_in("list", "Podcasts Found"))
            if row is None:
                return False
            left, top, width, height = app.settled_place(row)
            near = [seen for seen in app.pixels(left, top, width // 4, height) if all(abs(a - b) < 8 for a, b in zip(seen, color))]
            return len(near) > 100

        for color in titles:
            wait_until(f"{color} is seen there, and nowhere else", lambda color=color: [
                title for title in titles.values() if is_seen(color, title)] == [titles[color]])
        # Another search replaces the results.
        app.retype("lighthouse")
        wait_for_found(app, LIGHTHOUSE)
        app.retype("nothing of that kind")
        app.wait_for("label", "No Podcasts Found")
        app.retype("lighthouse")
        app.press("button", "Follow Lighthouse Radio")
        app.wait_for(ROW, LIGHTHOUSE + ", followed")
        app.close_dialog("Add Podcast")
        app.show_podcast(server.url("generated/Lighthouse%20Radio-120.xml"))
        app.wait_for("heading", "Lighthouse Radio")
        app.window_action("podcast-details")
        app.press("button", "Similar Podcasts")
        app.wait_for("dialog", "Similar Podcasts")
        # What the feed itself says of its author is what counts.
        app.wait_for("label", "No Similar Podcasts")


@case
def by_keys_to_a_preview():
    """Down leads to a result, letters go back to the entry, and Enter shows the podcast with its episodes"""
    with app_with_tones() as (server, app):
        look_for(app, "light")
        wait_for_found(app, LIGHTHOUSE)
        app.key("Down")
        app.wait_for_focus(LIGHTHOUSE)
        app.type("house")
        wait_until("they are in the entry", lambda: app.typed() == "lighthouse")
        # New rows replace the same results of the first search.
        wait_until("both directories answered", lambda: sum(
            "term=lighthouse" in request["path"] for request in server.requests()) == 2)
        wait_until("the search has ended", lambda: not app.find_all("progress bar", "Searching"))
        wait_for_found(app, LIGHTHOUSE)
        app.key("Down")
        app.wait_for_focus(LIGHTHOUSE)
        app.key("Return")
        app.wait_for("heading", "Lighthouse Radio")
        wait_until("its episodes are there", lambda: [row for row in app.rows() if row.is_in("dialog")])
        wait_until("it is only looked at", lambda: len(app.podcasts()) == 1)


@case
def play_before_following():
    """An episode plays before its podcast is followed, from its row and its page; later its podcast's name opens the preview again"""
    def in_dialog(node):
        return node.is_in("dialog")
    with app_with_tones() as (server, app), harness.Listener() as listener:
        look_for(app, feeds.write_tones(server, "second", "Second Podcast", ("minute.opus",)))
        app.key("Return")
        wait_until("it is found", lambda: app.names("Podcasts Found"))
        app.key("Return")
        app.wait_for("heading", "Second Podcast")
        app.wait_for("label", "Made for a test.")
        app.press("button", "Play", lambda node: in_dialog(node) and node.is_in(ROW))
        listener.wait_for_sound(0, 30)
        app.action("play-pause")
        app.click(wait_until("its episode is there", lambda: [row for row in app.rows() if in_dialog(row)])[0])
        app.press("button", pattern("^(Play|Resume)"), lambda node: in_dialog(node) and harness.not_in_row(node))
        app.wait_for_status("Playing")
        assert app.mpris_get("Metadata")["xesam:album"] == "Second Podcast", app.mpris_get("Metadata")
        # Toasts stand before the window, and not behind the dialog.
        app.from_menu("Episode Menu", "Share", in_dialog)
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_for_toast("Copied", in_dialog)
        # The name of its podcast leads back to the list, and not to what is behind the dialog.
        app.press("button", "Second Podcast", in_dialog)
        wait_until("its list is there", lambda: any(in_dialog(row) for row in app.rows()))
        app.wait_for("button", "Follow", in_dialog)
        app.key("Escape")
        wait_until("it is back to what was found", lambda: app.names("Podcasts Found"))
        app.close_dialog("Add Podcast")
        wait_until("it was only looked at", lambda: len(app.podcasts()) == 1)
        app.window_action("show-playing")
        app.press("button", "Second Podcast", harness.on_page)
        app.wait_for("heading", "Second Podcast", in_dialog)
        app.press("button", "Follow", in_dialog)
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)
        wait_until("its list is shown", lambda: len(app.rows()) == 1)


def play_preview(app, address):
    """Plays the first episode of what is at the address, without following it."""
    look_for(app, address)
    app.key("Return")
    wait_until("it is found", lambda: app.names("Podcasts Found"))
    app.key("Return")
    app.wait_for("button", "Follow", lambda node: node.is_in("dialog"))
    app.press_play(lambda node: node.is_in("dialog") and node.is_in(ROW))
    app.key("Escape")
    wait_until("it is back to what was found", lambda: app.names("Podcasts Found"))
    app.close_dialog("Add Podcast")


TITLE = "Sound in minute.opus"


@case
def way_back_from_a_preview():
    """With nothing followed, a button and keys lead back from the episode of a preview; Follow on its page follows, and stays there"""
    with Server() as server, Profile() as profile, App(profile, directories(server)) as app:
        app.wait_for("label", "Welcome to Earmark")
        play_preview(app, feeds.write_tones(server, "second", "Second Podcast", ("minute.opus", "minute.m4a")))
        app.wait_for("label", "Welcome to Earmark")
        for keys in (None, "Escape", "alt+Left"):
            app.click(app.wait_for("button", pattern(TITLE), harness.in_player))
            app.wait_for("heading", TITLE, harness.on_page)
            app.wait_for("button", "Back", harness.on_page)
            if keys is None:
                app.press("button", "Back", harness.on_page)
            else:
                app.key(keys)
            app.wait_for("label", "Welcome to Earmark")
            app.wait_until_gone("heading", TITLE)
        app.window_action("show-playing")
        app.wait_for("heading", TITLE, harness.on_page)
        app.press("button", "Second Podcast", harness.on_page)
        app.wait_for("heading", "Second Podcast", lambda node: node.is_in("dialog"))
        wait_until("its episodes are there", lambda: len([row for row in app.rows() if row.is_in("dialog")]) == 2)
        app.close_dialog("Add Podcast")
        app.press("button", "Follow", harness.on_page)
        wait_until("it is followed, and listed", lambda: len(app.podcasts()) == 1 and len(app.rows()) == 2)
        app.wait_for("heading", TITLE, harness.on_page)
        app.wait_until_gone("button", "Follow", harness.on_page)
        app.wait_for("button", "Download", harness.on_page)
        wait_until("its row is the selected one", lambda: [harness.title_of(row) for row in app.rows() if "selected" in row.states] == [TITLE])


@case
def narrow_way_back_from_a_preview():
    """360 px: there is a way back from the episode of a preview, and after a start in a wide window no dead end"""
    with Server() as server, Profile(None, {"window_width": 360, "window_height": 640}) as profile:
        environment = directories(server) | {"GSETTINGS_BACKEND": "keyfile"}
        address = feeds.write_tones(server, "second", "Second Podcast", ("minute.opus",))
        with App(profile, environment) as app:
            app.wait_for("label", "Welcome to Earmark")
            play_preview(app, address)
            app.window_action("show-playing")
            app.wait_for("heading", TITLE)
            app.press("button", "Back")
            app.wait_for("label", "Welcome to Earmark")
            app.window_action("show-playing")
            app.wait_for("heading", TITLE)
            app.pause()
        profile.write_settings(**{name: value for name, value in profile.read_settings().items() if not name.startswith("window")})
        with App(profile, environment) as app:
            app.wait_for("label", "Welcome to Earmark")


@case
def none_answers():
    """Where no directory answers, that is said, and can be tried again; one that fails holds up no other, and is named"""
    with app_with_tones(itunes="~500then=1/itunes", fyyd="~drop/fyyd") as (server, app):
        look_for(app, "lighthouse")
        app.press("button", "Retry")
        wait_for_found(app, LIGHTHOUSE)
        app.wait_for("label", pattern("^No answer from "))


@case
def for_members():
    """A feed asks for its password before it is followed, and once more after it was only looked at"""
    with app_with_tones() as (server, app):
        address = server.url("~status=401/generated/Members-2.xml")
        for attempt in ("looked at", "followed"):
            before = count(server, True)
            look_for(app, address)
            app.key("Return")
            app.wait_for("button", "Sign In…", lambda node: node.is_in("dialog", "Add Podcast"))
            app.key("Return")
            app.wait_for("dialog", "Sign In")
            # The look at what is there, and the podcast: what was typed before is not used again.
            wait_until("both are refused", lambda: count(server, True) == before + 2)
            if attempt == "looked at":
                # Not now; and then by the button, which goes away.
                app.close_dialog("Sign In")
                app.click(app.wait_for("button", "Sign In…", lambda node: node.is_in("dialog", "Add Podcast")),
                          happened=lambda: app.find("dialog", "Sign In"))
            app.sign_in("listener", "secret")
            app.wait_until_gone("dialog", "Sign In")
            app.wait_for("heading", "Members")
            # Enter follows.
            app.wait_for_focus("Follow")
            wait_until("its episodes are there", lambda: len([row for row in app.rows() if row.is_in("dialog")]) == 2)
            app.wait_for_focus("Follow")
            wait_until("it is only looked at", lambda: len(app.podcasts()) == 1)
            if attempt == "looked at":
                app.escape_from("heading", "Members")
                app.close_dialog("Add Podcast")
                # There is no keyring here: the window has that until it is dismissed.
                app.wait_for("label", pattern("^No keyring was found"))
        app.press("button", "Follow", lambda node: node.is_in("dialog"))
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)
        before = count(server, False)
        app.window_action("refresh")
        wait_until("it is fetched again", lambda: count(server, False) > before)
        harness.stays("nobody asks again", lambda: not app.find("button", "Sign In…"), 1)
        app.wait_for("heading", "Members")


def count(server, refused):
    return sum((request["status"] == 401) == refused for request in server.requests() if "Members" in request["path"])


@case
def lists():
    """A file is imported while a bar tells how it goes and what failed; the address of a list leads to its podcasts; both can be undone"""
    with app_with_tones() as (server, app):
        path = feeds.write_list(server, server.url("generated/Alpha-3.xml"), server.url("missing.xml"))
        app.action("import-file", harness.GLib.Variant("s", path.as_uri()))
        app.wait_for("label", "1 podcast could not be loaded")
        wait_until("all are listed", lambda: len(app.podcasts()) == 3)
        app.press("button", "Details")
        app.wait_for("dialog", "Podcasts Not Loaded")
        app.wait_for("label", pattern("No podcast was found at this address"))
        app.click(app.wait_for("list item", where=lambda node: node.is_in("dialog", "Podcasts Not Loaded")))
        app.wait_until_gone("dialog", "Podcasts Not Loaded")
        app.wait_for("button", "Change Address…")
        app.press("button", "Details")
        app.press("button", "Unfollow All")
        app.wait_until_gone("dialog", "Podcasts Not Loaded")
        wait_until("it is gone", lambda: len(app.podcasts()) == 2)
        app.wait_for_toast("Unfollowed 1 podcast")
        app.wait_until_gone("label", "1 podcast could not be loaded")
        feeds.write_list(server, server.url("generated/Gamma-3.xml"), server.url("generated/Beta-2.xml"))
        look_for(app, server.url("list.opml"))
        app.key("Return")
        app.wait_for("label", "Follow 2 Podcasts?")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("all are listed", lambda: len(app.podcasts()) == 4)
        app.wait_for_toast("Followed 2 podcasts")
        app.press_undo()
        wait_until("it is as before", lambda: len(app.podcasts()) == 2)


@case
def moving_in():
    """AntennaPod's database, opened as from Files, brings podcasts, played and queued episodes, and a list of what it could not bring"""
    with app_with_tones() as (server, app):
        path = feeds.write_antennapod(server.root, server.url("generated/Alpha-3.xml"))
        app.action("open-file", GLib.Variant("s", path.as_uri()))
        app.wait_for("label", "Follow 1 Podcast?")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("label", "Not everything could be imported")
        wait_until("it is followed", lambda: len(app.podcasts()) == 2)
        app.press("button", "Details")
        app.wait_for("dialog", "Import")
        app.wait_for("list item", pattern("^My Phone"))
        app.wait_for("label", pattern("The Lost Episode"))
        assert not app.find("button", "Unfollow All")
        app.close_dialog("Import")
        app.press("button", "Hide")
        app.wait_until_gone("label", "Not everything could be imported")
        app.wait_for("list item", "Up Next, 1 episode")
        app.press_undo()
        wait_until("it is gone", lambda: len(app.podcasts()) == 1)


@case
def private_addresses():
    """No directory is asked about an address, however far it was typed; Export asks before it writes a list with private ones"""
    with app_with_tones() as (server, app):
        open_dialog(app)
        # A busy machine might else rest so long after a letter that it is a word.
        with app.stopped():
            app.xdotool("type", "https://me:secret@example.invalid/feed?token=1")
        app.key("Return")
        app.wait_for("button", "Follow Anyway")
        asked = [json.dumps(request) for request in server.requests()]
        assert not any("secret" in request or "/search" in request for request in asked), asked
        app.close_dialog("Add Podcast")
        look_for(app, server.url("generated/Members-2.xml?auth=hush"))
        app.key("Return")
        app.press("button", "Follow Members")
        app.wait_for(ROW, pattern("^Members.*followed"))
        app.close_dialog("Add Podcast")
        question = ("alert", "dialog", "message box", "notification")
        # No answer is a no, too.
        for refuse in (lambda: app.press("button", "Cancel"), lambda: app.key("Escape")):
            app.action("export")
            app.wait_for(question, "Export Private Podcasts?")
            refuse()
            app.wait_until_gone(question, "Export Private Podcasts?")
        harness.stays("nothing is written", lambda: app.find("dialog", "Export Podcasts") is None, 0.5)


@contextlib.contextmanager
def followed_app():
    with app_with_tones() as (server, app):
        feeds.write(server, "second", "Second Podcast", [feeds.Episode("One & <only>", notes="<p>Read me.</p>")])
        yield server, app


def in_results(node):
    return node.is_in("list", "Podcasts Found")


@case
def by_address():
    """An address is typed and followed by keys; an invalid one is refused in words, and one that is followed shows its podcast"""
    with followed_app() as (server, app):
        open_dialog(app)
        for text, words in (("javascript:alert(1)", "This is not a web address"), ("ftp://example.org/feed.xml", "This is not a web address"),
                            ("file:///etc/passwd", "neither a podcast feed nor a list")):
            app.retype(text)
            app.wait_for("label", pattern(words))
        app.retype(server.url("second.xml"))
        app.key("Return")
        app.wait_for(ROW, pattern("^Second Podcast"), in_results)
        app.close_dialog("Add Podcast")
        harness.stays("Escape adds nothing", lambda: len(app.podcasts()) == 1, 0.5)
        look_for(app, server.url("second.xml"))
        app.key("Return")
        app.wait_for(ROW, pattern("^Second Podcast"), in_results)
        app.key("Return")
        app.wait_for("heading", "Second Podcast", lambda node: node.is_in("dialog"))
        app.wait_for(ROW, pattern("One & <only>"), lambda node: node.is_in("dialog"))
        app.wait_for_focus("Follow")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Second Podcast")
        # Markup in a title is text.
        app.wait_for("heading", "One & <only>")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)
        app.wait_for_focus(pattern("^One & <only>, "), "Episodes")
        look_for(app, server.url("tones.xml"))
        app.key("Return")
        app.wait_for(ROW, pattern("^Time Tones.*, followed$"), in_results)
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("its three rows are listed", lambda: len(app.rows()) == 3 and len(app.podcasts()) == 2)
        # By pointer, where nothing answers
        app.click(app.wait_for("button", "Add Podcast"))
        app.wait_for_entry()
        app.type("127.0.0.1:1/feed.xml")
        app.click(app.wait_for("button", "Follow Anyway"))
        app.wait_until_gone("dialog", "Add Podcast")
        wait_until("three are listed", lambda: len(app.podcasts()) == 3)


def hand_over(app, address):
    """As the desktop does with a link"""
    app.call(harness.APP_PATH, "org.freedesktop.Application", "Open", GLib.Variant("(asa{sv})", ([address], {})))


@case
def handed_over_twice():
    """The address of a followed podcast, handed over by the desktop, shows that podcast, also while its server is away"""
    with followed_app() as (server, app):
        hand_over(app, server.url("second.xml"))
        app.wait_for_focus("Follow")
        app.key("Return")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Second Podcast")
        hand_over(app, server.url("tones.xml"))
        app.wait_for_toast("You already follow “Time Tones”")
        app.wait_until_gone("dialog", "Add Podcast")
        app.wait_for("heading", "Time Tones")
        address = server.url("second.xml")
        server.stop()
        hand_over(app, address)
        app.press("button", "Follow Anyway")
        app.wait_for_toast("You already follow “Second Podcast”")
        app.wait_for("heading", "Second Podcast")
        wait_until("there are two podcasts", lambda: len(app.podcasts()) == 2)


@case
def unfollow_and_undo():
    """Unfollow from the menu, and Undo from the toast: everything is as it was; unfollowing what plays ends the sound"""
    with feeds.tones() as app:
        app.wait_for("list item", "Time Tones, 1 new episode")
        app.press("toggle button", "Played")
        app.wait_for("list item", harness.pattern("cbr.mp3.*, played$"))
        app.wait_for("list item", "Time Tones")
        app.from_menu("Podcast Menu", "Unfollow")
        app.wait_for("label", "Welcome to Earmark")
        # The toast names its button.
        app.wait_to_hear(pattern("Unfollowed “Time Tones”[^_]*Undo"))
        app.press_undo()
        app.wait_for_rows(3)
        app.wait_for("list item", harness.pattern("cbr.mp3.*, played$"))
        wait_until("the other two are not played", lambda: [
            row.name.endswith(", played") for row in app.rows()] == [True, False, False])
        app.wait_for("list item", "Time Tones")
        app.action("play-pause")
        app.wait_for_status("Playing")
        app.window_action("unfollow")
        app.wait_for("label", "Welcome to Earmark")
        wait_until("the player is empty", lambda: not app.mpris_get("Metadata"))


harness.main()
