#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""shot.py PAGE OUT.png: a picture of the app with the demo podcast, as `./dev shot` makes it.

Runs in a Wayland session without a screen (tests/session.sh wayland). Starts the demo server and
the app in a profile that is thrown away, brings it to the page by its actions over D-Bus, waits
until nothing moves any more, and takes the window out of two pictures of the screen: one on
black and one on white tell what of the shadow and the corners is transparent.

EARMARK_PROGRAM names another program than `earmark`, EARMARK_SHOT_FEED the address of another feed.
"""

import gettext
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import Atspi, GdkPixbuf, Gio, GLib  # noqa: E402

TIMEOUT = 30
WIDE = (1240, 740)
NARROW = (360, 700)
SHORT = (360, 294)
MIDDLE = (860, 700)
# Larger than the screen of a picture with a shadow; `./dev shot` makes its screen so large for it.
HUGE = (3840, 2160)
LOCALES = {"he": "he_IL.UTF-8", "es": "es_ES.UTF-8", "de": "de_DE.UTF-8", "fr": "fr_FR.UTF-8", "en": "en_US.UTF-8"}
# The largest window that the stores show well.
STORE = (1000, 700)


def wait_for(what, test, seconds=TIMEOUT):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = test()
        if value:
            return value
        time.sleep(0.05)
    raise SystemExit(f"shot: waited too long for {what}")


class Screen:
    """A plain background, and pictures of all that is to be seen."""

    BACKGROUND = """
import gi, sys
gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk
css = Gtk.CssProvider()
def paint(color):
    css.load_from_string("window { background: %s; }" % color)
def read(source, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    paint(line.strip())
    return True
loop = GLib.MainLoop()
Gtk.init()
Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), css, 900)
window = Gtk.Window(decorated=False)
window.maximize()
window.present()
paint("black")
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, read)
loop.run()
"""

    def __init__(self, folder):
        self.folder = folder
        self.background = subprocess.Popen([sys.executable, "-c", self.BACKGROUND], stdin=subprocess.PIPE, text=True)
        self.paint("black")
        time.sleep(1)

    def paint(self, color):
        self.background.stdin.write(color + "\n")
        self.background.stdin.flush()

    def take(self):
        """All pixels of the screen."""
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        subprocess.run(["weston-screenshooter"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (name,) = os.listdir(self.folder)
        return GdkPixbuf.Pixbuf.new_from_file(os.path.join(self.folder, name))

    def wait_until_still(self):
        before = None
        same = 0
        end = time.monotonic() + TIMEOUT
        while same < 4 and time.monotonic() < end:
            now = self.take().get_pixels()
            same = same + 1 if now == before else 0
            before = now
            time.sleep(0.15)

    def close(self):
        self.background.stdin.close()
        self.background.wait()


def text_scale(looks):
    return {"large": 1.5, "largest": 2.0}.get(next((look for look in looks if look.startswith("large")), None), 1.0)


class Application:
    """The app under test, driven by its exported actions."""

    def __init__(self, feed, folder, size, language, looks):
        program = os.environ.get("EARMARK_PROGRAM", "earmark")
        environment = dict(os.environ)
        for name in ("data", "config", "cache", "state"):
            environment[f"XDG_{name.upper()}_HOME"] = os.path.join(folder, name)
            os.makedirs(os.path.join(folder, name, "glib-2.0", "settings"), exist_ok=True)
        welcome = os.path.join(folder, "welcome.opml")
        with open(welcome, "w", encoding="utf-8") as file:
            file.write('<?xml version="1.0"?><opml version="2.0"><head><title>Demo</title></head><body>')
            for address in feed:
                file.write(f'<outline type="rss" text="Demo" xmlUrl="{address}"/>')
            file.write("</body></opml>")
        with open(os.path.join(folder, "config", "glib-2.0", "settings", "keyfile"), "w", encoding="utf-8") as file:
            file.write("[io/github/earmark_app/Earmark]\n"
                       f"window-width={size[0]}\nwindow-height={size[1]}\n"
                       f"selected-collection='{feed[0]}'\n"
                       f"window-maximized={'true' if size == HUGE else 'false'}\n"
                       f"[org/gnome/desktop/interface]\nfont-name='Cantarell 11'\ntext-scaling-factor={text_scale(looks)}\n")
        # What tells a development build from others is not for publishing.
        os.makedirs(os.path.join(folder, "config", "gtk-4.0"))
        with open(os.path.join(folder, "config", "gtk-4.0", "gtk.css"), "w", encoding="utf-8") as file:
            file.write(".devel headerbar, .devel .top-bar, .devel toolbarview > * { background-image: none; }\n")
        environment["EARMARK_WELCOME"] = welcome
        origin = "/".join(feed[0].split("/")[:3])
        environment["EARMARK_ITUNES"] = origin + "/itunes"
        environment["EARMARK_FYYD"] = origin + "/fyyd"
        environment["GSETTINGS_BACKEND"] = "keyfile"
        environment["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark" if "dark" in looks else "prefer-light"
        environment["ADW_DEBUG_HIGH_CONTRAST"] = "1" if "contrast" in looks else "0"
        if "accent" in looks:
            environment["ADW_DEBUG_ACCENT_COLOR"] = "orange"
        if language:
            environment["LANGUAGE"] = language
            environment["LC_ALL"] = LOCALES[language]
        locale_dir = os.path.join(os.path.dirname(shutil.which(program)), "..", "share", "locale")
        self.words = gettext.translation("earmark", locale_dir, [language or "en"], fallback=True)
        self.process = subprocess.Popen([program], env=environment)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.name = wait_for("the app", self.find_name)
        self.path = "/" + self.name.replace(".", "/")

    def find_name(self):
        if self.process.poll() is not None:
            raise SystemExit(f"shot: the app ended with {self.process.returncode}")
        names = self.bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ListNames", None, None,
                                   Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
        for name in names:
            if name.startswith("io.github.earmark_app.Earmark"):
                return name
        return None

    def call(self, group, method, parameters):
        path = self.path if group == "app" else self.path + "/window/1"
        return self.bus.call_sync(self.name, path, "org.gtk.Actions", method, parameters, None,
                                  Gio.DBusCallFlags.NONE, 5000, None)

    def do(self, name, *parameters):
        group, action = name.split(".")
        self.call(group, "Activate", GLib.Variant("(sava{sv})", (action, list(parameters), {})))
        time.sleep(0.15)

    def is_enabled(self, name):
        group, action = name.split(".")
        try:
            return self.call(group, "Describe", GLib.Variant("(s)", (action,))).unpack()[0][0]
        except GLib.Error:
            return False

    def translate(self, label):
        """LABEL as the app says it."""
        for context in ("episodes", "episode"):
            if self.words.pgettext(context, label) != label:
                return self.words.pgettext(context, label)
        return self.words.gettext(label)

    def press(self, label, role=None):
        """Presses the first button that a screen reader describes so; of that ROLE, where others have the name too."""
        label = self.translate(label)

        def find(node):
            if label in (node.get_name(), node.get_description()) and role in (None, node.get_role_name()) and \
                    Atspi.StateType.SHOWING in node.get_state_set().get_states():
                action = node.get_action_iface()
                if action and action.get_n_actions() > 0:
                    return action
            for number in range(node.get_child_count()):
                child = node.get_child_at_index(number)
                found = find(child) if child else None
                if found:
                    return found
            return None

        action = wait_for(label, lambda: find(Atspi.get_desktop(0)))
        action.do_action(0)

    def write(self, text):
        """Writes into the first entry that shows."""
        def find(node):
            if Atspi.StateType.SHOWING in node.get_state_set().get_states() and node.get_editable_text_iface():
                return node.get_editable_text_iface()
            for number in range(node.get_child_count()):
                child = node.get_child_at_index(number)
                found = find(child) if child else None
                if found:
                    return found
            return None

        wait_for("an entry", lambda: find(Atspi.get_desktop(0))).set_text_contents(text)

    def activate_entry(self):
        """Enter in the first entry that shows."""
        def find(node):
            action = node.get_action_iface()
            if Atspi.StateType.SHOWING in node.get_state_set().get_states() and node.get_editable_text_iface() and action:
                return action
            for number in range(node.get_child_count()):
                child = node.get_child_at_index(number)
                found = find(child) if child else None
                if found:
                    return found
            return None

        action = wait_for("an entry", lambda: find(Atspi.get_desktop(0)))
        names = [action.get_action_name(number) for number in range(action.get_n_actions())]
        action.do_action(names.index("activate"))

    def get_player(self, name):
        return self.bus.call_sync("org.mpris.MediaPlayer2." + self.name, "/org/mpris/MediaPlayer2",
                                  "org.freedesktop.DBus.Properties", "Get",
                                  GLib.Variant("(ss)", ("org.mpris.MediaPlayer2.Player", name)), None,
                                  Gio.DBusCallFlags.NONE, 5000, None).unpack()[0]

    def close(self):
        try:
            self.do("app.quit")
            self.process.wait(10)
        except (GLib.Error, AttributeError, subprocess.TimeoutExpired):
            self.process.kill()


def combine(black, white):
    """The window with its shadow, from pictures of it on black and on white."""
    width, height = black.get_width(), black.get_height()
    on_black, on_white = black.get_pixels(), white.get_pixels()
    stride, channels = black.get_rowstride(), black.get_n_channels()

    def get_alpha(x, y):
        at = y * stride + x * channels + 1
        return max(0, min(255, 255 - (on_white[at] - on_black[at])))

    # The panel of the compositor is above this row.
    left, top, right, bottom = find_box(get_alpha, 40, width, height, 6)
    solid = find_solid(get_alpha, left, top, right, bottom)
    pixels = bytearray()
    for y in range(top, bottom):
        for x in range(left, right):
            at = y * stride + x * channels
            # What moved between the two pictures is not transparent: only the corners are, and the shadow.
            alpha = 255 if is_within(solid, x, y) else get_alpha(x, y)
            if alpha == 0:
                pixels += b"\0\0\0\0"
            else:
                pixels += bytes(min(255, on_black[at + c] * 255 // alpha) for c in range(3)) + bytes((alpha,))
    return GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(bytes(pixels)), GdkPixbuf.Colorspace.RGB, True, 8,
                                           right - left, bottom - top, (right - left) * 4)


def find_box(get_alpha, start, width, height, least):
    """The box of all that is not plain background."""
    columns = [False] * width
    rows = [False] * height
    for y in range(start, height):
        for x in range(width):
            if get_alpha(x, y) >= least:
                columns[x] = rows[y] = True
    if True not in columns:
        raise SystemExit("shot: there is no window to be seen")
    return (columns.index(True), rows.index(True), width - columns[::-1].index(True), height - rows[::-1].index(True))


def find_solid(get_alpha, left, top, right, bottom):
    """The window without its shadow."""
    x, y = (left + right) // 2, (top + bottom) // 2
    row = [at for at in range(left, right) if get_alpha(at, y) > 250]
    column = [at for at in range(top, bottom) if get_alpha(x, at) > 250]
    return row[0], column[0], row[-1], column[-1]


def is_within(solid, x, y, corner=16):
    left, top, right, bottom = solid
    if not (left <= x <= right and top <= y <= bottom):
        return False
    return not ((x < left + corner or x > right - corner) and (y < top + corner or y > bottom - corner))


def select(app, number):
    app.do("win.select-episode", GLib.Variant("u", number))
    return app.is_enabled("win.play-selected")


def use(app):
    """What a listener has done before: listened to some, begun another."""
    wait_for("the window", lambda: app.is_enabled("win.add-podcast"))
    wait_for("episodes", lambda: select(app, 6))
    time.sleep(1)
    for number in (6, 5):
        app.do("win.select-episode", GLib.Variant("u", number))
        app.do("win.toggle-listened")
    app.do("win.select-episode", GLib.Variant("u", 3))
    play_to(app, 0.6)
    app.do("app.play-pause")
    time.sleep(0.5)
    app.do("win.select-episode", GLib.Variant("u", 0))


def play_to(app, fraction):
    """Plays the episode that is shown, from so far into it."""
    app.do("win.play-selected")
    wait_for("sound", lambda: app.get_player("PlaybackStatus") == "Playing")
    length = wait_for("a length", lambda: app.get_player("Metadata").get("mpris:length"))
    app.do("app.seek", GLib.Variant("x", int(length * fraction)))
    wait_for("the jump", lambda: app.get_player("Position") >= int(length * fraction))


def page_list(app):
    use(app)


def page_episode(app):
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 3))


def page_player(app):
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 0))
    play_to(app, 0.25)


def page_narrow(app):
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 0))
    play_to(app, 0.25)
    app.do("app.play-pause")


def page_sheet(app):
    page_narrow(app)
    app.do("win.open-player")


def page_narrow_list(app):
    use(app)
    app.do("win.select-podcast", GLib.Variant("s", app.feed))


def page_start(app):
    wait_for("the window", lambda: app.is_enabled("win.add-podcast"))
    time.sleep(3)


def page_shortcuts(app):
    use(app)
    app.do("app.shortcuts")


def page_add(app):
    use(app)
    app.do("win.add-podcast")


def page_discover(app):
    use(app)
    app.do("win.add-podcast")
    app.write("compiler")
    time.sleep(2)


def page_discover_error(app):
    use(app)
    app.do("win.add-podcast")
    app.write("https://example.invalid/feed.xml")
    time.sleep(2)


def page_preview(app):
    page_discover(app)
    app.write("lighthouse")
    time.sleep(2)
    # Enter, as the row itself has no button for it.
    app.activate_entry()
    time.sleep(1)


def page_import(app):
    use(app)
    path = os.path.join(app.folder, "list.opml")
    base = app.feed.rsplit("/", 2)[0]
    addresses = [f"{base}/generated/{name}-4.xml" for name in MANY[:3]] + [f"{base}/~status={code}/generated/Gone-1.xml" for code in (404, 500)]
    with open(path, "w", encoding="utf-8") as file:
        file.write('<opml version="2.0"><body>' + "".join(f'<outline type="rss" xmlUrl="{each}"/>' for each in addresses) + "</body></opml>")
    app.do("app.import-file", GLib.Variant("s", "file://" + path))
    time.sleep(3)


def page_import_failed(app):
    page_import(app)
    app.press("Details")


def page_sign_in(app):
    use(app)
    base = app.feed.rsplit("/", 2)[0]
    app.do("win.select-podcast", GLib.Variant("s", base + "/~status=401/demo/feed.xml"))
    wait_for("the question", lambda: app.is_enabled("win.sign-in"))
    app.do("win.sign-in")


def write_backups(folder):
    """Some that are there: they are made once a day."""
    os.makedirs(folder, exist_ok=True)
    made = [("2026-11-20T19:42:10Z", "daily", 212), ("2026-11-19T08:15:33Z", "by hand", 208),
            ("2026-11-18T21:03:51Z", "before restoring", 207), ("2026-11-15T17:30:02Z", "daily", 195)]
    for when, reason, episodes in made:
        about = json.dumps({"version": 1, "kind": "backup", "made": when, "reason": reason, "podcasts": 14, "episodes": episodes})
        with tarfile.open(os.path.join(folder, f"earmark-{when[:10]}.tar.gz"), "w:gz", format=tarfile.USTAR_FORMAT) as archive:
            member = tarfile.TarInfo("backup.json")
            member.size = len(about)
            archive.addfile(member, io.BytesIO(about.encode()))


def page_backups(app):
    use(app)
    write_backups(os.path.join(app.folder, "data", "earmark", "backups"))
    app.do("app.backups")


def page_details(app):
    use(app)
    app.do("win.podcast-details")


def page_preferences(app):
    use(app)
    app.do("app.preferences")


def page_podcast_settings(app):
    use(app)
    app.do("win.podcast-settings")


def page_about(app):
    use(app)
    app.do("app.about")


def page_search(app):
    use(app)
    app.do("win.search")


def page_search_words(app):
    use(app)
    app.do("win.search-for", GLib.Variant("s", "loop"))


def page_new(app):
    use(app)
    app.do("win.show-new")
    app.do("win.select-episode", GLib.Variant("u", 0))


def page_narrow_new(app):
    use(app)
    app.do("win.show-new")


def page_history(app):
    use(app)
    like(app)
    app.do("win.show-history")


def like(app):
    for number in (1, 4):
        app.do("win.select-episode", GLib.Variant("u", number))
        app.do("win.toggle-liked")


def page_filters(app):
    use(app)
    like(app)
    app.press("Liked", "radio button")


def page_empty_view(app):
    use(app)
    app.do("win.show-liked")


def page_progress(app):
    wait_for("the window", lambda: app.is_enabled("win.add-podcast"))
    wait_for("episodes", lambda: select(app, 6))
    app.do("app.refresh-all")
    time.sleep(1.5)


def page_speed(app):
    use(app)
    app.press("Speed")


def page_empty(app):
    page_start(app)
    app.do("win.unfollow")
    app.do("win.unfollow")


# Here something moves all the time.
MOVING = (page_player, page_progress)
MANY = ("Astronomy", "Bees", "Cartography", "Deep Sea", "Estuaries", "Ferns", "Glaciers", "Harbours", "Islands", "Jazz", "Kites")

# Each page also as PAGE-LOOK-LOOK...: what the last parts of its name change.
SIZES = {"narrow": NARROW, "short": SHORT, "middle": MIDDLE, "wide": WIDE, "store": STORE, "4k": HUGE}
LANGUAGES = {"rtl": "he"} | {language: language for language in LOCALES}
LOOKS = ("dark", "contrast", "large", "largest", "accent")

# name: (what to do, size, dark, language)
PAGES = {
    "list": (page_list, WIDE, False, None),
    "episode": (page_episode, WIDE, False, None),
    "player": (page_player, WIDE, False, None),
    "dark": (page_player, WIDE, True, None),
    "rtl": (page_player, WIDE, False, "he"),
    "medium": (page_player, MIDDLE, False, None),
    "narrow": (page_narrow, NARROW, False, None),
    "narrow-list": (page_narrow_list, NARROW, False, None),
    "speed": (page_speed, WIDE, False, None),
    "empty": (page_empty, WIDE, False, None),
    "start": (page_start, WIDE, False, None),
    "add": (page_add, WIDE, False, None),
    "discover": (page_discover, WIDE, False, None),
    "discover-dark": (page_discover, WIDE, True, None),
    "discover-narrow": (page_discover, NARROW, False, None),
    "discover-rtl": (page_discover, WIDE, False, "he"),
    "discover-error": (page_discover_error, WIDE, False, None),
    "preview": (page_preview, WIDE, False, None),
    "import": (page_import, WIDE, False, None),
    "import-failed": (page_import_failed, WIDE, False, None),
    "sign-in": (page_sign_in, WIDE, False, None),
    "backups": (page_backups, WIDE, False, None),
    "details": (page_details, WIDE, False, None),
    "preferences": (page_preferences, WIDE, False, None),
    "podcast-settings": (page_podcast_settings, WIDE, False, None),
    "shortcuts": (page_shortcuts, WIDE, False, None),
    "about": (page_about, WIDE, False, None),
    "search": (page_search, WIDE, False, None),
    "sheet": (page_sheet, NARROW, False, None),
    "search-words": (page_search_words, WIDE, False, None),
    "search-narrow": (page_search_words, NARROW, False, None),
    "new": (page_new, WIDE, False, None),
    "new-dark": (page_new, WIDE, True, None),
    "new-rtl": (page_new, WIDE, False, "he"),
    "new-narrow": (page_new, NARROW, False, None),
    "narrow-new": (page_narrow_new, NARROW, False, None),
    "history": (page_history, WIDE, False, None),
    "filters": (page_filters, WIDE, False, None),
    "empty-view": (page_empty_view, WIDE, False, None),
    "progress": (page_progress, WIDE, False, None),
}


def start_server(folder, prepare):
    feed = os.environ.get("EARMARK_SHOT_FEED")
    if feed:
        return None, feed.split()
    port_file = os.path.join(folder, "address")
    server = subprocess.Popen(["earmark-test-server", "--demo", "--port-file", port_file], stdout=subprocess.DEVNULL)
    wait_for("the demo server", lambda: os.path.exists(port_file))
    with open(port_file, encoding="utf-8") as file:
        address = file.read().strip().rstrip("/")
    feeds = [address + "/demo/feed.xml", address + "/demo/daily.xml"]
    if prepare is page_sign_in:
        feeds.append(address + "/~status=401/demo/feed.xml")
    if prepare is page_progress:
        feeds += [f"{address}/~delay={500 * number}/generated/{name.replace(" ", "%20")}-8.xml" for number, name in enumerate(MANY)]
    return server, feeds


def find_page(name):
    """The page of that name, or the page and the looks that the parts of the name tell: (what to do, size, looks, language)."""
    if name in PAGES:
        prepare, size, dark, language = PAGES[name]
        return prepare, size, {"dark"} if dark else set(), language
    rest, _, last = name.rpartition("-")
    if not rest or last not in (*SIZES, *LANGUAGES, *LOOKS):
        raise SystemExit(f"usage: shot.py PAGE[-LOOK...] OUT.png\n  pages: {' '.join(PAGES)}\n"
                         f"  looks: {' '.join((*SIZES, *LANGUAGES, *LOOKS))}")
    prepare, size, looks, language = find_page(rest)
    return prepare, SIZES.get(last, size), looks | ({last} & set(LOOKS)), LANGUAGES.get(last, language)


def main():
    if len(sys.argv) != 3:
        find_page("")
    prepare, size, looks, language = find_page(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="earmark-shot.") as folder:
        os.makedirs(os.path.join(folder, "pictures"))
        server, feed = start_server(folder, prepare)
        screen = Screen(os.path.join(folder, "pictures"))
        app = Application(feed, folder, size, language, looks)
        app.feed = feed[0]
        app.folder = folder
        try:
            prepare(app)
            screen.wait_until_still() if prepare not in MOVING else time.sleep(2)
            if size == HUGE:
                screen.take().savev(sys.argv[2], "png", [], [])
                return
            screen.paint("black")
            time.sleep(0.4)
            black = screen.take()
            screen.paint("white")
            time.sleep(0.4)
            combine(black, screen.take()).savev(sys.argv[2], "png", [], [])
        finally:
            app.close()
            screen.close()
            if server:
                server.terminate()
                server.wait()


main()
