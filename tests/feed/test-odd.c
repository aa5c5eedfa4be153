/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-cases.h"

/* What real feeds write where no specification has it. */

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
