"""The wheel holds the module and its configs, and pip installs it without a network."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD = pathlib.Path(os.environ["TOFN_BUILD"])
sys.path.insert(0, os.environ["TOFN_SOURCE"] + "/sim/python")
import backend  # noqa: E402  (beside pyproject.toml)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # What pip has built by backend.built_package, of the build that is there.
        run("cmake", "--install", BUILD, "--component", "python", "--prefix", self.folder / "built")
        package = next((self.folder / "built").rglob("tofn/__init__.py")).parent
        self.wheel = self.folder / f"tofn-{backend.version()}-{backend.tag()}.whl"
        backend.write_wheel(self.wheel, package.parent)

    def test_it_holds_types_and_configs_and_a_record_of_each_file(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = set(wheel.namelist())
            recorded = {row.split(",")[0] for row in
                        wheel.read(f"tofn-{backend.version()}.dist-info/RECORD").decode().splitlines()}
        self.assertLessEqual({"tofn/__init__.pyi", "tofn/py.typed", "tofn/share/tofn/configs/clusters/dgx-h100.yaml"},
                             names)
        self.assertEqual(recorded, names)

    def test_it_is_installed_without_a_network_and_finds_its_own_configs(self):
        place = self.folder / "installed"
        run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--target", place, self.wheel)
        plans = place / "tofn/share/tofn/configs/plans"
        text = (plans / "data-parallel.yaml").read_text(encoding="utf-8")
        (plans / "only-here.yaml").write_text(text.replace("name: data-parallel", "name: only-here"), encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TOFN_")}
        listed = run(sys.executable, "-c", "import tofn; print(tofn.__file__, tofn.list('plans')['name'])",
                     cwd=self.folder, env={**environment, "PYTHONPATH": str(place)})
        self.assertIn(str(place), listed)
        self.assertIn("only-here", listed)

    def test_the_same_files_are_the_same_wheel(self):
        again = self.folder / "again.whl"
        backend.write_wheel(again, next((self.folder / "built").rglob("tofn/__init__.py")).parents[1])
        self.assertEqual(again.read_bytes(), self.wheel.read_bytes())


if __name__ == "__main__":
    unittest.main()
