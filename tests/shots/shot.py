#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""shot.py PAGE OUT.png...: takes pictures of the app with the demo podcast, for `./dev shot`.

Runs in a Wayland session without a screen (tests/session.sh wayland). For each page it starts the demo
server and the app in a temporary profile, navigates to the page with actions over D-Bus, waits until
nothing moves any more, and extracts the window from two pictures of the screen, on black and on white,
to get the transparency of the shadow and the corners. pages.py defines the pages.

EARMARK_PROGRAM names a program other than `earmark`, EARMARK_SHOT_FEED the URL of another feed.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time

from application import HUGE, Application
from pages import find_page
from screen import Screen, combine, find_window, wait_for


@contextlib.contextmanager
def running_server(folder):
    """Runs the demo server; yields its URL."""
    port_file = os.path.join(folder, "address")
    server = subprocess.Popen(["earmark-test-server", "--demo", "--port-file", port_file], stdout=subprocess.DEVNULL)
    try:
        wait_for("the demo server", lambda: os.path.exists(port_file))
        with open(port_file, encoding="utf-8") as file:
            yield file.read().strip().rstrip("/")
    finally:
        server.terminate()
        server.wait()


def take(screen, page, app):
    """Takes a picture of PAGE, which APP shows now."""
    if page.moves:
        time.sleep(2)
    else:
        screen.wait_until_still()
    if page.size == HUGE:
        return screen.take()
    if page.pointer:
        _, _, (left, top, _, _) = find_window(*screen.take_twice())
        x, y = app.find_place(page.pointer)
        screen.point_at(left + x, top + y)
    try:
        return combine(*screen.take_twice())
    finally:
        # Back to the panel of the compositor, as at the start
        screen.point_at(3, 3)


def shoot(screen, page):
    with tempfile.TemporaryDirectory(prefix="earmark-shot.") as folder, running_server(folder) as server:
        feeds = os.environ.get("EARMARK_SHOT_FEED", "").split() or page.feeds(server)
        app = Application(feeds, folder, page.size, page.language, page.looks)
        app.server = server
        app.ask_directories_at(server)
        if page.before:
            page.before(app)
        try:
            app.start()
            page.go(app)
            return take(screen, page, app)
        finally:
            app.close()


def main():
    arguments = sys.argv[1:]
    if not arguments or len(arguments) % 2:
        find_page("")
    pages = [(find_page(name), out) for name, out in zip(arguments[::2], arguments[1::2])]
    with tempfile.TemporaryDirectory(prefix="earmark-pictures.") as pictures:
        screen = Screen(pictures)
        try:
            for page, out in pages:
                shoot(screen, page).savev(out, "png", [], [])
        finally:
            screen.close()


main()
