/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-reader.h"

#include "ear-show-notes.h"

#include <string.h>

/* `expected` has one line per block: P paragraph, H2 heading, L1 list item of the first
 * level, L1#3 the third of a numbered list, Q1 quote, PRE, HR, IMG. In it,
 * [text](address) is a link, {text=seconds} a time, <b>text</> bold. */
typedef struct
{
  const char *source;
  const char *expected;
} NotesCase;

#define BASE "https://example.org/episodes/1"

static const NotesCase html[] = {
  { "<p>One</p><p>Two</p>", "P One\nP Two" },
  { "<p>One\n  two\t three</p>\n", "P One two three" },
  { "<div>One<div>Two</div>Three</div>", "P One\nP Two\nP Three" },
  { "One<br>Two<br/>Three", "P One\nTwo\nThree" },
  { "One<br><br>Two<br> <br>\n<br>Three", "P One\nP Two\nP Three" },
  { "<br><br>One<br>", "P One" },
  { "<p>Tom &amp; Jerry &eacute;&#8217;&nbsp;&lt;b&gt; &foo; & &</p>", "P Tom & Jerry é’\302\240<b> &foo; & &" },
  { "<h1>Title</h1>Text<h6>Small</h6>", "H1 Title\nP Text\nH6 Small" },
  { "<ul><li>One</li><li>Two</li></ul>After", "L1 One\nL1 Two\nP After" },
  { "<ul><li>One<li>Two</ul>", "L1 One\nL1 Two" },
  { "<ol><li>One</li><li><p>Two</p></li></ol>", "L1#1 One\nL1#2 Two" },
  { "<ol start=5><li>Five</li><li>Six</li></ol>", "L1#5 Five\nL1#6 Six" },
  { "<ul><li>One<ol><li>A</li><li>B</li></ol></li><li>Two</li></ul>", "L1 One\nL2#1 A\nL2#2 B\nL1 Two" },
  { "<ul><li><p>One</p><p>more</p></li></ul>", "L1 One\nmore" },
  { "<ul>Text<li>One</li></ul>", "P Text\nL1 One" },
  { "<blockquote>One<blockquote>Two</blockquote></blockquote>Three", "Q1 One\nQ2 Two\nP Three" },
  { "<pre>\n  a  b\n\tc\n</pre>d", "PRE   a  b\n\tc\nP d" },
  { "<pre>one<br>two<br/><br>three\n<b>four</b><br></pre>d", "PRE one\ntwo\n\nthree\n<b>four</>\nP d" },
  { "One<hr>Two", "P One\nHR\nP Two" },
  { "<p>A <img src='/i.png' alt='A picture'> B</p>", "P A\nIMG [A picture](https://example.org/i.png)\nP B" },
  { "<img src='https://t.example/x.gif' width=1 height=1><img src='javascript:x' alt='no'>x", "P no x" },
  { "<a href='/x'><img alt='banks'></a>Engineering", "P [banks](https://example.org/x)\nP Engineering" },
  { "A <a href='/x'><img src='data:x' alt='chart'>the chart</a> and<img alt='☂'>more", "P A [the chart](https://example.org/x) and☂more" },
  { "<picture><source srcset='/a.webp'><img src='/b.jpg' alt='B'></picture>", "IMG [B](https://example.org/b.jpg)" },
  { "<a href='/x'><img src='/i.png' alt='Down'></a>", "IMG [Down](https://example.org/i.png)\nP [Down](https://example.org/x)" },
  { "<a href='https://host.example/x'><img src='/i.png'></a>", "IMG [](https://example.org/i.png)\nP [host.example](https://host.example/x)" },
  { "<b>b</b> <i>i</i> <code>c</code> <s>s</s> <u>u</u> <b><i>bi</i></b>",
    "P <b>b</> <i>i</> <c>c</> <s>s</> <u>u</> <bi>bi</>" },
  { "<strong>b<em>bi</strong>i</em></b></i> plain", "P <b>b</><bi>bi</><i>i</> plain" },
  { "<p>Sa<b>me wo</b>rd</p>", "P Sa<b>me wo</>rd" },
  { "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "P a · b\nc" },
  { "x<table>\n <tr>\n  <th>Time</th>\n  <th>What</th>\n </tr>\n <tr>\n  <td>1 </td>\n  <td> <b>b</b> c</td>\n </tr>\n</table>\ny",
    "P x\nP Time · What\n1 · <b>b</> c\nP y" },
  { "<table><tr><td>a<td>b<tr><td>c<td>d</table>e", "P a · b\nc · d\nP e" },
  { "<table><tr><td></td><td>a</td><td> </td><td>b</td><td></td></tr><tr></tr><tr><td></td></tr><tr><td>c</td></tr></table>", "P a · b\nc" },
  { "<table><tr><td><p>a</p></td><td><div>b</div><p>c</p></td></tr></table>", "P a · b\nP c" },
  { "<table><tr><td>a<br>b</td><td>c</td></tr></table>", "P a\nb · c" },
  { "<table><caption>Cap</caption><tr><td><a href='/x'>a</a></td><td><a href='/y'>b</a></td></tr></table>",
    "P Cap\n[a](https://example.org/x) · [b](https://example.org/y)" },
  { "<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>e", "P a\nP b · c\nP d\nP e" },
  { "<table><tr><td><ul><li>a<li>b</ul></td><td>c</td></tr></table>", "L1 a\nL1 b\nP c" },
  { "<td>a</td><td>b</td><tr>c</table>d", "P a · b\nP c\nP d" },
  { "<q>Quoted</q>", "P “Quoted”" },
  { "", "" },
  { "<p> </p><div><br></div>&nbsp;", "" },
  { "<p>One</p><p>&nbsp;</p><ul><li>&nbsp;&#8203;</li><li>Two&nbsp;</li></ul><p><b>&nbsp;</b> <a href='/x'>&nbsp;</a></p>Three",
    "P One\nL1 Two\302\240\nP Three" },
  { "1 < 2 <and> 3 <me@example.org> <p>x", "P 1 < 2 3 <me@example.org>\nP x" },
};

static const NotesCase links[] = {
  { "<a href='https://example.com/'>text</a>", "P [text](https://example.com/)" },
  { "<a href=/other?a=1&amp;b=2>text</a>", "P [text](https://example.org/other?a=1&b=2)" },
  { "<A HREF = \" https://example.com/ \" title='>'>a <b>b</b></A> c", "P [a ](https://example.com/)<b>[b](https://example.com/)</> c" },
  { "<a href='www.example.net/x'>text</a>", "P [text](https://www.example.net/x)" },
  { "<a href='mailto:me@example.org'>mail</a>", "P [mail](mailto:me@example.org)" },
  { "<a href='MAILTO:me@example.org?attach=/etc/passwd&amp;subject=Hi%20you&Bcc=x@example.org&amp;Body=b'>mail</a>",
    "P [mail](mailto:me@example.org?subject=Hi%20you&Body=b)" },
  { "<a href='mailto:?attach=/a@b'>mail</a>", "P mail" },
  { "<a href='mailto:me@example.org?attachment=~/.ssh/id'>mail</a>", "P [mail](mailto:me@example.org)" },
  { "<p><a href='javascript:alert(1)'>a</a> <a href='jav&#x09;ascript:x'>b</a> <a href='data:text/html,x'>c</a> "
    "<a href='file:///etc/passwd'>d</a> <a href='vbscript:x'>e</a> <a href='#top'>f</a> <a>g</a></p>", "P a b c d e f g" },
  { "<p>See https://example.com/a_(b)?c=d#e. And (http://example.com/x), www.example.net!</p>",
    "P See [https://example.com/a_(b)?c=d#e](https://example.com/a_(b)?c=d#e). And ([http://example.com/x](http://example.com/x)), "
    "[www.example.net](https://www.example.net)!" },
  { "“https://example.com/”… https:// http://x xhttps://no.example www. www.x", "P “[https://example.com/](https://example.com/)”… https:// "
    "[http://x](http://x) xhttps://no.example www. www.x" },
  { "<a href='/x'>https://example.com/</a>", "P [https://example.com/](https://example.org/x)" },
  { "<code>https://example.com/ 1:05</code>", "P <c>https://example.com/ 1:05</>" },
};

static const NotesCase times[] = {
  { "<p>1:05 Start, (02:15) and 01:02:03.</p>", "P {1:05=65} Start, ({02:15=135}) and {01:02:03=3723}." },
  { "<b>0:00</b> Begin<br>[12:34] Next", "P <b>{0:00=0}</> Begin\n[{12:34=754}] Next" },
  { "0:30: One<br>•1:00: Two<br>00:01:30:Three<br>(2:00:) Four", "P {0:30=30}: One\n•{1:00=60}: Two\n00:01:30:Three\n({2:00=120}:) Four" },
  { "01:23:45:67:89:ab, 12:34:ab, fe80::10:00::b, 10:00::", "P 01:23:45:67:89:ab, 12:34:ab, fe80::10:00::b, 10:00::" },
  { "1:05-2:10 and 99:59", "P {1:05=65}-{2:10=130} and {99:59=5999}" },
  { "At 10:30 am, 10:30 PM, 16:30 Uhr", "P At 10:30 am, 10:30 PM, 16:30 Uhr" },
  { "Genesis 1:1, 16:9, v1:05, 1:2:3, 1:05:99, 12:345, 1.2:05, 3:75", "P Genesis 1:1, 16:9, v1:05, 1:2:3, 1:05:99, 12:345, 1.2:05, 3:75" },
  { "<a href='/x'>1:05</a> <a>1:05</a> <code>1:05</code>", "P [1:05](https://example.org/x) 1:05 <c>1:05</>" },
  { "https://example.com/1:05 x", "P [https://example.com/1:05](https://example.com/1:05) x" },
};

static const NotesCase plain[] = {
  { "One\nTwo\n\nThree", "P One\nTwo\nP Three" },
  { "List:\n- one\n* two\n• three\nEnd", "P List:\nL1 one\nL1 two\nL1 three\nP End" },
  { "a - b\n\n\n\nc * d", "P a - b\nP c * d" },
  { "<p>List:</p><p>- one</p><p>• two<br>* three<br>End</p>", "P List:\nL1 one\nL1 two\nL1 three\nP End" },
  { "<ul><li>- a<br>- b</li></ul><h2>- c</h2><table><tr><td>- d</td></tr></table><blockquote>- e</blockquote><p><a href='/x'>- f</a></p>",
    "L1 - a\n- b\nH2 - c\nP - d\nQ1 - e\nP [- f](https://example.org/x)" },
  { "Tom &amp; Jerry\r\nAT&T", "P Tom & Jerry\nAT&T" },
  { "With a <a href='/x'>link</a>\nand lines", "P With a [link](https://example.org/x)\nand lines" },
  { "&lt;p&gt;Escaped &lt;a href=\"/x\"&gt;twice&lt;/a&gt;&lt;/p&gt;", "P Escaped [twice](https://example.org/x)" },
  { "Use the &lt;p&gt; tag", "P Use the <p> tag" },
};

static const NotesCase active[] = {
  { "a<map name=m><area href='/x' alt='Left &amp; up'><area href='/y'><area alt=no><area href='javascript:x' alt=no></map>b",
    "P a\nP [Left & up](https://example.org/x)\nP [example.org](https://example.org/y)\nP b" },
  { "a<script>alert('<p>x</p>')</script>b", "P ab" },
  { "a<style>p { x }</style>b<iframe src='x'>no</iframe><noscript>no</noscript>c", "P abc" },
  { "a<svg width=9><title>A <tag> in a drawing</title><script>no()</script><style>no</style><path d='x'/></svg>b<title>no</title>", "P aA in a drawingb" },
  { "a<iframe src='x'/>b<html:iframe src=x />c<script src=x/>d</script>e", "P abce" },
  { "a<SCRIPT src=x></SCRIPT\n>b<script>unclosed", "P ab" },
  { "<p onclick='x()' style='position:fixed'>a</p><object data=x>no</object><embed src=x>", "P a" },
  { "<form action=x>a<input value=y><select><option>no</option></select></form>b", "P a\nP b" },
  { "a<!-- <p>no</p> -->b<!doctype x><?php x ?>c<![CDATA[d", "P abc" },
  { "a<video src=x>no</video>b<audio>unclosed", "P abunclosed" },
  { "<p>a</p><x:script>b</x:script><p>c</p>", "P a\nP c" },
  { "a<audio src=x controls><a href='/x.mp3'>Download</a></audio>b", "P a\nP [Download](https://example.org/x.mp3)\nP b" },
  { "<video>Sorry! Get <a href='/x.webm'>WebM</a> or <a href='/x.mp4'>MP4</a>.</video>", "P [WebM](https://example.org/x.webm)\nP [MP4](https://example.org/x.mp4)" },
  { "<object data=x>Sorry! <a href='/x.pdf'>Slides</a> <a href='javascript:x'>no</a></object>b", "P [Slides](https://example.org/x.pdf)\nP b" },
  { "a<iframe src=x><p>Sorry! <a href=\"/x\">Player <b>here</b></a></iframe>b<iframe>no</iframe>c",
    "P a\nP [Player here](https://example.org/x)\nP bc" },
  { "<noscript><img src='/i.png'><a href='/x'>Poll</a></noscript>b<noscript><a href='/y'>unclosed</noscript>c",
    "P [Poll](https://example.org/x)\nP b\nP [unclosed](https://example.org/y)\nP c" },
  { "<audio>Sorry! It is at https://example.com/x.mp3</audio>", "P Sorry! It is at [https://example.com/x.mp3](https://example.com/x.mp3)" },
  { "a<iframe><!-- </iframe>b", "P ab" },
  { "a<style><a href='/x'>no</a></style>b<script>'<a href=\"/x\">no</a>'</script>", "P ab" },
  { "<x:script>a<p>b</p><script>no</script>c</p>", "P a\nP b\nP c" },
  { "<x:script/>a<y:style>no</y:style><x:b>b</x:b><x:title>c</x:title><x:iframe src=y>d</x:iframe>", "P a<b>b</>cd" },
  { "a<p", "P a" },
  { "a<b></b><a href=\"unclosed>b", "P a" },
};

/* Text hidden by the source */
static const NotesCase hidden[] = {
  { "<p>a</p><p hidden>no</p><div style=\"display:none\">no <div>no</div> no</div><p>b</p>", "P a\nP b" },
  { "a<span style='color:red; DISPLAY : NONE !important'>no</span>b<span hidden=''>no</span>c<span hidden=\"hidden\">no</span>d", "P abcd" },
  { "<img hidden src=/i.png><img style=display:none src=/i.png alt=no>a<br hidden>b", "P ab" },
  { "<a hidden href=/x>no</a>a<a href=/y style='display:none;'>no</a>", "P a" },
  { "<p hidden>no<br>no<p>yes", "P yes" },
  { "<p style='display:none'>no<div>yes</div>", "P yes" },
  { "<ul><li hidden>no<ul><li>no</li></ul></li><li>yes</li></ul>", "L1 yes" },
  { "<table><tr hidden><td>no</td></tr><tr><td>yes</td></tr></table>", "P yes" },
  { "<div hidden>no<script>'</div>'</script>no<!-- </div> -->no</div>yes", "P yes" },
  { "<div hidden>unclosed <p>yes</p>", "P unclosed\nP yes" },
  { "<span hidden/>yes", "P yes" },
  { "<b hidden='until-found'>a</b><b data-hidden>b</b><b title='hidden display:none'>c</b><b class=hidden>d</b><b aria-hidden=true>e</b>",
    "P <b>abcde</>" },
  { "<i style='display:none-such'>a</i><i style='-x-display:none'>b</i><i style='display:none;display:inline'>c</i><i style='display'>d</i>",
    "P <i>abcd</>" },
};

#define E "https://example.com/"

/* Lists that have run together, and similar text */
static const NotesCase apart[] = {
  { "<p>Why do we do it?Further reading.The manual " E "manual.mdA talk " E "talks/12Notes on it: " E "n</p>",
    "P Why do we do it?\nH3 Further reading\nL1 [The manual](" E "manual.md)\nL1 [A talk](" E "talks/12)\nL1 [Notes on it](" E "n)" },
  { "What is it?Further reading.frames.py " E "frames.htmlframes.py docs " E "a#L1-L9Ticks " E "the-ticksClocks " E "a/b/the-clocks/Hours " E "h/",
    "P What is it?\nH3 Further reading\nL1 [frames.py](" E "frames.html)\nL1 [frames.py docs](" E "a#L1-L9)\nL1 [Ticks](" E "the-ticks)\n"
    "L1 [Clocks](" E "a/b/the-clocks/)\nL1 [Hours](" E "h/)" },
  { "So?Further reading.One (" E "a)Two (" E "b) and (" E "c)", "P So?\nH3 Further reading\nL1 [One](" E "a)\nL1 [Two](" E "b) and ([" E "c](" E "c))" },
  { "<p><strong>Further reading.</strong> A test of ours " E "a.py (nine lines!)</p>", "H3 Further reading\nL1 [A test of ours](" E "a.py) (nine lines!)" },
  { "<b>Further reading.</b> <a href='" E "1'>" E "1</a> what it says", "H3 Further reading\nL1 [what it says](" E "1)" },
  { "Further reading: " E "1 says this. " E "2 says that", "H3 Further reading\nL1 [says this.](" E "1)\nL1 [says that](" E "2)" },
  { "Further reading: Frames " E "a, ticks " E "b and clocks " E "c", "H3 Further reading\nL1 [Frames](" E "a), [ticks](" E "b) and [clocks](" E "c)" },
  { "So?Further reading.Atoms " E "m/ATenThe book " E "b", "P So?\nH3 Further reading\nL1 [Atoms](" E "m/ATen)\nL1 [The book](" E "b)" },
  { "<p>Links: blog – " E "blog shop – " E "shop</p>", "H3 Links\nL1 [blog](" E "blog)\nL1 [shop](" E "shop)" },
  { "Why?Further reading.Frames " E "frames.hLiner notes: first this then that", "P Why?\nH3 Further reading\nL1 [Frames](" E "frames.h)\nH3 Liner notes\nP first this then that" },
  { "Further reading. <i>The</i> <code>__frame__</code> of it " E "f. The makers thank you.",
    "H3 Further reading\nL1 <i>[The](" E "f)</>[ ](" E "f)<c>[__frame__](" E "f)</>[ of it](" E "f)\nP The makers thank you." },
  { "<p>לקריאה נוספת: המדריך " E "m</p>", "H3 לקריאה נוספת\nL1 [המדריך](" E "m)" },
  /* A possible URL is kept whole. */
  { "Why?Further reading.Frames " E "src/FrameClock.h and ticks " E "wiki/Ticks",
    "P Why?\nH3 Further reading\nL1 [Frames](" E "src/FrameClock.h) and [ticks](" E "wiki/Ticks)" },
  { "Further reading. The paper " E "p tells more", "H3 Further reading\nL1 The paper [" E "p](" E "p) tells more" },
  /* Not a list */
  { "See the further reading: " E "a and more", "P See the further reading: [" E "a](" E "a) and more" },
  { "There are HyperLinks: one " E "a two " E "b", "P There are HyperLinks: one [" E "a](" E "a) two [" E "b](" E "b)" },
  { "Resources: the book " E "a", "P Resources: the book [" E "a](" E "a)" },
  { "Further reading: " E "a", "P Further reading: [" E "a](" E "a)" },
  { "Further reading:\nThe book " E "a\nThe film " E "b", "P Further reading:\nThe book [" E "a](" E "a)\nThe film [" E "b](" E "b)" },
  { "<p>Further reading:</p><ul><li>The book " E "a</li></ul>", "P Further reading:\nL1 The book [" E "a](" E "a)" },
  { "More at " E "aB or " E "b/cD e", "P More at [" E "aB](" E "aB) or [" E "b/cD](" E "b/cD) e" },
};

static void
check_cases (const NotesCase *cases, gsize n, gint64 duration)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (EarNotes) notes = ear_show_notes_parse (cases[i].source, BASE, duration);
      g_autofree char *dump = feed_reader_dump_notes (notes);

      if (strcmp (dump, cases[i].expected) != 0)
        {
          g_test_message ("%s\n-- expected\n%s\n-- got\n%s", cases[i].source, cases[i].expected, dump);
          g_test_fail ();
        }
    }
}

static void
test_html (void)
{
  check_cases (html, G_N_ELEMENTS (html), 0);
}

static void
test_links (void)
{
  check_cases (links, G_N_ELEMENTS (links), 0);
}

static void
test_times (void)
{
  check_cases (times, G_N_ELEMENTS (times), (gint64) 2 * 3600 * G_USEC_PER_SEC);
}

static void
test_duration (void)
{
  static const NotesCase within[] = { { "0:59 1:00 1:01", "P {0:59=59} 1:00 1:01" } };
  static const NotesCase any[] = { { "0:59 1:00 99:00:00 101:00:00", "P {0:59=59} {1:00=60} {99:00:00=356400} 101:00:00" } };

  check_cases (within, 1, 60 * G_USEC_PER_SEC);
  check_cases (any, 1, EAR_DURATION_UNKNOWN);
}

static void
test_plain (void)
{
  check_cases (plain, G_N_ELEMENTS (plain), 0);
}

static void
test_active (void)
{
  check_cases (active, G_N_ELEMENTS (active), 0);
}

static void
test_hidden (void)
{
  check_cases (hidden, G_N_ELEMENTS (hidden), 0);
}

/* The name of a picture's link is a link, but is skipped in plain text. */
static void
test_text (void)
{
  static const NotesCase cases[] = {
    { "<a href='https://ads.example/x'><img src='/i.png' alt='Banner'></a><p>Text</p>", "Text" },
    { "<ul><li><a href='https://ads.example/x'><img src='/i.png'></a></li></ul>Text", "Text" },
    { "<a href='/x'><img src='/i.png' alt='Banner'> Read on</a> here", "Read on here" },
    { "<a href='/x'><img src='/i.png' width=1 height=1></a>Text<img src='/j.png' alt='no'>", "Text" },
    { "<div hidden>Preheader</div><ol><li>One<li>Two</ol>", "1. One\n2. Two" },
    { "<a href='/x'><img src='/i.png' alt='Banner'></a>", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarNotes) notes = ear_show_notes_parse (cases[i].source, BASE, 0);
      g_autofree char *text = ear_notes_to_text (notes);

      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

static void
test_apart (void)
{
  check_cases (apart, G_N_ELEMENTS (apart), 0);
}

static gsize
measure_block (const EarNotesBlock *block)
{
  gsize size = 0;

  for (guint i = 0; i < block->spans->len; i++)
    size += strlen (((EarNotesSpan *) g_ptr_array_index (block->spans, i))->text);

  return size;
}

/* Repeats a unit up to a length. */
static EarNotes *
parse_repeated (const char *unit, gsize length)
{
  g_autoptr (GString) source = g_string_new (NULL);

  while (source->len < length)
    g_string_append (source, unit);

  return ear_show_notes_parse (source->str, BASE, 0);
}

/* A table for the layout of a page is not a table. */
static void
test_layout_table (void)
{
  g_autofree char *words = g_strnfill (500, 'x');
  g_autofree char *source = g_strdup_printf ("<table><tr><td>%s</td><td>Menu</td></tr></table>", words);
  g_autofree char *expected = g_strdup_printf ("P %s\nP Menu", words);
  g_autoptr (EarNotes) notes = ear_show_notes_parse (source, BASE, 0);
  g_autofree char *dump = feed_reader_dump_notes (notes);

  g_assert_cmpstr (dump, ==, expected);
}

static void
test_long_paragraph (void)
{
  g_autoptr (EarNotes) words = parse_repeated ("wörd ", 100000);
  g_autoptr (EarNotes) word = parse_repeated ("ö", 100000);
  g_autoptr (EarNotes) lines = parse_repeated ("<pre>", 5);
  g_autofree char *text = NULL;
  gsize total = 0;

  g_assert_cmpuint (words->blocks->len, >=, 12);
  for (guint i = 0; i < words->blocks->len; i++)
    {
      EarNotesBlock *block = g_ptr_array_index (words->blocks, i);

      g_assert_cmpuint (measure_block (block), <=, 8192);
      g_assert_true (g_str_has_suffix (((EarNotesSpan *) g_ptr_array_index (block->spans, block->spans->len - 1))->text, "wörd"));
    }
  for (guint i = 0; i < word->blocks->len; i++)
    {
      EarNotesBlock *block = g_ptr_array_index (word->blocks, i);

      g_assert_cmpuint (measure_block (block), <=, 8192);
      g_assert_true (g_utf8_validate (((EarNotesSpan *) g_ptr_array_index (block->spans, 0))->text, -1, NULL));
      total += measure_block (block);
    }
  g_assert_cmpuint (total, ==, 100000);
  g_assert_cmpuint (lines->blocks->len, ==, 0);
}

static void
test_long_source (void)
{
  g_autoptr (EarNotes) notes = parse_repeated ("<p>A paragraph of some words.</p>", 3 * 1024 * 1024);
  g_autofree char *text = ear_notes_to_text (notes);

  g_assert_cmpuint (notes->blocks->len, >, 1000);
  g_assert_cmpuint (strlen (text), <, 1024 * 1024 + 1);
}

static guint
count_links (const EarNotesBlock *block)
{
  guint n = 0;

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      n += span->link != NULL || span->time >= 0;
    }

  return n;
}

static gsize
measure_links (const EarNotesBlock *block)
{
  gsize total = 0;

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      total += span->link != NULL ? strlen (span->link) : 0;
    }

  return total;
}

static guint
count_letters (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += g_ascii_isalpha (*text);

  return n;
}

/* None of these may be slow: superlinear cost exceeds the test's time limit. */
static void
test_hostile (void)
{
  static const char *const units[] = {
    "<div>",      "<b>",        "<ul><li>",   "<blockquote>", "<a href='x'>",  "<p",        "<",         "</p>",      "&",
    "&lt",        "<!--",       "<script>",   "<video>",      "www.",          "https://",  "1:",        "1:05 ",     "(",
    "https://a(", "<img src=x", "<li>",       "\n",           "- a\n",         " ",         "<br>",      "<pre>a\n",  "<a href=\"",
    "\"",         "='",         "<table><tr><td>", "&#x41;",  "<i></b>",       "<h1>",      "</",        "&amp;lt;",  "hhhh:",
    "<title/>",   "<xmp/></x", "https://a:b/", "<b hidden>", "<x:script>", "<p hidden>", "<b hidden></b>", "<b style='display:display:",
    "Links: a https://b.example/c ", "?Further reading.A https://a.example/1B ", "Outline:", "a https://b.example/c?Further reading.", "<b>x</b>y https://a.b/c ",
  };
  g_test_timer_start ();
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (EarNotes) notes = parse_repeated (units[i], 1000000);
      g_autofree char *text = ear_notes_to_text (notes);

      g_assert_true (g_utf8_validate (text, -1, NULL));
      for (guint j = 0; j < notes->blocks->len; j++)
        {
          const EarNotesBlock *block = g_ptr_array_index (notes->blocks, j);

          g_assert_cmpuint (measure_block (block), <=, 8200);
          g_assert_cmpuint (count_links (block), <=, 200);
        }
      g_assert_cmpuint (notes->blocks->len, <=, 20001);
    }
  g_test_message ("%.1f s", g_test_timer_elapsed ());
}

/* Short references can resolve to long URLs, and one link can contain many pieces of
 * text. */
static void
test_many_links (void)
{
  static const char *const units[] = { "<a href=@>x</a>", "<b>x</b>y", "<img src=@>" };
  g_autofree char *folders = g_strnfill (8000, 'd');
  g_autofree char *base = g_strdup_printf ("https://example.org/%s/", folders);

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (GString) source = g_string_new ("<a href=long>");
      g_autoptr (EarNotes) notes = NULL;
      g_autofree char *text = NULL;
      gsize total = 0;

      for (guint j = 0; j < 40000; j++)
        {
          g_autofree char *name = g_strdup_printf ("%u", j);
          g_auto (GStrv) parts = g_strsplit (units[i], "@", 2);
          g_autofree char *unit = g_strjoinv (name, parts);

          g_string_append (source, unit);
        }
      notes = ear_show_notes_parse (source->str, base, 0);
      text = ear_notes_to_text (notes);
      for (guint j = 0; j < notes->blocks->len; j++)
        total += measure_links (g_ptr_array_index (notes->blocks, j));
      g_assert_cmpuint (total, >, 1024 * 1024);
      g_assert_cmpuint (total, <, 3 * 1024 * 1024);
      /* All of the text is kept. */
      g_assert_cmpuint (count_letters (text), ==, i == 2 ? 0 : (i + 1) * 40000);
    }
}

static void
test_long_description (void)
{
  g_autoptr (GString) source = g_string_new ("<img src='/i.png' alt='");
  g_autoptr (EarNotes) notes = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (source, "wörd\n");
  g_string_append (source, "'>");
  notes = ear_show_notes_parse (source->str, BASE, 0);
  g_assert_cmpuint (notes->blocks->len, ==, 1);
  g_assert_cmpuint (measure_block (g_ptr_array_index (notes->blocks, 0)), <=, 1000);
}

/* The text that searches find */
static void
test_searched_text (void)
{
  static const struct
  {
    const char *notes;
    const char *text;
  } cases[] = {
    { NULL, "" },
    { "  two\twords \n", "two words " },
    { "<p>One</p><p>two</p>", "One two " },
    { "half<b>way</B> <Strong>up</strong><br>down", "halfway up down" },
    { "<a href=\"x\">a</a><abbr>b</abbr><code>c</code><sup>d</sup><span>e</span>", "abcde" },
    { "a<!-- b <p> -->c<style>p { d: e }</style>f<script>1 < 2</script>g", "acfg" },
    { "x &lt; y &amp;&amp; y&gt;z torch&shy;light &unknown; &#233;", "x < y && y>z torchlight &unknown; é" },
    { "1 < 2, AT&T", "1 < 2, AT&T" },
    { "\xff über", "\xef\xbf\xbd über" },
  };
  g_autofree char *endless = g_strnfill (1000000, 'x');
  g_autofree char *cut = ear_show_notes_to_text (endless);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = ear_show_notes_to_text (cases[i].notes);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
  g_assert_cmpuint (strlen (cut), ==, 512 * 1024);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/notes/html", test_html);
  g_test_add_func ("/feed/notes/links", test_links);
  g_test_add_func ("/feed/notes/times", test_times);
  g_test_add_func ("/feed/notes/duration", test_duration);
  g_test_add_func ("/feed/notes/plain", test_plain);
  g_test_add_func ("/feed/notes/active", test_active);
  g_test_add_func ("/feed/notes/hidden", test_hidden);
  g_test_add_func ("/feed/notes/apart", test_apart);
  g_test_add_func ("/feed/notes/searched-text", test_searched_text);
  g_test_add_func ("/feed/notes/layout-table", test_layout_table);
  g_test_add_func ("/feed/notes/long-paragraph", test_long_paragraph);
  g_test_add_func ("/feed/notes/text", test_text);
  g_test_add_func ("/feed/notes/long-source", test_long_source);
  g_test_add_func ("/feed/notes/hostile", test_hostile);
  g_test_add_func ("/feed/notes/many-links", test_many_links);
  g_test_add_func ("/feed/notes/long-description", test_long_description);

  return g_test_run ();
}
