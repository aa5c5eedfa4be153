#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar: folders of podcasts, in a list that is imported, folded, filled, renamed, removed, and moved; the menus of its rows, of the podcast
that was meant, whichever one is shown."""

import contextlib

import feeds
import harness
from harness import MENU_ITEMS, App, Profile, Server, case, on_page, pattern, title_of, wait_until

FOLDERS = {"Alpha": "News", "Bravo": "News", "Charlie": "Art/Film", "Delta": None}
ALL = ("[Art / Film]", "Charlie", "[News]", "Alpha", "Bravo", "Delta")


def write_folders(server):
    """A list as other programs write it: Charlie is in a folder in a folder. Delta has the newest episode, and Alpha the oldest."""
    outlines = {name: f'<outline type="rss" xmlUrl="{feeds.write_minutes(server, name.lower(), name, [f"Of {name}"])}"/>'
                for name in FOLDERS}
    for day, name in enumerate(FOLDERS, 14):
        feed = server.root / f"{name.lower()}.xml"
        feed.write_text(feed.read_text().replace("14 Nov 2023", f"{day} Nov 2023"))
    path = server.root / "folders.opml"
    path.write_text('<opml version="2.0"><body>'
                    f'<outline text="News">{outlines["Alpha"]}{outlines["Bravo"]}</outline>'
                    f'<outline text="Art"><outline text="Film">{outlines["Charlie"]}</outline></outline>'
                    f'{outlines["Delta"]}</body></opml>')
    return path


@contextlib.contextmanager
def app_with_folders():
    with Server() as server, Profile() as profile:
        path = write_folders(server)
        with App(profile, {"GSETTINGS_BACKEND": "keyfile"}) as app:
            app.action("import-file", harness.GLib.Variant("s", path.as_uri()))
            wait_for(app, *ALL)
            wait_until("all have come", lambda: all(name_of(app, name) == f"{name}, 1 new episode" for name in FOLDERS))
            yield app


def listed(app):
    """Titles; a folder's in brackets"""
    return tuple(f"[{parts[0]}]" if "folder" in parts[1:2] else parts[0] for parts in (row.name.split(", ") for row in app.podcasts()))


def wait_for(app, *wanted):
    wait_until(f"the sidebar has {wanted}", lambda: listed(app) == wanted)


def find_row(app, title):
    return wait_until(f"there is a row {title}", lambda: next((row for row in app.podcasts() if row.name.split(", ")[0] == title), None))


def name_of(app, title):
    return find_row(app, title).name


def states_of(app, title):
    return find_row(app, title).states & {"expandable", "expanded"}


def titles(app):
    return {title_of(row) for row in app.rows()}


@case
def fold():
    """A folder has the sum of its podcasts; it is folded by its arrow and by keys, and stays so; a screen reader is told"""
    with app_with_folders() as app:
        wait_until("it has a sum", lambda: name_of(app, "News") == "News, folder, 2 new episodes")
        assert states_of(app, "News") == {"expandable", "expanded"}, states_of(app, "News")
        assert not states_of(app, "Delta")
        assert find_row(app, "Alpha").attributes().get("level") == "2", find_row(app, "Alpha").attributes()
        assert find_row(app, "News").attributes().get("level") == "1"
        app.click(find_row(app, "News"))
        wait_until("all in it is listed", lambda: titles(app) == {"Of Alpha", "Of Bravo"})
        app.key("Left")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Delta")
        wait_until("it is told", lambda: states_of(app, "News") == {"expandable"})
        app.key("Right")
        wait_for(app, *ALL)
        app.key("Right")
        app.wait_for("heading", "Alpha")
        app.key("Left")
        app.key("Return")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Delta")
        app.click(find_row(app, "Art / Film"), across=0.07)
        wait_for(app, "[Art / Film]", "[News]", "Delta")
        wait_until("what is shown stays", lambda: titles(app) == {"Of Alpha", "Of Bravo"})
        app.start_again()
        wait_for(app, "[Art / Film]", "[News]", "Delta")
        wait_until("what was shown is shown again", lambda: titles(app) == {"Of Alpha", "Of Bravo"})


@case
def found_in_folded():
    """Typing finds a podcast in a folded folder; folders keep their filters, as podcasts do; a restart shows again what was shown"""
    with app_with_folders() as app:
        app.click(find_row(app, "Charlie"))
        app.wait_for("heading", "Charlie")
        app.click(find_row(app, "Art / Film"), across=0.07)
        wait_for(app, "[Art / Film]", "[News]", "Alpha", "Bravo", "Delta")
        app.wait_for("heading", "Charlie")
        app.start_again()
        wait_for(app, "[Art / Film]", "[News]", "Alpha", "Bravo", "Delta")
        app.wait_for("heading", "Charlie")
        app.click(find_row(app, "Delta"))
        app.wait_for("heading", "Delta")
        app.type("char")
        wait_for(app, *ALL)
        app.wait_for("heading", "Charlie")
        app.click(find_row(app, "News"))
        wait_until("all in it is listed", lambda: titles(app) == {"Of Alpha", "Of Bravo"})
        app.choose_filter("Downloaded")
        app.wait_for("label", "No Downloads")
        app.click(find_row(app, "Art / Film"))
        wait_until("all in it is listed", lambda: titles(app) == {"Of Charlie"})
        app.click(find_row(app, "News"))
        app.wait_for("label", "No Downloads")
        app.start_again()
        wait_for(app, *ALL)
        app.wait_for("label", "No Downloads")
        app.choose_filter("All")
        wait_until("all in it is listed", lambda: titles(app) == {"Of Alpha", "Of Bravo"})


@case
def menus():
    """A podcast is moved by its menu; a folder is renamed, marked as played and removed by its own; all is taken back"""
    with app_with_folders() as app:
        app.from_menu_of(find_row(app, "Delta"), "Add to Folder…")
        app.wait_for("dialog", "Add to Folder")
        app.click(app.wait_for("radio button", "News"))
        app.wait_until_gone("dialog", "Add to Folder")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Alpha", "Bravo", "Delta")
        wait_until("it is in it", lambda: find_row(app, "Delta").attributes().get("level") == "2")
        app.wait_for_toast("Moved to “News”")
        app.key("ctrl+z")
        wait_until("it is in none", lambda: "level" not in find_row(app, "Delta").attributes())
        app.from_menu_of(find_row(app, "Delta"), "Add to Folder…")
        app.wait_for("dialog", "Add to Folder")
        app.go_with("Tab", "the entry", lambda node: node.name == "New Folder")
        app.type("Zoo")
        app.key("Return")
        app.wait_until_gone("dialog", "Add to Folder")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Alpha", "Bravo", "[Zoo]", "Delta")

        app.from_menu_of(find_row(app, "News"), "Rename…")
        app.wait_for("alert", "Rename Folder")
        app.retype("Yard")
        app.key("Return")
        wait_for(app, "[Art / Film]", "Charlie", "[Yard]", "Alpha", "Bravo", "[Zoo]", "Delta")
        app.from_menu_of(find_row(app, "Yard"), "Mark All as Played")
        wait_until("nothing is new there", lambda: name_of(app, "Yard") == "Yard, folder")
        app.from_menu_of(find_row(app, "Yard"), "Remove Folder")
        wait_for(app, "[Art / Film]", "Charlie", "[Zoo]", "Delta", "Alpha", "Bravo")
        app.key("ctrl+z")
        wait_for(app, "[Art / Film]", "Charlie", "[Yard]", "Alpha", "Bravo", "[Zoo]", "Delta")


def drag(app, title, onto, down, *wanted):
    app.drag(lambda: find_row(app, title), lambda: app.place_in(find_row(app, onto), down), lambda: listed(app) == wanted)


@case
def dragged():
    """A podcast is dragged onto a folder; a menu sorts the podcasts; by hand, one is dragged or moved by keys, and a folder with its podcasts.
    The order outlives the application."""
    with app_with_folders() as app:
        drag(app, "Delta", "Art / Film", 0.5, "[Art / Film]", "Charlie", "Delta", "[News]", "Alpha", "Bravo")
        app.key("ctrl+z")
        wait_for(app, *ALL)
        app.click(find_row(app, "Bravo"))
        app.wait_for("heading", "Bravo")
        app.from_menu("Sort Podcasts", "By Newest Episode")
        newest = ("[Art / Film]", "Charlie", "[News]", "Bravo", "Alpha", "Delta")
        wait_for(app, *newest)
        app.wait_for("heading", "Bravo")
        app.start_again()
        wait_for(app, *newest)
        app.from_menu("Sort Podcasts", "By Title")
        wait_for(app, *ALL)
        app.click(find_row(app, "Alpha"))
        app.wait_for("heading", "Alpha")
        app.key("alt+Down")
        wait_for(app, *ALL)
        app.from_menu("Sort Podcasts", "By Hand")
        wait_for(app, *ALL)
        drag(app, "Delta", "Bravo", 0.2, "[Art / Film]", "Charlie", "[News]", "Alpha", "Delta", "Bravo")
        drag(app, "Alpha", "Bravo", 0.8, "[Art / Film]", "Charlie", "[News]", "Delta", "Bravo", "Alpha")
        drag(app, "News", "Art / Film", 0.2, "[News]", "Delta", "Bravo", "Alpha", "[Art / Film]", "Charlie")
        app.click(find_row(app, "News"))
        app.key("alt+Down")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Delta", "Bravo", "Alpha")
        app.key("ctrl+z")
        wait_for(app, "[News]", "Delta", "Bravo", "Alpha", "[Art / Film]", "Charlie")
        app.click(find_row(app, "News"))
        app.key("alt+Down")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Delta", "Bravo", "Alpha")
        app.click(find_row(app, "Bravo"))
        app.key("alt+Up")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Bravo", "Delta", "Alpha")
        app.key("alt+Up")
        app.start_again()
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Bravo", "Delta", "Alpha")


SECOND = pattern(r"^Second Podcast(, |$)")


@contextlib.contextmanager
def two_podcasts():
    """The first one is shown."""
    with feeds.two_podcasts(("Alpha", "Bravo", "Charlie"), ("One", "Two")) as app:
        app.show_podcast(app.addresses[0])
        app.wait_for("heading", "First Podcast", on_page)
        app.wait_for("list item", pattern("^Alpha, "))
        yield app


def in_sidebar(node):
    return node.is_in("list", "Podcasts")


def row_of(app, name):
    return app.wait_for("list item", name, in_sidebar)


def is_first_shown(app):
    return app.find("heading", "First Podcast", on_page) and app.find("list item", pattern("^Alpha, "))


@case
def menu_by_pointer():
    """A right click opens the menu of the row under the pointer, and shows nothing else; let go of on another row it opens none"""
    with two_podcasts() as app:
        first = row_of(app, pattern("^First Podcast"))
        right_drag(app, first, row_of(app, SECOND))
        harness.stays("there is no menu", lambda: not app.find(MENU_ITEMS, "Unfollow"), 0.5)
        right_drag(app, app.row_of("Alpha"), app.row_of("Charlie"))
        harness.stays("there is no menu", lambda: not app.find(MENU_ITEMS, pattern("Played")), 0.5)
        # How long the button is held does not matter.
        x, y, width, height = app.settled_place(first)
        app.xdotool("mousemove", x + width // 2, y + height // 2, "mousedown", 3, "sleep", 1, "mouseup", 3)
        app.wait_for(MENU_ITEMS, "Unfollow")
        app.escape_from(MENU_ITEMS, "Unfollow")
        app.from_menu_of(row_of(app, SECOND), "Mark All as Played")
        app.wait_for("list item", "Second Podcast", in_sidebar)
        app.wait_for_toast("2 episodes marked as played")
        app.wait_for("list item", "First Podcast, 1 new episode", in_sidebar)
        wait_until("the first podcast is shown", lambda: is_first_shown(app))
        app.press_undo()
        app.wait_for("list item", "Second Podcast, 1 new episode", in_sidebar)
        # A view is listed as long as it has something; the history's row has no menu.
        app.press("button", "Play", lambda node: any(above.name.startswith("Bravo, ") for above in node.ancestors()))
        app.start_episode()
        app.action("play-pause")
        app.click(app.wait_for("list item", pattern("^History"), in_sidebar), button=3)
        harness.stays("there is no menu", lambda: not app.find(MENU_ITEMS, "Mark All as Played"), 0.5)
        app.click(app.wait_for("list item", "New, 2 new episodes", in_sidebar), button=3)
        app.wait_for(MENU_ITEMS, "Check All for New Episodes")
        app.press(MENU_ITEMS, "Mark All as Played")
        app.wait_for("list item", "New", in_sidebar)
        wait_until("the first podcast is shown", lambda: is_first_shown(app))


@case
def look_of_a_row():
    """The row whose menu is open is marked, and looks as before when it is closed, however that was done; the next click counts"""
    with two_podcasts() as app:
        for names, item in (("^Charlie, ", "^Bravo, "), "Play Next"), ((SECOND.pattern, "^First Podcast"), "Unfollow"):
            row, other = (app.wait_for("list item", pattern(name)) for name in names)
            places = [app.settled_place(node) for node in (row, other)]

            def look():
                return [app.pixels(x + width // 2, y + 3, 4, 4) for x, y, width, height in places]

            def leave():
                app.xdotool("mousemove", 5, 5)
            leave()
            before = harness.settled("no pointer is over them", look)
            app.click(row, across=0.2, button=3)
            app.wait_for(MENU_ITEMS, item)
            leave()
            wait_until("it is marked", lambda: look()[0] not in before and look()[1] == before[1])
            app.escape_from(MENU_ITEMS, item)
            leave()
            wait_until("it looks as before", lambda: look() == before)
        app.click(row)
        app.wait_for("heading", "Second Podcast", on_page)
        app.from_menu_of(other, "Copy Link")
        app.wait_until_gone(MENU_ITEMS, "Copy Link")
        app.click(other)
        app.wait_for("heading", "First Podcast", on_page)
        leave()
        wait_until("both look as before", lambda: look() == before)


def right_drag(app, start, end):
    """Presses the right button on one node, and lets go of it on another."""
    for node, act in ((start, "mousedown"), (end, "mouseup")):
        x, y, width, height = app.settled_place(node)
        app.xdotool("mousemove", "--sync", x + width // 2, y + height // 2)
        app.let_it_act()
        app.xdotool(act, 3)
        app.let_it_act()


@case
def menu_by_keys():
    """Keys and assistive technologies open the menu; Escape gives the focus back to the row; what is chosen is about that row's podcast"""
    with two_podcasts() as app:
        app.go_to_list("Podcasts")
        app.type("sec")
        app.wait_for("heading", "Second Podcast", on_page)
        for key in ("Menu", "shift+F10"):
            app.key(key)
            app.wait_for(MENU_ITEMS, "Settings…")
            app.escape_from(MENU_ITEMS, "Settings…")
            app.wait_for_focus(SECOND, "Podcasts")
        app.key("Menu")
        app.wait_for(MENU_ITEMS, "Unfollow")
        app.key("u")
        wait_until("it is gone", lambda: len(app.podcasts()) == 1)
        app.wait_for_focus(of="Podcasts")
        app.key("ctrl+z")
        row_of(app, SECOND)
        app.wait_for("heading", "Second Podcast", on_page)
        app.show_podcast(app.addresses[0])
        wait_until("the first podcast is shown", lambda: is_first_shown(app))

        def act(name):
            for node in row_of(app, SECOND).walk():
                if name in node.actions():
                    node.do(name)
                    return True
            return False
        wait_until("the row has the action", lambda: act("row.menu"))
        app.press(MENU_ITEMS, "Settings…")
        app.wait_for("dialog", "Podcast Settings")
        app.go_down_to("Unfollow")
        app.key("Return")
        wait_until("it is gone", lambda: len(app.podcasts()) == 1)
        app.key("ctrl+z")
        row_of(app, SECOND)
        harness.stays("the first podcast is shown", lambda: is_first_shown(app), 0.5)


harness.main()
