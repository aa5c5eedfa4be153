# SPDX-License-Identifier: GPL-3.0-or-later
"""The accessible tree of a program, read as a screen reader does.

The accessibility bus is asked directly, and always anew: libatspi keeps a cache of its own,
in which GTK's rows, reused while scrolling, are found with the names that they had before.
What the program says of all the nodes that were come upon before comes in one answer, as it is now
(GetItems); only the others are asked one by one, and all of them for their children: four questions
to each node took four times as long, of three processes.
"""

import ast
import functools
import re

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

ACCESSIBLE = "org.a11y.atspi.Accessible"
PROPERTIES = "org.freedesktop.DBus.Properties"
TIMEOUT = 60000
# A node in the answer of GetItems, as text: itself, its program, its parent; its place, and how many children it has;
# interfaces; name, role, description, states.
STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
ITEM = re.compile(rf"""\(\('[^']*', '([^']*)'\), \('[^']*', '[^']*'\), \('[^']*', '[^']*'\), -?\d+, (-?\d+), \[[^]]*\], """
                  rf"""({STRING}), (\d+), ({STRING}), \[(\d+), (\d+)\]\)""")
ALL_OF_ACCESSIBLE = GLib.Variant("(s)", (ACCESSIBLE,))


class Gone(Exception):
    """Raised where the node, or the whole program, has gone."""


class Refused(AssertionError):
    """Raised where the node refuses an action."""


class Node:
    """A node as it was when the tree was read."""

    def __init__(self, tree, path, parent):
        self.tree = tree
        self.path = path
        self.parent = parent
        self.children = []
        self.name = ""
        self.description = ""
        self.role = ""
        self.states = frozenset()

    def __repr__(self):
        return f'{self.role} "{self.name}"'

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def ancestors(self):
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def is_in(self, role, name=None):
        return any(node.role == role and (name is None or node.name == name) for node in self.ancestors())

    @property
    def showing(self):
        return {"showing", "visible"} <= self.states

    @property
    def sensitive(self):
        return "sensitive" in self.states

    def ask(self, interface, method, arguments=None):
        return self.tree.ask(self.path, interface, method, arguments)

    def get(self, interface, name):
        return self.ask(PROPERTIES, "Get", GLib.Variant("(ss)", (interface, name)))[0]

    def read_name(self):
        """The name as it is now."""
        return self.get(ACCESSIBLE, "Name")

    def actions(self):
        """The names of its actions, which are not translated."""
        interface = "org.a11y.atspi.Action"
        try:
            count = self.get(interface, "NActions")
        except GLib.Error:
            return []
        return [self.ask(interface, "GetName", GLib.Variant("(i)", (index,)))[0] for index in range(count)]

    def do(self, *names):
        """Does the first of these actions that the node has."""
        actions = self.actions()
        if not actions:
            raise Refused(f"{self!r} can do nothing, or has gone")
        for name in names:
            if name in actions:
                done = self.ask("org.a11y.atspi.Action", "DoAction", GLib.Variant("(i)", (actions.index(name),)))[0]
                if not done:
                    raise Refused(f"{self!r} refused to {name}")
                return
        raise AssertionError(f"{self!r} has none of the actions {names}, but {actions}")

    def press(self):
        self.do("click", "activate", "toggle", "press")

    def read_text(self):
        text = "org.a11y.atspi.Text"
        return self.ask(text, "GetText", GLib.Variant("(ii)", (0, self.get(text, "CharacterCount"))))[0]

    def read_runs(self):
        """The pieces of the text that look alike: [(piece, attributes)]."""
        text = self.read_text()
        runs, at = [], 0
        while at < len(text):
            attributes, _, end = self.ask("org.a11y.atspi.Text", "GetAttributeRun", GLib.Variant("(ib)", (at, False)))
            runs.append((text[at:end], attributes))
            at = max(end, at + 1)
        return runs

    def write_text(self, text):
        done = self.ask("org.a11y.atspi.EditableText", "SetTextContents", GLib.Variant("(s)", (text,)))[0]
        assert done, f"{self!r} takes no text"

    def read_value(self):
        return self.get("org.a11y.atspi.Value", "CurrentValue")

    def read_value_text(self):
        """The value as a screen reader says it."""
        return self.get("org.a11y.atspi.Value", "Text")

    def write_value(self, value):
        self.ask(PROPERTIES, "Set", GLib.Variant("(ssv)", ("org.a11y.atspi.Value", "CurrentValue", GLib.Variant("d", value))))

    def attributes(self):
        return self.ask(ACCESSIBLE, "GetAttributes")[0]

    def extents(self):
        """x, y, width, height in the window, its shadow included."""
        window = 1
        return tuple(self.ask("org.a11y.atspi.Component", "GetExtents", GLib.Variant("(u)", (window,)))[0])


@functools.cache
def read_states(low, high):
    bits = low | high << 32
    return frozenset(state.value_nick for number, state in Atspi.StateType.__enum_values__.items() if bits >> number & 1)


@functools.cache
def read_role(number):
    return Atspi.role_get_name(Atspi.Role(number))


def read_string(text):
    """Unescapes a string in GVariant's text format, which escapes as Python does."""
    return ast.literal_eval(text) if "\\" in text else text[1:-1]


class Tree:
    """The nodes of one process."""

    def __init__(self, pid):
        self.pid = pid
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                    Gio.DBusCallFlags.NONE, TIMEOUT, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.owner = None
        self.root_path = None

    def close(self):
        self.bus.close_sync(None)

    def call(self, name, path, interface, method, arguments=None):
        return self.bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, TIMEOUT, None).unpack()

    def ask(self, path, interface, method, arguments=None):
        return self.call(self.owner, path, interface, method, arguments)

    def find_program(self):
        """Whether the process has come to the accessibility bus."""
        programs = self.call("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root", ACCESSIBLE, "GetChildren")[0]
        for owner, path in programs:
            try:
                pid = self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                "GetConnectionUnixProcessID", GLib.Variant("(s)", (owner,)))[0]
            except GLib.Error:
                continue
            if pid == self.pid:
                self.owner, self.root_path = owner, path
                return True
        return False

    def ask_all(self, questions):
        """Answers, in the order of QUESTIONS (path, interface, method, arguments); None for a node that has gone."""
        answers = [None] * len(questions)
        left = len(questions)

        def answered(bus, result, index):
            nonlocal left
            left -= 1
            try:
                answers[index] = bus.call_finish(result).unpack()
            except GLib.Error:
                pass

        for index, (path, interface, method, arguments) in enumerate(questions):
            self.bus.call(self.owner, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, TIMEOUT, None,
                          answered, index)
        context = GLib.MainContext.default()
        while left > 0:
            context.iteration(True)
        return answers

    def describe(self, nodes):
        """Asks each node for its properties; returns the paths of the children."""
        questions = []
        for node in nodes:
            questions += [(node.path, PROPERTIES, "GetAll", ALL_OF_ACCESSIBLE),
                          (node.path, ACCESSIBLE, "GetRole", None),
                          (node.path, ACCESSIBLE, "GetState", None),
                          (node.path, ACCESSIBLE, "GetChildren", None)]
        answers = self.ask_all(questions)
        found = []
        for index, node in enumerate(nodes):
            properties, role, states, children = answers[index * 4:index * 4 + 4]
            if properties is None or role is None or states is None:
                found.append([])
                continue
            node.name = properties[0].get("Name", "")
            node.description = properties[0].get("Description", "")
            node.role = read_role(role[0])
            node.states = read_states(*states[0])
            found.append(self.own(children))
        return found

    def own(self, children):
        """The paths in an answer of GetChildren, which is None for a node that has gone."""
        return [path for owner, path in (children or ([],))[0] if owner == self.owner or not owner]

    def read_items(self):
        """All nodes that the program lists at once: {path: (n_children, name, role, description, states)}. It lists those that were asked for
        before."""
        try:
            answer = self.bus.call_sync(self.owner, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", None, None,
                                        Gio.DBusCallFlags.NONE, TIMEOUT, None)
        except GLib.Error as error:
            # The program is on the bus, and has not registered this yet.
            if error.matches(Gio.DBusError.quark(), Gio.DBusError.UNKNOWN_METHOD):
                raise Gone("the program begins") from None
            raise
        # Unpacking hundreds of nodes member by member would take several times as long as all else.
        items = {path: (int(n_children), read_string(name), read_role(int(role)), read_string(description), read_states(int(low), int(high)))
                 for path, n_children, name, role, description, low, high in ITEM.findall(answer.print_(False))}
        assert len(items) == answer.get_child_value(0).n_children(), answer.print_(False)
        return items

    def descend(self, nodes, items):
        """Fills in a level of the tree; returns the paths of the children of each node."""
        told = [items.get(node.path) for node in nodes]
        for node, item in zip(nodes, told):
            if item is not None:
                _, node.name, node.role, node.description, node.states = item
        strangers = [node for node, item in zip(nodes, told) if item is None]
        # The list does not say which nodes are in the tree: a hidden one names its parent and its index, too.
        parents = [node for node, item in zip(nodes, told) if item is not None and (item[0] != 0 or node.parent is None)]
        paths = dict(zip(strangers, self.describe(strangers)))
        paths |= zip(parents, map(self.own, self.ask_all([(node.path, ACCESSIBLE, "GetChildren", None) for node in parents])))
        return [paths.get(node, []) for node in nodes]

    def name_by_labels(self, nodes):
        """Names the nodes that are labeled by others, such as GTK's menu items."""
        relations = self.ask_all([(node.path, ACCESSIBLE, "GetRelationSet", None) for node in nodes])
        wanted = [(node, path) for node, answer in zip(nodes, relations) for kind, targets in (answer or ([],))[0]
                  if kind == int(Atspi.RelationType.LABELLED_BY) for _, path in targets]
        # A label that was not asked for before has a text, but no name yet.
        whole = GLib.Variant("(ii)", (0, -1))
        names = self.ask_all([(path, "org.a11y.atspi.Text", "GetText", whole) for _, path in wanted])
        for (node, _), name in zip(wanted, names):
            node.name = " ".join(filter(None, [node.name, name[0] if name else ""]))

    def read(self, from_path=None, skip=None):
        """The tree as it is now, without the children of nodes for which SKIP(node) is true."""
        root = Node(self, from_path or self.root_path, None)
        items = self.read_items()
        level = [root]
        while level:
            for node, paths in zip(level, self.descend(level, items)):
                node.children = [Node(self, path, node) for path in paths]
            level = [child for node in level if skip is None or not skip(node) for child in node.children]
        if not root.role:
            raise Gone(root.path)
        self.name_by_labels([node for node in root.walk() if not node.name and "focusable" in node.states])
        return root


class Announcements:
    """Collects the announcements of a program."""

    def __init__(self, tree):
        self.bus = tree.bus
        self.texts = []
        self.bus.call_sync("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry", "RegisterEvent",
                           GLib.Variant("(sass)", ("object:announcement", [], "")), None, Gio.DBusCallFlags.NONE, TIMEOUT, None)
        self.bus.signal_subscribe(None, "org.a11y.atspi.Event.Object", "Announcement", None, None, Gio.DBusSignalFlags.NONE, self.heard)

    def heard(self, bus, sender, path, interface, name, parameters):
        self.texts.append(parameters.unpack()[3])

    def read(self):
        """All announcements until now."""
        while GLib.MainContext.default().iteration(False):
            pass
        return self.texts


def to_text(node, depth=0):
    """The tree as text, for whoever looks into a failure."""
    marks = " ".join(sorted(node.states & {"focusable", "focused", "selected", "checked", "pressed", "sensitive", "showing"}))
    lines = [f'{"  " * depth}{node.role} "{node.name}" [{marks}]']
    for child in node.children:
        lines += to_text(child, depth + 1)
    return lines
