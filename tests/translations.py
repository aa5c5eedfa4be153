#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the texts of the interface, and po/: every text is marked and its file listed, and every language is
complete and follows its rules of writing. Prints TAP; needs gettext."""

import ast
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
PO = ROOT / "po"
LANGUAGES = (PO / "LINGUAS").read_text().split()
# The arguments of xgettext in meson's i18n module, from its preset for GLib
XGETTEXT = ["xgettext", "--from-code=UTF-8", "--add-comments", "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2",
            "--keyword=NC_:1c,2", "--keyword=g_dcgettext:2", "--keyword=g_dngettext:2,3", "--keyword=g_dpgettext2:2c,3"]

# Names, and formats without words: the same in every language
SAME_EVERYWHERE = {"Earmark", "%s, %s", "%s. %s", "%s %s", "%s (%s)", ", ", "%d s", "%d min", "%d h",
                   "%d h %d min", "%d kB", "%d MB", "%-d %b", "%-d %b %Y", "%-d %B %Y", "rss",
                   "%s: %s (%s)", "%d %%", "%OB %Y", "%s: %s"}
SAME = {
    "de": {"Podcast", "Podcasts", "_Podcasts", "Pause", "Trailer", "Bonus", "Copyright", "E",
           "Position", "_Details", "Downloads", "Generator", "Filter", "podcast", "audio", "feed", "radio",
           "Feed", "Link: %s", "Audio", "Video", "in", "Blog", "Blogs", "Link", "Links", "Links %'u", "_Podcast", "_Website", "Website",
           "Comedy", "True Crime"},
    "es": {"General", "E", "audio", "radio", "Audio", "Blog", "Blogs"},
    "fr": {"%'u podcast", "%'u podcasts", "Podcast", "Podcasts", "_Podcasts", "Pause", "Bonus", "Notes", "E", "Menu", "Position",
           "Volume", "%d minute", "%d minutes", "podcast", "audio", "radio",
           "%u podcast", "%u podcasts", "MINUTES|episode|chapter|off", "Note", "NOTE", "Audio", "Blog", "Blogs", "Documentation", "_Podcast",
           "Arts", "Fiction"},
    "he": set(),
}
# Opening and closing quotation marks of each language; English or typewriter ones are wrong.
QUOTES = {"de": "„“", "es": "«»", "fr": "«»", "he": "””"}

TEXTS = {"label", "title", "subtitle", "tooltip-text", "tooltip", "placeholder-text", "description", "heading", "body",
         "button-label", "menu-label", "value-text", "help-text", "role-description"}
UNTRANSLATED = {"Nextcloud", "gPodder", "Earmark", "0:00", "PyTorch Developer Podcast"}

extracted = {}

Message = collections.namedtuple("Message", "context id plural strings flags comments files")


def run(*command):
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read_po(text):
    """The messages of a .po or .pot file, without its header."""
    messages = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#~")]
        words, field = {}, None
        for line in lines:
            match = re.match(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) )?(".*")$', line)
            if match:
                field = match.group(1) or field
                words[field] = words.get(field, "") + ast.literal_eval(match.group(2))
        if words.get("msgid"):
            messages.append(Message(
                words.get("msgctxt"), words["msgid"], words.get("msgid_plural"),
                [value for name, value in words.items() if name.startswith("msgstr")],
                [flag for line in lines if line.startswith("#,") for flag in line[2:].replace(" ", "").split(",")],
                " ".join(line[2:].strip() for line in lines if line.startswith("#.")),
                [place.rsplit(":", 1)[0] for line in lines if line.startswith("#:") for place in line[2:].split()]))
    return messages


def extract(files):
    """The messages that xgettext extracts from FILES."""
    files = tuple(files)
    if files in extracted:
        return extracted[files]
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / "fresh.pot"
        status, _, errors = run(*XGETTEXT, "-o", pot, *files)
        assert status == 0, errors
        extracted[files] = read_po(pot.read_text()) if pot.exists() else []
    return extracted[files]


def listed_files():
    return [line for line in (PO / "POTFILES.in").read_text().splitlines() if line and not line.startswith("#")]


def all_files():
    """All files that may contain texts of the interface."""
    files = [*(ROOT / "src").rglob("*.c"), *(ROOT / "src").rglob("*.ui")]
    files += [path for path in (ROOT / "data").iterdir() if path.name.endswith((".desktop.in", ".metainfo.xml.in", ".gschema.xml"))]
    return sorted(str(path.relative_to(ROOT)) for path in files)


def check_files():
    """POTFILES.in lists every file with translatable texts, and no other"""
    listed = listed_files()
    marked = {name for message in extract(all_files()) for name in message.files}
    faults = [f"{name} is not in po/POTFILES.in" for name in sorted(marked - set(listed))]
    faults += [f"{name} has nothing to translate" for name in listed if name not in marked]
    faults += [f"{name} is there {count} times" for name, count in collections.Counter(listed).items() if count > 1]
    return faults


def is_text(text):
    return text and text.strip() not in UNTRANSLATED and re.search(r"\w\w|\d", text)


def check_templates():
    """Every text in a template is marked"""
    faults = []
    for path in sorted((ROOT / "src").rglob("*.ui")):
        for element in xml.etree.ElementTree.parse(path).iter():
            if element.tag in ("property", "attribute", "item") and "bind-source" not in element.attrib and \
                    (element.get("name") in TEXTS or element.tag == "item") and \
                    element.get("translatable") != "yes" and len(element) == 0 and is_text(element.text) and \
                    not re.fullmatch(r"\w+\([\w.-]+\)", element.text):
                faults.append(f"{path.name}: {element.get('name')} “{element.text}” is not marked")
    return faults


# Calls that show a text, up to the end of the statement
SHOWS = re.compile(r"\b\w+_(?:set_(?:label|title|subtitle|tooltip_text|placeholder_text|description|heading|body|text|markup)|"
                   r"label_new|button_new_with_label|toast_new|announce|add_response|dialog_new)\s*\(([^;]*);")


def check_code():
    """Every text that the code shows is marked"""
    faults = []
    for path in sorted((ROOT / "src").rglob("*.c")):
        for call in SHOWS.finditer(path.read_text()):
            bare = re.sub(r'\b(?:_|N_|C_|NC_|ngettext)\s*\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)', "", call.group(1))
            faults += [f"{path.name}: “{text}” is not marked" for text in re.findall(r'"((?:[^"\\]|\\.)*)"', bare)
                       if re.search(r"[A-Z][a-z]+\b|[a-z] [a-z]", text) and text not in UNTRANSLATED and "/" not in text]
    return faults


def check_comments():
    """Every %s is explained to translators"""
    return [f"what is it? {message.id}" for message in extract(listed_files())
            if "%s" in message.id and "Translators:" not in message.comments]


def check_complete(language):
    """has every text, and no fuzzy one"""
    known = translations(language)
    faults = []
    for message in extract(listed_files()):
        translation = known.get((message.context, message.id))
        if translation is None or not all(translation.strings) or translation.plural != message.plural:
            faults.append(f"not translated: {message.id}")
        elif "fuzzy" in translation.flags:
            faults.append(f"only guessed: {message.id}")
    return faults


def check_format(language):
    """is well-formed: placeholders, ends of lines, accelerators, header"""
    status, _, errors = run("msgfmt", "-c", "--check-accelerators=_", "-o", "/dev/null", PO / f"{language}.po")
    return errors.splitlines() if status or errors else []


def translations(language):
    """Translations by the context and the original text."""
    return {(message.context, message.id): message for message in read_po((PO / f"{language}.po").read_text())}


def differs(message, mark):
    return any(string.rstrip().endswith(mark) != message.id.rstrip().endswith(mark) for string in message.strings)


def check_writing(language):
    """follows the language's rules: quotation marks, spaces, ends of sentences"""
    faults = []
    opening, closing = QUOTES[language]
    for message in translations(language).values():
        texts = "\n".join(message.strings)
        if any(mark in texts for mark in ('"', "'", "...", "—", "“" if language != "de" else "”")) and not re.search(r"%(\d\$)?'", texts):
            faults.append(f"a mark that is not of this language: {texts}")
        if ("“" in message.id) != (opening in texts and closing in texts):
            faults.append(f"quotation marks: {texts}")
        faults += [f"“{mark}” at the end: {texts}" for mark in ("…", ".", ":") if message.strings and differs(message, mark)]
        if language == "fr" and not message.id.endswith(";") and \
                re.search(r"[^\u202f\d/][;!?]|[^\u202fM\d]:(?!/)|\d:(?!\d)|«[^\u202f]|[^\u202f]»|\w'", texts):
            faults.append(f"a narrow no-break space is missing: {texts}")
        if language == "he":
            faults += [f"a name is not isolated: {texts}" for _ in range("“%s”" in message.id and "\u2068%s\u2069" not in texts)]
    return faults


def check_same(language):
    """has no text left in English, except for those listed"""
    same = {string for message in translations(language).values()
            for english, string in zip([message.id, message.plural or message.id, message.plural], message.strings)
            if string == english}
    return [f"the same as in English: {string}" for string in sorted(same - SAME_EVERYWHERE - SAME[language])] + \
        [f"no longer the same as in English: {string}" for string in sorted(SAME[language] - same)]


def get_menus(path):
    """The items of each menu, including its sections, without its submenus, as lists of (context, label, hides)."""
    for menu in xml.etree.ElementTree.parse(path).iter("menu"):
        items = []
        for item in menu.iter("item"):
            attributes = {attribute.get("name"): attribute for attribute in item.iter("attribute")}
            if "label" in attributes:
                items.append((attributes["label"].get("context"), attributes["label"].text, "hidden-when" in attributes))
        yield items


def get_rows(path):
    """Widgets with mnemonics outside menus: buttons and rows of a page or a dialog, each once, as in get_menus()."""
    root = xml.etree.ElementTree.parse(path)
    in_menus = {element for menu in root.iter("menu") for element in menu.iter()}
    rows = {(element.get("context"), element.text, False): None for element in root.iter("property")
            if element.get("translatable") == "yes" and "_" in (element.text or "") and element not in in_menus}
    return list(rows)


def find_doubles(items, translate):
    """Items of a menu or a page with the same mnemonic; of two neighbors that hide, only one is visible at a time."""
    seen = {}
    for place, (context, label, hides) in enumerate(items):
        text = translate(context, label)
        key = text[text.index("_") + 1].lower() if "_" in text else None
        if key in seen and not (hides and seen[key] == place - 1 and items[place - 1][2]):
            yield f"“{text}” has the key of “{translate(*items[seen[key]][:2])}”"
        if key:
            seen[key] = place


def check_keys(language=None):
    """has no mnemonic twice in a menu, a page or a dialog"""
    known = translations(language) if language else {}

    def translate(context, label):
        message = known.get((context, label))
        return message.strings[0] if message and message.strings[0] else label
    return [f"{path.name}: {fault}" for path in sorted((ROOT / "src").rglob("*.ui"))
            for items in [*get_menus(path), get_rows(path)] for fault in find_doubles(items, translate)]


def checks():
    for check in (check_files, check_templates, check_code, check_comments):
        yield check.__doc__, check, ()
    yield f"English {check_keys.__doc__}", check_keys, ()
    for language in LANGUAGES:
        for check in (check_complete, check_format, check_same, check_writing, check_keys):
            yield f"{language} {check.__doc__}", check, (language,)


def main():
    todo = list(checks())
    failed = False
    print(f"TAP version 13\n1..{len(todo)}")
    for number, (name, check, arguments) in enumerate(todo, 1):
        faults = check(*arguments)
        failed = failed or bool(faults)
        for fault in faults:
            print("#", fault)
        print(f"{'not ok' if faults else 'ok'} {number} - {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
