"""C++, Python and the command answer the same: each figure to the last digit, each error to the last letter.

    agreement_test.py [QUESTIONS [SEED]]    default: 36 of seed 1
"""
import collections
import json
import os
import random
import subprocess
import sys
import unittest

import tofn
from drawn_questions import Drawer

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 36
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
BINARY, ASKER = os.environ["TOFN_BINARY"], os.environ["TOFN_ASKER"]

# What was said: the exit code, the rows with numbers as they are written, and the lines beside them.
Said = collections.namedtuple("Said", "exit_code rows lines")


def written(value):
    """As one writes it on a command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, range)):
        return ",".join(map(written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def words_of(command, arguments, options):
    switches = {"sensitivity", "alone"}
    words = [command, *arguments]
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        words.append(word if name in switches else f"{word}={written(value)}")
    return words


def rows_of(text):
    return json.loads(text, parse_float=str, parse_int=str)


def by_command(words):
    ran = subprocess.run([BINARY, *words, "--format", "json"], capture_output=True, text=True, check=False)
    rows = rows_of(ran.stdout)["rows"] if ran.stdout.startswith("{") else None
    return Said(ran.returncode, rows, [line.removeprefix("tofn: ") for line in ran.stderr.splitlines()])


def by_python(command, arguments, options):
    try:
        answer = tofn.answer(command, *arguments, **options)
    except tofn.Error as error:
        return Said(error.exit_code, None, str(error).splitlines())
    return Said(answer.exit_code, rows_of(answer.json()), [line for text in answer.notices for line in text.splitlines()])


def by_cpp(questions):
    """One program answers all."""
    asked = "".join("\t".join(words_of(*question)) + "\n" for question in questions)
    ran = subprocess.run([ASKER], input=asked, capture_output=True, text=True, check=True)
    for line in ran.stdout.splitlines():
        exit_code, kind, text = line.split(" ", 2)
        text = json.loads(text)
        is_error = kind == "error"
        yield Said(int(exit_code), None if is_error else rows_of(text), text.splitlines() if is_error else None)


class Agreement(unittest.TestCase):
    def test_three_ways_to_ask_have_one_answer(self):
        questions = Drawer(random.Random(SEED)).questions(COUNT)
        kinds = collections.Counter()
        for question, cpp in zip(questions, by_cpp(questions), strict=True):
            words = words_of(*question)
            with self.subTest(" ".join(words)):
                command, python = by_command(words), by_python(*question)
                self.assertEqual(python.exit_code, command.exit_code)
                self.assertEqual(python.rows, command.rows)
                self.assertEqual(cpp[:2], command[:2])
                if command.rows is None:
                    self.assertEqual(python.lines, command.lines)
                    self.assertEqual(cpp.lines, command.lines)
                for notice in python.lines:
                    if "/s)" not in notice:  # how fast a sweep went
                        self.assertIn(notice, command.lines)
                kinds[question[0], "error" if command.rows is None else "answer"] += 1
        print(dict(kinds), file=sys.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
