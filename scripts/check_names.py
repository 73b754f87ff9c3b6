#!/usr/bin/env python3
"""Fail where a file's namespace is not its folder's, or a name stands twice.

    check_names.py [ROOT]         check the project, or another tree
    check_names.py --self-check   check that planted violations are found

A file of sim/ and microbench/ defines names of its folder's namespace alone; of others of the project
it may declare a type ahead. Where two types of one namespace have one name, a program may take the
members of either: neither the compiler nor the linker says a word. Types inside others and those of an
anonymous or detail namespace may be called what they like. No two source files of sim/ and microbench/
have one name.
"""
import collections
import pathlib
import re
import sys
import tempfile

TOPS = ("sim", "microbench", "tests")
# unit/ mirrors the folders that it tests; the library's headers are named for those who include them.
FREE_FILE_NAMES = ("tests/", "sim/include/")
SUFFIXES = {".hpp", ".cpp", ".cu"}
SHARED_FILES = {"sim/app/main.cpp", "microbench/app/main.cpp"}
SHARED_TYPES = {
    "microbench/app/rig.cpp": {"Device"},  # stands in for the GPU where none was built in
    "sim/include/tofn/answer.hpp": {"Value"},  # the cells of sim/core/rows.hpp, for those who have no such header
}
PRIVATE_NAMESPACES = {"", "detail"}
TYPE_WORDS = {"struct", "class", "union", "enum"}
PROJECT = "tofn"

# No name in a comment, a literal or a directive is a type's.
NOISE = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"([^(\s]*)\(.*?\)\1" | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+'
        | ^[ \t]*\#(?:\\\n|[^\n])*""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"\w+|::|[^\w\s]")


def after_bracket(words, opening, closing):
    """What follows the bracket that `words` start with."""
    depth = 0
    for i, word in enumerate(words):
        depth += (word == opening) - (word == closing)
        if depth == 0:
            return words[i + 1:]
    return []


def type_defined_by(words):
    """The name, of the words up to the brace or semicolon; None where they define no type."""
    while words[:1] == ["template"]:
        words = after_bracket(words[1:], "<", ">")
    if words[:1] in (["using"], ["concept"]) and words[2:3] == ["="]:
        return words[1]
    if not words or words[0] not in TYPE_WORDS or words[-1] == ";":
        return None
    while words and (words[0] in TYPE_WORDS or words[0] in ("[", "alignas")):
        words = after_bracket(words, "[", "]") if words[0] == "[" else words[1:]
        words = after_bracket(words, "(", ")") if words[:1] == ["("] else words
    is_of_another = words[1:2] in (["<"], ["::"])  # a specialisation, or a member
    return words[0] if words[0].isidentifier() and not is_of_another else None


def namespace_opened_by(words):
    """Its name, `` if it has none; None where the words open something else."""
    words = words[words[:1] == ["inline"]:]
    return "".join(words[1:-1]) if words[:1] == ["namespace"] else None


def namespace_of(file):
    """The one that a file's names stand in; None where it may choose."""
    top, folder = file.parts[:2]
    if top == "microbench":
        return f"{PROJECT}::bench"
    if top == "sim":
        return PROJECT if folder in ("core", "include", "library") else f"{PROJECT}::{folder}"
    return None


def statements_of(text):
    """(line, the namespaces that it stands in, its words) of each outside functions and types."""
    text = NOISE.sub(lambda noise: re.sub(r"[^\n]", " ", noise[0]), text)
    scopes, words = [], []  # of each brace, the namespace; None: it is the body of something
    for token in TOKEN.finditer(text):
        words.append(token[0])
        if token[0] not in "{};":
            continue
        if None not in scopes and token[0] != "}" and namespace_opened_by(words) is None:
            yield text.count("\n", 0, token.start()) + 1, scopes, words
        if token[0] == "{":
            scopes = [*scopes, namespace_opened_by(words)]
        elif token[0] == "}":
            scopes = scopes[:-1]
        words = []


def full_name(scopes):
    return "::".join(name for name in scopes if name)


def types_of(text):
    """(line, name with its namespace) of every type that the text defines in one that others can name."""
    for line, scopes, words in statements_of(text):
        name = type_defined_by(words)
        if name and not PRIVATE_NAMESPACES & set("::".join(scopes).split("::") if scopes else ()):
            yield line, "::".join([full_name(scopes), name]).removeprefix("::")


def owner(name, owned):
    """The innermost of the folders' namespaces that encloses it, or is it."""
    around = [one for one in owned if f"{name}::".startswith(f"{one}::")]
    return max(around, key=len, default=None)


def is_borrowed(words):
    """Declared for what another folder, or the system's library, defines."""
    return words[-1] == ";" and words[0] in {"extern", *TYPE_WORDS} and "=" not in words


def problems_of_namespaces(root, files):
    owned = {namespace_of(file) for file in files} - {None}
    for file in files:
        own = namespace_of(file)
        if not own or file.as_posix() in SHARED_FILES:
            continue
        strange = {}  # where each other namespace's first name stands
        for line, scopes, words in statements_of((root / file).read_text(encoding="utf-8")):
            name = full_name(scopes)
            is_librarys = name and name.split("::")[0] != PROJECT  # it may be added to
            if len(words) > 1 and owner(name, owned) != own and not is_librarys and not is_borrowed(words):
                strange.setdefault(name, line)
        for name, line in strange.items():
            yield f"{file}:{line}: stands in {f'namespace {name}' if name else 'no namespace'}, not in {own}"


def sources_of(root):
    for top in TOPS:
        yield from (file for file in sorted((root / top).rglob("*")) if file.suffix in SUFFIXES)


def problems_of_files(files):
    folders = collections.defaultdict(list)
    for file in files:
        if not file.as_posix().startswith(FREE_FILE_NAMES) and file.as_posix() not in SHARED_FILES:
            folders[file.stem].append(file)
    for same in folders.values():
        for file in same:
            others = [other for other in same if other.parent < file.parent]
            if others:
                yield f"{file}:1: {others[0].with_suffix('')} has the same name"


def problems_of_types(root, files):
    first = {}
    for file in files:
        for line, name in types_of((root / file).read_text(encoding="utf-8")):
            if name.split("::")[-1] not in SHARED_TYPES.get(file.as_posix(), ()):
                place = first.setdefault(name, f"{file}:{line}")
                if place != f"{file}:{line}":
                    yield f"{file}:{line}: the type {name} is defined in {place} as well"


def problems(root):
    files = [file.relative_to(root) for file in sources_of(root)]
    yield from problems_of_files(files)
    yield from problems_of_types(root, files)
    yield from problems_of_namespaces(root, files)


def self_check():
    """Planted files: each either passes or gives the one line beside it."""
    planted = {
        "sim/core/unit.hpp": ("namespace tofn {\nstruct Cause {\n  int a;\n};\nstruct Ahead;\n}\n", None),
        "sim/core/unit.cpp": ("namespace tofn {\nnamespace {\nstruct Verdict {};\n}\nstruct Verdict;\n}\n", None),
        "sim/core/zone.hpp": ("namespace tofn {\n// struct Note {}\nclass Cause final : public Base {};\n}\n",
                              "sim/core/zone.hpp:3: the type tofn::Cause is defined in sim/core/unit.hpp:2 as well"),
        "sim/step/cause.hpp": ("namespace tofn {\ninline namespace step {\nstruct Ahead { struct Cause {}; };\nstruct Cause {};\n}\n}\n", None),
        "sim/step/role.hpp": ("namespace tofn {\nstruct Ahead;\n}\nnamespace tofn::step::role {\nenum class Ahead {};\n}\n", None),
        "sim/step/unit.hpp": ("", "sim/step/unit.hpp:1: sim/core/unit has the same name"),
        "sim/step/open.cpp": ("namespace tofn {\nstruct Ahead;\nvoid f();\nint g() { return 1; }\n}\n",
                              "sim/step/open.cpp:3: stands in namespace tofn, not in tofn::step"),
        "sim/step/bare.cpp": ('#include "x.hpp"\nnamespace {\nint a = 1;\n}\n',
                              "sim/step/bare.cpp:3: stands in no namespace, not in tofn::step"),
        "sim/core/late.hpp": ("namespace tofn::step {\nusing Late = int;\n}\n",
                              "sim/core/late.hpp:2: stands in namespace tofn::step, not in tofn"),
        "tests/unit/core/unit.cpp": ("TEST_CASE() {}\nstruct Base {};\n", None),
        "tests/unit/core/more.hpp": ("namespace tofn::test {\nunion Base { int a; };\n}\n", None),
        "tests/unit/core/less.hpp": ("namespace tofn {\nnamespace test {\nunion Base { int a; };\n}\n}\n",
                                     "tests/unit/core/more.hpp:2: the type tofn::test::Base is defined in tests/unit/core/less.hpp:3 as well"),
        "sim/app/main.cpp": ('const char* text = "struct Cause {";\nint main() {}\n', None),
        "microbench/app/main.cpp": ("namespace tofn::bench::detail {\nenum class Cause { A };\n}\n", None),
        "microbench/app/kind.cu": ("namespace tofn::bench {\ntemplate <class T, class U = List<T>>\nusing Cause = T;\n}\n", None),
        "microbench/app/list.hpp": ("namespace tofn::bench {\n#define X {\nenum class [[nodiscard]] Cause : char { A = '{' };\n}\n",
                                    "microbench/app/list.hpp:3: the type tofn::bench::Cause is defined in microbench/app/kind.cu:3 as well"),
        "microbench/app/special.hpp": ("namespace std {\ntemplate <>\nstruct hash<Cause> {};\n}\nnamespace tofn::bench {\n"
                                       "struct Cause::Inner {};\nint Cause() { struct Ahead {}; return 1'000; }\n}\n", None),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, (text, _) in planted.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = sorted(problems(root))
    expected = sorted(line for _, line in planted.values() if line)
    for line in sorted(set(found) ^ set(expected)):
        print("unexpected:" if line in found else "not found:", line)
    return found == expected


def main(arguments):
    if arguments == ["--self-check"]:
        return 0 if self_check() else 1
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    if not (root / "sim").is_dir():
        print(f"{root}: has no folder sim")
        return 1
    found = list(problems(root.resolve()))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
