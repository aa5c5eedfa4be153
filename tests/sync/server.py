#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server for syncing podcasts, with the habits of the real ones.

Speaks the API of gpodder.net, version 2, and that of Nextcloud's gPodder Sync with its login, for
the user "ada" with the password "lamp". Prints its address, then reads commands, a line each, and
answers each with a line:

    quirks NAME...      from now on, only these habits; see QUIRKS
    follow ADDRESS      as another device does
    unfollow ADDRESS
    play PODCAST MEDIA POSITION TOTAL TIME [GUID]     times in Unix seconds
    new PODCAST MEDIA TIME
    download PODCAST MEDIA TIME
    fill BASE N M       has N podcasts, and a play action for each of their M episodes
    flood N             has N play actions, each of another podcast
    wipe                loses everything
    login               the listener signs in with the browser
    count               the number of requests since the last count
    podcasts            the addresses that are followed, sorted
    actions             MEDIA=POSITION/TOTAL of the newest play action of each episode, sorted
    duplicates          the number of actions that were uploaded more than once
    history NAME        the actions on the episode whose media has this end
    timestamps          how long ago the newest action was, in seconds
    valid PASSWORD      "yes" or "no"
"""

import base64
import collections
import datetime
import http.server
import json
import re
import sys
import threading
import time
import urllib.parse

QUIRKS = {
    "upper", "zone", "epoch", "capped", "bare", "missing", "objects", "strict", "refused", "busy", "slow", "cut",
    "gone", "empty", "ahead", "behind", "own-devices", "plays-only", "corrects", "rejects", "huge", "deep",
    "wrong-types", "page", "by-action-time", "moves", "elsewhere", "fails", "large", "nested",
}
CAP = 7
PASSWORDS = {"lamp"}


class State:
    """What the server stores for its only user."""

    def __init__(self):
        self.lock = threading.RLock()
        self.quirks = set()
        self.requests = 0
        self.token = None
        self.granted = False
        self.wipe()

    def wipe(self):
        self.podcasts = {}           # address: (followed, time of the change)
        self.actions = []            # dicts, with the time of the upload
        self.devices = {}
        self.linked = []
        self.uploads = collections.Counter()

    def now(self):
        return int(time.time()) + 86400 * (("ahead" in self.quirks) - ("behind" in self.quirks))

    def change(self, added, removed):
        for address in added:
            self.podcasts[address] = (True, self.now())
        for address in removed:
            self.podcasts[address] = (False, self.now())

    def add(self, action):
        stored = {name.lower(): value for name, value in action.items()}
        stored["action"] = stored["action"].lower()
        stored["uploaded"] = self.now()
        stored["at"] = read_time(stored["timestamp"]) if "timestamp" in stored else self.now()
        self.uploads[json.dumps(action, sort_keys=True)] += 1
        if "plays-only" in self.quirks:
            if stored["action"] != "play":
                return
            # The last upload wins, even if it is older.
            self.actions = [other for other in self.actions if other["episode"] != stored["episode"]]
        self.actions.append(stored)


def read_time(text):
    if isinstance(text, (int, float)):
        return int(text)
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return int(moment.timestamp())


STATE = State()


class Refusal(Exception):
    pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    # Answers

    def answer(self, value, status=200):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if "cut" in STATE.quirks:
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()
        else:
            self.wfile.write(body)

    def refuse(self, status):
        raise Refusal(status)

    def check_login(self):
        kind, _, code = self.headers.get("Authorization", "").partition(" ")
        user, _, password = base64.b64decode(code).decode().partition(":") if kind == "Basic" else ("", "", "")
        if user != "ada" or password not in PASSWORDS:
            self.refuse(401)

    def show(self, action):
        """An action as an answer has it."""
        quirks = STATE.quirks
        shown = {name: value for name, value in action.items() if name not in ("uploaded", "at")}
        moment = datetime.datetime.fromtimestamp(action["at"], datetime.timezone.utc)
        shown["timestamp"] = moment.strftime("%Y-%m-%dT%H:%M:%S")
        if "zone" in quirks:
            shown["timestamp"] = moment.astimezone(datetime.timezone(datetime.timedelta(hours=2))).isoformat()
        if "epoch" in quirks:
            shown["timestamp"] = action["at"]
        if "upper" in quirks:
            shown["action"] = shown["action"].upper()
        if "missing" in quirks:
            shown = {name: value for name, value in shown.items() if name not in ("device", "started", "guid")}
        return shown

    def list_actions(self, since):
        key = "at" if "by-action-time" in STATE.quirks else "uploaded"
        found = sorted((action for action in STATE.actions if action[key] >= since), key=lambda action: action[key])
        timestamp = STATE.now()
        if "capped" in STATE.quirks and len(found) > CAP:
            timestamp = found[CAP - 1][key]
            found = [action for action in found if action[key] <= timestamp]
        shown = [self.show(action) for action in found]
        if "wrong-types" in STATE.quirks:
            shown = [None, 7, "play", [], {}, {"podcast": 3, "episode": {}, "action": [], "timestamp": None},
                     {"podcast": "https://a.example/", "episode": "https://a.example/1", "action": "play",
                      "timestamp": "yesterday", "position": "x"}, *shown]
        if "bare" in STATE.quirks:
            return shown
        return {"actions": shown} if "missing" in STATE.quirks else {"actions": shown, "timestamp": timestamp}

    def list_podcasts(self, since):
        changed = sorted((address, followed) for address, (followed, at) in STATE.podcasts.items() if at >= since)
        added = [address for address, followed in changed if followed]
        removed = [address for address, followed in changed if not followed]
        if "empty" in STATE.quirks:
            added = []
        if "objects" in STATE.quirks:
            added = [{"url": address, "title": "A title"} for address in added]
        answer = {"add": added, "remove": removed, "update_urls": [], "timestamp": STATE.now()}
        return {"add": added} if "missing" in STATE.quirks else answer

    def change_podcasts(self, change):
        added, removed = change.get("add", []), change.get("remove", [])
        if set(added) & set(removed) or "strict" in STATE.quirks and any("spoiled" in address for address in added):
            self.refuse(400)
        moved = []
        if "corrects" in STATE.quirks:
            moved = [[address, address.replace("/old/", "/new/")] for address in added if "/old/" in address]
        if "rejects" in STATE.quirks:
            moved += [[address, ""] for address in added if "rejected" in address]
        corrected = dict(moved)
        STATE.change([corrected.get(address, address) for address in added if corrected.get(address) != ""], removed)
        return {"timestamp": STATE.now(), "update_urls": moved}

    def add_actions(self, actions):
        if not isinstance(actions, list):
            self.refuse(400)
        needed = {"podcast", "episode", "action", "timestamp"}
        for action in actions:
            if not needed <= set(action) or "strict" in STATE.quirks and "spoiled" in action["episode"]:
                self.refuse(400)
            if "fails" in STATE.quirks and "spoiled" in action["episode"]:
                self.refuse(500)
        for action in actions:
            STATE.add(action)
        return {"timestamp": STATE.now(), "update_urls": []}

    # Requests

    def hostile(self):
        if "page" in STATE.quirks:
            return b"<html><body>It works!</body></html>"
        if "deep" in STATE.quirks:
            return b"[" * 1000000
        whole = "episode" in self.path and self.path.endswith("since=0")
        if "huge" in STATE.quirks or "large" in STATE.quirks and whole:
            return b'{"actions":[' + b"0," * 20000000 + b'0]}'
        return None

    def gpodder(self, method, path, since, body):
        if match := re.fullmatch(r"/api/2/subscriptions/ada/([\w.-]+)\.json", path):
            if "own-devices" in STATE.quirks and match[1] not in STATE.linked:
                return {"add": [], "remove": [], "timestamp": STATE.now()} if method == "GET" else {"timestamp": STATE.now()}
            return self.list_podcasts(since) if method == "GET" else self.change_podcasts(body)
        if path == "/api/2/episodes/ada.json":
            return self.list_actions(since) if method == "GET" else self.add_actions(body)
        if match := re.fullmatch(r"/api/2/devices/ada/([\w.-]+)\.json", path):
            STATE.devices[match[1]] = body["caption"]
            return b""
        if path == "/api/2/sync-devices/ada.json":
            if "own-devices" not in STATE.quirks:
                self.refuse(503)
            if method == "POST":
                STATE.linked = [device for group in body["synchronize"] for device in group]
            return {"synchronized": [], "not-synchronized": ["phone", *STATE.devices]}
        return None

    def nextcloud(self, method, path, since, body):
        base = "/index.php/apps/gpoddersync/"
        if path == base + "subscriptions":
            return self.list_podcasts(since)
        if path == base + "subscription_change/create":
            if set(body) != {"add", "remove"}:
                self.refuse(400)
            return self.change_podcasts(body)
        if path == base + "episode_action":
            return self.list_actions(since)
        if path == base + "episode_action/create":
            return self.add_actions(body)
        if path == "/ocs/v2.php/core/apppassword" and method == "DELETE":
            if self.headers.get("OCS-APIRequest") != "true":
                self.refuse(412)
            PASSWORDS.discard("app")
            return {}
        return None

    def log_in(self, path, raw):
        base = f"http://{self.headers['Host']}"
        if path == "/index.php/login/v2":
            STATE.token, STATE.granted = "token-1", False
            there = base.replace("127.0.0.1", "localhost") if "elsewhere" in STATE.quirks else base
            answer = {"poll": {"token": STATE.token, "endpoint": f"{there}/index.php/login/v2/poll"}, "login": f"{base}/flow"}
            if "nested" in STATE.quirks:
                answer |= {"other": {"token": "wrong", "login": "https://other.example/"}, "token": "x" * 5000}
            return answer
        if path == "/index.php/login/v2/poll":
            if urllib.parse.parse_qs(raw.decode()).get("token") != [STATE.token]:
                self.refuse(400)
            if not STATE.granted:
                self.refuse(404)
            PASSWORDS.add("app")
            return {"server": base, "loginName": "ada", "appPassword": "app"}
        return None

    def handle_request(self, method):
        url = urllib.parse.urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        since = int(urllib.parse.parse_qs(url.query).get("since", ["0"])[0])
        if "slow" in STATE.quirks:
            time.sleep(0.2)
        with STATE.lock:
            STATE.requests += 1
            try:
                if "moves" in STATE.quirks and method != "GET" and "127" in self.headers["Host"]:
                    self.send_response(307)
                    self.send_header("Location", f"http://localhost:{self.server.server_port}{self.path}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                for quirk, status in (("refused", 401), ("busy", 503), ("gone", 404)):
                    if quirk in STATE.quirks:
                        self.refuse(status)
                if (found := self.log_in(url.path, raw)) is None:
                    self.check_login()
                    body = json.loads(raw) if raw else None
                    found = self.hostile() or self.gpodder(method, url.path, since, body)
                    if found is None:
                        found = self.nextcloud(method, url.path, since, body)
                if found is None:
                    self.refuse(404)
                self.answer(found)
            except Refusal as refusal:
                self.answer({"message": "No"}, refusal.args[0])
            except (ValueError, KeyError, TypeError, AttributeError):
                self.answer({"message": "Not understood"}, 400)

    def do_GET(self):
        self.handle_request("GET")

    def do_POST(self):
        self.handle_request("POST")

    def do_DELETE(self):
        self.handle_request("DELETE")


def newest_plays():
    newest = {}
    for action in sorted(STATE.actions, key=lambda action: action["at"]):
        newest[action["episode"]] = action
    return sorted(f"{media}={action.get('position', action['action'])}/{action.get('total', 0)}"
                  for media, action in newest.items())


def run(words):
    verb, *rest = words
    if verb == "quirks":
        assert set(rest) <= QUIRKS, rest
        STATE.quirks = set(rest)
    elif verb in ("follow", "unfollow"):
        STATE.change(rest if verb == "follow" else [], rest if verb == "unfollow" else [])
    elif verb in ("play", "new", "download"):
        names = ("podcast", "episode", "position", "total", "timestamp", "guid") if verb == "play" else \
            ("podcast", "episode", "timestamp")
        action = dict(zip(names, rest)) | {"action": verb}
        STATE.add(action | {name: int(action[name]) for name in ("position", "total", "timestamp") if name in action} |
                  ({"started": 0} if verb == "play" else {}))
    elif verb == "fill":
        base, n_podcasts, n_episodes = rest[0], int(rest[1]), int(rest[2])
        for number in range(n_podcasts):
            STATE.change([f"{base}/many-{number}.xml"], [])
            for episode in range(n_episodes):
                STATE.add({"podcast": f"{base}/many-{number}.xml", "episode": f"https://media.example/{number}/{episode}.mp3",
                           "action": "play", "timestamp": STATE.now() - 1000, "started": 0, "position": 60 + episode, "total": 600})
    elif verb == "flood":
        for number in range(int(rest[0])):
            STATE.add({"podcast": f"https://flood.example/{number}.xml", "episode": f"https://flood.example/{number}.mp3",
                       "action": "play", "timestamp": STATE.now(), "started": 0, "position": 60, "total": 600})
    elif verb == "wipe":
        STATE.wipe()
    elif verb == "login":
        STATE.granted = True
    elif verb == "count":
        count, STATE.requests = STATE.requests, 0
        return str(count)
    elif verb == "podcasts":
        return " ".join(sorted(address for address, (followed, _) in STATE.podcasts.items() if followed))
    elif verb == "actions":
        return " ".join(newest_plays())
    elif verb == "duplicates":
        return str(sum(n - 1 for n in STATE.uploads.values()))
    elif verb == "history":
        return " | ".join(f"{action.get('device', '-')[-3:]} {action['action']} {action.get('position', '')} at {action['at']}"
                          for action in STATE.actions if action["episode"].endswith(rest[0]))
    elif verb == "timestamps":
        return str(int(time.time()) - max(action["at"] for action in STATE.actions))
    elif verb == "valid":
        return "yes" if rest[0] in PASSWORDS else "no"
    return "ok"


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    for line in sys.stdin:
        with STATE.lock:
            print(run(line.split()), flush=True)


if __name__ == "__main__":
    main()
