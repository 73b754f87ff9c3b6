#!/usr/bin/env python3
"""Fails where README.md, those of the folders or a page of sim/guide are hard to read or say what nothing holds.

    check_prose.py [--counts | --self-check] [PAGE...]

Sentences have 22 words in the mean of a page and 40 at most; README.md has at most 160 lines. Prose uses the field's words, not the
project's own (`PRIVATE`). A share or a decimal in prose is held to a command (`7.4<!--=name-->`) or names its source
(`13.75<!--:paper-->`, or a line `<!-- source: paper -->` above the paragraph): scripts/held_figures.py; generated tables
(scripts/page_tables.py) are held as a whole. A link into the tree
leads somewhere. A comment of the code begins with a noun or a verb that names the thing, not with Of, That, What, Which or Likewise.
--counts prints lines, words, links, pictures, words a sentence and sentences over 40.
"""
import pathlib
import re
import sys
import tempfile

from held_figures import HELD, STATED
from page_tables import TABLE

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEAN, LONGEST, FRONT_LINES = 22.0, 40, 160
# Words of this project's own (patterns of whole words, in any case), and the field's. `told apart` is honest English.
PRIVATE = {
    r"price of (?:the )?batch": "batch penalty",
    r"as (?:published )?runs went": "expected",
    r"blind": "independent",
    r"taught|learnt": "fitted",
    r"asked (?:for|as|with|beside)": "requested",
    r"told(?! apart)|(?:is|are|was|were) said": "reported",
    r"held against": "compared with",
    r"binds": "limits",
    r"kin": "related",
    r"usual": "default",
    r"doubts?": "uncertain, uncertainty",
    r"levers?": "input",
    r"(?:%|percent|share) of (?:the |all )?draws": "chance, samples",
    r"no other beats": "Pareto front",
    r"likewise": "also",
    r"nine of ten": "90 %",
}
SOURCED = re.compile(r"^ *<!-- source: [\w.-]+ -->\n(?:.*\S.*\n)+", re.M)
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
COMMENT = re.compile(r"\s*///?<?(?:\s|$)")
SUBJECTLESS = re.compile(r"\s*///?\s+(Of|That|Those|What|Which|Whose|The same|Likewise)\b")
# A share, a factor, or a decimal that is no part of a name; confidence levels are definitions.
FIGURE = re.compile(r"(?<![\w.`/-])[-+]?\d[\d,.]*(?:\s(?:%|x)(?!\w)|(?<=\d\.\d)(?!\w)|(?<=\.\d\d)(?!\w))")
LEVEL = re.compile(r"\b(?:50|80|90|95) %(?= (?:interval|confidence|half-width|inside))")
NAMES = re.compile(r"\b(?:Llama|CMake|Boost|Eigen|Catch2|Granite|SmolLM|version|section|chapter|table) \d+\.\d+")


def without_code(text):
    """Prose and tables, line for line: blocks of code leave empty lines."""
    return re.sub(r"^ *```.*?^ *```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.S | re.M)


def sentences(text):
    """Lists of words. Headings, tables, code and comments are none."""
    text = re.sub(r"<!--.*?-->", "", without_code(text), flags=re.S)
    prose = "\n".join("" if line.lstrip().startswith(("|", "#")) else line for line in text.splitlines())
    found = []
    for paragraph in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", prose):
        found += [part.split() for part in re.split(r"(?<=[.!?])\s+", paragraph)]
    return [words for words in found if len(words) > 2]


def without_sourced(text):
    """Generated tables, which are checked as a whole, and paragraphs below a line that names their source leave empty lines."""
    return SOURCED.sub(lambda found: "\n" * found[0].count("\n"), TABLE.sub(lambda found: "\n" * found[0].count("\n"), text))


def private_words(text):
    """(line, private word, the field's word) of prose, tables and headings."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->", lambda left_out: "\n" * left_out[0].count("\n"), without_code(text), flags=re.S)
    for pattern, word in PRIVATE.items():
        for found in re.finditer(r"\b(?:" + pattern.replace(" ", r"\s+") + r")(?!\w)", text, re.I):
            yield text.count("\n", 0, found.start()) + 1, " ".join(found[0].split()), word


def loose_figures(text):
    """(line, figure) of prose that neither a command nor a source holds."""
    for number, line in enumerate(without_sourced(without_code(text)).split("\n"), 1):
        for known in (HELD, STATED, LEVEL, NAMES):
            line = known.sub("", line)
        line = re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->|^#.*", "", line)
        for figure in FIGURE.finditer(line):
            yield number, figure[0].strip()


def anchors(text):
    heads = re.findall(r"^#+ (.*)$", without_code(text), flags=re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def dead_links(page, text):
    for _, target in LINK.findall(without_code(text)):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        place = (page.parent / file) if file else page
        if not place.exists():
            yield f"links to {target}, which is not there"
        elif anchor and anchor not in anchors(place.read_text(encoding="utf-8")):
            yield f"links to {target}: {place.name} has no such heading"


def counts(text):
    words = [len(sentence) for sentence in sentences(text)]
    links = LINK.findall(text)
    return {"lines": text.count("\n"), "words": len(text.split()), "links": sum(not mark for mark, _ in links),
            "pictures": sum(bool(mark) for mark, _ in links), "words a sentence": round(sum(words) / max(1, len(words)), 1),
            "sentences": len(words), f"over {LONGEST}": sum(count > LONGEST for count in words)}


def problems(page, root):
    text = page.read_text(encoding="utf-8")
    found = sentences(text)
    mean = sum(map(len, found)) / max(1, len(found))
    if mean > MEAN:
        yield f"{mean:.1f} words a sentence, at most {MEAN:g}"
    for words in found:
        if len(words) > LONGEST:
            yield f"a sentence of {len(words)} words, at most {LONGEST}: {' '.join(words[:9])} ..."
    for number, found, word in private_words(text):
        yield f"line {number}: '{found}' is a word of this project's own: the field says {word}"
    for number, figure in loose_figures(text):
        yield f"line {number}: '{figure}' is held to no command and names no source"
    yield from dead_links(page, text)
    if page == root / "README.md" and text.count("\n") > FRONT_LINES:
        yield f"{text.count(chr(10))} lines, at most {FRONT_LINES}"


def subjectless(text):
    """(line, first word) of comments that do not name their thing; lines that go on with a comment are none."""
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        found = SUBJECTLESS.match(line)
        if found and not COMMENT.match(before):
            yield number, found[1]
        before = line


def self_check():
    """Planted pages: each passes or gives the one line beside it."""
    planted = {"It takes 7.4<!--=mean--> % of it. See [the page](here.md#a-head).\n\n# A head\n": None,
               f"{'word ' * 41}.\n{'It is so. ' * 40}\n": "a sentence of 42 words",
               f"{'word ' * 22}end. " * 3 + "\n": "words a sentence, at most 22",
               "It is short, because it says why, and since it says when, however long that is.\n": None,
               "It is 7 % off.\n": "line 1: '7 %' is held to no command",
               "It is 1.6 times as long.\n": "line 1: '1.6' is held to no command",
               "It is 1.6<!--:paper--> x, a 90 % interval, Llama 3.1, `2.5`.\n": None,
               "<!-- table: front -->\n| a | 1.6 |\n<!-- end table -->\n": None,
               "<!-- source: paper -->\nIt is 7 % off,\nor 1.6.\n": None,
               "<!-- source: paper -->\nIt is 7 % off.\n\nIt is 8 %.\n": "line 4: '8 %' is held to no command",
               "| a | 1.6 |\n": "line 1: '1.6' is held to no command",
               "The words of\nthe field: its Usual plan.\n": "line 2: 'Usual' is a word of this project's own: the field says default",
               "It usually can be told\napart; the column `kin` draws no one, since kinetics bind.\n": None,
               "It is the price of\nthe batch.\n": "line 1: 'price of the batch' is a word",
               "See [it](there.md).\n": "links to there.md, which is not there",
               "See [it](#nowhere).\n": "links to #nowhere: here.md has no such heading"}
    good = True
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "here.md")
        for text, expected in planted.items():
            page.write_text(text, encoding="utf-8")
            found = list(problems(page, page.parent))
            if len(found) != bool(expected) or (expected and expected not in found[0]):
                good = False
                print("expected:", expected, "found:", found)
    comments = list(subjectless("/// What it is.\nint a;\n/// Seconds.\n/// Of each step.\n  // The same.\n/// Theory.\n"))
    if comments != [(1, "What")]:
        good = False
        print("comments without a subject:", comments)
    return good


def main():
    words = sys.argv[1:]
    if words == ["--self-check"]:
        sys.exit(0 if self_check() else 1)
    is_count = words[:1] == ["--counts"]
    pages = [pathlib.Path(word).resolve() for word in words[is_count:]] or [
        ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted(ROOT.glob("sim/*.md")), *sorted(ROOT.glob("sim/guide/*.md"))]
    wrong = 0
    for page in pages:
        name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
        if is_count:
            print(f"{name}: " + ", ".join(f"{value} {key}" for key, value in counts(page.read_text(encoding="utf-8")).items()))
            continue
        for problem in problems(page, ROOT):
            print(f"{name}: {problem}")
            wrong += 1
    sources = [] if words else [path for folder in ("sim", "microbench", "tests") for path in sorted(ROOT.glob(f"{folder}/**/*.[ch]pp"))]
    for source in sources:
        for number, word in subjectless(source.read_text(encoding="utf-8")):
            print(f"{source.relative_to(ROOT)}:{number}: a comment begins with a noun or a verb that names the thing, not with '{word}'")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
