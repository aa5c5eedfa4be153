#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of podcasts: in a list that is imported, folded, filled, renamed, removed, and moved."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import MENU_ITEMS, App, Profile, Server, case, title_of, wait_until

FOLDERS = {"Alpha": "News", "Bravo": "News", "Charlie": "Art/Film", "Delta": None}
ALL = ("[Art / Film]", "Charlie", "[News]", "Alpha", "Bravo", "Delta")


def write_folders(server):
    """A list as other programs write it: Charlie is in a folder in a folder."""
    sound = feeds.sound(server, "minute.cbr.mp3")
    outlines = {name: f'<outline type="rss" xmlUrl="{feeds.write(server, name.lower(), name, [Episode(f"Of {name}", sound, 60)])}"/>'
                for name in FOLDERS}
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
        app.quit()
        app.start()
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
        app.quit()
        app.start()
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
        app.quit()
        app.start()
        wait_for(app, *ALL)
        app.wait_for("label", "No Downloads")
        app.choose_filter("All")
        wait_until("all in it is listed", lambda: titles(app) == {"Of Alpha", "Of Bravo"})


@case
def menus():
    """A podcast is moved by its menu; a folder is renamed, marked as played and removed by its own; all is taken back"""
    with app_with_folders() as app:
        app.click(find_row(app, "Delta"), button=3)
        app.press(MENU_ITEMS, "Add to Folder…")
        app.wait_for("dialog", "Add to Folder")
        app.click(app.wait_for("radio button", "News"))
        app.wait_until_gone("dialog", "Add to Folder")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Alpha", "Bravo", "Delta")
        wait_until("it is in it", lambda: find_row(app, "Delta").attributes().get("level") == "2")
        app.wait_for_toast("Moved to “News”")
        app.key("ctrl+z")
        wait_until("it is in none", lambda: "level" not in find_row(app, "Delta").attributes())
        app.click(find_row(app, "Delta"), button=3)
        app.press(MENU_ITEMS, "Add to Folder…")
        app.wait_for("dialog", "Add to Folder")
        app.go_with("Tab", "the entry", lambda node: node.name == "New Folder")
        app.type("Zoo")
        app.key("Return")
        app.wait_until_gone("dialog", "Add to Folder")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Alpha", "Bravo", "[Zoo]", "Delta")

        app.click(find_row(app, "News"), button=3)
        app.press(MENU_ITEMS, "Rename…")
        app.wait_for("alert", "Rename Folder")
        app.retype("Yard")
        app.key("Return")
        wait_for(app, "[Art / Film]", "Charlie", "[Yard]", "Alpha", "Bravo", "[Zoo]", "Delta")
        app.click(find_row(app, "Yard"), button=3)
        app.press(MENU_ITEMS, "Mark All as Played")
        wait_until("nothing is new there", lambda: name_of(app, "Yard") == "Yard, folder")
        app.click(find_row(app, "Yard"), button=3)
        app.press(MENU_ITEMS, "Remove Folder")
        wait_for(app, "[Art / Film]", "Charlie", "[Zoo]", "Delta", "Alpha", "Bravo")
        app.key("ctrl+z")
        wait_for(app, "[Art / Film]", "Charlie", "[Yard]", "Alpha", "Bravo", "[Zoo]", "Delta")


def drag(app, title, onto, down, *wanted):
    app.drag(lambda: find_row(app, title), lambda: app.place_in(find_row(app, onto), down), lambda: listed(app) == wanted)


@case
def dragged():
    """A podcast is dragged onto a folder; in an order by hand also between two podcasts, and a folder with its podcasts"""
    with app_with_folders() as app:
        drag(app, "Delta", "Art / Film", 0.5, "[Art / Film]", "Charlie", "Delta", "[News]", "Alpha", "Bravo")
        app.key("ctrl+z")
        wait_for(app, *ALL)
        app.from_menu("Sort Podcasts", "By Hand")
        wait_for(app, *ALL)
        drag(app, "Delta", "Bravo", 0.2, "[Art / Film]", "Charlie", "[News]", "Alpha", "Delta", "Bravo")
        drag(app, "Alpha", "Bravo", 0.8, "[Art / Film]", "Charlie", "[News]", "Delta", "Bravo", "Alpha")
        drag(app, "News", "Art / Film", 0.2, "[News]", "Delta", "Bravo", "Alpha", "[Art / Film]", "Charlie")
        app.click(find_row(app, "News"))
        app.key("alt+Down")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Delta", "Bravo", "Alpha")
        app.click(find_row(app, "Bravo"))
        app.key("alt+Up")
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Bravo", "Delta", "Alpha")
        app.key("alt+Up")
        app.quit()
        app.start()
        wait_for(app, "[Art / Film]", "Charlie", "[News]", "Bravo", "Delta", "Alpha")


NAMES = ("Alpha", "Bravo", "Charlie")


@contextlib.contextmanager
def app_with_three():
    """Charlie has the newest episode, and Alpha the oldest."""
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        addresses = []
        for number, name in enumerate(NAMES):
            addresses.append(feeds.write(server, name.lower(), name, [Episode(f"Of {name}", sound, 60)]))
            path = server.root / f"{name.lower()}.xml"
            path.write_text(path.read_text().replace("14 Nov 2023", f"{14 + number} Nov 2023"))
        with Profile(addresses) as profile, App(profile, {"GSETTINGS_BACKEND": "keyfile"}) as app:
            wait_for(app, *NAMES)
            yield app


@case
def orders():
    """A menu sorts the podcasts; by hand, Alt and an arrow move one, which Undo takes back; the order outlives the application"""
    with app_with_three() as app:
        app.click(find_row(app, "Bravo"))
        app.wait_for("heading", "Bravo")
        app.from_menu("Sort Podcasts", "By Newest Episode")
        wait_for(app, "Charlie", "Bravo", "Alpha")
        app.wait_for("heading", "Bravo")
        app.quit()
        app.start()
        wait_for(app, "Charlie", "Bravo", "Alpha")
        app.from_menu("Sort Podcasts", "By Title")
        wait_for(app, *NAMES)
        app.click(find_row(app, "Alpha"))
        app.wait_for("heading", "Alpha")
        app.key("alt+Down")
        wait_for(app, *NAMES)
        app.from_menu("Sort Podcasts", "By Hand")
        app.click(find_row(app, "Alpha"))
        app.key("alt+Down")
        wait_for(app, "Bravo", "Alpha", "Charlie")
        app.key("alt+Down")
        wait_for(app, "Bravo", "Charlie", "Alpha")
        app.key("ctrl+z")
        wait_for(app, "Bravo", "Alpha", "Charlie")
        app.click(find_row(app, "Charlie"))
        app.wait_for("heading", "Charlie")
        app.key("alt+Up")
        wait_for(app, "Bravo", "Charlie", "Alpha")
        app.quit()
        app.start()
        wait_for(app, "Bravo", "Charlie", "Alpha")


harness.main()
