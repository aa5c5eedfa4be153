# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the real app in a throw-away profile against the project's own server, and speaks TAP.

A test program defines functions marked with @case and ends with harness.main(). Each case starts
what it needs (Server, Profile, App, Listener), all of which end with the case. Nothing is awaited
by sleeping: see wait_until(). Nothing fails because it took long, only because it never happened.
"""

import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

import accessible  # noqa: E402

# Seconds after which wait_until() gives up. A program that was read from a disk for the first time, beside others,
# was seen to take 17 s.
DEADLINE = 60 if os.environ.get("EARMARK_SANITIZE", "none") == "none" else 120
POLL = 0.02
# Seconds without a change after which a position counts as settled: some frames of a busy machine
STILL = 0.3
# Delays that find tests which do not wait (tests/README.md): up to so many milliseconds in each step of the app (slow.c),
# and up to so many seconds in this program after each wait.
SLOW_APP = os.environ.get("EARMARK_SLOW", "0")
LATE = int(os.environ.get("EARMARK_LATE", "0")) / 1000
# Waits of more seconds are printed, to show why a test is slow.
SLOW = 5
COMPLAINTS = re.compile(r"WARNING \*\*|CRITICAL \*\*|ERROR \*\*|Gtk-Message|runtime error:|Sanitizer|Assertion|core dumped")

# The roles that entries of menus may have
MENU_ITEMS = ("menu item", "radio menu item", "check menu item")
# How the rows of the views in the sidebar are named.
VIEW = re.compile(r"^(Up Next|New|In Progress|Downloads|Saved|History)(, \d+ (new )?episodes?)?$")

cases = []


class Skip(Exception):
    """Raised where something that the case needs is missing; the text names it."""


def case(function):
    """Marks a test case; its docstring is its name."""
    cases.append(function)
    return function


def say(text):
    for line in str(text).splitlines():
        print(f"# {line}", flush=True)


def complain(text):
    """Prints TEXT on standard error as well, the only output of a TAP program that meson shows."""
    say(text)
    print(text, file=sys.stderr, flush=True)


# D-Bus errors of a node that has gone since it was found
GONE = (Gio.DBusError.UNKNOWN_OBJECT, Gio.DBusError.UNKNOWN_INTERFACE, Gio.DBusError.UNKNOWN_METHOD)


def wait_until(what, condition, seconds=None):
    """Returns what CONDITION() returns, as soon as that is true. A node that goes meanwhile is searched for anew."""
    start = time.monotonic()
    while True:
        gone = None
        try:
            result = condition()
        except accessible.Gone as error:
            result, gone = None, error
        except GLib.Error as error:
            if not any(error.matches(Gio.DBusError.quark(), code) for code in GONE):
                raise
            result, gone = None, error
        took = time.monotonic() - start
        if result:
            if took > SLOW:
                say(f"after {took:.0f} s: {what}")
            time.sleep(random.uniform(0, LATE))
            return result
        if took > (seconds or DEADLINE):
            raise AssertionError(f"never happened: {what}") from gone
        # Reading the tree keeps the app busy: longer waits look less often.
        time.sleep(min(max(POLL, took / 10), 0.2))


def wait_until_right(what, find_faults):
    """Waits until FIND_FAULTS() finds nothing: what is just being filled may be wrong for a moment."""
    try:
        wait_until(what, lambda: not find_faults(), DEADLINE / 3)
    except AssertionError as error:
        raise AssertionError(f"{error}: {find_faults()}") from None


def settled(what, read):
    """Returns what READ() returns, other than None, once it no longer changes: nothing else reports the end of a movement."""
    seen, since = [], 0

    def is_settled():
        nonlocal since
        now = read()
        if now is None or seen[-1:] != [now]:
            seen.clear()
            since = time.monotonic()
        if now is not None:
            seen.append(now)
        return len(seen) >= 5 and time.monotonic() - since >= STILL
    wait_until(what, is_settled)
    return seen[-1]


def stays(what, condition, seconds):
    """Asserts that CONDITION() holds for so long, for events that must not happen.

    One miss is no failure: the tree is read level by level, and lacks a node that is replaced meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert condition() or condition(), f"did not stay: {what}"
        time.sleep(POLL)


def is_called(node, name):
    """By its whole name or a pattern in it; None fits any."""
    return name is None or (name.search(node.name) is not None if isinstance(name, re.Pattern) else node.name == name)


def pattern(text):
    """A regular expression for names that contain TEXT."""
    return re.compile(text)


def log_folder():
    folder = pathlib.Path(os.environ["EARMARK_LOGS"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# --- Processes ------------------------------------------------------------------------------------


def end_process(process, seconds=10):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Server:
    """earmark-test-server; it serves the files in the folder ROOT."""

    def __init__(self, demo=False, seed=None):
        if demo and not os.environ.get("EARMARK_DEMO"):
            raise Skip("the demo podcast is not built")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="earmark-server."))
        self.root = self.folder / "root"
        self.root.mkdir()
        self.log = self.folder / "log"
        self.demo = demo
        self.seed = seed
        self.process = None
        self.address = None
        self.port = 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        """Starts the server, a second time with the same address."""
        port_file = self.folder / "address"
        port_file.unlink(missing_ok=True)
        command = [os.environ["EARMARK_TEST_SERVER"], "--root", self.root, "--log", self.log,
                   "--port-file", port_file, "--port", str(self.port)]
        if self.demo:
            command.append("--demo")
        if self.seed:
            command += ["--seed", self.seed, "--audio", clip("minute.cbr.mp3")]
        with open(self.folder / "output", "ab") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_until("the test server starts",
                   lambda: port_file.exists() or self.process.poll() is not None)
        assert port_file.exists(), (self.folder / "output").read_text()
        self.address = port_file.read_text().strip().rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])

    def stop(self):
        end_process(self.process)

    def hold(self, wanted):
        """Holds answers to addresses with `~hold/` back, as at first, or sends them."""
        self.process.send_signal(signal.SIGUSR2 if wanted else signal.SIGUSR1)

    def url(self, path):
        return f"{self.address}/{path.lstrip('/')}"

    def requests(self):
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text().splitlines() if line]


def clip(name):
    """The path of a clip made by the build, whose sound tells its own time."""
    return pathlib.Path(os.environ["EAR_CLIPS"]) / name


class Listener:
    """Records the output of the sound server, and reads the time from it."""

    STEP = 0.05  # seconds from one reading to the next

    def __init__(self):
        self.readings = []  # (when, time or None for silence and noise, pitch, level)

    def __enter__(self):
        # The sound server would move the recorder to the monitor of another output that becomes the default.
        subprocess.run(["pactl", "set-default-source", "test.monitor"], check=True)
        self.recorder = subprocess.Popen(
            ["parec", "--latency-msec=20", "-d", "test.monitor", "--format=s16le", "--rate=48000", "--channels=1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.decoder = subprocess.Popen([os.environ["EARMARK_TIME_TONE"], "read", "48000"],
                                        stdin=self.recorder.stdout, stdout=subprocess.PIPE, text=True)
        self.recorder.stdout.close()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()
        wait_until("the sound server's monitor is heard", lambda: self.readings)
        return self

    def __exit__(self, kind, error, where):
        if kind is not None and not issubclass(kind, Skip):
            now = time.monotonic()
            complain("what was heard: " + ", ".join(f"{'-' if heard is None else f'{heard:.1f}'} {now - when:.1f} s ago"
                                                    for when, heard, _, _ in self.readings[-60::5]))
        end_process(self.recorder)
        end_process(self.decoder)
        self.thread.join(5)
        self.decoder.stdout.close()

    def read(self):
        for line in self.decoder.stdout:
            heard, pitch, level = line.split()
            self.readings.append((time.monotonic(), None if heard == "-" else float(heard),
                                  None if pitch == "-" else float(pitch), float(level)))

    def now(self):
        """The position that is heard now, in seconds; None in silence."""
        when, heard, _, _ = self.readings[-1]
        return heard if time.monotonic() - when < 1 else None

    def is_silent(self):
        return self.readings[-1][3] < 0.01

    @staticmethod
    def agree(readings):
        """Whether three readings belong together. Where the sound begins, jumps or breaks off they are mixtures, with
        another pitch or with positions that do not follow each other."""
        return all(place is not None and abs(pitch - 1) < 0.05 for _, place, pitch, _ in readings) and \
            readings[0][1] <= readings[1][1] <= readings[2][1] < readings[0][1] + 1

    def agreed(self, readings, low=0, high=10000):
        """The last position between LOW and HIGH that three successive readings agree upon, or None."""
        triples = reversed(list(zip(readings, readings[1:], readings[2:])))
        return next((triple[2][1] for triple in triples
                     if self.agree(triple) and low <= triple[0][1] and triple[2][1] <= high), None)

    def wait_for_sound(self, low=0, high=10000, since=None):
        """Waits until a position between LOW and HIGH is heard, and returns it. Readings from index SINCE on count, by
        default those from now on, also where this program is kept waiting."""
        since = max(0, len(self.readings) - 3) if since is None else since

        def heard():
            place = self.agreed(self.readings[since:], low, high)
            return (place,) if place is not None else None
        return wait_until(f"{low} to {high} s are heard", heard)[0]

    def wait_for_silence(self):
        """Waits for half a second of silence: a busy machine may drop out for less."""
        wait_until("silence", lambda: all(reading[3] < 0.01 for reading in self.readings[-10:]))

    def last_heard(self):
        """The last position that was heard, also when it is silent now."""
        place = self.agreed(list(self.readings))
        assert place is not None, "nothing was heard"
        return place


class Profile:
    """Folders of a listener who has never used Earmark. WELCOME names the podcasts followed at first: an address, or several."""

    def __init__(self, welcome=None, settings=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="earmark-profile."))
        for name in ("data", "config", "cache", "state"):
            (self.folder / name).mkdir()
        self.welcome = self.folder / "welcome.opml"
        addresses = [welcome] if isinstance(welcome, str) else welcome or []
        outline = "".join(f'<outline type="rss" text="Welcome" xmlUrl="{address}"/>' for address in addresses)
        self.welcome.write_text(f'<?xml version="1.0"?><opml version="2.0"><head/><body>{outline}</body></opml>')
        self.write_settings(**(settings or {}))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def state(self):
        return self.folder / "data" / "earmark" / "state"

    def read_states(self):
        """The contents of the state files, which the app may be writing."""
        found = []
        for file in self.state.glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                found.append(json.loads(file.read_text()))
        return found

    def write_settings(self, **settings):
        folder = self.folder / "config" / "glib-2.0" / "settings"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{name.replace('_', '-')}={value}" for name, value in settings.items()]
        (folder / "keyfile").write_text("\n".join(["[io/github/earmark_app/Earmark]", *lines, ""]))

    def read_settings(self):
        """The settings by their names, as the file of GLib's key file backend has them."""
        file = self.folder / "config" / "glib-2.0" / "settings" / "keyfile"
        return dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)

    def environment(self):
        folders = {f"XDG_{name.upper()}_HOME": str(self.folder / name) for name in ("data", "config", "cache", "state")}
        return folders | {"EARMARK_WELCOME": str(self.welcome)}

    def run(self, *arguments, check=True):
        """Runs a command of the program, whether it is running or not."""
        return subprocess.run([os.environ["EARMARK_PROGRAM"], *arguments], env=os.environ | self.environment(), capture_output=True, text=True,
                              timeout=DEADLINE, check=check)


# --- The app --------------------------------------------------------------------------------------

APP_ID = os.environ.get("EARMARK_APP_ID", "")
APP_PATH = "/" + APP_ID.replace(".", "/")
MPRIS_PATH = "/org/mpris/MediaPlayer2"
MPRIS_PLAYER = "org.mpris.MediaPlayer2.Player"


def slowness():
    return {"LD_PRELOAD": os.environ["EARMARK_SLOW_LIBRARY"]} if SLOW_APP != "0" else {}


class App:
    """The program that was built, running in PROFILE."""

    def __init__(self, profile, environment=None):
        self.profile = profile
        self.environment = environment or {}
        self.arguments = []
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.process = None
        self.tree = None
        self.announcements = None
        self.errors = None
        self.window_id = None
        self.has_media_keys = False

    # Starting and ending

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.keep_evidence()
            self.clean_up()
            raise
        return self

    def __exit__(self, kind, error, where):
        try:
            if kind is not None and not issubclass(kind, Skip):
                self.keep_evidence()
            elif self.process.poll() is None:
                self.quit()
            else:
                self.check_errors()
        finally:
            self.clean_up()

    def start(self, wait=True):
        self.errors = tempfile.NamedTemporaryFile(prefix="earmark-stderr.", suffix=".txt", delete=False)
        environment = os.environ | self.profile.environment() | slowness() | self.environment
        self.process = subprocess.Popen([os.environ["EARMARK_PROGRAM"], *self.arguments], stdin=subprocess.DEVNULL, stdout=self.errors,
                                        stderr=self.errors, env=environment)
        self.tree = accessible.Tree(self.process.pid)
        self.announcements = None
        self.window_id = None
        self.has_media_keys = False
        if wait:
            self.wait_for_window()

    def wait_for_window(self):
        def there():
            assert self.process.poll() is None, f"the app ended: {self.read_errors()}"
            return self.tree.find_program()
        wait_until("the app is on the accessibility bus", there)
        if self.announcements is None:
            self.announcements = accessible.Announcements(self.tree)
        wait_until("the app has a window", lambda: self.windows())

    def clean_up(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.tree is not None:
            self.tree.close()
        if self.errors is not None:
            self.errors.close()
            os.unlink(self.errors.name)
        self.tree = self.errors = None

    def restart(self):
        self.clean_up()
        self.start()

    def start_again(self):
        """Quits, and starts with what is stored by then."""
        self.quit()
        # Else the new one would give way to the one that has ended.
        wait_until("the bus has noticed", lambda: not self.has_name(APP_ID))
        self.restart()

    def wait_for_end(self, status=0):
        """Waits until the process has ended with this exit status."""
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            raise AssertionError("the app does not end") from None
        self.check_errors()
        assert self.process.returncode == status, f"exit status {self.process.returncode}: {self.read_errors()}"

    def quit(self):
        try:
            self.action("quit")
        except GLib.Error as error:
            # The process may end before it answers; one that was started for a single task ends by itself.
            if not any(error.matches(Gio.DBusError.quark(), code)
                       for code in (Gio.DBusError.NO_REPLY, Gio.DBusError.SERVICE_UNKNOWN, Gio.DBusError.NAME_HAS_NO_OWNER)):
                raise
        self.wait_for_end()

    def kill(self):
        """Ends the app as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def read_errors(self):
        return pathlib.Path(self.errors.name).read_text(errors="replace")

    def check_errors(self):
        text = self.read_errors()
        assert not COMPLAINTS.search(text), f"the app complained:\n{text}"

    def keep_evidence(self):
        """Keeps the screen, the tree and the output for whoever looks into a failure."""
        stem = log_folder() / f"{pathlib.Path(sys.argv[0]).stem}-{running}"
        with contextlib.suppress(Exception):
            subprocess.run(["import", "-window", "root", f"{stem}.png"], check=True, timeout=20)
            complain(f"the screen: {stem}.png")
        if self.process is None:
            return
        if self.process.poll() is not None:
            complain(f"the app has ended with status {self.process.returncode}")
        else:
            with contextlib.suppress(Exception):
                pathlib.Path(f"{stem}.tree.txt").write_text("\n".join(accessible.to_text(self.tree.read())))
                complain(f"the tree: {stem}.tree.txt")
        if self.read_errors():
            complain("what the app said:")
            complain(self.read_errors()[-4000:])

    # Actions by D-Bus

    def call(self, path, interface, method, arguments=None, name=APP_ID):
        return self.bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START,
                                  DEADLINE * 1000, None).unpack()

    def activate(self, path, name, parameter):
        parameters = [parameter] if parameter is not None else []
        self.call(path, "org.gtk.Actions", "Activate", GLib.Variant("(sava{sv})", (name, parameters, {})))

    def action(self, name, parameter=None):
        self.activate(APP_PATH, name, parameter)

    def window_path(self):
        xml = self.call(f"{APP_PATH}/window", "org.freedesktop.DBus.Introspectable", "Introspect")[0]
        return f"{APP_PATH}/window/{re.findall(r'<node name=.(\d+).', xml)[-1]}"

    def window_action(self, name, parameter=None):
        self.activate(self.window_path(), name, parameter)

    def is_enabled(self, path, name):
        return self.call(path, "org.gtk.Actions", "Describe", GLib.Variant("(s)", (name,)))[0][0]

    # MPRIS

    def has_name(self, name):
        return self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                                  GLib.Variant("(s)", (name,)), None, Gio.DBusCallFlags.NONE, DEADLINE * 1000, None)[0]

    def mpris(self, method, arguments=None, interface=MPRIS_PLAYER):
        """Calls a method of the player; the window may be there before the name is."""
        name = f"org.mpris.MediaPlayer2.{APP_ID}"
        if not self.has_media_keys:
            wait_until("the player is on the bus", lambda: self.has_name(name))
            self.has_media_keys = True
        return self.call(MPRIS_PATH, interface, method, arguments, name)

    def mpris_get(self, name, interface=MPRIS_PLAYER):
        return self.mpris("Get", GLib.Variant("(ss)", (interface, name)), "org.freedesktop.DBus.Properties")[0]

    def position(self):
        """The position that MPRIS reports, in seconds."""
        return self.mpris_get("Position") / 1e6

    def start_episode(self):
        """Seeks, and listens on from there: an episode counts as started after a seek, or after half a minute."""
        wait_until("there are positions to choose", lambda: self.mpris_get("CanSeek"))
        goal = self.position() + 5
        self.mpris("Seek", GLib.Variant("(x)", (5_000_000,)))
        wait_until("it is heard", lambda: self.position() > goal + 1)

    def play(self):
        """Plays the episode that is shown, by its key."""
        self.key("ctrl+Return")
        self.wait_for_status("Playing")

    def pause(self):
        self.action("play-pause")
        self.wait_for_status("Paused")

    def seek(self, seconds):
        """Moves an episode that is paused."""
        self.action("seek", GLib.Variant("x", int(seconds * 1_000_000)))
        wait_until(f"it is at {seconds} s", lambda: abs(self.position() - seconds) < 0.5)

    def pause_at(self, seconds):
        """Plays the episode that is shown, and pauses it there."""
        self.play()
        self.pause()
        self.seek(seconds)

    def press_play(self, where):
        self.press("button", "Play", where)
        self.wait_for_status("Playing")

    def status(self):
        return self.mpris_get("PlaybackStatus")

    def wait_for_status(self, status):
        wait_until(f"MPRIS says {status}", lambda: self.status() == status)

    # Nodes by accessibility

    def read(self, skip=None):
        return self.tree.read(skip=skip)

    def windows(self):
        try:
            return [node for node in self.tree.read(skip=lambda node: node.role != "application").children
                    if node.role in ("frame", "window", "dialog") and node.showing]
        except (accessible.Gone, GLib.Error):
            return []

    def find_all(self, role, name=None, where=None, showing=True):
        """Nodes of a role (or of several), by their whole name or by a pattern in it, for which WHERE(node) is true."""
        roles = (role,) if isinstance(role, str) else role

        def fits(node):
            return node.role in roles and (node.showing or not showing) and (where is None or where(node)) and is_called(node, name)
        try:
            return [node for node in self.read().walk() if fits(node)]
        except accessible.Gone:
            return []

    def find(self, role, name=None, where=None, showing=True):
        nodes = self.find_all(role, name, where, showing)
        return nodes[0] if nodes else None

    def wait_for(self, role, name=None, where=None, showing=True):
        return wait_until(f'there is a {role} "{getattr(name, "pattern", name)}"',
                          lambda: self.find(role, name, where, showing))

    def wait_for_toast(self, text, where=None):
        """Waits for a toast. Its announcement is enough where this program is kept waiting until the toast has gone."""
        def is_told():
            heard = self.announcements.read()
            return self.find("label", text, where) or any(
                text.search(each) if isinstance(text, re.Pattern) else text in each for each in heard)
        wait_until(f'it says "{getattr(text, "pattern", text)}"', is_told)
        # The next toast may have the same text.
        self.announcements.read().clear()

    def wait_to_hear(self, text, times=1):
        """Waits for an announcement, by its whole text or a pattern in it, that was made so often since the start or the last toast."""
        try:
            wait_until(f"“{getattr(text, 'pattern', text)}” is announced", lambda: times <= sum(
                text.search(each) is not None if isinstance(text, re.Pattern) else text == each for each in self.announcements.read()))
        except AssertionError as error:
            raise AssertionError(f"{error}, only {self.announcements.texts}") from None

    def hold_toast(self, text):
        """Waits for a toast and puts the pointer over it, so that it stays. None where it has gone before that."""
        self.wait_for_toast(text)
        self.focus()
        with contextlib.suppress(GLib.Error):
            while (node := self.find("label", text)) is not None:
                x, y, width, height = self.place(node)
                self.xdotool("mousemove", x + width // 2, y + height // 2)
                self.let_it_act()
                # Toasts come in from below.
                if self.place(node) == (x, y, width, height) and width > 0:
                    return node
        return None

    def wait_until_gone(self, role, name=None, where=None):
        wait_until(f'there is no {role} "{getattr(name, "pattern", name)}"', lambda: self.find(role, name, where) is None)

    def press(self, role, name, where=None):
        """Presses a control, as assistive technologies do, once it is sensitive."""
        def pressed():
            node = self.find(role, name, where)
            if node is None or not node.sensitive:
                return False
            try:
                node.press()
            except accessible.Refused:
                return False
            except GLib.Error as error:
                if Gio.DBusError.is_remote_error(error):
                    return False
                raise
            return True
        wait_until(f'there is a {role} "{getattr(name, "pattern", name)}" to press', pressed)

    def choose_filter(self, name, button="Filter"):
        self.press("toggle button", pattern(button))
        self.press((*MENU_ITEMS, "radio button"), name)
        self.wait_until_gone((*MENU_ITEMS, "radio button"), name)

    def choose_tab(self, name, where=None):
        """Chooses a tab, pressing it again where GTK loses a press: that takes 250 ms, and is canceled when a pane moves meanwhile."""
        def chosen():
            node = self.find(("radio button", "toggle button", "page tab"), name, where)
            if node is not None and not node.states & {"checked", "selected", "pressed"}:
                with contextlib.suppress(accessible.Refused):
                    node.press()
                return False
            return node is not None
        wait_until(f"the tab {name} is chosen", chosen)

    def press_undo(self):
        """Presses Undo in the toast until that goes, as in choose_tab(), or activates its action where the toast has gone."""
        def pressed():
            node = self.find("button", "Undo")
            with contextlib.suppress(accessible.Refused, GLib.Error):
                if node is not None:
                    node.press()
            return node is None
        try:
            wait_until("there is the button of a toast", lambda: self.find("button", "Undo"), DEADLINE / 10)
        except AssertionError:
            self.window_action("undo")
        else:
            wait_until("the toast goes", pressed)

    def focused(self):
        """The node that has the focus."""
        try:
            nodes = [node for node in self.read().walk()
                     if "focused" in node.states and node.role not in ("frame", "application")]
        except accessible.Gone:
            return None
        return nodes[-1] if nodes else None

    def typed(self):
        """The text in the entry that has the focus; nothing while a menu or a row has it."""
        node = self.focused()
        return node.read_text() if node is not None and node.role in ("entry", "text") else None

    def has_focus(self, name=None, of=None, role=None):
        """Whether a node that is called so, or in the list OF, or with such a role has the focus."""
        node = self.focused()
        return node is not None and is_called(node, name) and (of is None or node.is_in("list", of)) and role in (None, node.role)

    def wait_for_focus(self, name=None, of=None, role=None):
        self.focus()
        what = " ".join(str(getattr(each, "pattern", each)) for each in (role, name, of) if each is not None)
        try:
            wait_until(f"{what} has the focus", lambda: self.has_focus(name, of, role))
        except AssertionError as error:
            raise AssertionError(f"{error}, but {self.focused()!r}") from None

    def go_with(self, key, what, there):
        """Presses KEY again and again until THERE(the node that has the focus) is true."""
        wait_until(f"{key} leads to {what}", lambda: ((node := self.focused()) and there(node)) or self.key(key))

    def go_down_to(self, name):
        """Moves the focus to a row of a dialog, which may have to scroll."""
        self.focus()
        self.go_with("Tab", name, lambda node: name in (node.name, *(above.name for above in node.ancestors())))

    def go_to_list(self, name):
        """Moves the focus from pane to pane."""
        self.go_with("F6", f"the list {name}", lambda node: node.is_in("list", name))

    def wait_for_entry(self):
        """Waits until an entry has the focus."""
        roles = ("entry", "text", "password text", "search box", "searchbox")
        return wait_until("the words go into the entry", lambda: (node := self.focused()) and node.role in roles)

    def wait_for_pasted(self, *parts):
        """Waits until the clipboard, pasted into the entry of a search, contains these parts."""
        self.key("ctrl+f")
        self.wait_for_entry()
        self.key("ctrl+a", "ctrl+v")
        wait_until(f"{parts} are in the entry",
                   lambda: (entry := self.focused()) and all(part in (entry.read_text() or "") for part in parts))
        self.key("Escape", "Escape")

    def items(self, of):
        """The rows of the list OF."""
        return self.find_all("list item", where=lambda node: node.is_in("list", of))

    def names(self, of):
        """What the rows of the list OF are called."""
        return [node.name for node in self.items(of)]

    def wait_for_items(self, of, *wanted):
        """Waits until the rows of the list OF are these: each begins with those words."""
        wait_until(f"{of} are {wanted}", lambda: len(found := self.names(of)) == len(wanted) and all(map(str.startswith, found, wanted)))

    def rows(self):
        """The rows of the list of episodes, other than those that are being filled."""
        return [node for node in self.items("Episodes") if title_of(node)]

    def row(self, number):
        """The visible row with this number."""
        return wait_until(f"there is a row {number}", lambda: rows[number] if len(rows := self.rows()) > number else None)

    def titles(self):
        """The titles of the episodes that are listed, in their order."""
        return [title_of(row) for row in self.rows()]

    def wait_for_titles(self, *wanted):
        wait_until(f"the rows are {wanted}", lambda: self.titles() == list(wanted))

    def row_of(self, title):
        """The row of the episode that has this title."""
        return wait_until(f"there is a row {title}", lambda: next((row for row in self.rows() if title_of(row) == title), None))

    def choose_episode(self, title):
        """Clicks the row of the episode, whose page is shown then."""
        self.click(self.row_of(title))
        self.wait_for("heading", title, on_page)

    def from_menu_of(self, node, item):
        """Chooses an entry of the menu that a right click opens."""
        self.click(node, button=3)
        self.press(MENU_ITEMS, item)

    def from_row_menu(self, title, item):
        """As from_menu_of(), for the episode's row."""
        self.from_menu_of(self.row_of(title), item)

    def from_menu(self, button, item, where=None):
        """Chooses an entry of the menu that a button opens."""
        self.press("toggle button", button, where)
        self.press(MENU_ITEMS, item)

    @contextlib.contextmanager
    def menu(self, button):
        """The menu that a button opens."""
        self.press("toggle button", button)
        wait_until(f"the menu {button} is open", lambda: self.find(MENU_ITEMS))
        yield
        self.key("Escape")
        wait_until(f"the menu {button} is closed", lambda: self.find(MENU_ITEMS) is None)

    def show_podcast(self, address):
        self.window_action("select-podcast", GLib.Variant("s", address))

    def podcasts(self):
        """The rows of podcasts in the sidebar, without the views above them."""
        return [node for node in self.items("Podcasts") if not VIEW.match(node.name)]

    def wait_for_rows(self, count):
        """Waits for so many visible rows; rows that are scrolled away have no nodes."""
        return wait_until(f"there are {count} rows", lambda: rows if len(rows := self.rows()) >= count else None)

    def episode_count(self):
        """The number of episodes in the head of the podcast."""
        label = self.find("label", re.compile(r"\d+ episodes?\b"), on_page)
        return int(re.search(r"(\d+) episode", label.name)[1]) if label else 0

    # Real clicks and keys

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def surfaces(self):
        """The windows that the display knows, including the icon of a drag; windows() are those that a screen reader knows."""
        return set(subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                                  capture_output=True, text=True, check=False).stdout.split())

    def focus(self):
        """Gives the window the focus, as a window manager would."""
        if self.window_id is None:
            def largest():
                found = self.surfaces()
                return max(found, key=lambda window: self.geometry(window)[2] * self.geometry(window)[3]) if found else None
            self.window_id = wait_until("the window is on the display", largest)
        self.xdotool("windowfocus", "--sync", self.window_id)

    def geometry(self, window):
        text = self.xdotool("getwindowgeometry", "--shell", window)
        values = dict(line.split("=") for line in text.split())
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def let_it_act(self):
        """Waits until the app has dealt with the events of the display: each turn of its main loop handles one event
        and one question, and a click is several events."""
        with contextlib.suppress(GLib.Error):
            for _ in range(6):
                self.is_enabled(APP_PATH, "quit")

    def key(self, *keys):
        self.focus()
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)
            self.let_it_act()

    def sign_in(self, name, password):
        """Types both into the dialog that asks for them."""
        self.wait_for("dialog", "Sign In")
        self.wait_for_entry()
        self.type(name)
        self.key("Return")
        self.wait_for_focus("Password")
        self.type(password)
        self.key("Return")

    @contextlib.contextmanager
    def stopped(self):
        """Stops the app, so that all keys have come before it deals with any of them."""
        os.kill(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.process.pid, signal.SIGCONT)

    def type(self, text):
        self.focus()
        self.xdotool("type", "--clearmodifiers", text)
        self.let_it_act()

    def retype(self, text):
        """Types in place of what the entry has."""
        self.key("ctrl+a")
        self.type(text)

    def search(self, text):
        self.key("ctrl+f")
        self.wait_for_entry()
        self.type(text)

    def escape_from(self, role, name, where=None):
        """Escape leads out of what has this node."""
        self.key("Escape")
        self.wait_until_gone(role, name, where)

    def close_dialog(self, title):
        self.escape_from("dialog", title)

    def press_close(self, title):
        """Closes a dialog by its button."""
        self.press("button", "Close", lambda node: any(above.role == "dialog" and is_called(above, title) for above in node.ancestors()))
        self.wait_until_gone("dialog", title)

    def place(self, node):
        """x, y, width, height of a node on the screen, without the padding of its containers: see click()."""
        self.focus()
        window = next(above for above in node.ancestors() if above.role == "frame")
        left, top, _, _ = self.geometry(self.window_id)
        # GTK leaves the window's border out twice.
        border_x, border_y, _, _ = window.extents()
        x, y, width, height = node.extents()
        return left + x - 2 * border_x, top + y - 2 * border_y, width, height

    def settled_place(self, node):
        """The place of a node once it no longer moves. A node that is replaced meanwhile is searched for anew."""
        def find_place():
            nonlocal node
            try:
                place = self.place(node)
            except GLib.Error as error:
                if not Gio.DBusError.is_remote_error(error):
                    raise
                node = self.find(node.role, node.name) or node
                return None
            return place if place[2] > 0 else None
        return settled(f"{node!r} stands still", find_place)

    def is_in_sight(self, node, top=0, bottom=0):
        """Whether all of NODE is in the window, without so much at its edges, and within its list, which may end before that."""
        _, y, _, height = self.place(node)
        _, start, _, length = self.place(next(above for above in node.ancestors() if above.role in ("scroll pane", "list")))
        _, window, _, window_height = self.geometry(self.window_id)
        return max(start, window + top) <= y and y + height <= min(start + length, window + window_height - bottom)

    def pixels(self, left, top, width, height):
        """The colors of a part of the screen."""
        data = subprocess.run(["import", "-window", "root", "-crop", f"{width}x{height}+{left}+{top}", "+repage", "-depth", "8", "rgb:-"],
                              check=True, capture_output=True).stdout
        return list(zip(data[0::3], data[1::3], data[2::3]))

    def read_code(self):
        """The text that a camera would read from a code on the screen; None where there is no code."""
        picture = self.profile.folder / "screen.png"
        subprocess.run(["import", "-window", "root", str(picture)], check=True)
        read = subprocess.run(["zbarimg", "--quiet", "--raw", "--nodbus", str(picture)], capture_output=True, text=True, check=False).stdout.strip()
        return read or None

    def click(self, node, across=0.5, button=1, happened=None):
        """Clicks a node with the pointer, in its middle or so far ACROSS it.

        GTK's extents do not count the padding of the containers. Where that is more than half of the
        node, HAPPENED() says whether the click has met it, and it is tried again further in.
        """
        x, y, width, height = self.settled_place(node)
        for right, down in ((0, 0), (24, 36), (12, 18)):
            self.xdotool("mousemove", round(x + width * across) + right, round(y + height / 2) + down, "click", button)
            self.let_it_act()
            if happened is None:
                return
            with contextlib.suppress(AssertionError):
                wait_until("what a click does", happened, DEADLINE / 10)
                return
        raise AssertionError(f"a click on {node!r} does nothing")

    def place_in(self, node, down, across=60):
        """A point on the screen: this part of a node's height down, and so far from its start."""
        left, top, _, height = self.settled_place(node)
        return left + across, top + height * down

    def drag(self, find, where, happened, across=0.4):
        """Drags what FIND() finds to the point WHERE(), in steps as a hand does, and stays there for the target to answer
        through the display. A drop that comes before the answer is lost: then the drag is repeated, as a listener would."""
        for _ in range(4):
            node = find()
            left, top, width, height = self.settled_place(node)
            start = left + width * across, top + height / 2
            x, y = where()
            before = self.surfaces()

            def move(step):
                self.xdotool("mousemove", *(round(a + (b - a) * step / 10) for a, b in zip(start, (x, y))))
                self.let_it_act()
                return self.surfaces() - before

            self.xdotool("mousemove", round(start[0]), round(start[1]), "mousedown", 1)
            steps = itertools.cycle((4, 4.5, 5, 4.5))
            # A release before that is a click.
            wait_until(f"{node!r} is under the pointer, in a window of its own", lambda: move(next(steps)))
            for step in [*range(5, 11), *(9.9, 10) * 6]:
                move(step)
            self.xdotool("mouseup", 1)
            with contextlib.suppress(AssertionError):
                return wait_until(f"{node!r} was dropped", happened, DEADLINE / 10)
        raise AssertionError(f"{node!r} cannot be dropped")


def write_path(app, title, button, path):
    """Chooses a file in GTK's dialog for files."""
    app.wait_for("dialog", title)

    def entry():
        return app.find(("text", "entry"), where=lambda node: node.is_in("dialog", title))
    if entry() is None:
        # The entry comes with Ctrl+L.
        windows = wait_until(f"the window {title}", lambda: subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], capture_output=True, text=True, check=False).stdout.split())
        before, app.window_id = app.window_id, windows[0]
        app.key("ctrl+l")
        app.window_id = before
    wait_until("there is an entry", entry).write_text(str(path))
    app.press("button", button, lambda node: node.is_in("dialog", title))
    app.wait_until_gone("dialog", title)


def in_row(node):
    return node.is_in("list item")


def title_of(row):
    """The episode's title in its row; a row that is being filled has none yet."""
    return next((node.name for node in row.walk() if node.role == "label"), "")


def not_in_row(node):
    return not in_row(node)


def in_player(node):
    return node.is_in("filler", "Player")


def on_page(node):
    """Whether a node is on the page of an episode or a podcast: neither in a row nor in the player."""
    return not in_row(node) and not in_player(node)


# --- TAP ------------------------------------------------------------------------------------------

running = ""


def main():
    """Runs the cases, in a session of their own unless there is one."""
    global running
    if "earmark-session." not in os.environ.get("XDG_RUNTIME_DIR", ""):
        session = os.environ["EARMARK_SESSION"]
        os.execv(session, [session, "x11", sys.executable, *sys.argv])

    wanted = sys.argv[1:]
    chosen = [function for function in cases if not wanted or function.__name__ in wanted]
    print(f"1..{len(chosen)}", flush=True)
    failed = False
    for number, function in enumerate(chosen, 1):
        running = function.__name__
        name = f"{number} {(function.__doc__ or running).splitlines()[0].rstrip('.')}"
        start = time.monotonic()
        try:
            function()
            print(f"ok {name}", flush=True)
        except Skip as reason:
            print(f"ok {name} # SKIP {reason}", flush=True)
        except Exception:  # noqa: BLE001
            failed = True
            print(f"not ok {name}", flush=True)
            complain(f"{function.__name__}: {traceback.format_exc()}")
        say(f"{time.monotonic() - start:.1f} s")
    sys.exit(1 if failed else 0)
