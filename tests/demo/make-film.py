#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the demo video podcast: one short episode, from a drawing and the sound of another episode, and its feed.

The feed's addresses begin with @BASE@, which the server replaces by its own.
"""

import subprocess
import sys

RATE = 10
WIDTH, HEIGHT = 640, 360

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
<channel>
  <title>Quiet Main Loop, Drawn</title>
  <link>https://example.org/quiet-main-loop-drawn</link>
  <language>en</language>
  <description>What Mira and Jonas take apart, with a drawing to look at.</description>
  <itunes:author>Mira and Jonas</itunes:author>
  <itunes:image href="@BASE@/cover.jpg"/>
  <item>
    <title>How Long a Frame Lasts</title>
    <guid isPermaLink="false">drawn-1</guid>
    <pubDate>Sat, 14 Nov 2026 06:00:00 GMT</pubDate>
    <itunes:duration>{seconds}</itunes:duration>
    <enclosure url="@BASE@/film.webm" length="{size}" type="video/webm"/>
    <description>Sixteen milliseconds, drawn.</description>
    <content:encoded><![CDATA[<p>Sixteen milliseconds, drawn: what has to be done in them, and what can wait.</p>
<ul><li><a href="https://docs.gtk.org/gtk4/drawing-model.html">How GTK draws</a></li>
<li><a href="https://docs.gtk.org/gdk4/class.FrameClock.html">GdkFrameClock</a></li></ul>]]></content:encoded>
  </item>
</channel>
</rss>
"""


def run(pipeline):
    """Runs GStreamer; prints the encoders' output only on failure."""
    done = subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"gst-launch-1.0 {pipeline}\n{done.stdout}{done.stderr}")


def main():
    drawing, sound, seconds, film, feed = sys.argv[1:]
    # Crop the middle of a square drawing.
    run(f"webmmux name=mux ! filesink location={film} "
        f"filesrc location={drawing} ! jpegdec ! imagefreeze num-buffers={int(seconds) * RATE} ! video/x-raw,framerate={RATE}/1 "
        f"! videoconvert ! videoscale ! video/x-raw,width={WIDTH},height={WIDTH} ! videocrop top={(WIDTH - HEIGHT) // 2} bottom={(WIDTH - HEIGHT) // 2} "
        f"! vp8enc deadline=1 cpu-used=8 target-bitrate=600000 ! queue ! mux. "
        f"filesrc location={sound} ! mpegaudioparse ! mpg123audiodec ! audioconvert ! audioresample ! opusenc bitrate=48000 "
        "! queue ! mux.")
    with open(film, "rb") as file:
        size = len(file.read())
    with open(feed, "w", encoding="utf-8") as file:
        file.write(FEED.format(seconds=seconds, size=size))


if __name__ == "__main__":
    main()
