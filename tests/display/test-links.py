#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What episodes link to: on the page of an episode, and all of it in Saved; read, starred, copied, and taken back."""

import contextlib

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


def links(app):
    return [node for node in app.find_all("list item") if node.is_in("list", "Links")]


def show_saved(app):
    app.window_action("show-saved")
    app.choose_tab("Links")


def show_all(app):
    show_saved(app)
    app.from_menu(pattern(r"^\W*Starred"), "All")


def wait_for_links(app, *wanted):
    """Each is called so."""
    wait_until(f"there are {wanted}", lambda: (found := links(app)) is not None and len(found) == len(wanted) and
               all(node.name.startswith(text) for node, text in zip(found, wanted)))


@case
def episode():
    """An episode's links have a tab, where keys and menus mark them as read, star and copy them; keys do so among all links, too"""
    with app_with_two() as app:
        app.click(app.row(0))
        app.wait_for("heading", "Alpha", on_page)
        app.choose_tab("Links 2")
        wait_for_links(app, "The change, Unread", "The paper, Unread")
        tab, first = app.settled_place(app.wait_for(TABS, "Links 2")), app.settled_place(links(app)[0])
        assert first[1] - (tab[1] + tab[3]) >= 12, f"the tabs stand on what they show: {tab}, {first}"
        app.press("button", "Mark All as Read")
        app.wait_for_toast("2 links marked as read")
        wait_for_links(app, "The change, Read", "The paper, Read")
        app.key("ctrl+z")
        wait_for_links(app, "The change, Unread", "The paper, Unread")
        app.click(links(app)[1], button=3)
        app.press(MENU_ITEMS, "Star")
        wait_for_links(app, "The change, Unread", "The paper, Unread, Starred")
        app.key("ctrl+z")
        wait_for_links(app, "The change, Unread", "The paper, Unread")
        app.go_with("Tab", "a link has the focus", lambda node: node.name.startswith("The change"))
        app.key("Down", "ctrl+l")
        wait_for_links(app, "The change, Unread", "The paper, Read")
        app.key("ctrl+d")
        wait_for_links(app, "The change, Unread", "The paper, Read, Starred")
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
        wait_until("both are listed", lambda: len(links(app)) == 2)
        app.wait_for("heading", "Alpha", on_page)
        names = sorted(node.name for node in links(app))
        wait_until("the paper is in two episodes", lambda: any("In 2 episodes" in node.name for node in links(app)))
        assert names[0].startswith(("The change", "The paper", "that paper")), names
        paper = next(node for node in links(app) if "In 2 episodes" in node.name)
        app.click(paper, button=3)
        app.press(MENU_ITEMS, "Mark as Read")
        app.wait_for_toast("Link marked as read")
        wait_until("it says so, and stays", lambda: len(links(app)) == 2 and any(", Read" in node.name for node in links(app)))
        app.choose_tab("Episodes")
        app.wait_for("label", "No Liked Episodes")
        app.choose_tab("Links")
        wait_until("both are listed again", lambda: len(links(app)) == 2)
        app.from_menu(pattern(r"^\W*All"), "From Played Episodes")
        app.wait_for("label", "No Links")
        app.from_menu(pattern("Played"), "Starred")
        app.wait_for("label", "No Links")
        show_all(app)
        wait_until("all are listed", lambda: len(links(app)) == 2)
        for form in ("Markdown", "JSON"):
            app.from_menu(pattern(r"^\W*All"), f"Export as {form}…")
            app.wait_for("dialog", "Export Links")
            app.press("button", "Cancel")
            app.wait_until_gone("dialog", "Export Links")


CHARLIE = feeds.Episode("Charlie", notes='<p><a href="https://github.com/c/d/issues/3">A bug</a> and <a href="https://example.org/">a page</a></p>')


@contextlib.contextmanager
def app_with_podcasts():
    """Four links of two podcasts to three websites, of three kinds, all of them in the list"""
    with feeds.following(lambda server: [feeds.write_minutes(server, "linked", "Linked", LINKED),
                                         feeds.write(server, "other", "Other", [CHARLIE])]) as app:
        show_all(app)
        wait_until("all are listed", lambda: len(links(app)) == 4)
        yield app


def choose(app, menu, name):
    app.from_menu(pattern(r"^\W*All"), menu)
    # Its own entries have slid in.
    app.wait_until_gone(MENU_ITEMS, "Starred")
    app.press(MENU_ITEMS, name)
    app.wait_until_gone(MENU_ITEMS, name)


def wait_for_some(app, *wanted):
    """These are listed, in whatever order."""
    wait_until(f"{wanted} are listed", lambda: sorted(node.name.split(",")[0] for node in links(app)) == sorted(wanted))


@case
def filters():
    """The reading list by kind, by website and by podcast, and by all of that at once; each says All, which brings the others back"""
    with app_with_podcasts() as app:
        both = [node.name.split(",")[0] for node in links(app)]
        choose(app, "Kind", "Papers")
        wait_until("one is listed", lambda: len(links(app)) == 1 and "Paper" in links(app)[0].name)
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
    with feeds.following(write, window_width=360, window_height=640) as app:
        app.wait_for_rows(1)
        show_all(app)
        wait_until("all are listed", lambda: len(links(app)) >= 2)
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
                wait_for_links(app, "first, Unread", "first, Unread")
                app.choose_tab("Notes")
                app.wait_until_gone("list", "Links")
                show_all(app)
                wait_until("both are listed", lambda: len(links(app)) == 2)
                harness.stays("nothing is opened", lambda: not browser.opened(), 1)
                check()
                app.click(links(app)[0])
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


harness.main()
