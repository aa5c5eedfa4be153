#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every page in Hebrew: mirrored, and with no word left in English."""

import contextlib
import gettext
import os
import re
import shutil
import sqlite3
import subprocess

from gi.repository import GLib

import feeds
import harness
from harness import App, Profile, Server, case, wait_until

NARROW = {"window_width": 360, "window_height": 640}

PODCAST = "שיחות לילה"
HEBREW = "על כתיבה, על תוכנה ועל מה שביניהן"
LATIN = "Letters Numbers"
HEBREW_NOTES = "פסקה בעברית עם GNOME באמצע."
LATIN_NOTES = "Letters Letters Letters."
BROKEN = "פרק שאבד"

# What is not ours to translate: names, keys, what the feed says.
NAMES = set("Earmark GNOME RSS Feed HTTPS HTTP OPML GPL Markdown QR".split()) | \
    set("Ctrl Alt Shift Page Up Down Return Escape Home End Esc Space Tab Delete BackSpace".split()) | \
    set(LATIN.split()) | set("Nobody Made for test Welcome".split())
WORD = re.compile(r"[A-Za-z]{2,}")
OUTSIDE = re.compile(r"PyTorch(?: Developer Podcast)?|\w+://\S+|\S+\.(?:xml|mp3|opus|m4a|org|invalid)\b\S*|127\.0\.0\.1\S*")


def find_hebrew():
    """Its environment, where this system speaks it."""
    locales = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    locale = next((name for name in locales if name.lower().replace("-", "") == "he_il.utf8"), None)
    if locale is None or not os.path.exists("/usr/share/locale/he/LC_MESSAGES/gtk40.mo"):
        raise harness.Skip("GTK speaks no Hebrew here")
    return {"LC_ALL": locale, "LANGUAGE": "he"}


def hebrew(text, context=None, count=None):
    """TEXT as the app says it; with a COUNT, a plural."""
    words = gettext.translation("earmark", os.environ["EARMARK_LOCALE_DIR"], ["he"])
    if count is not None:
        said = words.ngettext(text.replace("Seconds", "Second"), text, count).replace("%u", str(count))
    else:
        said = words.pgettext(context, text) if context else words.gettext(text)
    assert said != text, f"nobody has translated “{text}”"
    return said.replace("_", "")


def write_feed(server):
    """Titles and notes of both directions, and an episode that cannot be played."""
    return feeds.write(server, "night", PODCAST, [
        feeds.Episode(HEBREW, feeds.sound(server, "minute.cbr.mp3"),
                      notes=f"<p>{HEBREW_NOTES}</p><p>{LATIN_NOTES}</p>"),
        feeds.Episode(LATIN, feeds.sound(server, "minute.opus"), notes="<p>Letters.</p>"),
        feeds.Episode(BROKEN, "~status=404/gone.mp3"),
    ])


@contextlib.contextmanager
def running(language=None, **settings):
    environment = find_hebrew() if language is None else language
    with Server() as server, Profile(write_feed(server), settings) as profile, App(profile, environment) as app:
        yield server, app


def in_player(node):
    return node.is_in("filler", hebrew("Player"))


def is_ours(node):
    """libadwaita does not translate what it calls the button that closes a dialog."""
    return not (node.name == "Close" and node.is_in("dialog"))


def find_english(app):
    """What is said or shown in Latin letters and is no name."""
    faults = []
    for node in app.read().walk():
        if node.showing and is_ours(node):
            said = OUTSIDE.sub("", f"{node.name} {node.description}")
            faults += [f"{node!r}: {word}" for word in WORD.findall(said) if word not in NAMES]
    return faults


def check(app, what):
    harness.wait_until_right(f"{what} is in Hebrew", lambda: find_english(app))


def assert_order(app, what, *nodes):
    """They stand from left to right."""
    places = [app.settled_place(node)[0] for node in nodes]
    assert places == sorted(places) and len(set(places)) == len(places), f"{what}: {places}"


def middle(app, node):
    left, _, width, _ = app.settled_place(node)
    return left + width / 2


def wait_for_page(app):
    app.wait_for("heading", HEBREW)
    return app.wait_for("list item", harness.pattern(f"^{HEBREW}"))


def assert_reads_from(side, app, text):
    """The first letter of TEXT stands at that side of the next ones, and at that side of its label."""
    def find_letters():
        node = app.find("label", text, lambda node: not harness.in_row(node) and not in_player(node))
        if node is None:
            return None
        return [node.ask("org.a11y.atspi.Text", "GetCharacterExtents", GLib.Variant("(iu)", (at, 1)))[0]
                for at in (0, 3)] + [node.extents()[0], node.extents()[0] + node.extents()[2]]
    first, fourth, left, right = wait_until(f"there is “{text}”", find_letters)
    assert (first > fourth) == (side == "right"), f"{text}: from {first} to {fourth}"
    assert (right - first < first - left) == (side == "right"), f"{text}: at {first} of {left} to {right}"


def open_dialog(app, open_it, name):
    """Opens a dialog, looks at its words and at where its close button is, and closes it."""
    open_it()
    dialog = app.wait_for("dialog", name)
    check(app, repr(dialog))
    app.close_dialog(name)


@case
def window():
    """The window: panes, rows, notes and player stand mirrored, times and the slider do not"""
    with running() as (server, app):
        row = wait_for_page(app)
        sidebar = app.wait_for("list item", harness.pattern(f"^{PODCAST}"))
        heading = app.wait_for("heading", HEBREW)
        assert_order(app, "the panes from the right", heading, row, sidebar)
        check(app, "the window")
        # Each paragraph of the notes reads from its own side.
        assert_reads_from("right", app, HEBREW_NOTES)
        assert_reads_from("left", app, LATIN_NOTES)

        play = app.wait_for("button", hebrew("Play"), harness.in_row)
        title = app.wait_for("label", HEBREW, harness.in_row)
        # The row is the label itself.
        assert middle(app, play) < middle(app, title), "a row's button is at its left end"

        app.play()
        slider = app.wait_for("slider", hebrew("Position"))
        back = app.wait_for("button", hebrew("Back %u Seconds", count=10))
        forward = app.wait_for("button", hebrew("Forward %u Seconds", count=30))
        pause = app.wait_for("button", hebrew("Pause"), in_player)
        assert_order(app, "what belongs to time is not mirrored", back, pause, forward)
        playing = app.wait_for("button", harness.pattern(f"^{HEBREW}"), in_player)
        assert_order(app, "the player's bar is mirrored", slider, back, playing)
        # Isolated from what is around it.
        remaining = app.wait_for("label", harness.pattern("−"), in_player)
        assert re.fullmatch("\u2066−[0-9:]+\u2069", remaining.name), ascii(remaining.name)
        speed = f"{hebrew('Speed')}, \u20661×\u2069"
        app.wait_for("toggle button", speed)
        check(app, "the window with its player")
        app.pause()
        # Time itself runs from left to right.
        app.click(app.wait_for("slider", hebrew("Position")), 0.75)
        wait_until("it is at three quarters", lambda: 42 <= app.position() <= 50)
        for button, slider in ((speed, "Speed"), (hebrew("Volume"), "Volume")):
            app.press("toggle button", button)
            app.wait_for("slider", hebrew(slider))
            check(app, slider)
            app.escape_from("slider", hebrew(slider))


@case
def views():
    """The lists, empty and with something in them; searching; what cannot be played or fetched"""
    with running() as (server, app):
        wait_for_page(app)
        for action, title in (("up-next", "Up Next"), ("new", "New"), ("in-progress", "In Progress"), ("downloads", "Downloads"), ("saved", "Saved"), ("history", "History")):
            app.window_action(f"show-{action}")
            app.wait_for("label", hebrew(title, "episodes"), lambda node: not node.is_in("list"))
            check(app, title)
        app.click(app.wait_for("list item", harness.pattern(f"^{PODCAST}")))
        wait_for_page(app)
        for name in ("Unplayed", "In Progress", "Downloaded", "Liked", "All"):
            app.choose_filter(hebrew(name, "episodes"), hebrew("Filter"))
            check(app, name)
        app.window_action("search")
        app.wait_for_entry()
        check(app, "search")
        app.type("zzz")
        app.wait_for("label", hebrew("No Episodes Found"))
        check(app, "nothing found")
        key, state = (hebrew(word, "search filter") for word in ("is", "unplayed"))
        app.window_action("search-for", GLib.Variant("s", f"{LATIN.split()[0]} {key}:"))
        app.wait_for("list item", f"{key}:{state}", lambda node: node.is_in("list"))
        check(app, "the filters that are proposed")
        assert app.find("list item", f"{key}:{hebrew('started', 'search filter')}"), "one word needs no quotation marks"
        proposal = app.wait_for("list item", f"{key}:{state}", lambda node: node.is_in("list"))
        entry = app.settled_place(app.focused())
        assert app.settled_place(proposal)[0] + app.settled_place(proposal)[2] > entry[0] + entry[2] / 2, "proposals stand on the left"
        app.click(proposal)
        wait_until("the filter is taken", lambda: app.typed() == f"{LATIN.split()[0]} {key}:{state} ")
        app.key("Escape")
        wait_for_page(app)
        app.click(app.wait_for("list item", harness.pattern(f"^{LATIN}")))
        app.key("ctrl+a")
        app.wait_for("label", "3 פרקים נבחרו")
        check(app, "selected episodes")
        app.escape_from("label", "3 פרקים נבחרו")
        app.press("button", hebrew("Play"), lambda node: harness.in_row(node) and
                  any(above.role == "list item" and above.name.startswith(BROKEN) for above in node.ancestors()))
        app.wait_for(("alert", "notification", "label"), harness.pattern(hebrew("Not Found")), in_player)
        check(app, "an episode that is gone")
        app.click(app.wait_for("list item", harness.pattern(f"^{BROKEN}")))
        app.wait_for("heading", BROKEN)
        app.window_action("toggle-download")
        app.wait_for("label", hebrew("Download Failed", "episode"))
        app.window_action("show-downloads")
        app.wait_for("list item", harness.pattern(f"^{BROKEN}, .*{hebrew('download failed', 'episode')}"))
        check(app, "a download that failed")


def look_at_another_podcast(app, server):
    """By its address, in the dialog that is open."""
    other = "הסכת אחר"
    feeds.write(server, "other", other, [feeds.Episode("פרק יחיד", feeds.sound(server, "minute.cbr.mp3"))])
    app.retype(server.url("/other.xml"))
    row = app.wait_for("list item", harness.pattern(f"^{other}"), lambda node: node.is_in("dialog"))
    check(app, "what was found")
    app.click(row, across=0.6)
    app.wait_for("heading", other, lambda node: node.is_in("dialog"))
    app.wait_for("list item", harness.pattern("^פרק יחיד"))
    check(app, "a podcast before it is followed")
    wait_until("its page has the keys", lambda: (node := app.focused()) and node.role == "button" and node.is_in("dialog"))
    app.key("Escape")
    app.wait_for("list item", harness.pattern(f"^{other}"), lambda node: node.is_in("dialog"))


@case
def menus_and_dialogs():
    """The menus and the dialogs; the code for a phone stands as it is"""
    with running() as (server, app):
        wait_for_page(app)
        for name in ("Main Menu", "Podcast Menu", "Episode Menu", "Sort Order"):
            with app.menu(hebrew(name)):
                check(app, name)
        app.window_action("add-podcast")
        app.wait_for_entry()
        check(app, "adding")
        app.type(server.url("/nothing.xml"))
        app.wait_for("label", hebrew("Not Found"))
        check(app, "what cannot be added")
        look_at_another_podcast(app, server)
        app.key("Escape", "Escape")
        app.wait_until_gone("dialog", hebrew("Add Podcast"))
        open_dialog(app, lambda: app.action("shortcuts"), hebrew("Keyboard Shortcuts"))
        open_dialog(app, lambda: app.action("backups"), hebrew("Backups"))
        open_dialog(app, lambda: app.window_action("add-to-folder"), hebrew("Add to Folder"))
        open_dialog(app, lambda: app.window_action("podcast-details"), hebrew("About This Podcast"))
        open_dialog(app, lambda: app.action("preferences"), hebrew("Preferences"))
        open_dialog(app, lambda: app.window_action("podcast-settings"), hebrew("Podcast Settings"))
        open_dialog(app, lambda: app.action("about"), None)
        app.key("ctrl+shift+p")
        name = hebrew("Continue on Phone")
        app.wait_for("dialog", name)
        check(app, name)
        sound, page = (app.wait_for(("radio button", "toggle button"), hebrew(kind)) for kind in ("Audio", "Web Page"))
        assert_order(app, "the first of both is on the right", page, sound)
        code = app.settled_place(app.wait_for("image", hebrew("QR code")))
        title = app.wait_for("label", HEBREW, lambda node: node.is_in("dialog", name))
        assert abs(code[0] + code[2] / 2 - middle(app, title)) < 2, f"the code is at {code}, its title at {middle(app, title)}"
        if shutil.which("zbarimg") is not None:
            wait_until("a camera reads it", lambda: app.read_code() == server.url("minute.cbr.mp3"))
        app.close_dialog(name)


@case
def work():
    """Work that takes a while: a check of all podcasts, and an import of which a part fails"""
    with running() as (server, app):
        wait_for_page(app)
        slow = server.url("/~mute/night.xml")
        path = feeds.write_list(server, server.url("nothing.xml"), slow)
        app.action("import-file", GLib.Variant("s", path.as_uri()))
        details = app.wait_for("button", hebrew("_Details"))

        # Not that of the work at the foot of the sidebar, which may be there as well
        def is_beside(node):
            return any(child.path == details.path for child in node.parent.children)
        stop = app.wait_for("button", hebrew("Stop"), is_beside)
        text = app.wait_for("label", harness.pattern("^מתווספים הסכתים"))
        assert_order(app, "the bar of an import is mirrored", stop, details, text)
        check(app, "an import")
        app.press("button", hebrew("_Details"))
        app.wait_for("dialog", hebrew("Podcasts Not Loaded"))
        check(app, "what failed")
        app.close_dialog(hebrew("Podcasts Not Loaded"))
        app.press("button", hebrew("Stop"), is_beside)
        app.wait_for("button", hebrew("Hide"))
        check(app, "what is left of an import")
        app.press("button", hebrew("Hide"))
        app.wait_until_gone("button", hebrew("Hide"))

    with Server() as server, Profile(server.url("~mute/night.xml")) as profile, App(profile, find_hebrew()) as app:
        app.wait_for("label", hebrew("Fetching Episodes…"))
        app.action("refresh-all")
        stop = app.wait_for("button", hebrew("Stop"))
        bar = app.wait_for("progress bar", None)
        assert_order(app, "the bar of the work is mirrored", stop, bar)
        check(app, "checking all podcasts")
        app.press("button", hebrew("Stop"))
        app.wait_until_gone("button", hebrew("Stop"))


@case
def narrow():
    """360 px: the way back is on the right, the sheet speaks Hebrew"""
    with running(**NARROW) as (server, app):
        app.click(app.wait_for("list item", harness.pattern(f"^{HEBREW}")))
        heading = app.wait_for("heading", HEBREW)
        menu = app.wait_for("toggle button", hebrew("Episode Menu"))
        back = next(node for node in app.find_all("button") if node.showing and node.name and
                    app.place(node)[1] <= app.place(menu)[1] + 12 and app.place(node)[0] > app.place(menu)[0])
        assert_order(app, "the way back is on the right", menu, back)
        check(app, "the episode")
        app.action("play-pause")
        app.window_action("open-player")
        app.wait_for("button", hebrew("Forward %u Seconds", count=30))
        check(app, "the sheet")
        assert heading.name == HEBREW


@case
def pages():
    """The pages without podcasts, of podcasts that cannot be fetched, and why Earmark cannot start"""
    environment = find_hebrew()
    with Server() as server:
        addresses = [server.url("/nothing.xml"), server.url("~status=401/secret.xml")]
        with Profile(addresses) as profile, App(profile, environment) as app:
            app.wait_for("label", hebrew("Not Found"))
            app.show_podcast(addresses[0])
            app.wait_for("label", hebrew("Not Found"), lambda node: not node.is_in("list"))
            check(app, "not found")
            app.show_podcast(addresses[1])
            app.press("button", hebrew("_Sign In…"))
            app.wait_for("dialog", hebrew("Sign In"))
            check(app, "signing in")
            app.close_dialog(hebrew("Sign In"))
            for count in (1, 0):
                app.window_action("unfollow")
                wait_until("it is gone", lambda count=count: len(app.find_all("list item", harness.pattern("Welcome"))) == count)
            app.wait_for("label", hebrew("Welcome to Earmark"))
            check(app, "no podcasts")
            app.quit()
            # As a newer version would leave it; the heading is longer than the dialog is wide.
            with contextlib.closing(sqlite3.connect(profile.folder / "data" / "earmark" / "catalogue.db")) as database:
                database.execute("PRAGMA user_version = 1000")
            app.start()
            app.wait_for("label", hebrew("Earmark Cannot Start"))
            app.press("button", hebrew("_Quit"))
            app.wait_for_end()


harness.main()
