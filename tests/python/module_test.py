"""What the module answers in Python's words: rows, columns, figures, errors, options."""
import pathlib
import threading
import unittest

import tofn


class Questions(unittest.TestCase):
    def test_a_command_is_a_function_with_its_options(self):
        answer = tofn.predict("bert", "dgx-h100", accelerators=[8, 64])
        self.assertEqual(answer.command_line, ["tofn", "predict", "bert", "dgx-h100", "--accelerators=8,64"])
        self.assertEqual(answer["accelerators"], [8, 64])

    def test_options_are_numbers_texts_switches_paths_ranges_and_none(self):
        words = tofn.command_line("plan", "llama3-8b", tokens="1B", accelerators=range(8, 25, 8), sensitivity=True,
                                  sequence_parallel=False, configs=pathlib.Path("here"), budget=0.5, seed=None)
        self.assertEqual(words, ["tofn", "plan", "llama3-8b", "--tokens=1B", "--accelerators=8,16,24", "--sensitivity",
                                 "--sequence-parallel=off", "--configs=here", "--budget=0.5"])
        self.assertEqual(tofn.command_line("plan", sensitivity=False), ["tofn", "plan"])

    def test_an_option_that_is_nothing_of_these_is_named(self):
        with self.assertRaisesRegex(TypeError, "batch: expected a number, a text, True, False or several, got {1: 2}"):
            tofn.predict("bert", "dgx-h100", batch={1: 2})

    def test_a_mistake_has_the_words_and_the_code_of_the_command(self):
        with self.assertRaises(tofn.Error) as raised:
            tofn.predict("bert", "dgx-h10")
        self.assertIn("unknown cluster 'dgx-h10', did you mean 'dgx-h100'", str(raised.exception))
        self.assertEqual(raised.exception.exit_code, 2)
        with self.assertRaisesRegex(tofn.Error, "unknown option 'acelerators', did you mean 'accelerators'"):
            tofn.predict("bert", "dgx-h100", acelerators=8)

    def test_each_command_answers(self):
        self.assertGreater(tofn.step("llama3-8b", "dgx-h100", accelerators=8, batch=64).value("step_s"), 0)
        self.assertEqual(len(tofn.scale("bert", "dgx-h100", accelerators="8..64")), 12)
        self.assertGreater(len(tofn.plan("llama3-8b", "dgx-h100", tokens="1B", accelerators=8)), 0)
        self.assertGreater(len(tofn.collective("dgx-h100", ranks=8, size="25MiB")), 0)
        self.assertIn("dgx-h100", tofn.list("clusters")["name"])
        self.assertIn("entries", tofn.list())
        self.assertGreater(len(tofn.answer("list", "models")), 10)

    def test_a_sweep_may_be_a_dictionary_a_text_or_a_name(self):
        grid = {"format": 2, "name": "sizes", "title": "Sizes", "columns": ["step_s"],
                "axes": [{"accelerators": range(8, 17, 8)}], "base": {"model": "llama3-8b", "cluster": "dgx-h100", "batch": 64}}
        given = tofn.sweep(grid)
        self.assertEqual(given["accelerators"], [8, 16])
        text = ("format: 2\nname: sizes\ntitle: Sizes\ncolumns: [step_s]\naxes: [{accelerators: [8, 16]}]\n"
                "base: {model: llama3-8b, cluster: dgx-h100, batch: 64}\n")
        self.assertEqual(tofn.sweep(text)["step_s"], given["step_s"])
        self.assertEqual(len(tofn.sweep("nvlink-or-infiniband")), 24)
        with self.assertRaisesRegex(tofn.Error, "^sweep.yaml:7:1: unknown key 'bach'"):
            tofn.sweep(text + "bach: 3\n")

    def test_help_shows_the_options(self):
        self.assertIn("replica_batch: samples per replica", tofn.predict.__doc__)
        self.assertIn("--replica-batch", tofn.help("predict"))

    def test_others_run_meanwhile(self):
        """Where the lock were held, nothing else would be counted before the answer is there."""
        answers = []
        asking = threading.Thread(target=lambda: answers.append(tofn.compare()))
        asking.start()
        counted = 0
        while asking.is_alive():
            counted += 1
        asking.join()
        self.assertGreater(len(answers[0]), 0)
        self.assertGreater(counted, 1000)


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answer = tofn.predict("bert", "dgx-h100", accelerators=[8, 64])

    def test_rows_are_dictionaries(self):
        self.assertEqual(len(self.answer), 2)
        self.assertEqual([row["accelerators"] for row in self.answer], [8, 64])
        self.assertEqual(self.answer[-1], self.answer[1])
        with self.assertRaisesRegex(IndexError, "row 2 of an answer of 2"):
            self.answer[2]

    def test_columns_are_lists(self):
        self.assertEqual(self.answer["workload"], ["bert", "bert"])
        self.assertEqual(self.answer["memory_gb"], [None, None])
        self.assertIn("days", self.answer)
        self.assertEqual(list(self.answer.to_dict()), self.answer.columns)
        with self.assertRaisesRegex(tofn.Error, "unknown column 'dayz', did you mean 'days'"):
            self.answer["dayz"]

    def test_a_figure_says_what_is_known_of_it(self):
        figure = self.answer.figure("time_to_train_min", -1)
        self.assertEqual(figure.value, self.answer["time_to_train_min"][1])
        self.assertEqual(figure.unit, "min")
        self.assertTrue(figure.low90 < figure.value < figure.high90)
        self.assertTrue(figure.basis and figure.meaning)
        self.assertEqual(float(figure), figure.value)
        self.assertRegex(repr(figure), r"^time_to_train_min = [\d.]+ min, 90 % interval [\d.]+ to [\d.]+, assumed$")
        with self.assertRaisesRegex(TypeError, "workload is no number"):
            float(self.answer.figure("workload"))

    def test_it_prints_what_the_command_prints(self):
        self.assertEqual(str(self.answer), self.answer.text)
        self.assertIn("speedup", str(self.answer))
        self.assertTrue(repr(self.answer).startswith("tofn predict bert dgx-h100 --accelerators=8,64: 2 rows"))

    def test_what_is_said_beside_it_comes_with_it(self):
        answer = tofn.predict("llama3-8b", "dgx-h100", batch_tokens="1000001")
        self.assertIn("--batch-tokens 1000001 is taken as", answer.notices[0])
        self.assertIn(answer.notices[0], repr(answer))


if __name__ == "__main__":
    unittest.main()
