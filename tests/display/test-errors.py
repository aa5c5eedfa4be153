#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong is said in plain words, with a Retry that works."""

import feeds
import harness
from feeds import Episode
from harness import App, Listener, Profile, Server, case, in_player, on_page, wait_until


def check_page(app, title, body, button="Retry"):
    app.wait_for("label", title)
    app.wait_for("label", harness.pattern(body))
    app.wait_for("button", button)


@case
def server_is_back():
    """A page without episodes fills by itself when the server is back"""
    with Server() as server:
        address = feeds.write_tones(server)
        server.stop()
        with Profile(address) as profile, App(profile) as app:
            check_page(app, "Could Not Reach Server", "refused the connection")
            server.start()
            app.wait_for_rows(3)
            app.wait_until_gone("button", "Retry")


@case
def answers_of_servers():
    """Why a podcast cannot be fetched is said in plain words, each answer of a server in its own; Retry fills the list once the server is well"""
    answers = (("/nothing.xml", "Not Found", "No podcast was found at this address"),
               ("/~status=410/tones.xml", "No Longer Available", "publisher removed"),
               ("/~status=401/tones.xml", "Password Required", "requires a user name"),
               ("/~status=403/tones.xml", "Access Denied", "does not allow access"),
               ("/~html/tones.xml", "No Podcast on This Page", "does not link to"),
               ("/~loop/tones.xml", "Too Many Redirects", "keeps redirecting"),
               ("/~500then=1/tones.xml", "Server Error", "answered with an error"))
    with Server() as server:
        feeds.write_tones(server)
        nowhere, part = "http://podcast.invalid/feed.xml", server.url("/~cut=30000/generated/cut-400.xml")
        with Profile([nowhere, part, *(server.url(path) for path, _, _ in answers)]) as profile, App(profile) as app:
            app.show_podcast(nowhere)
            check_page(app, "No Network", "once you are online")
            app.click(app.wait_for("button", "Retry"))
            check_page(app, "No Network", "once you are online")
            # The episodes that came before it was cut off are kept.
            app.show_podcast(part)
            app.wait_for("label", "Connection Lost")
            app.wait_for_rows(1)
            app.wait_for("button", "Retry")
            for path, title, body in answers:
                app.show_podcast(server.url(path))
                check_page(app, title, body, "Sign In…" if "401" in path else "Retry")
            app.press("button", "Retry")
            app.wait_for_rows(3)


@case
def members_only():
    """A podcast for members asks for a name and a password, and opens with them"""
    with Server() as server:
        feeds.write_tones(server)
        with Profile(server.url("/~status=401/tones.xml")) as profile, App(profile) as app:
            check_page(app, "Password Required", "requires a user name", "Sign In…")
            app.press("button", "Sign In…")
            app.sign_in("listener", "wrong")
            app.wait_for("label", "Wrong user name or password.")
            app.wait_for_focus("Password")
            wait_until("the name is kept", lambda: app.wait_for("text", "User Name").read_text() == "listener")
            # Whoever gives up is asked again.
            app.close_dialog("Sign In")
            check_page(app, "Password Required", "requires a user name", "Sign In…")
            app.press("button", "Sign In…")
            app.sign_in("listener", "secret")
            app.wait_until_gone("dialog", "Sign In")
            app.wait_for_rows(3)
            # The session of the tests has no Secret Service, and that is said.
            app.wait_for_toast(harness.pattern("No keyring was found"))


@case
def another_address():
    """Beside Retry, where a feed is not found, the address can be changed: with episodes above them, without in their place"""
    with Server() as server:
        sound = feeds.sound(server, "minute.cbr.mp3")
        address = feeds.write(server, "moved", "Moved", [Episode("Alpha", sound)])
        with Profile([address, server.url("/never.xml")]) as profile, App(profile) as app:
            app.wait_for("list item", harness.pattern("Not Found$"))
            app.show_podcast(server.url("/never.xml"))
            app.wait_for("label", "Not Found")
            app.wait_for("button", "Retry")
            app.wait_for("button", "Change Address…")
            app.show_podcast(address)
            app.wait_for_rows(1)
            assert app.find("button", "Change Address…") is None
            (server.root / "moved.xml").rename(server.root / "other.xml")
            app.window_action("refresh")
            app.wait_for("button", "Retry")
            app.press("button", "Change Address…")
            app.wait_for("dialog", "Change Address")
            wait_until("the keys go to the address", lambda: app.typed() == address)
            app.retype(server.url("other.xml"))
            app.key("Return")
            app.wait_for_toast("Address changed")
            app.wait_until_gone("dialog", "Change Address")
            app.wait_until_gone("button", "Change Address…")


def broken_episodes(*addresses, **settings):
    return feeds.one_podcast("Broken", [Episode(f"Episode {number}", path) for number, path in enumerate(addresses)], **settings)


@case
def sound_that_is_not_there():
    """An episode that cannot be played says why, in a line above the player; one that has nothing to play does not come into the player"""
    addresses = {
        "~status=404/minute.cbr.mp3": "^Not Found",
        "~status=410/minute.cbr.mp3": "^No Longer Available",
        "~status=401/minute.cbr.mp3": "^Password Required",
        "~redirect=302,tls/minute.cbr.mp3": "^Insecure Connection",
        "~html/minute.cbr.mp3": "sent a web page instead of audio",
        None: None,
        "file:///etc/passwd": None,
    }
    with broken_episodes(*addresses) as app, Listener() as listener:
        for number, (address, words) in reversed(list(enumerate(addresses.items()))):
            app.click(app.row(number))
            app.wait_for("heading", f"Episode {number}", on_page)
            app.key("ctrl+Return")
            if words is None:
                app.wait_for_toast(f"“Episode {number}” has nothing to play")
                harness.stays("the player is empty", lambda: not app.mpris_get("Metadata"), 0.2)
                continue
            line = app.wait_for(("alert", "notification", "label"), harness.pattern(words), in_player)
            button = app.wait_for("button", "Sign In…" if "401" in address else "Retry", in_player)
            listener.wait_for_silence()
        line, button, player = (app.settled_place(node) for node in (line, button, app.wait_for("button", "Forward 30 Seconds", in_player)))
        assert line[2] > 200, line
        assert button[1] + button[3] <= player[1] and line[1] < player[1], (line, button, player)


@case
def in_a_narrow_window():
    """360 px: an error stands in a bar above the player, without its sheet, until something plays"""
    with broken_episodes("~status=404/minute.cbr.mp3", "minute.cbr.mp3", window_width=360, window_height=640) as app:
        app.press("button", "Play", lambda node: any(above.name.startswith("Episode 0, ") for above in node.ancestors()))
        app.wait_for("label", harness.pattern("^Not Found"))
        app.wait_for("button", "Retry")
        app.press_play(lambda node: any(above.name.startswith("Episode 1, ") for above in node.ancestors()))
        app.wait_until_gone("label", harness.pattern("^Not Found"))


@case
def network_lost_while_playing():
    """The network goes away while playing: the player says so, and Retry goes on from there"""
    # Well faster than it is played, on a busy machine too, and slower than it is over.
    with broken_episodes("~slow=30000/minute.cbr.mp3") as app, Listener() as listener:
        app.press("button", "Play", on_page)
        listener.wait_for_sound(3, 30)
        app.server.stop()
        app.wait_for("button", "Retry", in_player)
        listener.wait_for_silence()
        place = listener.last_heard()
        assert place < 55, f"the sound had come whole: {place}"
        app.server.start()
        app.press("button", "Retry", in_player)
        heard = listener.wait_for_sound(place - 2, 60)
        assert heard < place + 3, (place, heard)
        wait_until("the error is gone", lambda: app.find("button", "Retry", in_player) is None)


harness.main()
