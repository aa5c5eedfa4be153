#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of the podcasts: by title, by their newest episode, or as the listener wants it."""

import contextlib

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, wait_until

MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
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
            wait_for_order(app, *NAMES)
            yield app


def order(app):
    return tuple(row.name.split(",")[0] for row in app.podcasts())


def wait_for_order(app, *wanted):
    wait_until(f"the podcasts are {wanted}", lambda: order(app) == wanted)


def choose_order(app, name):
    app.press("toggle button", "Sort Podcasts")
    app.press(MENU_ITEMS, name)


@case
def orders():
    """By the menu; the chosen podcast stays chosen, and the order outlives the application"""
    with app_with_three() as app:
        app.click(app.podcasts()[1])
        app.wait_for("heading", "Bravo")
        choose_order(app, "By Newest Episode")
        wait_for_order(app, "Charlie", "Bravo", "Alpha")
        app.wait_for("heading", "Bravo")
        app.quit()
        app.start()
        wait_for_order(app, "Charlie", "Bravo", "Alpha")
        choose_order(app, "By Title")
        wait_for_order(app, *NAMES)


@case
def by_hand():
    """Alt and an arrow move a podcast, which keeps the focus; that is taken back, and outlives the application"""
    with app_with_three() as app:
        app.click(app.podcasts()[0])
        app.wait_for("heading", "Alpha")
        app.key("alt+Down")
        wait_for_order(app, *NAMES)
        choose_order(app, "By Hand")
        app.click(app.podcasts()[0])
        app.key("alt+Down")
        wait_for_order(app, "Bravo", "Alpha", "Charlie")
        app.key("alt+Down")
        wait_for_order(app, "Bravo", "Charlie", "Alpha")
        app.key("ctrl+z")
        wait_for_order(app, "Bravo", "Alpha", "Charlie")
        app.click(app.podcasts()[2])
        app.wait_for("heading", "Charlie")
        app.key("alt+Up")
        wait_for_order(app, "Bravo", "Charlie", "Alpha")
        app.key("alt+Up")
        wait_for_order(app, "Charlie", "Bravo", "Alpha")
        app.quit()
        app.start()
        wait_for_order(app, "Charlie", "Bravo", "Alpha")


harness.main()
