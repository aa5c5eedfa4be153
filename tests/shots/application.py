# SPDX-License-Identifier: GPL-3.0-or-later
"""The app in a temporary profile, driven by its exported actions and through the accessibility bus."""

import gettext
import os
import shutil
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from screen import wait_for  # noqa: E402

# Fills the screen, without a shadow; `./dev shot` makes its screen this large.
HUGE = (3840, 2160)
# Below this width the window has one pane only (its breakpoint).
NARROW_LIMIT = 760
# From this width on the sidebar is beside the other panes.
SIDEBAR_LIMIT = 1000
LOCALES = {"he": "he_IL.UTF-8", "es": "es_ES.UTF-8", "de": "de_DE.UTF-8", "fr": "fr_FR.UTF-8", "en": "en_US.UTF-8"}


def text_scale(looks):
    return {"large": 1.5, "largest": 2.0}.get(next((look for look in looks if look.startswith("large")), None), 1.0)


class Application:
    """The app under test. FEEDS are followed from the start, the first one is shown."""

    def __init__(self, feeds, folder, size, language, looks):
        self.folder = folder
        self.is_narrow = size[0] < NARROW_LIMIT * text_scale(looks)
        self.has_sidebar = size[0] >= SIDEBAR_LIMIT * text_scale(looks)
        self.feed = feeds[0] if feeds else ""
        self.program = os.environ.get("EARMARK_PROGRAM", "earmark")
        self.environment = dict(os.environ)
        for name in ("data", "config", "cache", "state"):
            self.environment[f"XDG_{name.upper()}_HOME"] = os.path.join(folder, name)
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        self.write_welcome(feeds)
        self.write_settings(size, looks)
        self.environment["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark" if "dark" in looks else "prefer-light"
        self.environment["ADW_DEBUG_HIGH_CONTRAST"] = "1" if "contrast" in looks else "0"
        if "accent" in looks:
            self.environment["ADW_DEBUG_ACCENT_COLOR"] = "orange"
        if language:
            self.environment["LANGUAGE"] = language
            self.environment["LC_ALL"] = LOCALES[language]
        locale_dir = os.path.join(os.path.dirname(shutil.which(self.program)), "..", "share", "locale")
        self.words = gettext.translation("earmark", locale_dir, [language or "en"], fallback=True)
        self.words.add_fallback(gettext.translation("libadwaita", "/usr/share/locale", [language or "en"], fallback=True))
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.process = self.name = self.path = None

    def write_welcome(self, feeds):
        welcome = os.path.join(self.folder, "welcome.opml")
        with open(welcome, "w", encoding="utf-8") as file:
            file.write('<?xml version="1.0"?><opml version="2.0"><head><title>Demo</title></head><body>')
            for address in feeds:
                file.write(f'<outline type="rss" text="Demo" xmlUrl="{address}"/>')
            file.write("</body></opml>")
        self.environment["EARMARK_WELCOME"] = welcome

    def write_settings(self, size, looks):
        settings = os.path.join(self.folder, "config", "glib-2.0", "settings")
        os.makedirs(settings)
        self.settings = os.path.join(settings, "keyfile")
        with open(self.settings, "w", encoding="utf-8") as file:
            file.write("[io/github/earmark_app/Earmark]\n"
                       f"window-width={size[0]}\nwindow-height={size[1]}\n"
                       f"selected-collection='{self.feed}'\n"
                       f"window-maximized={'true' if size == HUGE else 'false'}\n"
                       f"[org/gnome/desktop/interface]\nfont-name='Cantarell 11'\ntext-scaling-factor={text_scale(looks)}\n"
                       "cursor-blink=false\n")
        self.environment["GSETTINGS_BACKEND"] = "keyfile"
        # Published pictures do not show the stripes of development builds.
        os.makedirs(os.path.join(self.folder, "config", "gtk-4.0"))
        with open(os.path.join(self.folder, "config", "gtk-4.0", "gtk.css"), "w", encoding="utf-8") as file:
            file.write(".devel headerbar, .devel .top-bar, .devel toolbarview > * { background-image: none; }\n")

    def ask_directories_at(self, server):
        """Uses SERVER in place of the real directories."""
        self.environment["EARMARK_ITUNES"] = server + "/itunes"
        self.environment["EARMARK_FYYD"] = server + "/fyyd"

    def start(self):
        self.process = subprocess.Popen([self.program], env=self.environment)
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

    # Actions, through D-Bus

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

    def open(self, address):
        """Opens ADDRESS as the desktop does for a link that was clicked elsewhere."""
        self.bus.call_sync(self.name, self.path, "org.freedesktop.Application", "Open",
                           GLib.Variant("(asa{sv})", ([address], {})), None, Gio.DBusCallFlags.NONE, 5000, None)

    def get_player(self, name):
        return self.bus.call_sync("org.mpris.MediaPlayer2." + self.name, "/org/mpris/MediaPlayer2",
                                  "org.freedesktop.DBus.Properties", "Get",
                                  GLib.Variant("(ss)", ("org.mpris.MediaPlayer2.Player", name)), None,
                                  Gio.DBusCallFlags.NONE, 5000, None).unpack()[0]

    # Widgets, through the accessibility bus

    def translate(self, label):
        """LABEL in the app's language."""
        for said in (*(self.words.pgettext(context, label) for context in ("episodes", "episode", "button", "podcast category")),
                     self.words.gettext("_" + label).replace("_", "")):
            if said != label:
                return said
        return self.words.gettext(label)

    def find(self, fits, node=None):
        """The first true result of FITS for a visible node."""
        node = node or Atspi.get_desktop(0)
        if Atspi.StateType.SHOWING in node.get_state_set().get_states():
            found = fits(node)
            if found:
                return found
        for number in range(node.get_child_count()):
            child = node.get_child_at_index(number)
            found = self.find(fits, child) if child else None
            if found:
                return found
        return None

    def press(self, label, role=None, begins=False):
        """Presses the first button with this name or description, or with a name that BEGINS so. ROLE distinguishes
        widgets with the same name."""
        labels = (label, self.translate(label))

        def fits(node):
            name = node.get_name() or ""
            named = name in labels or node.get_description() in labels or begins and name.startswith(labels)
            if role in (None, node.get_role_name()) and named:
                action = node.get_action_iface()
                return action if action and action.get_n_actions() > 0 else None
            return None
        wait_for(label, lambda: self.find(fits)).do_action(0)

    def act(self, label, name):
        """Activates the action NAME of the visible widget LABEL."""
        labels = (label, self.translate(label))

        def fits(node):
            action = node.get_action_iface() if node.get_name() in labels else None
            numbers = range(action.get_n_actions()) if action else ()
            return next(((action, number) for number in numbers if action.get_action_name(number) == name), None)
        action, number = wait_for(name, lambda: self.find(fits))
        action.do_action(number)

    def find_place(self, label):
        """The center of the first visible widget LABEL, relative to the window."""
        window = Atspi.CoordType.WINDOW
        label = self.translate(label)
        node = wait_for(label, lambda: self.find(lambda node: node if node.get_name() == label else None))
        frame = node
        while frame.get_role_name() != "frame":
            frame = frame.get_parent()
        # GTK subtracts the window's shadow twice.
        shadow, extents = frame.get_extents(window), node.get_extents(window)
        return (extents.x + extents.width // 2 - 2 * shadow.x, extents.y + extents.height // 2 - 2 * shadow.y)

    def wait_for_text(self, label):
        """Waits until a widget is visible with a name that begins with LABEL."""
        label = self.translate(label)
        wait_for(label, lambda: self.find(lambda node: (node.get_name() or "").startswith(label)))

    def write(self, text):
        """Sets the text of the first visible entry, and moves the cursor to its end."""
        entry = wait_for("an entry", lambda: self.find(lambda node: node if node.get_editable_text_iface() else None))
        entry.get_editable_text_iface().set_text_contents(text)
        entry.get_text_iface().set_caret_offset(len(text))

    def close(self):
        try:
            self.do("app.quit")
            self.process.wait(10)
        except (GLib.Error, AttributeError, TypeError, subprocess.TimeoutExpired):
            if self.process:
                self.process.kill()
