/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-cases.h"

/* Deviations of real feeds from all specifications */

static const FeedCase odd[] = {
  { "owner-is-author", RSS ("<title>T</title><itunes:owner><itunes:name>Own</itunes:name></itunes:owner><itunes:author> </itunes:author>"
                            "<webMaster>w@example.org (Web)</webMaster>"), "podcast.owner=Own\npodcast.author=Own" },
  { "author-before-owner", RSS ("<title>T</title><itunes:owner><itunes:name>Own</itunes:name></itunes:owner><managingEditor>e@example.org (Ed)</managingEditor>"),
    "podcast.owner=Own\npodcast.author=Ed" },
  { "owner-before-mailbox", RSS ("<title>T</title><managingEditor>e@example.org</managingEditor><itunes:owner><name>Own</name><email>o@example.org</email></itunes:owner>"),
    "podcast.author=Own\npodcast.email=o@example.org" },
  { "owner-in-no-episode", RSS ("<title>T</title><item><guid>1</guid></item><itunes:owner><itunes:name>Own</itunes:name></itunes:owner>"),
    "podcast.author=Own\n!0.author" },
  { "name-before-mailbox", ITEM ("<author>noreply@example.org</author><dc:creator>Ann</dc:creator>"), "0.author=Ann" },
  { "mailbox-alone", ITEM ("<author>ann@example.org</author>"), "0.author=ann@example.org" },
  { "author-with-mailbox", ITEM ("<author>Ann &lt;ann@example.org&gt;</author>"), "0.author=Ann" },
  { "author-in-brackets", ITEM ("<author>(Ann)</author>"), "0.author=Ann" },
  { "author-brackets", ITEM ("<author>(Ann) Smith</author>"), "0.author=(Ann) Smith" },
  { "author-as-elements", ITEM ("<author><name>Ann</name><email>a@example.org</email></author>"), "0.author=Ann" },
  { "author-with-markup", ITEM ("<itunes:author>&lt;b&gt;Ann&lt;/b&gt; &amp;amp; Bob</itunes:author>"), "0.author=Ann & Bob" },
  { "itunes-capitals", RSS ("<title>T</title><itunes:explicit> YES </itunes:explicit><itunes:type>\n SERIAL</itunes:type><itunes:block>Yes </itunes:block>"
                            "<itunes:complete>TRUE</itunes:complete><item><itunes:explicit>TRUE\n</itunes:explicit>"
                            "<itunes:episodeType> TRAILER </itunes:episodeType></item><item><itunes:Explicit>Clean</itunes:Explicit>"
                            "<itunes:episodetype>&amp;nbsp;Bonus</itunes:episodetype></item><item><itunes:episodeType>Full</itunes:episodeType>"
                            "<itunes:explicit>\302\240Y</itunes:explicit></item>"),
    "podcast.explicit=2\npodcast.type=serial\npodcast.blocked=1\npodcast.complete=1\n0.explicit=2\n0.type=1\n1.explicit=1\n1.type=2\n2.explicit=2\n!2.type" },
  { "image-as-text", RSS ("<title>T</title><itunes:image>\n https://example.org/i.jpg </itunes:image><item><itunes:image>href=https://example.org/a.jpg?b=c</itunes:image></item>"
                          "<item><itunes:image> HREF = \"/b.jpg\" </itunes:image></item><item><itunes:image>&lt;img src=\"/c.jpg\" /&gt;</itunes:image></item>"
                          "<item><itunes:image><url>/d.jpg</url></itunes:image></item><item><itunes:image src=\"/e.jpg\"/></item>"
                          "<item><itunes:image href=\"/f.jpg\">https://example.org/no.jpg</itunes:image></item><item><itunes:image>https://example.org/g?href=x</itunes:image></item>"),
    "podcast.image=https://example.org/i.jpg\n0.image=https://example.org/a.jpg?b=c\n1.image=https://example.org/b.jpg\n2.image=https://example.org/c.jpg\n"
    "3.image=https://example.org/d.jpg\n4.image=https://example.org/e.jpg\n5.image=https://example.org/f.jpg\n6.image=https://example.org/g?href=x" },
  { "rss-images", RSS ("<title>T</title><image><href>/i.jpg</href></image><item><image url=\"/a.jpg\"/></item><item><image href=\"/b.jpg\"></image></item>"
                       "<item><image href=\"/no.jpg\"><url>/c.jpg</url></image></item>"),
    "podcast.image=https://example.org/i.jpg\n0.image=https://example.org/a.jpg\n1.image=https://example.org/b.jpg\n2.image=https://example.org/c.jpg" },
  { "links-in-rss", RSS ("<title>T</title><link href=\"https://example.org/\"/><link rel=\"next\" href=\"?page=2\"/><item><link href=\"/a\"/></item>"
                         "<item><link href=\"/no\"/><link>/b</link></item><item><link rel=\"self\" href=\"/no\"/><link>/c</link></item>"
                         "<item><link rel=\"enclosure\" href=\"/1.mp3\" type=\"audio/mpeg\" length=\"5\"/></item><item><link/><guid>https://example.org/d</guid></item>"
                         "<item><link href=\"javascript:x\"/></item>"),
    "podcast.link=https://example.org/\npodcast.next=https://example.org/feeds/1.xml?page=2\n0.link=https://example.org/a\n1.link=https://example.org/b\n"
    "2.link=https://example.org/c\n3.enclosure=https://example.org/1.mp3|audio/mpeg|5\n!3.link\n4.link=https://example.org/d\n!5.link" },
  { "odd-links", ITEM ("<link>&lt;a href=\"/x\"&gt;here&lt;/a&gt;</link></item><item><link><a href=\"/y\">/no</a></link></item>"
                       "<item><link>www.example.net</link></item><item><link><![CDATA[ //example.net/a b ]]></link>"),
    "0.link=https://example.org/x\n1.link=https://example.org/y\n2.link=https://www.example.net/\n3.link=https://example.net/a%20b" },
  { "odd-enclosures", ITEM ("<enclosure href=\"/1.mp3\" length=\"1,234,567\"/><enclosure URL=\"/2.mp3\" TYPE=\"AUDIO/MPEG\" LENGTH=\"12\"/>"
                            "<enclosure url=\" www.example.net/3.mp3 \"/>"),
    "0.enclosure=https://example.org/1.mp3||1234567\n0.enclosure=https://example.org/2.mp3|audio/mpeg|12\n0.enclosure=https://www.example.net/3.mp3||0" },
  { "odd-lengths", ITEM ("<enclosure url=\"/1.mp3\" length=\"62.447.386\"/><enclosure url=\"/2.mp3\" length=\"59.6 MB\"/>"
                         "<enclosure url=\"/3.mp3\" length=\" 62 447 386 \"/><enclosure url=\"/4.mp3\" length=\"62'447'386\"/>"
                         "<enclosure url=\"/5.mp3\" length=\"62447386.0\"/><enclosure url=\"/6.mp3\" length=\"62447386 bytes\"/>"
                         "<enclosure url=\"/7.mp3\" length=\"6,24,47,386\"/><enclosure url=\"/8.mp3\" length=\"59.62\"/>"
                         "<enclosure url=\"/9.mp3\" length=\"01:02:03\"/><enclosure url=\"/10.mp3\" length=\"59.600 MB\"/>"
                         "<enclosure url=\"/11.mp3\" length=\"-1\"/><enclosure url=\"/12.mp3\" length=\"99999999999999999999\"/>"
                         "<enclosure url=\"/13.mp3\" length=\"62\302\240447\302\240386\"/><enclosure url=\"/14.mp3\" length=\"62,447.386\"/>"
                         "<enclosure url=\"/15.mp3\" length=\"0x10\"/><media:content url=\"/16.mp3\" fileSize=\"62.447.386\"/>"
                         "<podcast:alternateEnclosure type=\"audio/opus\" length=\"62.447.386\"><podcast:source uri=\"/17.opus\"/></podcast:alternateEnclosure>"),
    "0.enclosure=https://example.org/1.mp3||62447386\n0.enclosure=https://example.org/2.mp3||0\n0.enclosure=https://example.org/3.mp3||62447386\n"
    "0.enclosure=https://example.org/4.mp3||62447386\n0.enclosure=https://example.org/5.mp3||62447386\n0.enclosure=https://example.org/6.mp3||62447386\n"
    "0.enclosure=https://example.org/7.mp3||62447386\n0.enclosure=https://example.org/8.mp3||0\n0.enclosure=https://example.org/9.mp3||0\n"
    "0.enclosure=https://example.org/10.mp3||0\n0.enclosure=https://example.org/11.mp3||0\n0.enclosure=https://example.org/12.mp3||0\n"
    "0.enclosure=https://example.org/13.mp3||62447386\n0.enclosure=https://example.org/14.mp3||0\n0.enclosure=https://example.org/15.mp3||0\n"
    "0.enclosure=https://example.org/16.mp3||62447386" },
  { "stream-as-alternate", ITEM ("<podcast:alternateEnclosure type=\"application/mpegURL\"><podcast:source uri=\"/1.m3u8\"/></podcast:alternateEnclosure></item>"
                                 "<item><podcast:alternateEnclosure type=\"application/vnd.apple.mpegurl; charset=utf-8\" default=\"true\"><podcast:source uri=\"/2\"/>"
                                 "</podcast:alternateEnclosure><podcast:alternateEnclosure type=\"audio/opus\"><podcast:source uri=\"/2.opus\"/></podcast:alternateEnclosure></item>"
                                 "<item><podcast:alternateEnclosure type=\"application/x-bittorrent\"><podcast:source uri=\"/3.torrent\"/></podcast:alternateEnclosure>"),
    "0.enclosure=https://example.org/1.m3u8|application/mpegurl|0\n1.enclosure=https://example.org/2.opus|audio/opus|0\n!2.enclosure" },
  { "pictures-are-no-media", ITEM ("<enclosure url=\"/c.png\" type=\"image/png\"/><enclosure url=\"/1.mp3\" type=\"audio/mpeg\"/></item>"
                                   "<item><enclosure url=\"/c.png\" type=\"image/png\" length=\"70\"/></item>"
                                   "<item><enclosure url=\"/c.JPG?x=1.mp3\"/><enclosure url=\"/1.mp3\" type=\"file\"/></item>"
                                   "<item><enclosure url=\"/c.jpg\" type=\"application/octet-stream\"/><enclosure url=\"/1.mp3\" type=\"image/png\"/></item>"
                                   "<item><enclosure url=\"/1.jpg\" type=\"audio/mpeg\"/><itunes:image href=\"/i.jpg\"/></item>"
                                   "<item><enclosure url=\"/c.jpg\" type=\"image/jpeg\"/><itunes:image href=\"/i.jpg\"/>"
                                   "<podcast:alternateEnclosure type=\"audio/opus\"><podcast:source uri=\"/1.opus\"/></podcast:alternateEnclosure></item>"
                                   "<item><media:content url=\"/c.png\"/><media:content url=\"/1.mp3\"/>"),
    "0.enclosure=https://example.org/1.mp3|audio/mpeg|0\n0.image=https://example.org/c.png\n!1.enclosure\n1.image=https://example.org/c.png\n"
    "2.enclosure=https://example.org/1.mp3|file|0\n3.enclosure=https://example.org/1.mp3|image/png|0\n3.image=https://example.org/c.jpg\n"
    "4.enclosure=https://example.org/1.jpg|audio/mpeg|0\n4.image=https://example.org/i.jpg\n"
    "5.enclosure=https://example.org/1.opus|audio/opus|0\n5.image=https://example.org/i.jpg\n6.enclosure=https://example.org/1.mp3||0\n6.image=https://example.org/c.png" },
  { "image-that-is-none", RSS ("<title>T</title><itunes:image>href=http://example.net/l.png\"&gt;</itunes:image><image><url>/good.png</url></image>"
                               "<item><image><url>/good.png</url></image><itunes:image href=\"none\"/></item>"
                               "<item><itunes:image href=\"{{ cover.url }}\"/><media:thumbnail url=\"/good.png\"/></item>"
                               "<item><itunes:image>href=/broken.png\"&gt;</itunes:image></item>"
                               "<item><itunes:image href=\"https://\"/><media:thumbnail url=\"/good.png\"/></item>"
                               "<item><itunes:image>&lt;img alt=\"x\"&gt;</itunes:image><media:thumbnail url=\"/good.png\"/></item>"),
    "podcast.image=https://example.org/good.png\n0.image=https://example.org/good.png\n1.image=https://example.org/good.png\n"
    "2.image=https://example.org/broken.png\n3.image=https://example.org/good.png\n4.image=https://example.org/good.png" },
  { "fuller-notes", ITEM ("<description>&lt;p>Use this:&lt;/p>&lt;pre>fetch()&lt;/pre>&lt;p>More at &lt;a href='/n'>notes&lt;/a>.&lt;/p></description>"
                          "<content:encoded>&lt;p>Use this:&lt;/p>&lt;p>More at notes.&lt;/p></content:encoded></item>"
                          "<item><content:encoded>&lt;p>Use this:&lt;/p>&lt;p>More at notes.&lt;/p></content:encoded>"
                          "<description>&lt;p>Use this:&lt;/p>&lt;pre>fetch()&lt;/pre>&lt;p>More at &lt;a href='/n'>notes&lt;/a>.&lt;/p></description></item>"
                          "<item><description>A talk about rain, and no more of it.</description><content:encoded>&lt;p>A talk about rain.&lt;/p></content:encoded></item>"
                          "<item><itunes:summary>A talk about rain.https://e.example/</itunes:summary><description>&lt;p>A talk about rain.&lt;/p>&lt;p>https://e.example/&lt;/p></description></item>"
                          "<item><itunes:summary/><description>The only text.</description><content:encoded>&lt;p>&lt;/p></content:encoded></item>"
                          "<item><description>&amp;lt;p&amp;gt;Short&amp;lt;/p&amp;gt;</description><content:encoded>&lt;p>Short&lt;/p></content:encoded>"),
    "0.notes=<p>Use this:</p><pre>fetch()</pre><p>More at <a href='/n'>notes</a>.</p>\n1.notes=<p>Use this:</p><pre>fetch()</pre><p>More at <a href='/n'>notes</a>.</p>\n"
    "2.notes=<p>A talk about rain.</p>\n3.notes=<p>A talk about rain.</p><p>https://e.example/</p>\n4.notes=The only text.\n5.notes=<p>Short</p>" },
  { "odd-values", ITEM ("<itunes:duration>&amp;nbsp;30:00</itunes:duration><pubDate>Mon, 05 Aug 2024 20:19:00\302\240GMT</pubDate></item>"
                        "<item><itunes:duration><b>30:00</b></itunes:duration>"),
    "0.duration=1800000000\n0.published=1722889140\n1.duration=1800000000" },
  { "atom-title-markup", ATOM ("<title type=\"html\">A &lt;b title=\"x&gt;y\"&gt;bold&lt;/b&gt; move</title>"), "podcast.title=A bold move" },
};

static void
test_odd (void)
{
  feed_reader_check_cases (odd, G_N_ELEMENTS (odd));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/odd", test_odd);

  return g_test_run ();
}
