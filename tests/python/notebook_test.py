"""What notebooks show of answers: pictures that say in words what they draw, tables, a notebook that runs."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import tofn
from tofn._step_bars import PARTS

SVG = "{http://www.w3.org/2000/svg}"


def figures_of(drawing, tag):
    return xml.etree.ElementTree.fromstring(drawing.svg).findall(f".//{SVG}{tag}")


class Curves(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answer = tofn.scale("bert", "dgx-h100", accelerators="8..64")

    def test_a_series_has_a_line_a_band_and_a_point_a_size(self):
        drawing = self.answer.plot()
        self.assertEqual(len(figures_of(drawing, "polyline")), 3)  # soonest, strong, weak
        self.assertEqual(len(figures_of(drawing, "polygon")), 3)
        self.assertEqual(len(figures_of(drawing, "circle")), 12)

    def test_it_is_read_out_in_words(self):
        drawing = self.answer.plot("cost_usd")
        self.assertEqual(drawing.title, "cost_usd over accelerators, with 90 % band")
        self.assertRegex(drawing.description, r"soonest: 8 accelerators: [\d.]+ USD, 90 % interval [\d.]+ to [\d.]+")
        self.assertEqual(figures_of(drawing, "desc")[0].text, drawing.description)

    def test_more_time_is_drawn_higher(self):
        circles = figures_of(self.answer.plot("time_to_train_min"), "circle")[:4]
        heights = [float(circle.get("cy")) for circle in circles]
        self.assertEqual(heights, sorted(heights))  # y grows downwards, and time falls

    def test_two_rows_of_a_size_ask_for_what_tells_them_apart(self):
        with self.assertRaisesRegex(ValueError, "several rows have accelerators 8: say what tells them apart"):
            self.answer.plot("days", by=[])
        with self.assertRaisesRegex(tofn.Error, "unknown column 'dais', did you mean 'days'"):
            self.answer.plot("dais")

    def test_texts_are_no_curve(self):
        with self.assertRaisesRegex(tofn.Error, "plan: holds text"):
            tofn.predict("llama3-8b", "dgx-h100", accelerators=[8, 16]).plot("plan")

    def test_one_step_is_drawn_in_its_seconds(self):
        one_step = {"rl": "grpo", "prompts": 64, "generations": 32, "response_length": 1060, "max_length": 4096}
        for question, figure in ((one_step, "step_s"), ({**one_step, "rl_steps": 40000}, "days")):
            answer = tofn.predict("llama3-8b", "dgx-h100", accelerators=[8, 16], **question)
            self.assertRegex(answer.plot().title, f"^{figure} over accelerators")

    def test_an_even_axis_where_values_are_close(self):
        heights = figures_of(self.answer.plot("efficiency"), "circle")
        self.assertEqual(len(heights), 12)


class Steps(unittest.TestCase):
    def test_bars_are_the_parts_of_the_step(self):
        answer = tofn.step("llama3-70b", "dgx-h100", accelerators=[64, 128], batch=512, tp=8, pp=4)
        for row in answer:
            self.assertAlmostEqual(sum(row[part] for part in PARTS), row["step_s"], delta=1e-9 * row["step_s"])
        drawing = answer.plot_steps()
        self.assertIn("64 accelerators: compute ", drawing.description)
        widths = [float(box.get("width")) for box in figures_of(drawing, "rect")]
        self.assertGreater(max(widths[1:]), 300)  # the first is the page
        self.assertLess(len(answer.plot_steps(row=0).description), len(drawing.description))

    def test_bars_of_stages_are_as_long_as_their_steps(self):
        answer = tofn.predict("llama3-70b", "dgx-h100", accelerators=64, batch=512, tp=8, pp=4, table="stages")
        drawing = answer.plot_steps()
        self.assertEqual(drawing.description.count("imbalance"), 3)  # none on the stage with the most to do
        for row in answer:
            parts = sum(row[f"stage_{part}" if part == "imbalance_s" else part] for part in PARTS)
            self.assertAlmostEqual(parts, row["stage_step_s"], delta=1e-9 * row["stage_step_s"])

    def test_an_answer_without_steps_says_so(self):
        with self.assertRaisesRegex(ValueError, "no row has parts of a step"):
            tofn.list("models").plot()


class Tables(unittest.TestCase):
    def test_one_row_is_a_line_a_figure(self):
        table = tofn.predict("bert", "dgx-h100")._repr_html_()
        self.assertIn("<svg", table)
        self.assertIn('<th scope="row" style="text-align: left">days</th>', table)
        self.assertNotIn("days_low90", table)

    def test_several_rows_show_what_differs(self):
        table = tofn.predict("bert", "dgx-h100", accelerators=[8, 64])._repr_html_()
        self.assertNotIn('<th scope="col">workload</th>', table)
        self.assertIn("workload bert", table)

    def test_an_interval_may_have_no_end(self):
        answer = tofn.predict("llama3-8b", "dgx-h100", accelerators=[100000, 50000], tokens="1T", batch=800000,
                              failure_every="10000h")
        self.assertIsNone(answer.figure("days").high90)
        self.assertRegex(repr(answer.figure("days")), r"90 % interval [\d.]+ to no end")
        self.assertIn(" to no end)</small>", answer._repr_html_())
        self.assertIn(" to no end", answer.plot("days").description)

    def test_texts_are_no_markup(self):
        answer = tofn.predict("bert", "dgx-h100", release=None)
        self.assertNotIn("<script", tofn.list("fields", of="run")._repr_html_())
        xml.etree.ElementTree.fromstring(answer._repr_svg_())

    def test_pandas_gets_numbers_as_numbers(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        answer = tofn.predict("bert", "dgx-h100", accelerators=[8, 64])
        frame = answer.to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame.columns), answer.columns)
        self.assertEqual([str(frame[name].dtype) for name in ("workload", "accelerators", "days")],
                         ["object", "int64", "float64"])
        self.assertEqual(list(frame["days"]), answer["days"])


CELLS = ("import tofn",
         "runs = tofn.predict('llama3-8b', 'dgx-h100', accelerators=[64, 128], tokens='1T')\nruns",
         "runs.plot('cost_usd')",
         "print(runs)")


class Notebooks(unittest.TestCase):
    def run_notebook(self, folder):
        """What each cell gave: the outputs of nbformat 4."""
        for module in ("nbconvert", "ipykernel"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"{module} is not installed")
        cells = [{"cell_type": "code", "id": f"cell{number}", "execution_count": None, "metadata": {}, "outputs": [],
                  "source": source} for number, source in enumerate(CELLS)]
        notebook = {"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}}
        (folder / "first.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--output", "done.ipynb",
                        "first.ipynb"], cwd=folder, check=True, capture_output=True)
        done = json.loads((folder / "done.ipynb").read_text(encoding="utf-8"))
        return [cell["outputs"] for cell in done["cells"]]

    def test_a_notebook_runs_headless_and_shows_a_table_and_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            loaded, table, picture, text = self.run_notebook(pathlib.Path(folder))
        self.assertEqual(loaded, [])
        self.assertIn("<table>", "".join(table[0]["data"]["text/html"]))
        self.assertIn("cost_usd over accelerators", "".join(picture[0]["data"]["image/svg+xml"]))
        self.assertIn("llama3-8b on dgx-h100", "".join(text[0]["text"]))


if __name__ == "__main__":
    unittest.main()
