# SPDX-License-Identifier: GPL-3.0-or-later
"""Podcasts made for the tests, with sound that tells its own time."""

import contextlib
import dataclasses
import email.utils
import shutil
import sqlite3
from xml.sax.saxutils import escape, quoteattr

from harness import App, Profile, Server, clip

TYPES = {"mp3": "audio/mpeg", "opus": "audio/ogg", "m4a": "audio/mp4", "wav": "audio/wav", "webm": "video/webm"}
DAY = 24 * 60 * 60
FIRST = 1_700_000_000


def sound(server, name):
    """Puts a clip on the server, and returns its name."""
    target = server.root / name
    if not target.exists():
        shutil.copy(clip(name), target)
    return name


@dataclasses.dataclass
class Episode:
    """ADDRESS may be a wrapper of the server's: ~status=404/minute.cbr.mp3.

    CHAPTERS are (when, title, address of a picture or None, and perhaps a link), the SEASON is its number, or that and its name,
    EXTRA are further elements.
    """

    title: str
    address: str | None = None
    seconds: int | None = 60
    notes: str | None = None
    chapters: tuple = ()
    kind: str | None = None
    season: int | tuple | None = None
    extra: str = ""


def transcript(name):
    """The element for a transcript on the server."""
    return f'<podcast:transcript url="@BASE@/{name}" type="text/vtt"/>'


def item(number, episode):
    parts = [f"<title>{escape(episode.title)}</title>",
             f'<guid isPermaLink="false">episode-{number}</guid>',
             f"<link>https://example.org/{number}</link>",
             # The first episode is the newest.
             f"<pubDate>{email.utils.formatdate(FIRST - number * DAY)}</pubDate>"]
    if episode.kind:
        parts.append(f"<itunes:episodeType>{episode.kind}</itunes:episodeType>")
    if episode.season:
        number, name = episode.season if isinstance(episode.season, tuple) else (episode.season, None)
        parts.append(f"<itunes:season>{number}</itunes:season>")
        if name:
            parts.append(f"<podcast:season name={quoteattr(name)}>{number}</podcast:season>")
    if episode.seconds:
        parts.append(f"<itunes:duration>{episode.seconds}</itunes:duration>")
    if episode.address:
        address = episode.address if ":" in episode.address.split("/")[0] else f"@BASE@/{episode.address}"
        kind = TYPES.get(episode.address.rsplit(".", 1)[-1], "audio/mpeg")
        parts.append(f'<enclosure url={quoteattr(address)} type="{kind}" length="480000"/>')
    if episode.notes:
        parts.append(f"<content:encoded><![CDATA[{episode.notes}]]></content:encoded>")
    if episode.chapters:
        parts += ["<psc:chapters>",
                  *(f'<psc:chapter start="{start}" title={quoteattr(title)}' + (f" image={quoteattr(image)}" if image else "") +
                    (f" href={quoteattr(link[0])}/>" if link else "/>") for start, title, image, *link in episode.chapters),
                  "</psc:chapters>"]
    return f"<item>{''.join(parts)}{episode.extra}</item>"


def write(server, name, title, episodes, kind="episodic"):
    """Writes NAME.xml, and returns its address."""
    items = "\n".join(item(number, episode) for number, episode in enumerate(episodes))
    (server.root / f"{name}.xml").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:psc="http://podlove.org/simple-chapters" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel><title>{escape(title)}</title><link>https://example.org/{name}</link><itunes:author>Nobody</itunes:author><itunes:type>{kind}</itunes:type>
<description>Made for a test.</description>
{items}
</channel></rss>
""")
    return server.url(f"{name}.xml")


def write_tones(server, name="tones", title="Time Tones", clips=("minute.cbr.mp3", "minute.opus", "minute.m4a")):
    """Writes a podcast with an episode for each clip."""
    return write(server, name, title,
                 [Episode(f"Sound in {file}", sound(server, file), 3 if file.startswith("short") else 60,
                          notes=f"<p>Listen to <a href='https://example.org/{file}'>{file}</a> from 0:20 on.</p>")
                  for file in clips])


@contextlib.contextmanager
def following(write_it, environment=None, n_rows=0, **settings):
    """An app that follows what WRITE_IT(server) gives, an address or several, of which so many rows come into sight."""
    with Server() as server:
        address = write_it(server)
        with Profile(address, settings) as profile, App(profile, environment) as app:
            app.server, app.address = server, address
            if n_rows > 0:
                app.wait_for_rows(n_rows)
            yield app


def tones(n_rows=3, environment=None, **settings):
    """An app in which the podcast of write_tones() is followed, of which so many rows have room."""
    return following(write_tones, environment, n_rows, **settings)


def write_minutes(server, name, title, episodes, kind="episodic"):
    """Writes a podcast; EPISODES are titles or episodes, with sound of a minute unless they say otherwise."""
    sound(server, "minute.cbr.mp3")
    return write(server, name, title, [each if isinstance(each, Episode) else Episode(each, "minute.cbr.mp3") for each in episodes], kind)


def one_podcast(title, episodes, environment=None, kind="episodic", **settings):
    """An app in which one podcast is followed; for EPISODES see write_minutes()."""
    return following(lambda server: write_minutes(server, "podcast", title, episodes, kind), environment, len(episodes), **settings)


@contextlib.contextmanager
def two_podcasts(first, second, environment=None, **settings):
    """An app in which the First Podcast and the Second Podcast are followed; for their episodes see write_minutes()."""
    both = {"First": first, "Second": second}
    with following(lambda server: [write_minutes(server, name.lower(), f"{name} Podcast", episodes) for name, episodes in both.items()],
                   environment, **settings) as app:
        app.addresses = app.address
        if settings:
            app.wait_for_rows(2)
        else:
            app.wait_for("list item", "First Podcast, 1 new episode")
            app.wait_for("list item", "Second Podcast, 1 new episode")
            # The newest of each is new to listeners who have just followed both.
            app.wait_for("list item", "New, 2 new episodes")
        yield app


def directories(server, itunes="itunes", fyyd="fyyd"):
    """Makes the app ask the server's stand-ins instead of the real directories."""
    return {"EARMARK_ITUNES": server.url(itunes), "EARMARK_FYYD": server.url(fyyd)}


def write_opml(path, *addresses):
    outlines = "".join(f'<outline type="rss" xmlUrl="{address}"/>' for address in addresses)
    path.write_text(f'<opml version="2.0"><body>{outlines}</body></opml>')
    return path


def write_list(server, *addresses):
    """Writes a list of podcasts into the server's folder, and returns its path."""
    return write_opml(server.root / "list.opml", *addresses)


ANTENNAPOD = """
CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title, custom_title, download_url, username, password, tags, state);
CREATE TABLE FeedItems (id INTEGER PRIMARY KEY, title, read INTEGER, feed INTEGER, item_identifier);
CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY, download_url, position INTEGER, feeditem INTEGER, playback_completion_date INTEGER,
  last_played_time INTEGER);
CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
INSERT INTO FeedItems VALUES (1, 'Day 1', 1, 1, 'made-1'), (2, 'Day 0', 0, 1, 'made-0'), (3, 'The Lost Episode', 0, 1, 'lost');
INSERT INTO Queue VALUES (1, 2, 1), (2, 3, 1);
"""


def write_antennapod(folder, address):
    """Writes AntennaPod's database export, and returns its path: one podcast at ADDRESS with a played, a queued and a missing episode, and a
    folder of the phone."""
    path = folder / "AntennaPodBackup-2026-11-29.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(ANTENNAPOD)
        database.execute("INSERT INTO Feeds (id, title, download_url, state) VALUES (1, 'Alpha', ?, 0)", (address,))
        database.execute("INSERT INTO Feeds (id, title, download_url, state) VALUES (2, 'My Phone', 'antennapod_local:content://tree', 0)")
        database.commit()
    return path


GNOME_PODCASTS = """
CREATE TABLE source (id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE);
CREATE TABLE shows (id INTEGER PRIMARY KEY, title TEXT NOT NULL, source_id INTEGER NOT NULL UNIQUE);
CREATE TABLE episodes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, uri TEXT, guid TEXT, played TIMESTAMP,
  play_position INTEGER NOT NULL, show_id INTEGER NOT NULL);
"""


def write_gnome_podcasts(profile, server):
    """Writes the database of GNOME Podcasts, which follows Alpha and has played its first episode."""
    folder = profile.folder / "data" / "gnome-podcasts"
    folder.mkdir()
    with contextlib.closing(sqlite3.connect(folder / "podcasts.db")) as database:
        database.executescript(GNOME_PODCASTS)
        database.execute("INSERT INTO source VALUES (1, ?)", (server.url("generated/Alpha-3.xml"),))
        database.execute("INSERT INTO shows VALUES (1, 'Alpha', 1)")
        database.execute("INSERT INTO episodes VALUES (1, 'Day 1', NULL, 'made-1', '2024-05-06 07:08:09', 0, 1)")
        database.commit()
