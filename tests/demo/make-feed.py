#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the demo podcasts' feeds from the facts that make-episode.py left.

The URLs in the feeds begin with @BASE@, which the server replaces by its own URL.
"""

import argparse
import datetime
import email.utils
import json
import pathlib
import re
import uuid
from xml.sax.saxutils import escape, quoteattr

TYPES = {".mp3": "audio/mpeg", ".opus": "audio/ogg", ".m4a": "audio/mp4"}

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"
  xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:podcast="https://podcastindex.org/namespace/1.0"
  xmlns:psc="http://podlove.org/simple-chapters">
"""

SHOW = """<channel>
  <title>Quiet Main Loop</title>
  <atom:link rel="self" type="application/rss+xml" href="@BASE@/feed.xml"/>
  <link>https://example.org/quiet-main-loop</link>
  <language>en</language>
  <copyright>The Earmark contributors, GPL-3.0-or-later</copyright>
  <generator>Earmark's build</generator>
  <description>Mira and Jonas take one small part of a desktop program apart in every episode: a play button, a feed, a place that must not get lost. Everything in this podcast, the voices, the music and the room, was computed while you compiled a program.</description>
  <itunes:author>Mira and Jonas</itunes:author>
  <itunes:owner><itunes:name>Quiet Main Loop</itunes:name><itunes:email>loop@example.org</itunes:email></itunes:owner>
  <itunes:image href="@BASE@/cover.jpg"/>
  <image><url>@BASE@/cover.jpg</url><title>Quiet Main Loop</title><link>https://example.org/quiet-main-loop</link></image>
  <itunes:category text="Technology"/>
  <itunes:category text="Education"><itunes:category text="How To"/></itunes:category>
  <itunes:type>episodic</itunes:type>
  <itunes:explicit>false</itunes:explicit>
  <podcast:guid>{guid}</podcast:guid>
  <podcast:locked owner="loop@example.org">yes</podcast:locked>
  <podcast:medium>podcast</podcast:medium>
  <podcast:funding url="https://example.org/quiet-main-loop/tea">Buy the loop a cup of tea</podcast:funding>
  <podcast:person role="host" href="https://example.org/people/mira">Mira</podcast:person>
  <podcast:person role="host" href="https://example.org/people/jonas">Jonas</podcast:person>
  <lastBuildDate>{date}</lastBuildDate>
"""

DAILY = """<channel>
  <title>The Very Short Daily</title>
  <atom:link rel="self" type="application/rss+xml" href="@BASE@/daily.xml"/>
  <link>https://example.org/very-short-daily</link>
  <language>en</language>
  <description>Every day, a quarter of a minute about something that went well.</description>
  <itunes:author>The Very Short Newsroom</itunes:author>
  <itunes:image href="@BASE@/daily.jpg"/>
  <itunes:category text="News"/>
  <itunes:explicit>false</itunes:explicit>
"""

DAILY_WHAT = ["cursor", "printer", "cable", "update", "clock", "font", "window", "password", "map", "spreadsheet", "lamp"]
DAILY_HOW = ["A patient", "A punctual", "The last", "A forgiving", "One honest", "An almost silent", "A surprisingly small"]
SEASONS = {"1": "Small Parts", "2": "Short Times"}


def format_date(moment):
    return email.utils.format_datetime(moment, usegmt=True)


def parse_date(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=datetime.timezone.utc)


def format_stamp(seconds, short):
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}" if short else f"{minutes:02}:{rest:02}"


def fill_times(notes, chapters):
    """Replaces `{chapter 2}` by the time of the chapter as 02:15, and `{chapter 2 short}` by 2:15."""
    return re.sub(r"\{chapter (\d+)( short)?\}",
                  lambda m: format_stamp(chapters[int(m[1]) - 1]["start"], m[2]), notes)


def format_duration(length, number):
    """Formats a duration in one of the three forms that feeds use."""
    whole = round(length)
    if number % 3 == 0:
        return str(whole)
    minutes, seconds = divmod(whole, 60)
    return f"{minutes}:{seconds:02}" if number % 3 == 1 else f"00:{minutes:02}:{seconds:02}"


def describe(facts, sources):
    """Returns the notes of the item: HTML, plain text, or none."""
    slug, subtitle = facts["slug"], facts["fields"]["subtitle"][0]
    html, text = sources / f"{slug}.notes.html", sources / f"{slug}.notes.txt"
    if html.exists():
        notes = fill_times(html.read_text(encoding="utf-8"), facts["chapters"]).strip()
        return [f"<description>{escape(subtitle)}</description>", f"<content:encoded><![CDATA[{notes}]]></content:encoded>"]
    if text.exists():
        return [f"<description>{escape(text.read_text(encoding='utf-8').strip())}</description>"]
    return []


def list_chapters(facts):
    """Returns chapters within the feed (Podlove), or a link to a chapters file."""
    if "chapters" not in facts["fields"]:
        if len(facts["chapters"]) < 2:
            return []
        return [f'<podcast:chapters url="@BASE@/{facts["slug"]}.chapters.json" type="application/json+chapters"/>']
    lines = ['<psc:chapters version="1.2">']
    for chapter in facts["chapters"]:
        href = f" href={quoteattr(chapter['url'])}" if chapter["url"] else ""
        start = f"{format_stamp(chapter['start'], False)}.{round(chapter['start'] * 1000) % 1000:03}"
        lines.append(f'  <psc:chapter start="{start}" title={quoteattr(chapter["title"])}{href}/>')
    return [*lines, "</psc:chapters>"]


def make_enclosure(facts, query=""):
    suffix = pathlib.Path(facts["audio"]).suffix
    return f'<enclosure url="@BASE@/{facts["audio"]}{query}" length="{facts["bytes"]}" type="{TYPES[suffix]}"/>'


def make_item(facts, number, sources):
    fields, slug = facts["fields"], facts["slug"]
    season = fields["season"][0]
    lines = [
        f"<title>{escape(fields['title'][0])}</title>",
        f'<guid isPermaLink="false">{fields["guid"][0]}</guid>',
        f"<pubDate>{format_date(parse_date(fields['date'][0]))}</pubDate>",
        f"<link>https://example.org/quiet-main-loop/{slug}</link>",
        make_enclosure(facts),
        f"<itunes:duration>{format_duration(facts['length'], number)}</itunes:duration>",
        f"<itunes:episodeType>{fields.get('kind', ['full'])[0]}</itunes:episodeType>",
        f"<itunes:season>{season}</itunes:season>",
        f'<podcast:season name="{SEASONS[season]}">{season}</podcast:season>',
        f'<podcast:transcript url="@BASE@/{slug}.vtt" type="text/vtt" language="en"/>',
        *describe(facts, sources),
        *list_chapters(facts),
    ]
    if fields["number"][0] != "0":
        lines.append(f"<itunes:episode>{fields['number'][0]}</itunes:episode>")
        lines.append(f"<podcast:episode>{fields['number'][0]}</podcast:episode>")
    if "cover" in fields:
        lines.append(f'<itunes:image href="@BASE@/{fields["cover"][0]}.jpg"/>')
    if "person" in fields:
        # The list of an item replaces the channel's, so it repeats the hosts.
        for person in ("Mira|host|https://example.org/people/mira", "Jonas|host|https://example.org/people/jonas", *fields["person"]):
            name, role, href = person.split("|")
            address = f' href="{href}"' if href else ""
            lines.append(f'<podcast:person role="{role}"{address}>{escape(name)}</podcast:person>')
    return "\n".join(["  <item>", *("    " + line for line in lines), "  </item>"])


def make_show(all_facts, sources):
    ordered = sorted(all_facts, key=lambda f: f["fields"]["date"][0], reverse=True)
    # The namespace from the specification of podcast:guid
    guid = uuid.uuid5(uuid.UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6"), "example.org/quiet-main-loop/feed.xml")
    head = SHOW.format(guid=guid, date=format_date(parse_date(ordered[0]["fields"]["date"][0])))
    items = [make_item(facts, number, sources) for number, facts in enumerate(ordered)]
    return HEAD + head + "\n".join(items) + "\n</channel>\n</rss>\n"


def make_daily(facts, days=120):
    newest = parse_date(facts["fields"]["date"][0])
    items = []
    for day in range(days, 0, -1):
        date = newest - datetime.timedelta(days=days - day)
        title = f"{DAILY_HOW[day * 5 % len(DAILY_HOW)]} {DAILY_WHAT[day * 7 % len(DAILY_WHAT)]}"
        items.append("\n    ".join([
            "  <item>", f"<title>Day {day}: {title}</title>", f'<guid isPermaLink="false">very-short-daily-{day}</guid>',
            f"<pubDate>{format_date(date)}</pubDate>", make_enclosure(facts, f"?day={day}"),
            f"<itunes:duration>{round(facts['length'])}</itunes:duration>",
            f"<description>{title} was seen today. Witnesses: https://example.org/day/{day}</description>"]) + "\n  </item>")
    return HEAD + DAILY + "\n".join(items) + "\n</channel>\n</rss>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=pathlib.Path, required=True, help="the folder of scripts and notes")
    parser.add_argument("--daily", type=pathlib.Path, required=True, help="the facts of the daily podcast's one episode")
    parser.add_argument("show_feed", type=pathlib.Path)
    parser.add_argument("daily_feed", type=pathlib.Path)
    parser.add_argument("facts", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    all_facts = [json.loads(path.read_text(encoding="utf-8")) for path in options.facts]
    options.show_feed.write_text(make_show(all_facts, options.sources), encoding="utf-8")
    options.daily_feed.write_text(make_daily(json.loads(options.daily.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
