#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in all its sizes: as narrow as a phone, with two panes, and wide."""

import subprocess

import feeds
import harness
from gi.repository import GLib
from harness import App, Profile, Server, case, wait_until

FRAME = 5
NARROW = {"window_width": 360, "window_height": 640}


def middle(place):
    return place[0] + place[2] / 2


def podcast_of(app):
    """The row of the one podcast, in the sidebar."""
    return wait_until("there is the podcast", app.podcasts)[0]


def size(app):
    app.focus()
    return app.geometry(app.window_id)[2:]


@case
def narrow():
    """360 px: clicks lead from the list to an episode and back; then no row looks chosen, its keys are there, and Play only plays"""
    with feeds.tones(**NARROW) as app:
        row = app.row(1)
        assert size(app)[0] == 360, size(app)
        x, y, wide, height = app.settled_place(row)

        def look():
            return app.pixels(x + wide // 2, y + height // 2, 4, 4)
        app.xdotool("mousemove", 5, 5)
        before = harness.settled("no pointer is over it", look)
        app.click(row)
        app.wait_for("heading", "Sound in minute.opus")
        wait_until("the list has made way", lambda: not app.rows())
        assert size(app)[0] == 360, size(app)
        app.press("button", "Time Tones", harness.on_page)
        app.choose_episode("Sound in minute.opus")
        app.xdotool("mousemove", 5, 5)
        app.key("alt+Left")
        app.wait_for_rows(3)
        wait_until("none is selected", lambda: not any("selected" in row.states for row in app.rows()))
        app.wait_for_focus(harness.pattern("^Sound in minute.opus"), "Episodes")
        wait_until("it looks as before", lambda: look() == before)
        app.press("button", "Play", harness.in_row)
        wait_until("it plays", lambda: any(row.name.endswith(", playing") for row in app.rows()))
        harness.stays("the list is shown", lambda: app.rows(), 0.5)
        app.press("button", "Back", lambda node: node.showing)
        app.click(podcast_of(app))
        app.wait_for_rows(3)


def select_all(app):
    app.wait_for_focus(of="Episodes")
    app.key("ctrl+a")
    app.wait_for("label", "3 selected")


def point_at(app, node):
    x, y, width, height = app.settled_place(node)
    app.xdotool("mousemove", x + width // 2, y + height // 2)
    app.let_it_act()


def resize(app, wide, n_podcasts, n_rows):
    app.xdotool("windowsize", "--sync", app.window_id, wide, 640)
    wait_until(f"{n_podcasts} podcasts and {n_rows} episodes are in sight at {wide} px",
               lambda: len(app.podcasts()) == n_podcasts and len(app.rows()) == n_rows)


@case
def select_in_a_narrow_window():
    """Selected rows stay so under the pointer and in another width; keys mark them, but not from behind the player's sheet"""
    with feeds.tones(**NARROW) as app:
        first, second, third = app.rows()
        point_at(app, third)
        select_all(app)
        point_at(app, first)
        point_at(app, second)
        harness.stays("all are selected", lambda: app.find("label", "3 selected"), 0.5)
        for wide in (1200, 360):
            resize(app, wide, int(wide > 700), 3)
            app.wait_for("label", "3 selected")
            harness.stays("all are selected", lambda: app.find("label", "3 selected"), 0.5)
        app.click(app.row(1))
        app.wait_for("label", "2 selected")
        app.escape_from("label", "2 selected")
        # No episode was opened yet.
        select_all(app)
        app.key("ctrl+l")
        wait_until("all are marked", lambda: all(row.name.endswith(", played") for row in app.rows()))
        app.key("ctrl+z")
        wait_until("none is marked", lambda: not any("played" in row.name for row in app.rows()))
        app.press("button", "Play", harness.in_row)
        wait_until("it plays", lambda: any(row.name.endswith(", playing") for row in app.rows()))
        select_all(app)
        app.window_action("open-player")
        app.wait_for("button", "Forward 30 Seconds")
        app.key("ctrl+l", "Escape")
        app.wait_until_gone("button", "Forward 30 Seconds")
        harness.stays("none is marked", lambda: not any("played" in row.name for row in app.rows()), 0.5)
        app.escape_from("label", "3 selected")
        app.choose_episode("Sound in minute.opus")


@case
def kept_over_a_restart():
    """360 px: what was shown is shown again, the sidebar, a list, or the page of an episode, also where there is room for all"""
    with Server() as server, Profile(feeds.write_tones(server), NARROW) as profile:
        environment = {"GSETTINGS_BACKEND": "keyfile"}
        with App(profile, environment) as app:
            app.choose_episode("Sound in minute.opus")
        with App(profile, environment) as app:
            app.wait_for("heading", "Sound in minute.opus")
            wait_until("the list is not shown", lambda: not app.rows())
            app.click(app.wait_for("button", "Back"))
            app.wait_for_rows(3)
            app.click(app.wait_for("button", "Back"))
            app.wait_for("list item", "Time Tones, 1 new episode")
        with App(profile, environment) as app:
            app.wait_for("list item", "Time Tones, 1 new episode")
            wait_until("the list is not shown", lambda: not app.rows())
            app.click(podcast_of(app))
            app.choose_episode("Sound in minute.m4a")
        profile.write_settings(**{name: value for name, value in profile.read_settings().items() if not name.startswith("window")})
        with App(profile, environment) as app:
            app.wait_for("heading", "Sound in minute.m4a")
            app.choose_episode("Sound in minute.opus")
        assert profile.read_settings()["shown-pane"] == "'episodes'"


@case
def narrow_player():
    """360 px: the strip pauses; the sheet has room for all its controls, and they work"""
    roles = ("toggle button", "button")
    with feeds.tones(**NARROW) as app:
        app.press_play(harness.in_row)
        app.press("button", "Pause", harness.not_in_row)
        app.wait_for_status("Paused")
        app.window_action("open-player")
        app.press("button", "Forward 30 Seconds")
        wait_until("it is further on", lambda: app.position() >= 30)
        app.escape_from("button", "Forward 30 Seconds")
        # Up Next has something, and the sleep timer runs for more than an hour.
        app.window_action("select-episode", GLib.Variant("u", 1))
        app.window_action("toggle-queued")
        app.action("sleep", GLib.Variant("s", "60"))
        app.window_action("open-player")
        app.wait_for(roles, harness.pattern("^Sleep timer: (59 minutes|1 hour) left$"))
        app.action("sleep-more")
        # What has no room makes libadwaita complain, which the end of the app tells.
        for name in ("1×", "^Sleep timer: 1 hour 1", "Bookmark Current Position", "Up Next", "Volume"):
            app.wait_for(roles, harness.pattern(name))
            # The page below the sheet has one of that name, too.
            left, _, across, _ = app.settled_place(app.find_all(roles, harness.pattern(name))[-1])
            assert left + across <= 360, (name, left, across)
        assert size(app)[0] == 360, size(app)


def preview(app, address):
    app.wait_for_entry()
    app.type(address)
    app.key("Return")
    wait_until("it is found", lambda: app.find("list item", None, lambda node: node.is_in("list", "Podcasts Found")))
    app.key("Return")
    app.wait_for("button", "Follow", lambda node: node.is_in("dialog"))
    wait_until("its episodes are there", lambda: [row for row in app.rows() if row.is_in("dialog")])
    yield "preview"
    app.press("button", "Back", lambda node: node.is_in("dialog"))
    wait_until("it is back to what was found", lambda: app.find("list item", None, lambda node: node.is_in("list", "Podcasts Found")))


def import_list(app, server):
    """How an import goes, what failed, and a podcast that asks for a password."""
    members = server.url("/~status=401/second.xml")
    path = feeds.write_list(server, members, server.url("missing.xml"), server.url("/~mute/second.xml"))
    app.action("import-file", GLib.Variant("s", path.as_uri()))
    app.wait_for("button", "Details")
    app.wait_for("button", "Stop")
    yield "import"
    app.press("button", "Details")
    app.wait_for("dialog", "Podcasts Not Loaded")
    app.wait_for("label", harness.pattern("No podcast was found at this address"))
    yield "Podcasts Not Loaded"
    app.press_close("Podcasts Not Loaded")
    app.press("button", "Stop")
    app.press("button", "Hide")
    app.wait_until_gone("button", "Details")
    app.show_podcast(members)
    app.press("button", "Sign In…")
    app.wait_for("dialog", "Sign In")
    yield "Sign In"
    app.press("button", "Cancel", lambda node: node.is_in("dialog"))
    app.wait_until_gone("dialog", "Sign In")


def walk(app, server):
    """To every pane and every dialog; what has no room makes GTK complain, which ends the app."""
    address = feeds.write_tones(server, "second", "Second Podcast")
    app.wait_for_rows(1)
    app.press_play(harness.in_row)
    app.pause()
    yield "list"
    app.window_action("search")
    app.wait_for_entry()
    yield "search"
    app.key("Escape")
    app.window_action("select-episode", GLib.Variant("u", 0))
    app.wait_for("heading", "Sound in minute.cbr.mp3")
    yield "episode"
    app.window_action("open-player")
    app.wait_for("button", "Forward 30 Seconds")
    yield "sheet"
    app.escape_from("button", "Forward 30 Seconds")
    wait_until("the focus is back on the page", lambda: (node := app.focused()) and node.is_in("grouping", "Sound in minute.cbr.mp3"))
    app.key("Escape")
    app.wait_for_focus(of="Episodes")
    # The page still slides away.
    app.key("Escape")
    app.wait_for("list item", harness.pattern("^(New|Time Tones)"), lambda node: node.is_in("list", "Podcasts"))
    app.wait_for_focus(harness.pattern("^Time Tones"), "Podcasts")
    yield "sidebar"
    for open_it, title in ((lambda: app.window_action("add-podcast"), "Add Podcast"),
                           (lambda: app.action("shortcuts"), "Keyboard Shortcuts"),
                           (lambda: app.action("backups"), "Backups"),
                           (lambda: app.window_action("podcast-details"), "About This Podcast"),
                           (lambda: app.window_action("podcast-settings"), "Podcast Settings"),
                           (lambda: app.action("preferences"), "Preferences"),
                           (lambda: app.action("about"), "About")):
        open_it()
        app.wait_for("dialog", harness.pattern(title))
        yield title
        if title == "Add Podcast":
            yield from preview(app, address)
        app.press_close(harness.pattern(title))
    yield from import_list(app, server)


def write_desktop(profile, scale):
    """What a desktop says of the size of text, and of the buttons of a window."""
    # Where no settings daemon tells it, X programs read it from there.
    (profile.folder / ".Xdefaults").write_text(f"Xft.dpi: {round(scale * 96)}\n")
    # As GNOME has it.
    (profile.folder / "config" / "gtk-4.0").mkdir()
    (profile.folder / "config" / "gtk-4.0" / "settings.ini").write_text("[Settings]\ngtk-decoration-layout=appmenu:close\n")


@case
def smallest():
    """360 x 294: everything has room there, with text of twice the size, too"""
    # Without a compositor the window has a frame.
    width, height = 360 + 2 * FRAME, 294 + 2 * FRAME
    heights = []
    for scale in (1, 2):
        with Server() as server, Profile(feeds.write_tones(server), {"window_width": width, "window_height": height}) as profile:
            write_desktop(profile, scale)
            with App(profile, {"HOME": str(profile.folder)}) as app:
                for place in walk(app, server):
                    harness.say(f"{place}, text of {scale}")
                    if place == "list":
                        heights.append(app.settled_place(app.row(0))[3])
                    wait_until(f"{place} fits with text of {scale}, which is not {size(app)}", lambda: size(app) == (width, height))
    assert heights[1] > 1.3 * heights[0], f"the text is not larger: {heights}"


@case
def long_words():
    """360 px, text of twice the size, in Spanish: the pages have room, and Resume takes two lines"""
    locales = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    locale = next((name for name in locales if name.lower().replace("-", "") == "es_es.utf8"), None)
    if locale is None:
        raise harness.Skip("Spanish is not spoken here")
    settings = {"window_width": 360 + 2 * FRAME, "window_height": 640}
    with Server() as server:
        episodes = [feeds.Episode("Alpha", feeds.sound(server, "minute.cbr.mp3"), notes="<p>Words.</p>"),
                    feeds.Episode("Bravo", "minute.cbr.mp3")]
        with Profile(feeds.write(server, "tones", "Time Tones", episodes), settings) as profile:
            write_desktop(profile, 2)
            # What has no room makes libadwaita complain, which the end of the app tells.
            with App(profile, {"HOME": str(profile.folder), "LC_ALL": locale, "LANGUAGE": "es"}) as app:
                app.click(app.wait_for("list item", harness.pattern("^\u2068?Bravo")))
                app.settled_place(app.wait_for("label", "Este episodio no tiene notas.", harness.on_page))
                line = app.settled_place(app.wait_for("button", "Time Tones", harness.on_page))[3]
                app.play()
                app.action("seek", GLib.Variant("x", 30_000_000))
                wait_until("it is heard there", lambda: app.position() >= 31)
                app.action("play-pause")
                button = app.wait_for("button", harness.pattern("^Reanudar desde "), harness.on_page)
                left, _, room, _ = app.geometry(app.window_id)

                def has_two_lines():
                    x, _, wide, high = app.settled_place(button)
                    return left < x and x + wide < left + room and high > 1.5 * line
                wait_until(f"it has two lines of {line} in {room} px", has_two_lines)
                assert size(app) == (360 + 2 * FRAME, 640), size(app)


def is_scrolled(app):
    bars = wait_until("there is something that can be scrolled",
                      lambda: app.find_all("scroll bar", None, lambda node: node.is_in("dialog"), showing=False))
    return any(bar.read_value() for bar in bars)


def has_focus(app, name):
    return (node := app.focused()) and name in (node.name, *(above.name for above in node.ancestors()))


@case
def first_focus():
    """Dialogs open unscrolled, with the keys on what comes first there, in a wide window and in the smallest"""
    for settings in ({}, {"window_width": 360 + 2 * FRAME, "window_height": 294 + 2 * FRAME}):
        with feeds.tones(1, **settings) as app:
            server = app.server
            for open_it, title, row in ((lambda: app.action("preferences"), "Preferences", "Check Automatically"),
                                        (lambda: app.window_action("podcast-settings"), "Podcast Settings", "Check Automatically"),
                                        (lambda: app.action("shortcuts"), "Keyboard Shortcuts", "Play or pause")):
                open_it()
                app.wait_for("dialog", title)
                wait_until(f"the focus is on “{row}” of {title}", lambda: has_focus(app, row), harness.DEADLINE / 3)
                harness.stays(f"the focus is on “{row}” of {title}", lambda: has_focus(app, row), 0.7)
                if title == "Keyboard Shortcuts":
                    # Keys of the list itself are told, too.
                    app.wait_for("list item", "Extend selection", showing=False)
                app.close_dialog(title)
            app.window_action("add-podcast")
            app.wait_for_entry()
            if settings:
                harness.stays("nothing is scrolled", lambda: not is_scrolled(app), 1)
            app.close_dialog("Add Podcast")
            members = server.url("/~status=401/generated/Members-2.xml")
            path = feeds.write_list(server, members, *(server.url(f"missing-{number}.xml") for number in range(3)))
            # There is no cursor in text that cannot be edited.
            for title in ("About This Podcast", "Podcasts Not Loaded"):
                if title == "About This Podcast":
                    app.window_action("podcast-details")
                else:
                    app.action("import-file", GLib.Variant("s", path.as_uri()))
                    app.press("button", "Details")
                app.wait_for("dialog", title)
                app.wait_for_focus(role="scroll pane")
                harness.stays("it keeps it", lambda: app.has_focus(role="scroll pane"), 0.7)
                if settings and title == "Podcasts Not Loaded":
                    harness.stays("what failed is not scrolled", lambda: not is_scrolled(app), 1)
                app.close_dialog(title)
            app.show_podcast(members)
            app.press("button", "Sign In…")
            app.wait_for("dialog", "Sign In")
            app.wait_for_focus("User Name")
            harness.stays("it keeps it", lambda: has_focus(app, "User Name"), 0.7)


@case
def first_row():
    """The keys begin at the rows where the sidebar is out of sight, also when rows come later; where the listener has moved them they stay"""
    for width, moves in ((900, False), (360 + 2 * FRAME, False), (360 + 2 * FRAME, True)):
        settings = {"window_width": width, "window_height": 640}
        with Server() as server, Profile(server.url("~hold/generated/small-5.xml"), settings) as profile, App(profile) as app:
            app.focus()
            wait_until("the keys go to what is in sight", lambda: (node := app.focused()) and node.showing)
            if moves:
                app.go_with("Tab", "Back", lambda node: node.name == "Back")
            assert not app.rows(), f"they are there already: {app.rows()}"
            server.hold(False)
            app.wait_for_rows(5)
            if moves:
                harness.stays("the focus stays", lambda: app.has_focus("Back"), 0.7)
                continue
            app.wait_for_focus(of="Episodes")
            app.restart()
            app.focus()
            app.wait_for_focus(of="Episodes")
            harness.stays("it keeps it", lambda: app.has_focus(of="Episodes"), 0.7)


@case
def nothing_followed():
    """Without podcasts there is one page, which says what to do; with the first one the panes are there, and without it again that page"""
    for settings in ({}, NARROW):
        with feeds.tones(**settings) as app:
            app.window_action("unfollow")
            app.wait_for("label", "Welcome to Earmark")
            wait_until("there is nothing beside it", lambda: not app.find("heading", harness.pattern("Sound")) and
                       not app.find("label", "No Episode Selected") and len(app.find_all("button", "Close")) == 1)
            wait_until("the entry is in the middle", lambda: abs(middle(app.settled_place(
                app.wait_for("entry", "Search or paste a link"))) - size(app)[0] / 2) < 20)
            wait_until("the focus is somewhere", app.focused)
            app.key("F10")
            app.wait_for("menu item", "Preferences")
            app.key("Escape")
            # Not the toast's button: by now it may be about to go, and then a press does nothing.
            app.window_action("undo")
            app.wait_for_rows(3)
            wait_until("the panes are there again", lambda: bool(app.podcasts()) == (not settings))


@case
def medium():
    """900 px: two panes; Back and keys put the sidebar where the list was, and the episode stays, as it does in every width"""
    with feeds.tones(window_width=900, window_height=640) as app:
        app.click(app.wait_for_rows(3)[1])

        def find_place():
            return app.settled_place(app.wait_for("heading", "Sound in minute.opus", harness.on_page))
        page = find_place()
        wait_until("the sidebar has no place of its own", lambda: not app.podcasts())
        for go_back, choose in ((lambda: app.click(app.wait_for("button", "Back")), lambda: app.click(podcast_of(app))),
                                (lambda: app.key("Escape"), lambda: app.key("Return"))):
            go_back()
            app.wait_for("list item", "Time Tones, 1 new episode")
            app.wait_for_focus(harness.pattern("^Time Tones"), "Podcasts")
            wait_until("the list is gone", lambda: not app.rows())

            def is_beside_page():
                left, _, wide, _ = app.settled_place(podcast_of(app))
                return left + wide < page[0]
            wait_until("the sidebar is beside the page", is_beside_page)
            wait_until("the page is where it was", lambda: find_place() == page)
            choose()
            app.wait_for_rows(3)
            app.wait_for_focus(harness.pattern("^Sound in minute.opus"), "Episodes")
            wait_until("the page is where it was", lambda: find_place() == page)
        for go_back, widths in ((False, ((1200, 1, 3), (900, 0, 3), (500, 0, 3), (900, 0, 3))),
                                (True, ((500, 1, 0), (900, 1, 0), (1200, 1, 3), (900, 1, 0)))):
            if go_back:
                app.press("button", "Back")
                app.wait_for("list item", "Time Tones, 1 new episode")
            for wide, n_podcasts, n_rows in widths:
                resize(app, wide, n_podcasts, n_rows)
                if wide > 500:
                    app.wait_for("heading", "Sound in minute.opus", harness.on_page)
        app.window_action("show-podcast")
        app.wait_for_focus(harness.pattern("^Sound in minute.opus"), "Episodes")


@case
def empty_view():
    """In a wide window one page over both panes says that a view is empty; the sidebar stays as it is, also over a restart"""
    with feeds.tones(window_width=1200, window_height=640) as app:
        app.wait_for("heading", "Sound in minute.cbr.mp3", harness.on_page)
        podcast = app.settled_place(podcast_of(app))
        app.click(podcast_of(app))
        app.wait_for_focus(harness.pattern("^Time Tones"), "Podcasts")
        for name, words in (("history", "No History Yet"), ("saved", "No Liked Episodes")):
            app.window_action(f"show-{name}")
            app.wait_for("label", words)
            left, _, room, _ = app.geometry(app.window_id)
            edge = podcast[0] + podcast[2]
            wait_until(f"it is in the middle of what is beside {podcast} in {room}", lambda: abs(
                middle(app.settled_place(app.wait_for("label", words))) - (edge + left + room) / 2) < 12)
            # The chosen view has a row while it is empty, too.
            wait_until("the sidebar is where it was", lambda: app.settled_place(podcast_of(app))[::2] == podcast[::2])
        app.key("Down", "Down")
        app.wait_for("heading", "Sound in minute.cbr.mp3", harness.on_page)
        app.wait_for_focus(harness.pattern("^Time Tones"), "Podcasts")
        # Words that are typed in an empty view are searched for, with the panes that the results need.
        app.window_action("show-saved")
        app.wait_for("label", "No Liked Episodes")
        app.window_action("search-everywhere")
        app.wait_for_entry()
        app.type("opus")
        app.wait_for("list item", harness.pattern("^Sound in minute.opus"))
        wait_until("the search has the focus", lambda: app.has_focus("Search Episodes"))
        app.key("Escape")
        app.wait_for("label", "No Liked Episodes")
        app.click(podcast_of(app))
        app.wait_for_rows(3)
        app.start_again()
        app.wait_for_rows(3)
        wait_until(f"the sidebar is as wide as it was, {podcast}", lambda: app.settled_place(podcast_of(app)) == podcast)


BUTTONS = ("[0-9.]+×", "^Sleep Timer$", "^Bookmark Current Position$", "^Up Next$", "^Volume$")


def find_buttons(app, where):
    """Where the buttons of the player beside its slider are, in their order."""
    roles = ("toggle button", "button")
    return [app.settled_place(wait_until(name, lambda: ([None] + app.find_all(roles, harness.pattern(name), where))[-1])) for name in BUTTONS]


def find_bar_faults(app):
    left, _, room, _ = app.geometry(app.window_id)
    title = app.settled_place(app.wait_for("button", harness.pattern("^Sound in minute.cbr.mp3"), harness.in_player))
    play = app.settled_place(app.wait_for("button", "Play", harness.in_player))
    slider = app.settled_place(app.wait_for("slider", "Position"))
    end = app.settled_place(app.wait_for("toggle button", "Volume"))
    return [text for text, holds in (
        (f"{play} is not in the middle of {room}", abs(middle(play) - (left + room / 2)) < 8),
        (f"{slider} is not below {play}", 120 <= slider[2] <= 720 and slider[1] >= play[1] + play[3] - 4),
        (f"{title}, {slider} and {end} are not beside each other",
         left <= title[0] and title[0] + title[2] <= slider[0] and slider[0] + slider[2] <= end[0]),
        (f"{end} is cut off in {room}", end[0] + end[2] <= left + room)) if not holds]


@case
def bar_of_the_player():
    """The player's controls are in the middle, the slider below them, of 720 px at most; its buttons have one width, in the sheet, too"""
    with feeds.tones(window_width=1240, window_height=640) as app:
        app.press_play(harness.on_page)
        app.action("play-pause")
        app.focus()
        for wide in (1240, 1000, 999, 860, 760):
            app.xdotool("windowsize", "--sync", app.window_id, wide + 2 * FRAME, 640)
            # The window has the size before what is in it has its places.
            harness.wait_until_right(f"all has its place in {wide} px", lambda: find_bar_faults(app))
        app.xdotool("windowsize", "--sync", app.window_id, 1100, 700)
        app.window_action("toggle-queued")
        for speed in (1.0, 1.25):
            app.action("speed", GLib.Variant("d", speed))
            app.wait_for(("toggle button", "button"), harness.pattern(f"{speed:g}×"))
            widths = [width for _, _, width, _ in find_buttons(app, harness.in_player)]
            assert max(widths) - min(widths) <= 1, widths
        app.xdotool("windowsize", "--sync", app.window_id, 400, 700)
        app.wait_until_gone("list item", harness.pattern("^Time Tones"))
        wait_until("the sheet is open", lambda: app.window_action("open-player") or app.find("button", "Forward 30 Seconds"))
        widths = [width for _, _, width, _ in find_buttons(app, harness.not_in_row)]
        assert max(widths) - min(widths) <= 1, widths
        # The page below the sheet has both as well.
        tabs = app.settled_place(app.find_all("page tab list", None, harness.not_in_row)[-1])
        slider = app.settled_place(app.find_all("slider", "Position")[-1])
        assert abs(middle(tabs) - middle(slider)) <= 2, (tabs, slider)


@case
def two_panes_with_a_player():
    """As wide as two panes need with large text, in GNOME's font: the bar of the player has room"""
    # Without a compositor the window has a frame.
    settings = {"window_width": round(760 * 1.5) + 2 * FRAME, "window_height": 640}
    with Server() as server, Profile(feeds.write_tones(server), settings) as profile:
        write_desktop(profile, 1.5)
        with open(profile.folder / "config" / "gtk-4.0" / "settings.ini", "a") as file:
            file.write("gtk-font-name=Sans 11\n")
        # What has no room makes libadwaita complain, which the end of the app tells.
        with App(profile, {"HOME": str(profile.folder)}) as app:
            app.wait_for_rows(1)
            app.press_play(harness.in_row)
            app.action("play-pause")
            app.focus()
            left, _, room, _ = app.geometry(app.window_id)

            def has_room():
                x, _, wide, _ = app.settled_place(app.wait_for("button", "Volume", harness.in_player))
                return left < x and x + wide < left + room - FRAME
            wait_until(f"it has room in {room} px", has_room)


harness.main()
