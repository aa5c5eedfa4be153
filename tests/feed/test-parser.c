/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-cases.h"

#include "ear-address.h"
#include "ear-error.h"

#include <string.h>

static const FeedCase formats[] = {
  { "rss", RSS ("<title>Podcast</title><link>https://example.org/</link><description>About</description><language>en-GB</language>"
                "<copyright>2024</copyright><generator>Hand</generator><pubDate>Sun, 04 Aug 2024 01:47:46 +0000</pubDate>"
                "<image><url>/cover.jpg</url><title>Not this</title><link>https://other.example/</link></image>"
                "<item><guid isPermaLink=\"false\"> one </guid><title>First</title><link>/1</link><description>Notes</description>"
                "<enclosure url=\"https://example.org/1.mp3\" type=\"audio/mpeg\" length=\"1000\"/>"
                "<pubDate>Sun, 04 Aug 2024 01:47:46 +0000</pubDate><author>a@example.org (Ann)</author></item>"),
    "podcast.title=Podcast\npodcast.link=https://example.org/\npodcast.description=About\npodcast.language=en-GB\n"
    "podcast.copyright=2024\npodcast.generator=Hand\npodcast.published=1722736066\npodcast.image=https://example.org/cover.jpg\n"
    "0.guid=one\n0.title=First\n0.link=https://example.org/1\n0.notes=Notes\n0.base=https://example.org/1\n"
    "0.enclosure=https://example.org/1.mp3|audio/mpeg|1000\n0.published=1722736066\n0.author=Ann\nitems=1\ndamaged=0\nformat=rss" },
  { "rss-1.0", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\" "
               "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel rdf:about=\"x\"><title>Old</title><items><rdf:Seq/></items></channel>"
               "<image><url>https://example.org/i.png</url></image>"
               "<item rdf:about=\"https://example.org/1\"><title>First</title><link>https://example.org/1</link>"
               "<dc:date>2024-08-04T01:47:46Z</dc:date><dc:creator>Ann</dc:creator></item></rdf:RDF>",
    "podcast.title=Old\npodcast.image=https://example.org/i.png\n0.guid=https://example.org/1\n0.title=First\n0.published=1722736066\n"
    "0.author=Ann\nformat=rdf\ndamaged=0" },
  { "rss-0.9", "<rss version=\"0.91\"><channel><title>Old</title><item><title>First</title><link>https://example.org/1</link></item>"
               "</channel></rss>",
    "podcast.title=Old\n0.title=First\n!0.guid" },
  { "rss-namespace", "<rss xmlns=\"http://backend.userland.com/rss2\"><channel><title>T</title><item><guid>1</guid></item></channel></rss>",
    "podcast.title=T\n0.guid=1" },
  { "rss-uppercase", "<RSS><CHANNEL><TITLE>T</TITLE><ITEM><GUID>1</GUID></ITEM></CHANNEL></RSS>", "podcast.title=T\n0.guid=1" },
  { "atom", ATOM ("<title type=\"html\">A &lt;b&gt;bold&lt;/b&gt; title</title><subtitle>About</subtitle>"
                  "<link href=\"https://example.org/\"/><link rel=\"self\" href=\"https://example.org/self\"/>"
                  "<author><name>Ann</name><email>a@example.org</email></author><logo>l.png</logo><rights>CC</rights>"
                  "<entry><id>urn:1</id><title>First &lt;b></title><updated>2024-08-05T00:00:00Z</updated>"
                  "<published>2024-08-04T01:47:46Z</published><summary>Short</summary>"
                  "<content type=\"html\">&lt;p&gt;Long&lt;/p&gt;</content><link rel=\"alternate\" href=\"/1\"/>"
                  "<link rel=\"enclosure\" href=\"/1.mp3\" type=\"audio/mpeg\" length=\"7\"/></entry>"),
    "podcast.title=A bold title\npodcast.description=About\npodcast.link=https://example.org/\npodcast.author=Ann\n"
    "podcast.image=https://example.org/feeds/l.png\npodcast.copyright=CC\n0.guid=urn:1\n0.title=First <b>\n0.published=1722736066\n"
    "0.notes=<p>Long</p>\n0.link=https://example.org/1\n0.enclosure=https://example.org/1.mp3|audio/mpeg|7\nformat=atom" },
  { "atom-xhtml", ATOM ("<title>T</title><entry><id>1</id><content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">"
                        "<p class='a\"b'>5 &lt; 6 &amp; <a href=\"/x?a=1&amp;b=2\">link</a><br/>end</p></div></content></entry>"),
    "0.notes=<div><p class=\"a&quot;b\">5 &lt; 6 &amp; <a href=\"/x?a=1&amp;b=2\">link</a><br>end</p></div>" },
  { "atom-text", ATOM ("<title>T</title><entry><id>1</id><content>a &lt;b> &amp; c\nd</content></entry>"),
    "0.notes=a &lt;b&gt; &amp; c<br/>" },
  { "atom-base64", ATOM ("<title>T</title><entry><id>1</id><content type=\"application/octet-stream\">SGVsbG8=</content></entry>"), "0.notes=Hello" },
  { "atom-source", ATOM ("<title>T</title><entry><id>1</id><source><id>2</id><title>Other</title></source><title>Own</title></entry>"),
    "0.guid=1\n0.title=Own\npodcast.title=T" },
  { "atom-0.3", "<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"><title mode=\"escaped\" type=\"text/html\">&lt;i&gt;T&lt;/i&gt;</title>"
                "<tagline>About</tagline><entry><id>1</id><issued>2024-08-04T01:47:46Z</issued></entry></feed>",
    "podcast.title=T\npodcast.description=About\n0.published=1722736066" },
  { "atom-links-as-text", ATOM ("<title>T</title><entry><link rel=\"enclosure\">https://example.org/e</link>"
                                "<link rel=\"alternate\">https://example.org/a</link></entry>"), "0.link=https://example.org/a" },
  { "language", RSS ("<title>T</title><language>en_US</language>"), "podcast.language=en-US" },
  { "no-namespace-atom", "<feed><title>T</title><entry><id>1</id></entry></feed>", "podcast.title=T\n0.guid=1" },
  { "redirect", "<redirect>\n<newLocation>\nhttps://new.example/f\n</newLocation></redirect>", "podcast.new=https://new.example/f\nformat=redirect\nitems=0\n!error" },
  { "redirect-declared", "<?xml version=\"1.0\"?><!-- moved --><Redirect><NewLocation>/f</NewLocation></Redirect>",
    "podcast.new=https://example.org/f\nformat=redirect" },
  { "redirect-empty", "<redirect><newLocation> </newLocation></redirect>", "error=NOT_A_FEED" },
  { "redirect-unsafe", "<redirect><newLocation>file:///etc/passwd</newLocation></redirect>", "error=NOT_A_FEED" },
  { "empty-channel", "<rss><channel></channel></rss>", "items=0\ndamaged=0\n!error" },
};

static const FeedCase namespaces[] = {
  { "itunes", RSS ("<itunes:title>Podcast</itunes:title><itunes:summary>About</itunes:summary><itunes:author>Ann</itunes:author>"
                   "<itunes:image href=\"/c.jpg\"/><itunes:explicit>no</itunes:explicit><itunes:type>Serial</itunes:type>"
                   "<itunes:owner><itunes:name>Owner</itunes:name><itunes:email>o@example.org</itunes:email></itunes:owner>"
                   "<itunes:category text=\"Arts &amp; Crafts\"><itunes:category text=\"Design\"/></itunes:category>"
                   "<itunes:keywords>one, two ,one</itunes:keywords><itunes:new-feed-url>https://new.example/f</itunes:new-feed-url>"
                   "<itunes:complete>Yes</itunes:complete><itunes:block>no</itunes:block>"
                   "<item><itunes:title>First</itunes:title><itunes:subtitle>Line</itunes:subtitle><itunes:duration>1:02:03</itunes:duration>"
                   "<itunes:season>2</itunes:season><itunes:episode>83</itunes:episode><itunes:episodeType>Bonus</itunes:episodeType>"
                   "<itunes:explicit>TRUE</itunes:explicit><itunes:image href=\"https://example.org/e.jpg\"/></item>"),
    "podcast.title=Podcast\npodcast.description=About\npodcast.author=Ann\npodcast.image=https://example.org/c.jpg\npodcast.explicit=1\n"
    "podcast.type=serial\npodcast.owner=Owner\npodcast.email=o@example.org\npodcast.category=Arts & Crafts\npodcast.category=Design\n"
    "podcast.keyword=one\npodcast.keyword=two\npodcast.new=https://new.example/f\npodcast.complete=1\n!podcast.blocked\n0.title=First\n"
    "0.subtitle=Line\n0.duration=3723000000\n0.season=2\n0.number=83\n0.type=2\n0.explicit=2\n0.image=https://example.org/e.jpg" },
  { "itunes-other-prefix", "<rss xmlns:x=\"https://www.ITUNES.com/DTDs/Podcast-1.0.dtd/\"><channel><title>T</title><x:author>Ann</x:author></channel></rss>",
    "podcast.author=Ann" },
  { "undeclared-prefix", "<rss><channel><title>T</title><itunes:author>Ann</itunes:author></channel></rss>", "podcast.author=Ann" },
  { "title-before-itunes", ITEM ("<itunes:title>iTunes</itunes:title><title>Own</title>"), "0.title=Own" },
  { "empty-title", ITEM ("<title> </title><itunes:title>iTunes</itunes:title>"), "0.title=iTunes" },
  { "podcast", RSS ("<title>T</title><podcast:guid>c0ffee</podcast:guid><podcast:funding url=\"https://example.org/pay\">Pay us</podcast:funding>"
                    "<podcast:funding>no address</podcast:funding><podcast:person href=\"/ann\">Ann</podcast:person>"
                    "<podcast:liveItem status=\"live\"><title>Live</title><guid>live</guid></podcast:liveItem>"
                    "<item><guid>1</guid><podcast:transcript url=\"/1.vtt\" type=\"text/vtt\" language=\"en\"/>"
                    "<podcast:transcript type=\"text/vtt\"/><podcast:chapters url=\"/1.json\" type=\"application/json+chapters\"/>"
                    "<podcast:person role=\"Guest\" img=\"https://example.org/b.jpg\">Bob</podcast:person><podcast:person/>"
                    "<podcast:season name=\"Two\">2</podcast:season><podcast:episode display=\"Special\">7.5</podcast:episode></item>"),
    "podcast.guid=c0ffee\npodcast.funding=https://example.org/pay|Pay us\npodcast.person=Ann|host||https://example.org/ann\n"
    "!podcast.funding=https://example.org/pay|no address\n0.transcript=https://example.org/1.vtt|text/vtt|en\n!0.transcript=|\n"
    "0.chapters=https://example.org/1.json\n0.person=Bob|guest|https://example.org/b.jpg|\n0.season=2\n0.number=Special\nitems=1" },
  { "podcast-media", ITEM ("<enclosure url=\"/1.mp3\" type=\"audio/mpeg\"/>"
                           "<podcast:alternateEnclosure type=\"audio/opus\" length=\"5\" bitrate=\"64000.9\" title=\"Small\" lang=\"de\" default=\"true\">"
                           "<podcast:integrity type=\"sri\" value=\"x\"/><podcast:source uri=\"/1.opus\"/><podcast:source uri=\"ipfs://x\"/>"
                           "<podcast:source uri=\"https://other.example/1\" contentType=\"Audio/Ogg\"/></podcast:alternateEnclosure>"
                           "<podcast:alternateEnclosure type=\"video/mp4\" height=\"720\"><podcast:source uri=\"/1.mp4\"/></podcast:alternateEnclosure>"
                           "<podcast:source uri=\"/no\"/>"),
    "0.enclosure=https://example.org/1.mp3|audio/mpeg|0\n!0.enclosure=https://example.org/1.opus|audio/opus|5" },
  { "alternate-types", ITEM ("<podcast:alternateEnclosure type=\"application/pdf\" length=\"5\"><podcast:source uri=\"/1.pdf\"/>"
                             "<podcast:source uri=\"/1\" contentType=\"Audio/Ogg\"/></podcast:alternateEnclosure>"),
    "0.enclosure=https://example.org/1|audio/ogg|5" },
  { "alternate-only", ITEM ("<podcast:alternateEnclosure type=\"application/pdf\"><podcast:source uri=\"/1.pdf\"/></podcast:alternateEnclosure>"
                            "<podcast:alternateEnclosure type=\"audio/ogg\"><podcast:source uri=\"/1.ogg\"/></podcast:alternateEnclosure>"
                            "<podcast:alternateEnclosure type=\"audio/mpeg\" default=\"true\" length=\"9\"><podcast:source uri=\"/1.mp3\"/></podcast:alternateEnclosure>"),
    "0.enclosure=https://example.org/1.mp3|audio/mpeg|9\n!0.enclosure=https://example.org/1.ogg|audio/ogg|0" },
  { "podcast-channel", RSS ("<title>T</title><podcast:license url=\"https://example.org/l\">cc-by-4.0</podcast:license>"
                            "<podcast:location geo=\"geo:1,2\">Kyoto</podcast:location>"
                            "<podcast:updateFrequency rrule=\"FREQ=WEEKLY;BYDAY=MO,TH\">Twice a week</podcast:updateFrequency>"
                            "<podcast:podroll><podcast:remoteItem feedGuid=\"c0ffee\" feedUrl=\"https://other.example/f\" medium=\"podcast\" title=\"Other\"/>"
                            "<podcast:remoteItem feedGuid=\"7ea\" itemGuid=\"1\"/><podcast:remoteItem/></podcast:podroll>"
                            "<podcast:publisher><podcast:remoteItem feedGuid=\"no\"/></podcast:publisher>"
                            "<podcast:value type=\"lightning\"><podcast:valueRecipient name=\"x\"/></podcast:value>"
                            "<podcast:person group=\"cast\">Ann</podcast:person>"),
    "podcast.license=cc-by-4.0\npodcast.location=Kyoto\n"
    "podcast.update=Twice a week\n!podcast.complete=1\npodcast.podroll=c0ffee|https://other.example/f||podcast|Other\n"
    "podcast.podroll=7ea||1||\n!podcast.podroll=||||\n!podcast.podroll=no||||\n"
    "podcast.person=Ann|host||" },
  { "podcast-complete", RSS ("<title>T</title><podcast:updateFrequency complete=\"true\">Done</podcast:updateFrequency>"), "podcast.complete=1" },
  { "podcast-item", ITEM ("<guid>1</guid><podcast:funding url=\"/give\">Give</podcast:funding><podcast:season name=\"Spring\">2</podcast:season>"
                          "<atom:link rel=\"payment\" href=\"/give\"/>"),
    "0.funding=https://example.org/give|Give\n0.season-name=Spring\n0.season=2\n!podcast.funding=https://example.org/give|Give" },
  { "live-item", RSS ("<title>T</title><podcast:liveItem status=\"LIVE\" start=\"2024-08-04T01:47:46Z\" end=\"x\"><title>Live</title><guid>live</guid>"
                      "<podcast:contentLink href=\"https://example.org/watch\">Watch</podcast:contentLink><link>https://example.org/live</link>"
                      "<podcast:person>Ann</podcast:person><enclosure url=\"/live.mp3\" type=\"audio/mpeg\"/></podcast:liveItem>"
                      "<podcast:liveItem/><item><guid>1</guid></item>"),
    "podcast.title=T\n0.guid=1\nitems=1\n!podcast.person=Ann|host||" },
  { "podcast-images", ITEM ("<podcast:images srcset=\"https://example.org/s.jpg 300w, https://example.org/l.jpg 1500w,https://example.org/m.jpg 600w\"/>"),
    "0.image=https://example.org/l.jpg" },
  { "podcast-image", ITEM ("<podcast:image href=\"/banner.jpg\" purpose=\"banner social\"/><podcast:image href=\"/cover.jpg\" purpose=\"artwork\"/>"),
    "0.image=https://example.org/cover.jpg" },
  { "podlove-elsewhere", ITEM ("<atom:link rel=\"http://podlove.org/simple-chapters\" href=\"/1.psc\"/><atom:link rel=\"http://podlove.org/deep-link\" href=\"/x\"/>"),
    "!0.link=https://example.org/1.psc\n!0.link=https://example.org/x" },
  { "history", RSS ("<title>T</title><fh:archive/><atom:link rel=\"prev-archive\" href=\"/1\"/><atom:link rel=\"next-archive\" href=\"/3\"/>"),
    "podcast.next=https://example.org/1" },
  { "history-complete", ATOM ("<title>T</title><fh:complete xmlns:fh=\"http://purl.org/syndication/history/1.0\"/>"),
    "podcast.title=T\n!podcast.complete=1" },
  { "media-duration-stays", ITEM ("<media:content url=\"/1.mp3\" duration=\"61\"/><itunes:duration/><itunes:season>2</itunes:season>"
                                  "<podcast:season>last</podcast:season>"), "0.duration=61000000\n0.season=2" },
  { "media-rating", ITEM ("<media:content url=\"/1.mp3\"><media:rating>adult</media:rating></media:content>"), "0.explicit=2" },
  { "podlove", ITEM ("<psc:chapters version=\"1.2\"><psc:chapter start=\"1:30\" title=\"Second &amp; more\" href=\"https://example.org/2\"/>"
                     "<psc:chapter start=\"0\" title=\"First\"/><psc:chapter start=\"x\" title=\"No\"/></psc:chapters>"),
    "0.chapter=0|First|\n0.chapter=90000000|Second & more|https://example.org/2\n!0.chapter=0|No" },
  { "media", ITEM ("<media:group><media:content url=\"/1.mp4\" type=\"video/mp4\" fileSize=\"9\" duration=\"61\"/></media:group>"
                   "<media:content url=\"/1.jpg\" medium=\"image\"/><media:content url=\"/2\" medium=\"audio\"/><media:title>M</media:title>"),
    "0.enclosure=https://example.org/1.mp4|video/mp4|9\n0.enclosure=https://example.org/2|audio/*|0\n0.image=https://example.org/1.jpg\n"
    "0.duration=61000000\n0.title=M" },
  { "atom-in-rss", RSS ("<title>T</title><atom:link rel=\"next\" href=\"?page=2\"/><atom:link rel=\"self\" href=\"https://example.org/x\"/>"
                        "<atom:link rel=\"payment\" href=\"/pay\" title=\"Pay\"/>"),
    "podcast.next=https://example.org/feeds/1.xml?page=2\npodcast.funding=https://example.org/pay|Pay\n!podcast.link" },
  { "prev-archive", RSS ("<title>T</title><atom:link rel=\"prev-archive\" href=\"https://example.org/2\"/>"), "podcast.next=https://example.org/2" },
  { "googleplay", RSS ("<title>T</title><googleplay:author>Ann</googleplay:author><googleplay:image href=\"/g.jpg\"/>"
                       "<googleplay:explicit>yes</googleplay:explicit>"),
    "podcast.author=Ann\npodcast.image=https://example.org/g.jpg\npodcast.explicit=2" },
  { "richest-notes", ITEM ("<itunes:summary>Summary, longer than all the others</itunes:summary>"
                           "<content:encoded><![CDATA[<p>Summary, with paragraphs</p>]]></content:encoded>"
                           "<description>Plain</description>"), "0.notes=<p>Summary, with paragraphs</p>" },
  { "empty-content", ITEM ("<content:encoded> </content:encoded><description>Plain</description><itunes:summary>S</itunes:summary>"), "0.notes=Plain" },
  { "summary-tells-more", ITEM ("<description>Short</description><itunes:summary>Much longer</itunes:summary>"), "0.notes=Much longer" },
  { "summary-first", ITEM ("<itunes:summary>Much longer</itunes:summary><description>Short</description>"), "0.notes=Much longer" },
  { "markup-tells-more", ITEM ("<itunes:summary>A little longer text</itunes:summary><description><![CDATA[<p>A <a href='/x'>link</a></p>]]></description>"),
    "0.notes=<p>A <a href='/x'>link</a></p>" },
  { "longer-description", ITEM ("<description>Short</description><description>Much longer</description><description>Mid</description>"),
    "0.notes=Much longer" },
  { "unknown-elements", ITEM ("<x:y xmlns:x=\"urn:x\"><title>No</title><guid>no</guid></x:y><guid>1</guid>"), "0.guid=1\n!0.title" },
};

static const FeedCase values[] = {
  { "text-in-title", ITEM ("<title>&lt;b&gt;Bold&lt;/b&gt; &amp;amp; It&amp;#39;s\n\t %s</title>"), "0.title=<b>Bold</b> & It's %s" },
  { "markup-in-title", ITEM ("<title>A <b>bold</b> one</title>"), "0.title=A <b>bold</b> one" },
  { "guid-as-link", ITEM ("<guid>https://example.org/1</guid>"), "0.guid=https://example.org/1\n0.link=https://example.org/1" },
  { "guid-no-link", ITEM ("<guid isPermaLink=\"false\">https://example.org/1</guid>"), "!0.link" },
  { "guid-number", ITEM ("<guid>1234</guid>"), "0.guid=1234\n!0.link" },
  { "guid-relative", ITEM ("<guid isPermaLink=\"true\">/1</guid>"), "0.guid=/1\n0.link=https://example.org/1" },
  { "guid-empty", ITEM ("<guid>  </guid>"), "!0.guid" },
  { "unsafe-addresses", RSS ("<title>T</title><link>javascript:alert(1)</link><itunes:image href=\"file:///etc/passwd\"/>"
                             "<itunes:new-feed-url>file:///etc/passwd</itunes:new-feed-url><item><link>data:text/html,x</link>"
                             "<enclosure url=\"file:///etc/passwd\" type=\"audio/mpeg\"/><enclosure url=\"javascript:x\"/>"
                             "<enclosure url=\"ftp://example.org/1.mp3\"/><enclosure url=\"\"/></item>"),
    "!podcast.link\n!podcast.image\n!podcast.new\n!0.link\n!0.enclosure" },
  { "playable-first", ITEM ("<enclosure url=\"/1.pdf\" type=\"application/pdf\"/><enclosure url=\"/1.ogg\" type=\"audio/ogg\"/>"
                            "<enclosure url=\"/1.mp3?x=1\"/>"),
    "0.enclosure=https://example.org/1.ogg|audio/ogg|0\n0.enclosure=https://example.org/1.mp3?x=1||0\n"
    "0.enclosure=https://example.org/1.pdf|application/pdf|0" },
  { "same-enclosure-twice", ITEM ("<enclosure url=\"/1.mp3\"/><media:content url=\"https://example.org/1.mp3\" type=\"audio/mpeg\" fileSize=\"5\"/>"),
    "0.enclosure=https://example.org/1.mp3|audio/mpeg|5\n!0.enclosure=https://example.org/1.mp3||0" },
  { "nonsense-size", ITEM ("<enclosure url=\"/1.mp3\" length=\"-5\"/><enclosure url=\"/2.mp3\" length=\"99999999999999999999\"/>"),
    "0.enclosure=https://example.org/1.mp3||0\n0.enclosure=https://example.org/2.mp3||0" },
  { "numbers", ITEM ("<itunes:season>S3</itunes:season><itunes:episode>3 of 4</itunes:episode>"), "0.season=3\n0.number=3 of 4" },
  { "negative-season", ITEM ("<itunes:season>-1</itunes:season>"), "!0.season" },
  { "xml-base", "<rss xml:base=\"https://base.example/a/\"><channel><title>T</title><link>b</link><item xml:base=\"c/\"><link>d</link>"
                "<description>N</description></item><item><link>e</link></item></channel></rss>",
    "podcast.link=https://base.example/a/b\n0.link=https://base.example/a/c/d\n0.base=https://base.example/a/c/\n1.link=https://base.example/a/e" },
  { "two-channels", "<rss><channel><title>One</title><item><guid>1</guid></item></channel><channel><title>Two</title><item><guid>2</guid></item></channel></rss>",
    "podcast.title=One\n0.guid=1\n1.guid=2" },
  { "items-outside", "<rss><channel><title>One</title></channel><item><guid>1</guid></item></rss>", "0.guid=1" },
};

static const FeedCase broken[] = {
  { "stray-ampersand", ITEM ("<title>Tom & Jerry && R&B; &</title><link>https://example.org/?a=1&b=2</link>"),
    "0.title=Tom & Jerry && R&B; &\n0.link=https://example.org/?a=1&b=2" },
  { "stray-less-than", ITEM ("<title>I <3 this, 1<2 and a < b</title><guid>1</guid>"), "0.title=I <3 this, 1<2 and a < b\n0.guid=1" },
  { "less-than-before-tag", ITEM ("<title>a<b</title><guid>1</guid>"), "0.title=a<b\n0.guid=1" },
  { "address-in-brackets", ITEM ("<title>Mail <me@example.org></title><guid>1</guid>"), "0.title=Mail <me@example.org>\n0.guid=1" },
  { "html-entities", ITEM ("<title>Caf&eacute;&nbsp;&mdash;&hellip; &foo; &#146;</title>"), "0.title=Café —… ’" },
  { "bad-references", ITEM ("<title>a&#0;b&#x1F;c&#xD800;d&#99999999999;</title>"), "0.title=abc\357\277\275d\357\277\275" },
  { "entities-in-attributes", ITEM ("<enclosure url=\"https://example.org/?a=1&b=2&amp;c=&quot;3&lt;\" type='audio/mpeg'/>"),
    "0.enclosure=https://example.org/?a=1&b=2&c=\"3<|audio/mpeg|0" },
  { "internal-entities", "<!DOCTYPE rss [<!ENTITY co \"A &#38; B\"><!ENTITY co \"no\"> <!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                         "<rss><channel><title>&co; &x;</title></channel></rss>", "podcast.title=A & B" },
  { "before-declaration", "\n\n \t<?xml version=\"1.0\"?><rss><channel><title>T</title></channel></rss>", "podcast.title=T" },
  { "script-warning", "<br />\n<b>Warning</b>: mysql() failed in <b>/var/www</b><br />\n<?xml version=\"1.0\"?><rss><channel><title>T</title></channel></rss>",
    "podcast.title=T" },
  { "after-root", "<rss><channel><title>T</title></channel></rss><!-- cached --><rss><channel><title>U</title><item/></channel></rss>",
    "podcast.title=T\nitems=0\ndamaged=0" },
  { "comments", "<!-- <rss> -- > --><rss><channel><title>T<!-- > --x-- -->U</title><!----></channel></rss>", "podcast.title=TU\ndamaged=0" },
  { "instructions", "<?xml version=\"1.0\"?><?xml-stylesheet href=\"x\"?><rss><?php echo 1 ?><channel><title>T</title></channel></rss>", "podcast.title=T" },
  { "doctype", "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \"http://127.0.0.1:1/x.dtd\"><rss><channel><title>T</title></channel></rss>",
    "podcast.title=T" },
  { "cdata", ITEM ("<title><![CDATA[a ] ]] > <b>&amp;</b>]]]]><![CDATA[> b]]></title>"), "0.title=a ] ]] > <b>&</b>]]> b" },
  { "end-of-cdata-in-text", ITEM ("<title>One ]]> two ]]]]>> three</title>"), "0.title=One ]]> two ]]]]>> three" },
  { "cdata-and-text", ITEM ("<description>1 &lt; 2 <![CDATA[<p>]]]]>&gt; x</description>"), "0.notes=1 < 2 <p>]]> x" },
  { "unescaped-html", ITEM ("<description>One &amp; <p>two<br>three <img src=x> <a href=/y>four</a></description><guid>1</guid>"),
    "0.notes=One &amp; <p>two<br>three <img src=\"x\"> <a href=\"/y\">four</a></p>\n0.guid=1" },
  { "missing-end-tags", "<rss><channel><title>T</title><item><guid>1</guid><item><guid>2</guid></item>", "0.guid=1\n1.guid=2\nitems=2\ndamaged=1" },
  { "wrong-end-tag", ITEM ("<title>One</titel><guid>1</guid></item><item><guid>2</guid>"), "0.title=One\n0.guid=1\n1.guid=2" },
  { "superfluous-end-tag", ITEM ("<title>One</title></b></p></foo:bar><guid>1</guid>"), "0.guid=1\nitems=1\ndamaged=0" },
  { "cut-in-item", "<rss><channel><title>T</title><item><guid>1</guid></item><item><guid>2</guid><title>Cut", "0.guid=1\n!1.item\nitems=1\ndamaged=1" },
  { "cut-in-tag", "<rss><channel><title>T</title><item><guid>1</guid></item><item><enclosure url=\"https:", "0.guid=1\nitems=1\ndamaged=1" },
  { "cut-in-cdata", "<rss><channel><title>T</title><item><guid>1</guid></item><item><title><![CDATA[x", "0.guid=1\nitems=1\ndamaged=1" },
  { "cut-at-once", "<rss><channel>", "error=INCOMPLETE\nitems=0" },
  { "attributes", ITEM ("<enclosure url=https://example.org/1.mp3 type=audio/mpeg URL=\"no\" url=\"no\" 7=\"8\" flag length='5' />"),
    "0.enclosure=https://example.org/1.mp3|audio/mpeg|5" },
  { "less-than-in-attribute", ITEM ("<psc:chapters><psc:chapter start=\"0\" title=\"a < b\"/></psc:chapters>"), "0.chapter=0|a < b|" },
};

static const FeedCase no_feeds[] = {
  { "html", "<!DOCTYPE html><html><head><title>x</title></head><body><p>no</p></body></html>", "error=WEB_PAGE" },
  { "html-no-doctype", "<html><body></body></html>", "error=WEB_PAGE" },
  { "xhtml", "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"x\" \"y\"><html xmlns=\"http://www.w3.org/1999/xhtml\"></html>", "error=WEB_PAGE" },
  { "opml", "<opml version=\"2.0\"><body><outline type=\"rss\" xmlUrl=\"https://example.org\"/></body></opml>", "error=NOT_A_FEED" },
  { "svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "error=NOT_A_FEED" },
  { "xml", "<?xml version=\"1.0\"?><note/>", "error=NOT_A_FEED" },
  { "text", "This is no feed.", "error=NOT_XML" },
  { "json", "{\"version\": \"https://jsonfeed.org/version/1\"}", "error=NOT_XML" },
  { "empty", "", "error=NOT_XML" },
  { "blank", " \n\n ", "error=NOT_XML" },
};

static void
test_formats (void)
{
  feed_reader_check_cases (formats, G_N_ELEMENTS (formats));
}

static void
test_namespaces (void)
{
  feed_reader_check_cases (namespaces, G_N_ELEMENTS (namespaces));
}

static void
test_values (void)
{
  feed_reader_check_cases (values, G_N_ELEMENTS (values));
}

static void
test_broken (void)
{
  feed_reader_check_cases (broken, G_N_ELEMENTS (broken));
}

static void
test_no_feeds (void)
{
  feed_reader_check_cases (no_feeds, G_N_ELEMENTS (no_feeds));
}

#define DECLARED(encoding, title) "<?xml version=\"1.0\" encoding=\"" encoding "\"?><rss><channel><title>" title "</title></channel></rss>"

static void
test_encodings (void)
{
  static const struct
  {
    const char *name;
    const char *source;
    const char *content_type;
    const char *title;
  } cases[] = {
    { "utf-8", DECLARED ("utf-8", "Café 😀"), NULL, "Café 😀" },
    { "none", "<rss><channel><title>Café</title></channel></rss>", NULL, "Café" },
    { "mark", "\357\273\277" DECLARED ("ISO-8859-1", "Café"), NULL, "Café" },
    { "mark-twice", "\357\273\277\357\273\277" DECLARED ("utf-8", "Ca\357\273\277fé"), NULL, "Café" },
    { "utf-8-is-latin-1", DECLARED ("utf-8", "Caf\351 \223x\224"), NULL, "Café “x”" },
    { "latin-1", DECLARED ("ISO-8859-1", "Caf\351 \200"), NULL, "Café €" },
    { "latin-1-is-utf-8", DECLARED ("ISO-8859-1", "Café"), NULL, "Café" },
    { "ascii-is-not", DECLARED ("us-ascii", "Caf\351"), NULL, "Café" },
    { "mixed", DECLARED ("utf-8", "Café Caf\351"), NULL, "Café Café" },
    { "unknown", DECLARED ("x-nonsense", "Café"), NULL, "Café" },
    { "utf-16-is-utf-8", DECLARED ("utf-16", "Café"), NULL, "Café" },
    { "utf-7", DECLARED ("utf-7", "+ADw-b+AD4-"), NULL, "+ADw-b+AD4-" },
    { "koi8-r", DECLARED ("KOI8-R", "\360\317\304\313\301\323\324"), NULL, "Подкаст" },
    { "cp1251", DECLARED ("windows-1251", "\317\356\344\352\340\361\362"), NULL, "Подкаст" },
    { "gb2312", DECLARED ("gb2312", "\262\245\277\315"), NULL, "播客" },
    { "http", "<rss><channel><title>\360\317\304</title></channel></rss>", "application/rss+xml; charset=\"koi8-r\"", "Под" },
    { "http-wrong", DECLARED ("utf-8", "Café"), "text/xml; charset=iso-8859-1", "Café" },
    { "bad-utf-8", DECLARED ("utf-8", "a\303(b\377c\300\257d"), NULL, "aÃ(bÿcÀ¯d" },
    { "surrogates", DECLARED ("utf-8", "a\355\240\275\355\270\200b"), NULL, "a😀b" },
    { "c1-is-windows", DECLARED ("utf-8", "don\302\222t \302\223x\302\224 \302\240\302\200\302\201"), NULL, "don’t “x” €\357\277\275" },
    { "control", DECLARED ("utf-8", "a\013b\037c\010d\177"), NULL, "abcd\177" },
    { "noncharacters", DECLARED ("utf-8", "a\357\277\276b\357\277\277c"), NULL, "abc" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *expected = g_strconcat ("podcast.title=", cases[i].title, NULL);

      feed_reader_check (cases[i].name, cases[i].source, strlen (cases[i].source), cases[i].content_type, expected);
    }
}

static void
check_converted (const char *encoding, const char *mark, gsize mark_length, const char *declared)
{
  g_autofree char *source = g_strdup_printf (DECLARED ("%s", "Café ミッド 播客 Подкаст"), declared);
  gsize length;
  g_autofree char *bytes = g_convert (source, -1, encoding, "UTF-8", NULL, &length, NULL);
  g_autoptr (GByteArray) all = g_byte_array_new ();

  g_assert_nonnull (bytes);
  g_byte_array_append (all, (const guint8 *) mark, mark_length);
  g_byte_array_append (all, (const guint8 *) bytes, length);
  feed_reader_check (encoding, (const char *) all->data, all->len, NULL, "podcast.title=Café ミッド 播客 Подкаст\ndamaged=0");
}

static void
test_wide_encodings (void)
{
  check_converted ("UTF-16LE", "\xff\xfe", 2, "utf-16");
  check_converted ("UTF-16BE", "\xfe\xff", 2, "utf-8");
  check_converted ("UTF-16LE", "", 0, "utf-16");
  check_converted ("UTF-16BE", "", 0, "utf-16");
  check_converted ("UTF-32LE", "\xff\xfe\0\0", 4, "utf-32");
  check_converted ("UTF-32BE", "", 0, "utf-32");
  check_converted ("GB18030", "", 0, "GB2312");
}

static void
test_eastern_encodings (void)
{
  static const char *const encodings[][2] = { { "CP932", "Shift_JIS" }, { "EUC-JP", "euc-jp" }, { "ISO-2022-JP", "iso-2022-jp" } };

  for (gsize i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      g_autofree char *source = g_strdup_printf (DECLARED ("%s", "ポッドキャスト"), encodings[i][1]);
      gsize length;
      g_autofree char *bytes = g_convert (source, -1, encodings[i][0], "UTF-8", NULL, &length, NULL);

      g_assert_nonnull (bytes);
      feed_reader_check (encodings[i][1], bytes, length, NULL, "podcast.title=ポッドキャスト");
    }
}

static void
test_nul_bytes (void)
{
  static const char source[] = "<rss><channel><title>a\0b</ti\0tle><item><guid>1</guid></item></channel></rss>";

  feed_reader_check ("nul", source, sizeof source - 1, NULL, "podcast.title=ab\n0.guid=1\ndamaged=0");
}

static void
keep_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  g_ptr_array_add (user_data, ear_episode_facts_ref (facts));
}

/* The fast path for URLs gives the same result as parsing them. */
static void
test_addresses (void)
{
  static const char *const addresses[] = {
    "https://example.org/", "https://example.org", "http://example.org/a?b=c&d#e", "https://example.org/a/../b", "https://example.org/./b",
    "https://EXAMPLE.org/a", "https://example.org:443/a", "https://example.org/a b", "https://user@example.org/", "https://example.org/%7Ea",
    "https://example.org/ä", "https:///a", "https://", "http://[::1]/a", "https://example.org/a;b,c'd(e)f*g!h$i", "//example.org/x", "x", "?y",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autofree char *resolved = ear_address_resolve ("https://example.org/feeds/1.xml", addresses[i]);
      g_autofree char *escaped = g_markup_escape_text (addresses[i], -1);
      g_autofree char *source = g_strdup_printf ("<rss><channel><title>T</title><link>%s</link></channel></rss>", escaped);
      g_autofree char *expected = resolved != NULL ? g_strconcat ("podcast.link=", resolved, NULL) : g_strdup ("!podcast.link");

      feed_reader_check (addresses[i], source, strlen (source), NULL, expected);
    }
}

static gpointer
parse_all (gpointer user_data)
{
  g_autoptr (GString) dumps = g_string_new (NULL);

  for (int round = 0; round < 20; round++)
    for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
      {
        g_autofree char *dump = feed_reader_dump (broken[i].source, strlen (broken[i].source), 64, NULL);

        g_string_append (dumps, dump);
      }

  return g_string_free (g_steal_pointer (&dumps), FALSE);
}

/* Parsers on several threads are independent. */
static void
test_threads (void)
{
  GThread *threads[4];
  g_autofree char *alone = parse_all (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("parser", parse_all, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree char *dumps = g_thread_join (threads[i]);

      g_assert_cmpstr (dumps, ==, alone);
    }
}

/* An episode is reported exactly when its element ends. */
static void
test_streaming (void)
{
  static const char first[] = "<rss><channel><title>T</title><item><guid>1</guid></item";
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  g_autoptr (EarFeedParser) parser = ear_feed_parser_new (NULL, NULL, keep_cb, items);
  g_autoptr (GError) error = NULL;
  g_autofree char *blank = g_strnfill (2048, ' ');
  EarEpisodeFacts *facts;

  g_assert_true (ear_feed_parser_push (parser, (const guint8 *) blank, 2048, &error));
  g_assert_true (ear_feed_parser_push (parser, (const guint8 *) first, sizeof first - 1, &error));
  g_assert_cmpuint (items->len, ==, 0);
  g_assert_true (ear_feed_parser_push (parser, (const guint8 *) ">", 1, &error));
  g_assert_cmpuint (items->len, ==, 1);
  g_assert_cmpstr (ear_feed_parser_get_podcast (parser)->title, ==, "T");
  facts = g_ptr_array_index (items, 0);
  g_assert_cmpstr (facts->guid, ==, "1");
  g_assert_true (ear_feed_parser_finish (parser, &error));
  g_assert_no_error (error);
  g_assert_true (ear_feed_parser_get_damaged (parser));
  g_clear_pointer (&parser, ear_feed_parser_free);
}

/* The parser stops as soon as the document cannot be a feed. */
static void
test_early_error (void)
{
  g_autoptr (EarFeedParser) parser = ear_feed_parser_new (NULL, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) page = g_string_new ("<!DOCTYPE html><html>");

  g_string_append_printf (page, "%*s", 4000, " ");
  g_assert_false (ear_feed_parser_push (parser, (const guint8 *) page->str, page->len, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
  g_clear_error (&error);
  g_assert_false (ear_feed_parser_push (parser, (const guint8 *) "x", 1, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/parser/formats", test_formats);
  g_test_add_func ("/feed/parser/namespaces", test_namespaces);
  g_test_add_func ("/feed/parser/values", test_values);
  g_test_add_func ("/feed/parser/broken", test_broken);
  g_test_add_func ("/feed/parser/no-feeds", test_no_feeds);
  g_test_add_func ("/feed/parser/encodings", test_encodings);
  g_test_add_func ("/feed/parser/wide-encodings", test_wide_encodings);
  g_test_add_func ("/feed/parser/eastern-encodings", test_eastern_encodings);
  g_test_add_func ("/feed/parser/nul-bytes", test_nul_bytes);
  g_test_add_func ("/feed/parser/addresses", test_addresses);
  g_test_add_func ("/feed/parser/threads", test_threads);
  g_test_add_func ("/feed/parser/streaming", test_streaming);
  g_test_add_func ("/feed/parser/early-error", test_early_error);

  return g_test_run ();
}
