#!/usr/bin/env python3
"""Fail where two types have one name, or two source files of sim/ and microbench/.

    check_names.py [ROOT]         check the project, or another tree
    check_names.py --self-check   check that planted violations are found

Where two types of one namespace have one name, a program may take the members of either: neither the
compiler nor the linker says a word. In two namespaces they mislead readers alone, and are refused as
well. Types inside others and those of an anonymous or detail namespace may be called what they like.
"""
import collections
import pathlib
import re
import sys
import tempfile

TOPS = ("sim", "microbench", "tests")
FREE_FILE_NAMES = ("tests",)  # unit/ mirrors the folders that it tests
SUFFIXES = {".hpp", ".cpp", ".cu"}
SHARED_FILES = {"sim/app/main.cpp", "microbench/app/main.cpp"}
SHARED_TYPES = {
    "microbench/app/rig.cpp": {"Device"},  # stands in for the GPU where none was built in
}
PRIVATE_NAMESPACES = {"", "detail"}
TYPE_WORDS = {"struct", "class", "union", "enum"}

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


def types_of(text):
    """(line, name) of every type that the text defines in a namespace that others can name."""
    text = NOISE.sub(lambda noise: re.sub(r"[^\n]", " ", noise[0]), text)
    scopes, words = [], []  # of each brace, the namespace; None: it is the body of something
    for token in TOKEN.finditer(text):
        words.append(token[0])
        if token[0] not in "{};":
            continue
        is_public = all(name is not None and not PRIVATE_NAMESPACES & set(name.split("::"))
                        for name in scopes)
        name = type_defined_by(words) if is_public and token[0] != "}" else None
        if name:
            yield text.count("\n", 0, token.start()) + 1, name
        if token[0] == "{":
            scopes.append(namespace_opened_by(words))
        elif token[0] == "}" and scopes:
            scopes.pop()
        words = []


def sources_of(root):
    for top in TOPS:
        yield from (file for file in sorted((root / top).rglob("*")) if file.suffix in SUFFIXES)


def problems_of_files(files):
    folders = collections.defaultdict(list)
    for file in files:
        if file.parts[0] not in FREE_FILE_NAMES and file.as_posix() not in SHARED_FILES:
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
            if name not in SHARED_TYPES.get(file.as_posix(), ()):
                place = first.setdefault(name, f"{file}:{line}")
                if place != f"{file}:{line}":
                    yield f"{file}:{line}: the type {name} is defined in {place} as well"


def problems(root):
    files = [file.relative_to(root) for file in sources_of(root)]
    yield from problems_of_files(files)
    yield from problems_of_types(root, files)


def self_check():
    """Planted files: each either passes or gives the one line beside it."""
    planted = {
        "sim/core/unit.hpp": ("namespace tofn {\nstruct Cause {\n  int a;\n};\nstruct Ahead;\n}\n", None),
        "sim/core/unit.cpp": ("namespace tofn {\nnamespace {\nstruct Verdict {};\n}\nstruct Verdict;\n}\n", None),
        "sim/step/more.hpp": ("namespace tofn {\n// struct Note {}\nclass Cause final : public Base {};\n}\n",
                              "sim/step/more.hpp:3: the type Cause is defined in sim/core/unit.hpp:2 as well"),
        "sim/step/ahead.hpp": ("namespace tofn {\nstruct Ahead { struct Cause {}; };\n}\n", None),
        "sim/step/unit.hpp": ("", "sim/step/unit.hpp:1: sim/core/unit has the same name"),
        "tests/unit/core/unit.cpp": ("TEST_CASE() {}\nstruct Base {};\n", None),
        "tests/unit/core/more.hpp": ("namespace tofn::test {\nunion Base { int a; };\n}\n",
                                     "tests/unit/core/unit.cpp:2: the type Base is defined in tests/unit/core/more.hpp:2 as well"),
        "sim/app/main.cpp": ('const char* text = "struct Cause {";\n', None),
        "microbench/app/main.cpp": ("namespace tofn::bench::detail {\nenum class Cause { A };\n}\n", None),
        "microbench/app/kind.cu": ("namespace tofn::bench {\ntemplate <class T, class U = List<T>>\nusing Cause = T;\n}\n",
                                   "microbench/app/kind.cu:3: the type Cause is defined in sim/core/unit.hpp:2 as well"),
        "microbench/app/enum.hpp": ("#define X {\nenum class [[nodiscard]] Ahead : char { A = '{' };\n",
                                    "microbench/app/enum.hpp:2: the type Ahead is defined in sim/step/ahead.hpp:2 as well"),
        "microbench/app/special.hpp": ("namespace std {\ntemplate <>\nstruct hash<Cause> {};\n}\n"
                                       "struct Cause::Inner {};\nint Cause() { struct Ahead {}; return 1'000; }\n", None),
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
