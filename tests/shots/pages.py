# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages for pictures: their feeds, the files that exist before the start, and the steps that lead there."""

import contextlib
import dataclasses
import datetime
import gzip
import hashlib
import json
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable

from gi.repository import GLib

from application import HUGE, LOCALES
from screen import wait_for

WIDE = (1240, 740)
NARROW = (360, 700)
SHORT = (360, 294)
HIGH = (1000, 1000)
MIDDLE = (860, 700)
WIDER = (1600, 900)
# The largest window that stores show well
STORE = (1000, 700)
MANY = ("Astronomy", "Bees", "Cartography", "Deep Sea", "Estuaries", "Ferns", "Glaciers", "Harbours", "Islands", "Jazz", "Kites")


# --- Followed feeds -------------------------------------------------------------------------------


def demo(server):
    return [server + "/demo/feed.xml", server + "/demo/daily.xml"]


def only_demo(server):
    return demo(server)[:1]


def film(server):
    return [server + "/demo/film.xml", *demo(server)]


def many(server):
    """More podcasts than fit in the window, and slow ones."""
    return demo(server) + [f"{server}/~delay={500 * number}/generated/{name.replace(' ', '%20')}-8.xml" for number, name in enumerate(MANY)]


def members(server):
    return [server + "/~status=401/demo/feed.xml", *demo(server)]


def silent(server):
    """A podcast whose media files are all missing."""
    return [server + "/~inside=status=404/demo/feed.xml", *demo(server)[1:]]


def slow_and_gone(server):
    """A normal podcast, one with slow downloads, and one whose media files are web pages."""
    return [*only_demo(server), server + "/~inside=slow=15000/demo/daily.xml", server + "/~inside=html/generated/Ferns-8.xml"]


def without_answer(answer):
    return lambda server: [f"{server}/~{answer}/demo/feed.xml", *demo(server)[1:]]


def unreachable(server):
    return ["http://podcast.invalid/feed.xml"]


def nothing(server):
    return []


# --- Files that exist before the start ------------------------------------------------------------


def write_backups(app):
    """Some backups, as they are made once a day."""
    folder = os.path.join(app.folder, "data", "earmark", "backups")
    os.makedirs(folder, exist_ok=True)
    made = [("2026-11-20T19:42:10Z", "daily", 212), ("2026-11-19T08:15:33Z", "by hand", 208),
            ("2026-11-18T21:03:51Z", "before restoring", 207), ("2026-11-15T17:30:02Z", "daily", 195)]
    for when, reason, episodes in made:
        about = json.dumps({"version": 1, "kind": "backup", "made": when, "reason": reason, "podcasts": 14, "episodes": episodes})
        with gzip.open(os.path.join(folder, f"earmark-{when[:10]}.json.gz"), "wt", encoding="utf-8") as backup:
            backup.write(about + "\n")


def write_listening(app):
    """Listening time of each podcast, on most days of the last 400; one podcast is not followed any more."""
    folder = os.path.join(app.folder, "data", "earmark", "state")
    os.makedirs(folder, exist_ok=True)
    records = {}
    podcasts = [(address, "Demo") for address in (app.feed, app.feed.replace("feed.xml", "daily.xml"))] + [("https://podcasts.example.org/gone.xml", "The Lighthouse Keeper’s Long and Winding Almanac of the Sea")]
    for ago in range(400):
        day = datetime.date.today() - datetime.timedelta(days=ago)
        for number, (address, title) in enumerate(podcasts):
            heard = (ago * 37 + number * 11) % 53 * 75 // (number + 1)
            if ago % 9 == 7 or heard == 0 or (ago + number) % 3 == 0:
                continue
            podcast = hashlib.sha256(address.encode()).hexdigest()[:32]
            value = records.setdefault(f"{day:%Y-%m}/{podcast}/5eed", {"address": address, "title": title, "days": {}})
            value["days"][f"{day:%d}"] = {"listened": heard, "saved-speed": heard // 4, "saved-trim": heard // 30}
    with open(os.path.join(folder, "listening.json"), "w", encoding="utf-8") as file:
        json.dump({"version": 1, "kind": "listening",
                   "records": {name: {"value": value, "updated": "2026-01-01T00:00:00Z"} for name, value in records.items()}}, file)


def write_other_player(app):
    """The database of GNOME Podcasts."""
    folder = os.path.join(app.folder, "data", "gnome-podcasts")
    os.makedirs(folder)
    with contextlib.closing(sqlite3.connect(os.path.join(folder, "podcasts.db"))) as database:
        database.executescript(
            "CREATE TABLE source (id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE);"
            "CREATE TABLE shows (id INTEGER PRIMARY KEY, title TEXT NOT NULL, source_id INTEGER NOT NULL UNIQUE);"
            "CREATE TABLE episodes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, uri TEXT, guid TEXT, played TIMESTAMP,"
            "  play_position INTEGER NOT NULL, show_id INTEGER NOT NULL);")
        for number, name in enumerate(MANY):
            database.execute("INSERT INTO source VALUES (?, ?)", (number, f"https://podcasts.example.org/{number}.xml"))
            database.execute("INSERT INTO shows VALUES (?, ?, ?)", (number, name, number))
        database.commit()


def go_offline(app):
    """Makes the podcast directories unreachable."""
    app.environment["EARMARK_ITUNES"] = app.environment["EARMARK_FYYD"] = "http://directory.invalid"


def get_catalogue(app):
    return os.path.join(app.folder, "data", "earmark", "catalogue.db")


# --- Steps to the pages ---------------------------------------------------------------------------


def select(app, number):
    app.do("win.select-episode", GLib.Variant("u", number))
    return app.is_enabled("win.play-selected")


def start(app):
    wait_for("the window", lambda: app.is_enabled("win.add-podcast"))


def start_and_wait(app):
    start(app)
    time.sleep(3)


def see_episodes(app):
    start(app)
    wait_for("episodes", lambda: select(app, 6))
    time.sleep(1)


def use(app):
    """Marks some episodes as played, and starts another."""
    see_episodes(app)
    for number in (6, 5):
        app.do("win.select-episode", GLib.Variant("u", number))
        app.do("win.toggle-listened")
    app.do("win.select-episode", GLib.Variant("u", 3))
    play_to(app, 0.6)
    app.do("app.play-pause")
    time.sleep(0.5)
    app.do("win.select-episode", GLib.Variant("u", 0))


def like(app):
    for number in (1, 4):
        app.do("win.select-episode", GLib.Variant("u", number))
        app.do("win.toggle-liked")


def play_to(app, fraction):
    """Plays the selected episode from a fraction of its length."""
    app.do("win.play-selected")
    wait_for("sound", lambda: app.get_player("PlaybackStatus") == "Playing")
    length = wait_for("a length", lambda: app.get_player("Metadata").get("mpris:length"))
    app.do("app.seek", GLib.Variant("x", int(length * fraction)))
    # A second of playback after the seek makes the episode a started one.
    wait_for("sound after the seek", lambda: app.get_player("Position") >= int(length * fraction) + 1_500_000)


def listing(app):
    """The list; in a wide window with the first episode beside it."""
    use(app)
    app.do("win.select-podcast", GLib.Variant("s", app.feed))


def see_sidebar(app):
    """Shows the sidebar; in a narrower window by going back from the list."""
    app.do("win.select-podcast", GLib.Variant("s", app.feed))
    if not app.has_sidebar:
        app.press("Back")


def sidebar(app):
    use(app)
    see_sidebar(app)


def episode(app):
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 3))


def notes(app):
    """Long notes, with nested lists and items of several lines."""
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 5))


def notes_menu(app):
    """All notes are selected, and their menu is open."""
    notes(app)
    time.sleep(1)
    app.act("Notes", "notes.select-all")
    app.act("Notes", "notes.menu")
    time.sleep(0.5)


def chapters(app):
    """The chapters of the current episode, in its second chapter."""
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 5))
    app.do("win.show-tab", GLib.Variant("s", "chapters"))
    play_to(app, 0.4)
    app.do("app.play-pause")
    time.sleep(0.5)


def transcript(app):
    """The transcript of an episode that is paused in the middle, scrolled to the current sentence."""
    paused(app)
    app.do("win.show-playing")
    # In a narrow window the page slides in first.
    time.sleep(1)
    app.do("win.show-tab", GLib.Variant("s", "transcript"))
    time.sleep(1.5)


def transcript_search(app):
    transcript(app)
    app.act("Transcript", "transcript.find")
    app.write("window")
    time.sleep(1)


def liked_episode(app):
    use(app)
    app.do("win.toggle-liked")
    app.do("win.toggle-listened")


def player(app):
    use(app)
    play_to(app, 0.25)


def video(app):
    """A paused video: on the episode's page, or in the sheet of a narrow window."""
    start(app)
    wait_for("the episode", lambda: select(app, 0))
    play_to(app, 0.25)
    app.do("app.play-pause")
    if app.is_narrow:
        app.do("win.open-player")
    time.sleep(1)


def video_screen(app):
    video(app)
    app.do("win.fullscreen-video")
    time.sleep(1)


def paused(app):
    player(app)
    app.do("app.play-pause")


def sheet(app):
    paused(app)
    app.do("win.open-player")


def sheet_picture(app):
    """The picture of the current chapter replaces the cover."""
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 5))
    play_to(app, 0.3)
    app.do("app.play-pause")
    app.do("win.open-player")
    time.sleep(1)


def sheet_tab(name):
    """A tab of the sheet."""
    def show(app):
        sheet(app)
        time.sleep(1)
        app.do("win.show-tab", GLib.Variant("s", name))
        time.sleep(1)
    return show


def controls(app):
    """The player's controls: in the sheet of a narrow window, otherwise in the bar."""
    use(app)
    if app.is_narrow:
        app.do("win.open-player")


def sleeping(app):
    """A running sleep timer, with its menu open."""
    controls(app)
    app.do("app.sleep", GLib.Variant("s", "30"))
    app.press(app.translate("Sleep timer: %s left").partition("%s")[0], role="toggle button", begins=True)


def fill_queue(app):
    use(app)
    for number in (2, 0, 3):
        app.do("win.select-episode", GLib.Variant("u", number))
        time.sleep(0.3)
        app.do("win.toggle-queued")


def up_next_popover(app):
    """Opens the popover of the last button with that name, as the page of the episode has another one."""
    fill_queue(app)
    buttons = []
    app.find(lambda node: buttons.append(node) if node.get_name() == app.translate("Up Next") and
             node.get_role_name() == "toggle button" else None)
    buttons[-1].get_action_iface().do_action(0)
    time.sleep(1)


def all_controls(app):
    """The controls with episodes in Up Next and a running sleep timer."""
    fill_queue(app)
    if app.is_narrow:
        app.do("win.open-player")
    app.do("app.sleep", GLib.Variant("s", "45"))


def player_error(app):
    see_episodes(app)
    app.do("win.select-episode", GLib.Variant("u", 1))
    app.do("win.play-selected")
    app.do("win.open-player")
    app.wait_for_text("Not Found")


def sign_in(app):
    start(app)
    wait_for("the question", lambda: app.is_enabled("win.sign-in"))


def sign_in_dialog(app):
    sign_in(app)
    app.do("win.sign-in")


def sign_in_refused(app):
    sign_in_dialog(app)
    app.write("listener")
    app.press("Sign In", "button")
    app.wait_for_text("Wrong user name or password.")


def add(app):
    use(app)
    app.do("win.add-podcast")
    time.sleep(2)


def category(app):
    add(app)
    app.press("Technology")
    time.sleep(2)


def discover(app):
    use(app)
    app.do("win.add-podcast")
    app.write("compiler")
    time.sleep(2)


def look_for(text):
    def go(app):
        use(app)
        app.do("win.add-podcast")
        app.write(text)
        time.sleep(2)
    return go


def follow_list(app):
    use(app)
    path = write_list(app, [name.replace(" ", "%20") for name in MANY])
    app.open("file://" + path)
    time.sleep(1)


def preview(app):
    use(app)
    app.open(app.server + "/demo/daily.xml")
    app.wait_for_text("Follow")
    time.sleep(2)


def write_list(app, names, gone=()):
    path = os.path.join(app.folder, "list.opml")
    addresses = [f"{app.server}/generated/{name}-4.xml" for name in names] + list(gone)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<opml version="2.0"><body>' + "".join(f'<outline type="rss" xmlUrl="{each}"/>' for each in addresses) + "</body></opml>")
    return path


def import_list(app):
    use(app)
    path = write_list(app, MANY[:3], [f"{app.server}/~status={code}/generated/Gone-1.xml" for code in (404, 500)])
    app.do("app.import-file", GLib.Variant("s", "file://" + path))
    time.sleep(3)


def import_running(app):
    use(app)
    path = write_list(app, MANY[:3], [f"{app.server}/~delay=60000/generated/Slow-1.xml"])
    app.do("app.import-file", GLib.Variant("s", "file://" + path))
    time.sleep(3)


def write_antennapod(app):
    """A podcast with episodes that its feed no longer has, a folder of the phone, and one that was only looked at."""
    path = os.path.join(app.folder, "AntennaPodBackup-2026-11-29.db")
    feed = f"{app.server}/generated/{MANY[0].replace(' ', '%20')}-4.xml"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title, custom_title, download_url, username, password, tags, state);"
            "CREATE TABLE FeedItems (id INTEGER PRIMARY KEY, title, read, feed, item_identifier);"
            "CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY, download_url, position, feeditem, playback_completion_date, last_played_time);"
            "CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem, feed); CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem, feed);"
            "INSERT INTO FeedItems VALUES (1, 'A Lamp for the Long Night', 0, 1, 'a'), (2, 'Rope, Knots and Other Friends', 0, 1, 'b'), (3, '', 1, 3, 'c');"
            "INSERT INTO Favorites VALUES (1, 1, 1), (2, 2, 1);")
        database.executemany("INSERT INTO Feeds (id, title, download_url, state) VALUES (?, ?, ?, ?)", [
            (1, MANY[0], feed, 0), (2, "Recordings", "antennapod_local:content://tree", 0), (3, "Heard Once", "https://example.org/", 1)])
        database.commit()
    return path


def import_left_out(app):
    """What could not be imported from AntennaPod."""
    use(app)
    app.do("app.import-file", GLib.Variant("s", "file://" + write_antennapod(app)))
    time.sleep(3)
    app.press("Details")


def import_failed(app):
    import_list(app)
    app.press("Details")


def do(*names):
    """Steps that only activate actions."""
    def go(app):
        use(app)
        for name in names:
            app.do(name)
    return go


def press(label, role=None, way=use):
    """The steps WAY, and then a press of a button."""
    def go(app):
        way(app)
        app.press(label, role)
    return go


def write_series(app):
    """Settings that make the first podcast a series, played faster."""
    folder = os.path.join(app.folder, "data", "earmark", "state")
    os.makedirs(folder, exist_ok=True)
    stamp = "2026-01-01T00:00:00.000000Z"
    state = {"version": 1, "kind": "podcast", "address": app.feed,
             "settings": {"series": {"value": 1, "updated": stamp}, "sort": {"value": "oldest", "updated": stamp}, "speed": {"value": 150, "updated": stamp}},
             "episodes": {}}
    with open(os.path.join(folder, hashlib.sha256(app.feed.encode()).hexdigest()[:32] + ".json"), "w", encoding="utf-8") as file:
        json.dump(state, file)


def series(app):
    """The list of a series; in a wide window with an episode beside it."""
    see_episodes(app)
    app.do("app.quit")
    app.process.wait(10)
    write_series(app)
    app.start()
    see_episodes(app)
    for number in (1, 2):
        app.do("win.select-episode", GLib.Variant("u", number))
        app.do("win.toggle-listened")
    if app.is_narrow:
        app.do("win.select-podcast", GLib.Variant("s", app.feed))
    time.sleep(1)


def search_for(words):
    def go(app):
        use(app)
        app.do("win.search-for", GLib.Variant("s", words))
    return go


def search_everywhere(app):
    use(app)
    app.do("win.search-everywhere")
    app.do("win.search-for", GLib.Variant("s", "loop"))


def search_filters(app):
    """The completions while a filter is typed."""
    use(app)
    app.do("win.search-everywhere")
    app.do("win.search-for", GLib.Variant("s", "loop is:"))


def new(app):
    """The list of new episodes; in a wide window with the first one beside it."""
    use(app)
    app.do("win.show-new")
    if not app.is_narrow:
        app.do("win.select-episode", GLib.Variant("u", 0))


def queue(app):
    """Some episodes in Up Next; in a wide window with the second one beside them."""
    fill_queue(app)
    time.sleep(0.3)
    app.do("win.show-up-next")
    if not app.is_narrow:
        time.sleep(0.3)
        app.do("win.select-episode", GLib.Variant("u", 1))
    time.sleep(5)


def bookmarks(app):
    """Bookmarks of the current episode, in Saved; one has a note."""
    paused(app)
    app.do("win.show-playing")
    time.sleep(1)
    for seconds in (4, 19, 33):
        app.do("app.seek", GLib.Variant("x", seconds * 1000000))
        time.sleep(0.5)
        if seconds == 19:
            subprocess.run([app.program, "--bookmark=Send this one to Ann"], env=app.environment, check=True)
        else:
            app.do("app.bookmark")
        time.sleep(0.5)
    app.do("win.show-saved")
    time.sleep(0.5)
    app.press(app.translate("Bookmarks"), "radio button")
    time.sleep(5)


def write_links(app):
    """Marks of links: one read, one starred."""
    updated = "2026-11-20T19:42:10.000000Z"
    values = {"docs.gtk.org/gtk4/drawing-model.html": {"read": True}, "example.org/door-handles": {"starred": True}}
    folder = os.path.join(app.folder, "data", "earmark", "state")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "links.json"), "w", encoding="utf-8") as file:
        json.dump({"version": 1, "kind": "links", "records": {key: {"value": value, "updated": updated} for key, value in values.items()}}, file)


def use_links(app):
    """The feeds have to be followed first."""
    see_episodes(app)
    app.close()
    write_links(app)
    app.start()
    use(app)


def links(app):
    """The links of an episode; one is read, another one is starred."""
    use_links(app)
    app.do("win.select-episode", GLib.Variant("u", 0))
    app.do("win.show-tab", GLib.Variant("s", "links"))
    time.sleep(2)


def reading_list(app):
    """The links of all episodes."""
    use_links(app)
    time.sleep(4)
    app.do("win.show-saved")
    time.sleep(0.5)
    app.press(app.translate("Links"), "radio button")
    time.sleep(3)


def write_lists(app):
    """Two lists and a smart list."""
    updated = "2026-11-20T19:42:10.000000Z"
    names = {"0": "Walks", "1": "For the Long Way to Work", "2": "Short and Unplayed"}
    records = {uuid: {"value": {"title": title, "place": int(uuid) + 1}, "updated": updated} for uuid, title in names.items()}
    records["2"]["value"]["rule"] = {"played": "no", "longest": 40 * 60 * 1000000, "sort": "oldest"}
    for place, (uuid, number) in enumerate([("0", 4), ("0", 1), ("0", 5), ("1", 2), ("1", 4)]):
        records[f"{uuid}/{number}"] = {"value": {"podcast": app.feed, "guid": f"quiet-main-loop-00{number}", "place": place + 1}, "updated": updated}
    folder = os.path.join(app.folder, "data", "earmark", "state")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lists.json"), "w", encoding="utf-8") as file:
        json.dump({"version": 1, "kind": "lists", "records": records}, file)


def use_lists(app):
    """The feeds have to be followed first."""
    see_episodes(app)
    app.close()
    write_lists(app)
    app.start()
    use(app)


def lists(app):
    """A list; in a wide window with its second episode beside it."""
    use_lists(app)
    app.do("win.select-podcast", GLib.Variant("s", "list-0"))
    if not app.is_narrow:
        time.sleep(0.5)
        app.do("win.select-episode", GLib.Variant("u", 1))
    time.sleep(5)


def smart_list(app):
    """The rule of a smart list."""
    use_lists(app)
    app.do("win.select-podcast", GLib.Variant("s", "list-2"))
    time.sleep(0.5)
    app.do("win.edit-list")
    time.sleep(1)


def list_chooser(app):
    """The lists of an episode."""
    use_lists(app)
    app.do("win.select-episode", GLib.Variant("u", 1))
    time.sleep(0.5)
    app.do("win.add-to-list")


def use_folders(app):
    """Podcasts in folders, one of which is folded."""
    use(app)
    path = os.path.join(app.folder, "folders.opml")
    outlines = [f'<outline type="rss" xmlUrl="{app.server}/generated/{name.replace(" ", "%20")}-4.xml"/>' for name in MANY[:6]]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<opml version="2.0"><body><outline text="News">{"".join(outlines[:2])}</outline><outline text="Science">'
                   f'<outline text="Of the Sea and What Lives in It">{"".join(outlines[2:4])}</outline></outline>{"".join(outlines[4:])}</body></opml>')
    app.do("app.import-file", GLib.Variant("s", "file://" + path))
    time.sleep(3)


def folders(app):
    """A folder; in a narrow window the sidebar."""
    use_folders(app)
    if app.is_narrow:
        see_sidebar(app)
    else:
        app.do("win.select-podcast", GLib.Variant("s", "folder-News"))
    time.sleep(5)


def folder_chooser(app):
    """The choice of a folder for a podcast."""
    use_folders(app)
    app.do("win.add-to-folder")
    time.sleep(5)


def queue_empty(app):
    use(app)
    app.do("win.show-up-next")


def history(app):
    use(app)
    like(app)
    app.do("win.show-history")


def statistics(app):
    see_episodes(app)
    write_listening(app)
    app.do("win.statistics")
    app.wait_for_text("Saved by Speed")


def download(app, feed, *numbers):
    """Downloads these episodes of the podcast with the index FEED."""
    app.do("win.select-podcast", GLib.Variant("s", slow_and_gone(app.server)[feed]))
    for number in numbers:
        wait_for("an episode", lambda number=number: select(app, number))
        app.do("win.toggle-download")
    time.sleep(1.5)


def see_download(feed, number=0):
    """The page of an episode with a finished, running or failed download."""
    def go(app):
        see_episodes(app)
        download(app, feed, number)
    return go


def downloads(app):
    """Finished, running and failed downloads."""
    see_episodes(app)
    download(app, 0, 2, 4)
    download(app, 2, 1)
    download(app, 1, 0, 1)
    app.do("win.show-downloads")
    if not app.is_narrow:
        select(app, 0)


def filters(app):
    listing(app)
    like(app)
    app.do("win.select-podcast", GLib.Variant("s", app.feed))
    time.sleep(1)
    app.press("Filter", begins=True)


def selection(app):
    """A toast stands above the selection bar."""
    listing(app)
    app.act("Episodes", "list.select-all")
    app.do("win.toggle-liked")
    time.sleep(1)
    app.act("Episodes", "list.select-all")


def row_menu(app):
    listing(app)
    app.act("Feeds Are Only Text", "row.menu")


def ticking(app):
    """Some rows are selected."""
    listing(app)
    app.act("Hello, Main Loop", "row.tick")
    app.act("Feeds Are Only Text", "row.tick")


def share(app):
    """The QR code of an episode at its stored position."""
    episode(app)
    app.do("win.show-code")
    time.sleep(1)


def references(app):
    """An episode whose notes recommend another one first."""
    use(app)
    app.do("win.select-episode", GLib.Variant("u", 2))
    time.sleep(1)


def refresh(app):
    see_episodes(app)
    see_sidebar(app)
    app.do("app.refresh-all")
    time.sleep(2)


def unfollow(app):
    use(app)
    app.do("win.unfollow")


def empty(app):
    start_and_wait(app)
    app.do("win.unfollow")
    app.do("win.unfollow")


def quit_and_change(app, statement):
    """Changes the catalogue while the app does not run."""
    app.do("app.quit")
    app.process.wait(10)
    with contextlib.closing(sqlite3.connect(get_catalogue(app))) as database:
        database.execute(statement)
        database.commit()
        size = database.execute("PRAGMA page_size").fetchone()[0]
        return size, database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'").fetchone()[0]


def damage(app):
    """Damage, which the start after an unclean exit finds."""
    use(app)
    size, page = quit_and_change(app, "UPDATE meta SET value = 0 WHERE key = 'exit'")
    with open(get_catalogue(app), "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"Z" * size)
    app.start()
    app.wait_for_text("The list of episodes was damaged and is being fetched again. Your listening history is safe.")


def newer(app):
    see_episodes(app)
    quit_and_change(app, "PRAGMA user_version = 1000")
    app.start()
    app.wait_for_text("Earmark Cannot Start")


@dataclasses.dataclass
class Page:
    """GO leads there; FEEDS(URL of the server) are followed, and BEFORE(app) prepares the folders.

    The pointer is moved to the widget POINTER.
    """

    go: Callable
    size: tuple = WIDE
    looks: frozenset = frozenset()
    language: str | None = None
    feeds: Callable = demo
    before: Callable | None = None
    moves: bool = False
    pointer: str | None = None


PAGES = {
    # The window
    "list": Page(listing),
    "list-hover": Page(listing, pointer="Twice as Fast, and Still Jonas"),
    "sidebar": Page(sidebar, NARROW),
    "episode": Page(episode),
    "notes": Page(notes, HIGH),
    "notes-menu": Page(notes_menu, HIGH),
    "references": Page(references, HIGH),
    "chapters": Page(chapters),
    "transcript": Page(transcript, moves=True),
    "transcript-search": Page(transcript_search, moves=True),
    "liked-episode": Page(liked_episode),
    "player": Page(player, moves=True),
    "paused": Page(paused),
    "video": Page(video, feeds=film),
    "video-screen": Page(video_screen, feeds=film),
    "sheet": Page(sheet, NARROW),
    "sheet-picture": Page(sheet_picture, NARROW),
    "sheet-chapters": Page(sheet_tab("chapters"), NARROW),
    "sheet-transcript": Page(sheet_tab("transcript"), NARROW),
    "player-error": Page(player_error, feeds=silent),
    "scrubber": Page(paused, pointer="Position"),
    "speed": Page(press("Speed", way=controls)),
    "sleep": Page(sleeping),
    "controls": Page(all_controls),
    "volume": Page(press("Volume", way=controls)),
    "new": Page(new),
    "history": Page(history),
    "bookmarks": Page(bookmarks),
    "links": Page(links),
    "reading-list": Page(reading_list),
    "statistics": Page(statistics),
    "statistics-empty": Page(do("win.statistics")),
    "queue": Page(queue),
    "up-next-popover": Page(up_next_popover),
    "lists": Page(lists),
    "new-list": Page(do("win.new-list")),
    "smart-list": Page(smart_list),
    "list-chooser": Page(list_chooser),
    "folders": Page(folders),
    "folder-chooser": Page(folder_chooser),
    "series": Page(series),
    "queue-empty": Page(queue_empty),
    "downloads": Page(downloads, feeds=slow_and_gone, moves=True),
    "downloaded": Page(see_download(0, 2), feeds=slow_and_gone),
    "downloading": Page(see_download(1), feeds=slow_and_gone, moves=True),
    "download-failed": Page(see_download(2), feeds=slow_and_gone),
    "in-progress": Page(do("win.show-in-progress")),
    "filters": Page(filters),
    "selection": Page(selection),
    "ticking": Page(ticking),
    "search": Page(do("win.search")),
    "search-words": Page(search_for("loop")),
    "search-everywhere": Page(search_everywhere),
    "search-filters": Page(search_filters),
    "search-filtered": Page(search_for("is:unplayed longer:1m loop")),
    "refresh": Page(refresh, feeds=many, moves=True),
    "unfollow": Page(unfollow, moves=True),
    # Menus
    "main-menu": Page(press("Main Menu", way=sidebar)),
    "downloads-menu": Page(press("Menu", way=downloads), feeds=slow_and_gone, moves=True),
    "row-menu": Page(row_menu),
    "podcast-menu": Page(press("Podcast Menu", way=listing)),
    "episode-menu": Page(press("Episode Menu")),
    "sort-menu": Page(press("Sort Order", way=listing)),
    # Empty pages and errors
    "empty": Page(empty),
    "welcome": Page(start_and_wait, feeds=nothing, before=write_other_player),
    "welcome-offline": Page(start_and_wait, feeds=nothing, before=go_offline),
    "empty-view": Page(do("win.show-saved")),
    "downloads-empty": Page(do("win.show-downloads")),
    "search-nothing": Page(search_for("zzz")),
    "search-wrong-date": Page(search_for("loop after:2023-13-45")),
    "search-wrong-state": Page(search_for("loop is:wet ")),
    "offline": Page(start_and_wait, feeds=unreachable),
    "fetching": Page(start_and_wait, feeds=without_answer("mute"), moves=True),
    "not-found": Page(start_and_wait, feeds=without_answer("status=404")),
    "web-page": Page(start_and_wait, feeds=without_answer("html")),
    "for-members": Page(sign_in, feeds=members),
    "damaged": Page(damage),
    "newer": Page(newer),
    # Finding and importing
    "add": Page(add),
    "add-offline": Page(add, before=go_offline),
    "category": Page(category),
    "take-over": Page(do("win.add-podcast"), before=write_other_player),
    "discover": Page(discover),
    "discover-nothing": Page(look_for("zzz")),
    "discover-error": Page(look_for("https://example.invalid/feed.xml")),
    "discover-list": Page(follow_list),
    "similar": Page(press("Similar Podcasts", way=do("win.podcast-details"))),
    "preview": Page(preview, feeds=only_demo),
    "import": Page(import_list),
    "import-running": Page(import_running),
    "import-failed": Page(import_failed),
    "import-left-out": Page(import_left_out),
    # Other dialogs
    "sign-in": Page(sign_in_dialog, feeds=members),
    "sign-in-refused": Page(sign_in_refused, feeds=members),
    "backups": Page(do("app.backups"), before=write_backups),
    "no-backups": Page(do("app.backups")),
    "share": Page(share),
    "details": Page(do("win.podcast-details")),
    "preferences": Page(do("app.preferences")),
    "preferences-downloads": Page(press("Downloads", "page tab", way=do("app.preferences"))),
    "preferences-playback": Page(press("Playback", "page tab", way=do("app.preferences"))),
    "preferences-sync": Page(press("Sync", "page tab", way=do("app.preferences"))),
    "podcast-settings": Page(do("win.podcast-settings")),
    "change-address": Page(do("win.change-address")),
    "shortcuts": Page(do("app.shortcuts")),
    "about": Page(do("app.about")),
}

# Suffixes of PAGE-LOOK-LOOK..., which change the look of any page
SIZES = {"narrow": NARROW, "short": SHORT, "middle": MIDDLE, "wide": WIDE, "store": STORE, "wider": WIDER, "4k": HUGE}
LANGUAGES = {"rtl": "he"} | {language: language for language in LOCALES}
LOOKS = ("dark", "contrast", "large", "largest", "accent")


def find_page(name):
    """The page with that name, with the looks of its suffixes."""
    if name in PAGES:
        return PAGES[name]
    rest, _, last = name.rpartition("-")
    if not rest or last not in (*SIZES, *LANGUAGES, *LOOKS):
        raise SystemExit(f"usage: shot.py PAGE[-LOOK...] OUT.png...\n  pages: {' '.join(PAGES)}\n"
                         f"  looks: {' '.join((*SIZES, *LANGUAGES, *LOOKS))}")
    page = find_page(rest)
    return dataclasses.replace(page, size=SIZES.get(last, page.size), looks=page.looks | ({last} & set(LOOKS)),
                               language=LANGUAGES.get(last, page.language))
