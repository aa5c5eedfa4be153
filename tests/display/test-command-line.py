#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: every verb, with an Earmark that runs and without, and what is opened."""

import contextlib
import json
import os
import shutil
import subprocess

import feeds
import harness
from feeds import Episode
from harness import App, Profile, Server, case, wait_until

DONE, FAILED, MISUSED, NOT_RUNNING, PARTLY, WAITING = range(6)


class Command:
    """`earmark ARGUMENTS` in PROFILE, without a display; its words are in English unless ENVIRONMENT says otherwise."""

    def __init__(self, profile, *arguments, environment=None, display=False, folder=None, stdin=None):
        self.arguments = arguments
        everything = os.environ | profile.environment() | (environment or {})
        if not display:
            everything = {name: value for name, value in everything.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "GDK_BACKEND")}
        self.process = subprocess.Popen([os.environ["EARMARK_PROGRAM"], *arguments], env=everything, cwd=folder, text=True,
                                        stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.stdin = stdin

    def end(self, status=DONE):
        """Waits for its end, which is as expected; gives what it printed."""
        try:
            output, errors = self.process.communicate(self.stdin, harness.DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"{self.arguments} does not end") from None
        said = f"{self.arguments}: status {self.process.returncode}\n{output}\n{errors}"
        assert self.process.returncode == status, said
        assert not harness.COMPLAINTS.search(errors), said
        self.errors = errors
        return output


def run(profile, *arguments, status=DONE, **where):
    return Command(profile, *arguments, **where).end(status)


def fail(profile, *arguments, status=FAILED, **where):
    """Gives what it said on standard error."""
    command = Command(profile, *arguments, **where)
    assert command.end(status) == "", f"{arguments} prints where it fails"
    return command.errors


def get_status(profile):
    return json.loads(run(profile, "--status", "--json"))


def titles(profile):
    return [line.split('text="')[1].split('"')[0] for line in run(profile, "--export", "-").splitlines() if "xmlUrl" in line]


@contextlib.contextmanager
def toned_app():
    with Server() as server, Profile(feeds.write_tones(server)) as profile, App(profile) as app:
        app.wait_for_rows(3)
        yield server, profile, app


# --- Without a running Earmark ---------------------------------------------------------------------


@case
def alone():
    """Without a display and a running Earmark, the verbs that need neither work, and the others say what is missing"""
    with Server() as server, Profile() as profile:
        assert "--play-pause" in run(profile, "--help") and run(profile, "--version").startswith("Earmark ")
        for verb in ("--play-pause", "--play", "--pause", "--next", "--previous", "--next-chapter", "--previous-chapter", "--quit"):
            assert "not running" in fail(profile, verb, status=NOT_RUNNING)
        assert "not running" in fail(profile, "--seek", "-10", status=NOT_RUNNING)
        assert "not running" in fail(profile, "--speed", "1.5", status=NOT_RUNNING)
        assert run(profile, "--status", status=NOT_RUNNING) == "Earmark is not running\n"
        assert json.loads(run(profile, "--status", "--json", status=NOT_RUNNING)) == {"running": False}
        assert not (profile.folder / "data" / "earmark").exists(), "asking makes nothing"
        for argument in ("--bogus", "\x1b[2J", b"\xff\xfe".decode(errors="surrogateescape"), "--seek=nan"):
            said = fail(profile, argument, status=MISUSED)
            assert "--help" in said and "\x1b" not in said, said

        assert run(profile, "--refresh") == "Checked 0 podcasts, 0 new episodes\n"
        address = feeds.write(server, "show", "A Show", [Episode("One"), Episode("Two")])
        for arguments in ((), (address,)):
            said = fail(profile, *arguments)
            assert said.startswith("earmark: No display was found") and "earmark --help" in said, said
            assert len(said.splitlines()) == 1, said
        assert run(profile, "--add", address) == "Followed “A Show” with 2 episodes\n"
        assert run(profile, "--add", address.replace("http://", "feed://http://")) == "You already follow “A Show”\n"
        assert titles(profile) == ["A Show"]
        assert isinstance(json.loads(run(profile, "--statistics")), dict)
        assert run(profile, "--refresh") == "Checked 1 podcast, 0 new episodes\n"
        (server.root / "show.xml").unlink()
        command = Command(profile, "--refresh")
        assert command.end(FAILED) == "Checked 1 podcast, 0 new episodes\n"
        assert command.errors.startswith("A Show: No podcast was found at this address."), command.errors


@case
def reading_list():
    """The links of episodes are printed as Markdown or JSON, by a running Earmark and without one"""
    with Server() as server:
        address = feeds.write(server, "show", "A Show", [Episode("One", notes="<p>See <a href='https://example.org/a'>a page</a>.</p>")])
        with Profile(address) as profile:
            with App(profile) as app:
                app.wait_for_rows(1)
                wait_until("the link is known", lambda: "- [ ] [a page](<https://example.org/a>)" in run(profile, "--reading-list"))
                assert "## One – A Show" in run(profile, "--reading-list")
            link, = json.loads(run(profile, "--reading-list", "--json"))
            assert link["address"] == "https://example.org/a" and link["read"] is False and link["episodes"] == 1, link
            fail(profile, "--reading-list", "--force", status=MISUSED)


@case
def refresh():
    """A refresh prints what came, and which podcasts failed or are to wait; its exit code says how it went"""
    with Server() as server, Profile() as profile:
        def publish(*names):
            text = "".join(f"<item><title>{name}</title><guid>{name}</guid></item>" for name in names)
            (server.root / "news.xml").write_text(f"<rss version='2.0'><channel><title>News</title>{text}</channel></rss>")
        publish("First")
        run(profile, "--add", server.url("news.xml"))
        publish("Third", "Second", "First")
        assert run(profile, "--refresh") == "News: 2 new episodes\n  Third\n  Second\nChecked 1 podcast, 2 new episodes\n"
        run(profile, "--add", feeds.write(server, "gone", "Gone", [Episode("One")]))
        (server.root / "gone.xml").unlink()
        command = Command(profile, "--refresh")
        assert command.end(PARTLY) == "Checked 2 podcasts, 0 new episodes\n"
        assert command.errors.startswith("Gone: No podcast was found at this address."), command.errors
    with Server() as server, Profile() as profile:
        (server.root / "list.opml").write_text("<opml><body>" + "".join(
            f"<outline text='{title}' xmlUrl='{server.url(f'~status={status}/a.xml')}'/>"
            for title, status in (("Busy", 503), ("Often", 429), ("Removed", 410))) + "</body></opml>")
        Command(profile, "--import", str(server.root / "list.opml")).end(PARTLY)
        # Whether they were asked now or before
        for _ in range(2):
            command = Command(profile, "--refresh")
            assert command.end(WAITING) == "Checked 0 podcasts, 0 new episodes\n"
            assert [line.split(": ")[0] for line in command.errors.splitlines()] == ["Busy", "Often", "Removed"], command.errors
            assert "asks to wait until 2" in command.errors and "Removed by its publisher" in command.errors, command.errors


@case
def add_fails():
    """An address that cannot be added says why in words, and nothing is followed"""
    with Server() as server, Profile() as profile:
        assert "No podcast was found at this address" in fail(profile, "--add", server.url("missing.xml"))
        assert "web address" in fail(profile, "--add", "some words")
        assert "web address" in fail(profile, "--add", "/etc/passwd")
        assert "web address" in fail(profile, "--add", b"http://\xff\xfe/".decode(errors="surrogateescape"))
        feeds.write(server, "one", "One", [Episode("Only")])
        feeds.write(server, "two", "Two", [Episode("Only")])
        links = "".join(f"<link rel='alternate' type='application/rss+xml' href='{name}.xml'>" for name in ("one", "two"))
        (server.root / "page.html").write_text(f"<html><head>{links}</head></html>")
        said = fail(profile, "--add", server.url("page.html"))
        assert server.url("one.xml") + "  One" in said and server.url("two.xml") + "  Two" in said, said
        assert titles(profile) == []
        # The page of one podcast, and a link of Apple's, are addresses as any other.
        (server.root / "page.html").write_text("<html><head><link rel='alternate' type='application/rss+xml' href='one.xml'></head></html>")
        assert run(profile, "--add", server.url("page.html")) == "Followed “One” with 1 episode\n"


@case
def lists():
    """Lists come in and go out, relative to the caller's folder and through pipes; no file is replaced unasked"""
    with Server() as server, Profile() as profile:
        folder = profile.folder / "elsewhere"
        folder.mkdir()
        feeds.write_opml(folder / "in.opml", server.url("generated/Alpha-3.xml"), server.url("missing.xml"))
        command = Command(profile, "--import", "in.opml", folder=folder)
        assert command.end(PARTLY) == "Followed 2 podcasts\n"
        assert "No podcast was found at this address" in command.errors
        private = feeds.write_opml(folder / "private.opml", server.url("generated/Members-2.xml?auth=hush"))
        assert run(profile, "--import", "-", stdin=private.read_text()) == "Followed 1 podcast\n"
        assert run(profile, "--import", str(private)) == "Followed 0 podcasts\n1 was already followed\n"
        assert not list((profile.folder / "cache" / "earmark").glob("import-*")), "what was piped in is removed"
        (folder / "empty.opml").write_text("<opml version='2.0'><body/></opml>")
        assert "no podcasts" in fail(profile, "--import", "empty.opml", folder=folder)
        assert "does not exist" in fail(profile, "--import", "nothing-there.opml", folder=folder)
        assert "not a list of podcasts" in fail(profile, "--import", "/etc/passwd")
        assert "not a list of podcasts" in fail(profile, "--import", "-", stdin="words")

        phone = feeds.write_antennapod(folder, server.url("generated/Beta-2.xml"))
        command = Command(profile, "--import", str(phone))
        assert command.end(PARTLY) == "Followed 1 podcast\n"
        assert command.errors == "My Phone: Only podcasts on the web can be followed\nBeta: 1 episode is no longer in the feed\n", command.errors
        phone.write_bytes(phone.read_bytes()[:5000])
        assert "damaged" in fail(profile, "--import", str(phone))

        command = Command(profile, "--export", "out.opml", folder=folder)
        assert command.end() == "" and "--with-private" in command.errors and "hush" not in command.errors
        text = (folder / "out.opml").read_text()
        assert "Alpha-3.xml" in text and "hush" not in text
        assert "--force" in fail(profile, "--export", "out.opml", folder=folder)
        assert run(profile, "--export", "out.opml", "--force", "--with-private", folder=folder) == ""
        assert "hush" in (folder / "out.opml").read_text()
        assert "does not exist" in fail(profile, "--export", "no/such/folder.opml", folder=folder)
        assert "is a folder" in fail(profile, "--export", ".", folder=folder)
        assert "is a folder" in fail(profile, "--export", ".", "--force", folder=folder)
        assert "hush" in run(profile, "--export", "-", "--with-private")


@case
def no_room():
    """On a full disk an import fails, and claims to follow nothing"""
    with Server() as server, Profile() as profile:
        run(profile, "--add", server.url("generated/First-2.xml"))
        path = feeds.write_opml(profile.folder / "list.opml", *(server.url(f"generated/P{i}-2.xml") for i in range(20)))
        # Python leaves the signal of a file that grows too large ignored for its children, as this asks for it.
        full = ["python3", "-c", "import os, resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16));"
                                 "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"]
        environment = os.environ | profile.environment()
        program = subprocess.run([*full, os.environ["EARMARK_PROGRAM"], "--import", str(path)], env=environment, text=True,
                                 capture_output=True, timeout=harness.DEADLINE, check=False)
        assert program.returncode == FAILED and not program.stdout and "disk is full" in program.stderr, program
        assert run(profile, "--export", "-").count("xmlUrl") == 1


@case
def in_the_callers_language():
    """Output is in the caller's language and characters"""
    with Profile() as profile:
        german = run(profile, "--help", environment={"LC_ALL": "C.UTF-8", "LANGUAGE": "de"})
        assert "--play-pause" in german
        # Where only ASCII can be shown, nothing breaks.
        assert "not running" in run(profile, "--status", status=NOT_RUNNING, environment={"LC_ALL": "C"})
    # A title of any language, from cron, is no row of question marks.
    with Server() as server, Profile() as profile:
        address = feeds.write(server, "words", "İstanbul עברית", [feeds.Episode("One")])
        assert "“İstanbul עברית”" in run(profile, "--add", address, environment={"LC_ALL": "C", "LANGUAGE": ""})
        # Nor has an address in a sentence from right to left the names of its marks around it.
        said = fail(profile, "--add", "x", environment={"LC_ALL": "C.UTF-8", "LANGUAGE": "he"})
        assert "example.org" in said and "\\u" not in said, said


@contextlib.contextmanager
def bare_bus():
    """A session bus that can start nothing: what an installed Earmark would do is left to the one that is tested."""
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    folders = {"XDG_DATA_DIRS": "/nonexistent", "XDG_DATA_HOME": "/nonexistent"}
    bus = subprocess.Popen(command, env=os.environ | folders, stdout=subprocess.PIPE, text=True)
    try:
        address = bus.stdout.readline().strip()
        # There is no accessibility on it.
        yield {"DBUS_SESSION_BUS_ADDRESS": address, "GTK_A11Y": "none"}
    finally:
        harness.end_process(bus)
        bus.stdout.close()


@case
def room_for_the_window():
    """A window opens at once, and takes over the import that a command has begun"""
    with Server() as server, Profile() as profile, bare_bus() as bus:
        run(profile, "--add", feeds.write(server, "slow", "Slow", [Episode("One")]), environment=bus)
        feeds.write_opml(server.root / "in.opml", server.url("~mute/slow.xml"), server.url("generated/Alpha-3.xml"))
        command = Command(profile, "--import", str(server.root / "in.opml"), display=True, environment=bus)
        # One of its servers never answers, so that it does not end by itself.
        wait_until("it is at work", lambda: "mute" in (profile.state / "subscriptions.json").read_text())
        run(profile, display=True, environment=bus)
        assert "already followed" in command.end()
        status = json.loads(run(profile, "--status", "--json", environment=bus))
        assert status["running"] and status["podcasts"] == 3, status
        run(profile, "--quit", environment=bus)


@contextlib.contextmanager
def sandboxed_bus(folder, name):
    """The session bus as a Flatpak has it: it lets nobody out to strangers, not even to those who have called."""
    place = folder / name
    proxy = subprocess.Popen(["xdg-dbus-proxy", os.environ["DBUS_SESSION_BUS_ADDRESS"], str(place), "--filter", f"--own={harness.APP_ID}.*"])
    try:
        wait_until("there is a bus", place.exists)
        yield {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={place}"}
    finally:
        harness.end_process(proxy)


@case
def from_a_sandbox():
    """A command prints the answer of the running Earmark, also where both are in sandboxes that cannot reach each other"""
    if shutil.which("xdg-dbus-proxy") is None:
        raise harness.Skip("there is no xdg-dbus-proxy")
    with Server() as server, Profile() as profile, sandboxed_bus(profile.folder, "one") as one, sandboxed_bus(profile.folder, "other") as other:
        feeds.write_opml(server.root / "in.opml", server.url("~mute/slow.xml"), server.url("generated/Alpha-3.xml"))
        command = Command(profile, "--import", str(server.root / "in.opml"), environment=one)
        # One of its servers never answers, so that it does not end by itself.
        wait_until("it is at work", lambda: (profile.state / "subscriptions.json").exists() and
                   "mute" in (profile.state / "subscriptions.json").read_text())
        assert "~mute" in run(profile, "--export", "-", environment=other)
        assert "You already follow" in run(profile, "--add", server.url("generated/Alpha-3.xml"), environment=other)
        assert "web address" in fail(profile, "--add", "some words", environment=other)
        assert run(profile, "--status", environment=other, status=NOT_RUNNING) == "Earmark is not running\n"
        assert command.process.poll() is None, "it works on, and answers others meanwhile"
        command.process.terminate()
        command.end(FAILED)


@case
def without_a_bus():
    """Without a session bus, as for cron, the verbs that need no window work, but not beside a running Earmark"""
    nowhere = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "XDG_RUNTIME_DIR": "/nonexistent"}
    with Server() as server, Profile() as profile:
        run(profile, "--add", feeds.write(server, "alone", "Alone", [Episode("One")]), environment=nowhere)
        assert "<title>Alone</title>" not in run(profile, "--refresh", environment=nowhere)
        feeds.write_opml(server.root / "in.opml", server.url("generated/Alpha-3.xml"))
        run(profile, "--import", str(server.root / "in.opml"), environment=nowhere)
        exported = run(profile, "--export", "-", environment=nowhere)
        assert 'text="Alone"' in exported and "Alpha-3" in exported, exported
        for verb in ("--play", "--status", "--quit"):
            assert "No session bus was found" in fail(profile, verb, environment=nowhere)

        with App(profile) as app:
            app.wait_for_rows(1)
            for arguments in (("--refresh",), ("--add", server.url("generated/Beta-3.xml")), ("--export", "-")):
                assert "Earmark is running" in fail(profile, *arguments, environment=nowhere)
            app.action("quit")
            app.wait_for_end()
        run(profile, "--refresh", environment=nowhere)


# --- With a running Earmark ------------------------------------------------------------------------


@case
def chapters():
    """Verbs go from chapter to chapter, and the status names the chapter"""
    with Server() as server:
        chapters = [("0:05", "First", None), ("0:20", "Second", None), ("0:40", "Third", None)]
        address = feeds.write(server, "chapters", "Chapters", [Episode("With", feeds.sound(server, "minute.cbr.mp3"), chapters=chapters)])
        with Profile(address) as profile, App(profile) as app:
            def is_in(chapter, place):
                status = get_status(profile)["episode"]
                return status["chapter"] == chapter and abs(status["position"] - place) < 0.5

            app.wait_for_rows(1)
            assert "No episode" in fail(profile, "--next-chapter") and "No episode" in fail(profile, "--previous-chapter")
            run(profile, "--play")
            app.wait_for_status("Playing")
            run(profile, "--pause")
            run(profile, "--seek", "0")
            wait_until("it is before the first chapter", lambda: is_in(None, 0))
            assert "No previous chapter" in fail(profile, "--previous-chapter")
            assert "Chapter: " not in run(profile, "--status")
            for verb, chapter, place in (("next", "First", 5), ("next", "Second", 20), ("next", "Third", 40), ("previous", "Second", 20)):
                run(profile, f"--{verb}-chapter")
                wait_until(f"it is in the {chapter.lower()}", lambda chapter=chapter, place=place: is_in(chapter, place))
            assert "\nChapter: Second\n" in run(profile, "--status")
            run(profile, "--next-chapter")
            assert "No next chapter" in fail(profile, "--next-chapter")


@case
def playing():
    """Playing, seeking, speed and status in a running Earmark, heard and seen"""
    with toned_app() as (server, profile, app), harness.Listener() as listener:
        wait_until("the first check is over", lambda: not get_status(profile)["refreshing"])
        before = get_status(profile)
        assert before["state"] in ("empty", "paused") and before["podcasts"] == 1 and not before["refreshing"] and before["last_check"], before
        # With an empty player, it is what the window shows.
        run(profile, "--play")
        listener.wait_for_sound(0, 30)
        run(profile, "--pause")
        listener.wait_for_silence()
        run(profile, "--pause")
        run(profile, "--seek", "0:40")
        wait_until("it is there", lambda: 39 < get_status(profile)["episode"]["position"] < 45)
        run(profile, "--play-pause")
        listener.wait_for_sound(40, 55)
        run(profile, "--seek", "-30")
        listener.wait_for_sound(8, 30)
        run(profile, "--seek=+20")
        listener.wait_for_sound(28, 55)
        run(profile, "--speed", "1,5")
        wait_until("it is faster", lambda: app.mpris_get("Rate") == 1.5)
        run(profile, "--speed", "1")
        assert "shorter than that" in fail(profile, "--seek", "5:00")
        status = get_status(profile)
        assert status["running"] and status["state"] in ("playing", "loading") and status["episode"]["title"] == "Sound in minute.cbr.mp3", status
        assert status["episode"]["podcast"] == "Time Tones" and 59 < status["episode"]["duration"] < 62
        text = run(profile, "--status")
        assert text.startswith("Playing: Sound in minute.cbr.mp3 (Time Tones)\n") and "\n1 podcast, " in text, text
        run(profile, "--previous")
        wait_until("the one before plays", lambda: get_status(profile)["episode"]["title"] == "Sound in minute.opus")
        run(profile, "--next")
        wait_until("the newest plays", lambda: get_status(profile)["episode"]["title"] == "Sound in minute.cbr.mp3")
        assert "No next episode" in fail(profile, "--next")
        run(profile, "--pause")
        for seek, place in ((lambda: run(profile, "--seek", "10"), 10),
                            (lambda: app.action("seek-by", harness.GLib.Variant("x", 15)), 25),
                            (lambda: app.action("seek-by", harness.GLib.Variant("x", -2**62)), 0)):
            seek()
            wait_until(f"it is at {place} s", lambda: abs(get_status(profile)["episode"]["position"] - place) < 1)
        run(profile, "--quit")
        app.wait_for_end()
        assert "not running" in fail(profile, "--play", status=NOT_RUNNING)


@case
def podcasts():
    """Following, importing, exporting and refreshing in a running Earmark: the window tells of it, and takes it back"""
    with toned_app() as (server, profile, app):
        address = feeds.write(server, "second", "Second", [Episode("One")])
        assert run(profile, "--add", address) == "Followed “Second” with 1 episode\n"
        app.wait_for_toast("Followed “Second”")
        wait_until("both are listed", lambda: len(app.podcasts()) == 2)
        app.press_undo()
        wait_until("it is as before", lambda: len(app.podcasts()) == 1)
        path = feeds.write_opml(profile.folder / "in.opml", address, server.url("generated/Alpha-3.xml"))
        assert run(profile, "--import", path.name, folder=profile.folder) == "Followed 2 podcasts\n"
        wait_until("all are listed", lambda: len(app.podcasts()) == 3)
        assert sorted(titles(profile)) == ["Alpha", "Second", "Time Tones"]
        feeds.write(server, "second", "Second", [Episode("One")])
        (server.root / "second.xml").unlink()
        command = Command(profile, "--refresh")
        assert "Checked 3 podcasts" in command.end(PARTLY) and command.errors.startswith("Second: "), command.errors


@case
def hostile_callers():
    """Requests of other programs over the bus are bounded, and replace no file"""
    with toned_app() as (server, profile, app):
        def ask(*arguments):
            """As a program may that speaks with the bus only; gives the status that it gets."""
            words = [argument.encode() + b"\0" for argument in arguments]
            return app.call(harness.APP_PATH, "org.gtk.Application", "CommandLine", harness.GLib.Variant("(oaaya{sv})", ("/", words, {})))[0]
        assert ask("earmark", "--speed", "nan") == MISUSED and ask("earmark", "--speed", "1e300") == MISUSED
        assert ask("earmark", "--add", "x" * 1_000_000) == MISUSED
        assert ask("earmark", "--add", "file:///etc/passwd") == FAILED
        assert ask("earmark", "--import", "http://example.invalid/list.opml") == FAILED
        assert ask("earmark", "--import", "file:///dev/zero") == FAILED
        assert ask("earmark", "--next", "1") == MISUSED and ask("earmark") == MISUSED and ask() == MISUSED
        kept = profile.folder / "kept.opml"
        kept.write_text("theirs")
        assert ask("earmark", "--force", "--export", str(kept)) == DONE and kept.read_text() == "theirs"


# --- What is opened --------------------------------------------------------------------------------


@case
def opening():
    """Addresses and files from the command line and the desktop are shown in the window, one after another; the first starts Earmark"""
    with Server() as server, Profile(feeds.write_tones(server)) as profile, contextlib.ExitStack() as ending:
        app = App(profile)
        app.arguments = [feeds.write(server, "zero", "Zero", [Episode("Only")])]
        ending.enter_context(app)
        app.wait_for("heading", "Zero")
        app.key("Escape", "Escape")
        app.wait_until_gone("dialog")
        app.wait_for_rows(3)
        one = feeds.write(server, "one", "One", [Episode("Only")])
        # Without a display, since the window is there.
        run(profile, one.replace("http://", "pcast:http://"))
        app.wait_for("heading", "One")
        app.wait_for_focus("Follow")
        app.key("Return")
        app.wait_until_gone("dialog")
        wait_until("it is followed", lambda: len(app.podcasts()) == 2)
        # What is followed is shown at once.
        app.show_podcast(server.url("tones.xml"))
        app.wait_for("heading", "Time Tones")
        run(profile, one)
        app.wait_for("heading", "One")
        app.wait_until_gone("dialog")
        # A list offers to import it; the next thing comes when that was answered.
        folder = profile.folder / "elsewhere"
        folder.mkdir()
        feeds.write_opml(folder / "list.opml", server.url("generated/Alpha-3.xml"), server.url("generated/Beta-2.xml"))
        saved = folder / "saved.xml"
        saved.write_text(f"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Saved</title>
<atom:link rel="self" href="{feeds.write(server, "saved", "Saved", [Episode("Only")])}"/><item><title>Only</title></item></channel></rss>""")
        copy = folder / "copy.xml"
        copy.write_text("<rss version='2.0'><channel><title>Copy</title><item><title>Only</title></item></channel></rss>")
        run(profile, "list.opml", saved.as_uri(), str(copy), folder=folder)
        app.wait_for("label", "Follow 2 Podcasts?")
        app.key("Escape")
        app.wait_for("heading", "Saved")
        # Back to what was found, and out: where the keys are not on its page yet, Escape leads out at once.
        app.wait_for_focus("Follow")
        app.key("Escape")
        app.wait_until_gone("heading", "Saved")
        app.key("Escape")
        app.wait_for("label", harness.pattern("copy of a feed"))
        app.key("Escape")
        app.wait_until_gone("dialog")
        # As file managers and browsers do it.
        app.call(harness.APP_PATH, "org.freedesktop.Application", "Open",
                 harness.GLib.Variant("(asa{sv})", ([server.url("missing.xml")], {})))
        app.wait_for("label", harness.pattern("No podcast was found at this address"))
        app.key("Escape")
        app.wait_until_gone("dialog")


harness.main()
