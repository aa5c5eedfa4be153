#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What episodes link to: on the page of an episode, and all of it in Saved; read, starred, copied, and taken back. Show notes by pointer and
keys: selecting over paragraphs, copying, the menu of a link, a picture; people."""

import contextlib
import subprocess

import feeds
import harness
from browser import Browser
from harness import MENU_ITEMS, App, GLib, Profile, Server, case, on_page, pattern, wait_until

TABS = ("radio button", "toggle button", "page tab")
NOTES = {
    "Alpha": '<h3>Further reading</h3><ul><li><a href="https://github.com/a/b/pull/7?utm_source=feed">The change</a></li>'
             '<li><a href="https://arxiv.org/abs/1">The paper</a></li></ul>',
    "Bravo": '<p>See <a href="http://arxiv.org/abs/1/">that paper</a> again.</p>',
}
LINKED = [feeds.Episode(title, "minute.cbr.mp3", notes=notes) for title, notes in NOTES.items()]


# Whatever else a page would load by itself
LOADING = ('<p>Pages: <a href="@BASE@/page/first">first</a> and @BASE@/page/second</p><img src="@BASE@/page/picture.png" alt="A picture" '
           'srcset="@BASE@/page/picture-2.png 2x"><link rel="stylesheet" href="@BASE@/page/style.css"><script src="@BASE@/page/script.js"></script>'
           '<iframe src="@BASE@/page/frame"></iframe><video src="@BASE@/page/film.mp4" poster="@BASE@/page/poster.png" autoplay></video>'
           '<p style="background: url(@BASE@/page/back.png)">The end.</p>')


def app_with_two():
    return feeds.one_podcast("Linked", LINKED)


def show_saved(app):
    app.window_action("show-saved")
    app.choose_tab("Links")


def show_all(app):
    show_saved(app)
    app.from_menu(pattern(r"^\W*Starred"), "All")


@case
def episode():
    """An episode's links have a tab, where keys and menus mark them as read, star and copy them; keys do so among all links, too"""
    with app_with_two() as app:
        app.choose_episode("Alpha")
        app.choose_tab("Links 2")
        app.wait_for_items("Links", "The change, Unread", "The paper, Unread")
        tab, first = app.settled_place(app.wait_for(TABS, "Links 2")), app.settled_place(app.items("Links")[0])
        assert first[1] - (tab[1] + tab[3]) >= 12, f"the tabs stand on what they show: {tab}, {first}"
        app.press("button", "Mark All as Read")
        app.wait_for_toast("2 links marked as read")
        app.wait_for_items("Links", "The change, Read", "The paper, Read")
        app.key("ctrl+z")
        app.wait_for_items("Links", "The change, Unread", "The paper, Unread")
        app.from_menu_of(app.items("Links")[1], "Star")
        app.wait_for_items("Links", "The change, Unread", "The paper, Unread, Starred")
        app.key("ctrl+z")
        app.wait_for_items("Links", "The change, Unread", "The paper, Unread")
        app.go_with("Tab", "a link has the focus", lambda node: node.name.startswith("The change"))
        app.key("Down", "ctrl+l")
        app.wait_for_items("Links", "The change, Unread", "The paper, Read")
        app.key("ctrl+d")
        app.wait_for_items("Links", "The change, Unread", "The paper, Read, Starred")
        app.key("ctrl+shift+c")
        app.wait_for_toast("Copied")
        app.window_action("select-episode", GLib.Variant("u", 1))
        app.window_action("show-tab", GLib.Variant("s", "notes"))
        show_all(app)
        app.wait_for("list item", pattern("^The change, Unread"))
        app.go_with("Tab", "the link has the focus", lambda node: node.name.startswith("The change"))
        app.key("ctrl+d")
        app.wait_for("list item", pattern("^The change, Unread, Starred"))
        app.key("ctrl+l")
        app.wait_for("list item", pattern("^The change, Read, Starred"))


@case
def reading_list():
    """A link of two episodes is listed once; a filter shows starred links, those of played episodes, or all"""
    with app_with_two() as app:
        show_saved(app)
        app.wait_for("label", "No Links")
        show_all(app)
        wait_until("both are listed", lambda: len(app.items("Links")) == 2)
        app.wait_for("heading", "Alpha", on_page)
        names = sorted(app.names("Links"))
        wait_until("the paper is in two episodes", lambda: any("In 2 episodes" in name for name in app.names("Links")))
        assert names[0].startswith(("The change", "The paper", "that paper")), names
        paper = next(node for node in app.items("Links") if "In 2 episodes" in node.name)
        app.from_menu_of(paper, "Mark as Read")
        app.wait_for_toast("Link marked as read")
        wait_until("it says so, and stays", lambda: len(app.items("Links")) == 2 and any(", Read" in name for name in app.names("Links")))
        app.choose_tab("Episodes")
        app.wait_for("label", "No Liked Episodes")
        app.choose_tab("Links")
        wait_until("both are listed again", lambda: len(app.items("Links")) == 2)
        app.from_menu(pattern(r"^\W*All"), "From Played Episodes")
        app.wait_for("label", "No Links")
        app.from_menu(pattern("Played"), "Starred")
        app.wait_for("label", "No Links")
        show_all(app)
        wait_until("all are listed", lambda: len(app.items("Links")) == 2)
        for form in ("Markdown", "JSON"):
            app.from_menu(pattern(r"^\W*All"), f"Export as {form}…")
            app.wait_for("dialog", "Export Links")
            app.press("button", "Cancel")
            app.wait_until_gone("dialog", "Export Links")


CHARLIE = feeds.Episode("Charlie", notes='<p><a href="https://github.com/c/d/issues/3">A bug</a> and <a href="https://example.org/">a page</a></p>')


def choose(app, menu, name):
    app.from_menu(pattern(r"^\W*All"), menu)
    # Its own entries have slid in.
    app.wait_until_gone(MENU_ITEMS, "Starred")
    app.press(MENU_ITEMS, name)
    app.wait_until_gone(MENU_ITEMS, name)


def wait_for_some(app, *wanted):
    """These are listed, in whatever order."""
    wait_until(f"{wanted} are listed", lambda: sorted(name.split(",")[0] for name in app.names("Links")) == sorted(wanted))


@case
def filters():
    """The reading list by kind, by website and by podcast, and by all of that at once; each says All, which brings the others back"""
    with feeds.following(lambda server: [feeds.write_minutes(server, "linked", "Linked", LINKED),
                                         feeds.write(server, "other", "Other", [CHARLIE])]) as app:
        show_all(app)
        wait_until("all are listed", lambda: len(app.items("Links")) == 4)
        both = [name.split(",")[0] for name in app.names("Links")]
        choose(app, "Kind", "Papers")
        wait_until("one is listed", lambda: len(app.items("Links")) == 1 and "Paper" in app.items("Links")[0].name)
        app.wait_for("toggle button", pattern("All.*Papers"))
        app.wait_for("label", "1 link")
        choose(app, "Kind", "All")
        wait_for_some(app, *both)
        choose(app, "Website", "github.com")
        wait_for_some(app, "The change", "A bug")
        choose(app, "Podcast", "Other")
        wait_for_some(app, "A bug")
        choose(app, "Kind", "Pull Requests")
        app.wait_for("label", "No Links")
        app.wait_for("toggle button", pattern("All.*Pull Requests.*github.com.*Other"))
        choose(app, "Podcast", "Linked")
        wait_for_some(app, "The change")
        for menu in ("Kind", "Website", "Podcast"):
            choose(app, menu, "All")
        wait_for_some(app, *both)
        app.wait_for("toggle button", pattern(r"^\W*All\W*$"))


@case
def long_titles():
    """360 px: the menu of the reading list is no wider than the window, however long a podcast's title is; underscores stay"""
    title = "The_Lighthouse Keeper’s Long and Winding Almanac " + "of the Sea and All That Is in It, " * 6
    def write(server):
        return [feeds.write_minutes(server, "linked", "Linked", LINKED), feeds.write(server, "long", title, [feeds.Episode("Alpha", notes=NOTES["Alpha"])])]
    with feeds.following(write, window_width=360, window_height=640, n_rows=1) as app:
        show_all(app)
        wait_until("all are listed", lambda: len(app.items("Links")) >= 2)
        before = app.surfaces()
        app.press("toggle button", pattern(r"^\W*All"))
        app.wait_for(MENU_ITEMS, "Podcast")
        menu = wait_until("the menu is on the display", lambda: app.surfaces() - before).pop()
        width = harness.settled("the menu has its size", lambda: app.geometry(menu)[2])
        # Its shadow counts.
        assert width <= 400, width
        app.press(MENU_ITEMS, "Podcast")
        app.wait_until_gone(MENU_ITEMS, "Starred")
        app.wait_for(MENU_ITEMS, pattern("^The_Lighthouse Keeper.*…$"))


@case
def nothing_is_fetched():
    """Links and pictures of an episode are never fetched; the browser opens a link that is chosen"""
    with Server() as server:
        feed = feeds.write_minutes(server, "loading", "Loading", [feeds.Episode("Alpha", "minute.cbr.mp3", notes=LOADING), "Bravo"])

        def check():
            asked = {request["path"] for request in server.requests()}
            assert asked == {"/loading.xml"}, asked
        with Profile(feed) as profile:
            browser = Browser(profile)
            with App(profile) as app:
                app.wait_for_rows(2)
                app.click(app.row(0))
                app.wait_for("label", pattern("^The end"))
                app.wait_for("label", pattern("^Picture: A picture"))
                app.choose_tab("Links 2")
                app.wait_for_items("Links", "first, Unread", "first, Unread")
                app.choose_tab("Notes")
                app.wait_until_gone("list", "Links")
                show_all(app)
                wait_until("both are listed", lambda: len(app.items("Links")) == 2)
                harness.stays("nothing is opened", lambda: not browser.opened(), 1)
                check()
                app.click(app.items("Links")[0])
                wait_until("the browser is asked", browser.opened)
                assert browser.opened() == [server.url("page/first")], browser.opened()
                app.wait_for("list item", pattern("^first, Read"))
                check()


STORIES = {
    "Alpha": "<p>The beginning of it all.</p>",
    "Bravo": "<p>More of it.</p>",
    "Charlie": "<p>Other episodes to listen to first: <a href='https://example.org/0'>the beginning</a> and"
               " <a href='https://example.org/1'>what came then</a>.</p><p><a href='https://example.org/3'>The end of it all</a></p>",
    "Delta": "<p>Nothing else.</p>",
}


TOLD = [feeds.Episode(title, "minute.cbr.mp3", notes=notes) for title, notes in STORIES.items()]


def show(app, number, title):
    app.window_action("select-episode", GLib.Variant("u", number))
    app.wait_for("heading", title, on_page)


def listed(app, heading):
    """What is below a heading of the page."""
    return [node.name for node in app.find_all("list item", where=lambda node: node.is_in("list", heading) and on_page(node))]


def wait_for_list(app, heading, *titles):
    wait_until(f"{heading} is {titles}", lambda: (found := listed(app, heading)) is not None and len(found) == len(titles) and
               all(title in name for title, name in zip(titles, found)))


def show_charlie(app):
    show(app, 2, "Charlie")
    wait_for_list(app, "Listen First", "Alpha", "Bravo")


@case
def references():
    """An episode's page lists episodes to hear first, its references, and references to it; links among episodes lead there, by click and key.
    What is to be heard first goes to Up Next, by button and key, without what was played; Undo takes it back."""
    with feeds.one_podcast("Told", TOLD) as app:
        show_charlie(app)
        wait_for_list(app, "Refers To", "Delta")
        assert not app.find("heading", "Referred To By", on_page)
        app.click(app.find_all("list item", where=lambda node: node.is_in("list", "Listen First") and on_page(node))[1])
        app.wait_for("heading", "Bravo", on_page)
        wait_for_list(app, "Referred To By", "Charlie")
        app.wait_until_gone("heading", "Listen First", on_page)
        show_charlie(app)
        app.click(app.wait_for("label", "The end of it all", on_page), across=0.1)
        app.wait_for("heading", "Delta", on_page)
        wait_for_list(app, "Referred To By", "Charlie")
        show_charlie(app)
        app.press("button", "Play Next", on_page)
        app.wait_for_toast("2 episodes added to Up Next")
        app.go_with("Tab", "the text with the link", lambda node: node.role == "label" and "The end of it all" in (node.name or ""))
        app.key("Return")
        app.wait_for("heading", "Delta", on_page)
        app.window_action("show-up-next")
        app.wait_for_titles("Alpha", "Bravo")
        app.key("ctrl+z")
        wait_until("Up Next is empty", lambda: not app.rows())
        app.show_podcast(app.address)
        app.wait_for_rows(4)
        show(app, 0, "Alpha")
        app.window_action("toggle-listened")
        show_charlie(app)
        app.key("ctrl+shift+u")
        app.wait_for_toast("Added to Up Next")
        app.window_action("show-up-next")
        app.wait_for_titles("Bravo")


def write_other(server):
    """Another podcast, on another site, whose notes link to the first one."""
    address = feeds.write(server, "other", "Another Show", [feeds.Episode("Echo", notes="<p>As <a href='@TOLD@/0'>told before</a></p>")])
    path = server.root / "other.xml"
    path.write_text(path.read_text().replace("https://example.org/", "https://example.net/").replace("@TOLD@", "https://example.org"))
    return address


@case
def other_podcast():
    """An episode of another podcast that links to one is below its notes, with the name of that podcast, once links were looked for"""
    with feeds.following(lambda server: [feeds.write_minutes(server, "told", "Told", TOLD), write_other(server)]) as app:
        told, other = app.address
        wait_until("both are there", lambda: len(app.podcasts()) == 2)
        app.show_podcast(other)
        wait_until("its episode is there", lambda: len(app.rows()) == 1)
        show_all(app)
        app.wait_for("list item", pattern("^told before"))
        app.show_podcast(told)
        app.wait_for_rows(4)
        show(app, 0, "Alpha")
        wait_for_list(app, "Referred To By", "Charlie", "Echo")
        app.click(app.find_all("list item", where=lambda node: node.is_in("list", "Referred To By") and on_page(node))[1])
        app.wait_for("heading", "Echo", on_page)
        wait_for_list(app, "Refers To", "Alpha")


PARAGRAPHS = ("<p>The first paragraph of them.</p><ul><li>An item with a <a href='https://example.org/link'>link</a></li></ul>"
         "<p>The last paragraph of them.</p><img src='@BASE@/picture.png' alt='A red square'><p>0:20</p>")


@contextlib.contextmanager
def app_with_notes():
    def write(server):
        subprocess.run(["convert", "-size", "320x320", "xc:#e01010", server.root / "picture.png"], check=True)
        return feeds.write_minutes(server, "notes", "Notes", [feeds.Episode("One", "minute.cbr.mp3", notes=PARAGRAPHS)])
    with feeds.following(write, n_rows=1) as app:
        app.wait_for("label", paragraph("last"))
        yield app


def paragraph(which):
    return pattern(f"^The {which} paragraph")


def open_menu_of_link(app):
    """Where it stands in its text is not told."""
    x, y, _, height = app.settled_place(app.wait_for("label", pattern("^An item")))
    for right in range(60, 160, 8):
        app.xdotool("mousemove", x + right, y + height // 2, "click", 3)
        app.let_it_act()
        app.wait_for(MENU_ITEMS, "Select All")
        if app.find(MENU_ITEMS, "Copy Link"):
            return
        app.escape_from(MENU_ITEMS, "Select All")
    raise AssertionError("the link has no menu")


@case
def select_and_copy():
    """Text that is drawn over from paragraph to paragraph is copied as text or Markdown; a link's menu copies its address, a text's all of it"""
    with app_with_notes() as app:
        first = app.settled_place(app.wait_for("label", paragraph("first")))
        item = app.settled_place(app.wait_for("label", pattern("^An item")))
        app.xdotool("mousemove", first[0] + 40, first[1] + first[3] // 2)
        app.let_it_act()
        app.xdotool("mousedown", 1)
        for x, y in ((first[0] + 80, first[1] + first[3] // 2), (item[0] + 10, item[1] + item[3] // 2), (item[0] + item[2] - 2, item[1] + item[3] // 2)):
            app.xdotool("mousemove", x, y)
            app.let_it_act()
        app.xdotool("mouseup", 1)
        app.let_it_act()
        app.key("ctrl+c")
        app.wait_for_toast("Copied")
        app.key("ctrl+alt+c")
        # GTK's extents leave out the padding of the page: it is begun somewhere in the first words.
        app.wait_for_pasted("paragraph of them.", "- An item with a [link](https://example.org/link)")
        app.click(app.wait_for("label", paragraph("last")))
        app.key("ctrl+a", "ctrl+c")
        app.wait_for_pasted("The first paragraph of them.", "• An item with a link", "The last paragraph of them.")
        open_menu_of_link(app)
        app.press(MENU_ITEMS, "Copy Link")
        app.wait_for_pasted("https://example.org/link")
        app.click(app.wait_for("label", paragraph("first")), button=3)
        app.wait_for(MENU_ITEMS, "Select All")
        assert not app.find(MENU_ITEMS, "Open Link")
        app.press(MENU_ITEMS, "Copy as Markdown")
        app.wait_for_pasted("- An item with a [link](https://example.org/link)", "![A red square](")


@case
def stars():
    """A link's menu gives it a star, which the list of links shows, and removes it; that is taken back.
    The link of a time stamp that is copied leads to the sound from there."""
    with app_with_notes() as app:
        open_menu_of_link(app)
        assert not app.find(MENU_ITEMS, "Remove Star")
        app.press(MENU_ITEMS, "Star Link")
        app.wait_for_toast("Link starred")
        open_menu_of_link(app)
        app.wait_for(MENU_ITEMS, "Remove Star")
        assert not app.find(MENU_ITEMS, "Star Link")
        app.key("Escape")
        app.window_action("show-tab", GLib.Variant("s", "links"))
        app.wait_for("list item", pattern("^An item with a link, Unread, Starred"))
        app.window_action("show-tab", GLib.Variant("s", "notes"))
        open_menu_of_link(app)
        app.press(MENU_ITEMS, "Remove Star")
        app.wait_for_toast("Star removed from link")
        app.key("ctrl+z")
        open_menu_of_link(app)
        app.wait_for(MENU_ITEMS, "Remove Star")
        app.escape_from(MENU_ITEMS, "Remove Star")

        def offers_link():
            # Beside the link there is a menu, too.
            if app.find("menu item", "Copy as Markdown") and not app.find("menu item", "Copy Link"):
                app.key("Escape")
            return app.find("menu item", "Copy Link")
        label = app.wait_for("label", "0:20")
        app.click(label, 14 / app.settled_place(label)[2], 3, offers_link)
        app.press("menu item", "Copy Link")
        app.wait_until_gone("menu item", "Copy Link")
        # What was copied is offered there.
        app.key("ctrl+n")
        app.wait_for_entry()
        wait_until("it is the sound's address and the time", lambda: app.typed() == app.server.url("minute.cbr.mp3#t=20"))


@case
def pictures():
    """A picture is asked for once it is clicked, and not before, unless the settings of the podcast have its pictures loaded"""
    with app_with_notes() as app:
        def asked():
            return any("picture.png" in request["path"] for request in app.server.requests())
        link = app.wait_for("label", pattern("^Picture: A red square"))
        harness.stays("nothing is asked for", lambda: not asked(), 0.5)
        app.click(link, across=0.1)
        app.wait_for(("image", "img", "icon"), "A red square")
        assert asked()
        app.restart()
        app.wait_for("label", pattern("^Picture: A red square"))
        app.window_action("podcast-settings")
        app.wait_for("check box", "Load Pictures")
        app.key("alt+p")
        app.key("Escape")
        app.wait_for(("image", "img", "icon"), "A red square")
        app.restart()
        app.wait_for(("image", "img", "icon"), "A red square")


FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Talking</title><language>en-gb</language><pubDate>Wed, 01 Jan 2025 00:00:00 +0000</pubDate>
<description>Made for a test.</description>
<podcast:person role="Host">Ann Lee</podcast:person>
<podcast:funding url="https://example.org/give">Keep us going</podcast:funding>
<podcast:funding url="https://other.example/tea"/>
<podcast:location>Kyoto</podcast:location>
<item><title>With a guest</title><guid>1</guid><pubDate>Tue, 14 Nov 2023 22:13:20 +0000</pubDate>
<podcast:person>Ann Lee</podcast:person><podcast:person role="guest">&lt;b&gt;Bob&lt;/b&gt; &amp;amp; co.</podcast:person></item>
<item><title>As always</title><guid>2</guid><pubDate>Mon, 13 Nov 2023 22:13:20 +0000</pubDate></item>
<item><title>A crowd</title><guid>3</guid><pubDate>Sun, 12 Nov 2023 22:13:20 +0000</pubDate>@CROWD@</item>
</channel></rss>
"""
CROWD = "".join(f"<podcast:person role='guest'>Somebody with a long name {number}</podcast:person>" for number in range(40))


def write_people(server):
    (server.root / "people.xml").write_text(FEED.replace("@CROWD@", CROWD))
    return server.url("people.xml")


def in_about(node):
    return node.is_in("dialog")


@case
def people():
    """The page of an episode names its people with their roles, or else those of its podcast; a crowd takes lines, and ends after twenty.
    About This Podcast has them, too, and lists where to give something; by keys, each opens in the browser."""
    with feeds.following(write_people, window_width=360, window_height=640) as app:
        for number, words in enumerate(("^With Ann Lee .host., <b>Bob</b> & co. .guest.$", "^With Ann Lee .host.$",
                                        "^With Somebody with a long name 0 .guest., .*, and 21 more$")):
            app.wait_for_rows(3)
            app.click(app.row(number))
            label = app.wait_for("label", pattern(words))
            left, _, width, height = app.settled_place(label)
            app.key("Escape")
        assert app.geometry(app.window_id)[2] == 360
        assert width <= 360 and height > 100, f"{width} x {height} at {left}"
        app.wait_for_rows(3)
        # The date of the latest episode is known when the check is over.
        app.wait_for("label", pattern("Checked"))
        app.key("alt+Return")
        app.wait_for("dialog", "About This Podcast")
        app.wait_for("label", "Support This Podcast", in_about)
        app.wait_for("label", "Ann Lee (host)", in_about)
        app.wait_for("label", "Kyoto", in_about)
        app.wait_for("label", "English", in_about)
        # That of the episode, and not the feed's own
        app.wait_for("label", "November 14, 2023", in_about)
        app.wait_for("list item", pattern("^Keep us going"), in_about)
        app.wait_for("list item", pattern("^Support"), in_about)

        def on_row():
            app.key("Tab")
            return app.find("list item", pattern("^Keep us going"), lambda node: "focused" in node.states)
        wait_until("Tab comes to the row", on_row)
        app.key("Return")
        # No program opens a web page here.
        app.wait_for_toast(pattern("The link could not be opened"))


harness.main()
