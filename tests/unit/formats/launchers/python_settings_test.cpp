#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/unit/formats/launchers/settings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchFile recipe(const std::string& text, const std::string& name = "") {
  return read_launch_text(text, name.empty() ? "r.py" : "r.py:" + name);
}

const std::string two_recipes =
    "from lib import base_config, Config, Part, DATA\n"
    "SIZE = 4\n\n"
    "def small() -> Config:\n"
    "    \"\"\"A docstring: with = signs.\"\"\"\n"
    "    spec = registry(\"8B\", backend=None)\n"
    "    return Config(\n"
    "        spec=spec,\n"
    "        training=Part(tokens=8 * 2048, steps=1_000, rate=3e-4),\n"
    "        checkpoint=Full.Config(),\n"
    "        data=DATA[\"c4\"],\n"
    "        names=[\"a\", \"b\"],\n"
    "    )\n\n"
    "def large(scale: int = SIZE):\n"
    "    config = small()\n"
    "    config.training.steps = 5 * scale\n"
    "    config.parallel.tensor = 8\n"
    "    tune(config)\n"
    "    return config\n";

}  // namespace

TEST_CASE("a recipe's literals become dotted keys with their places") {
  const LaunchFile file = recipe(two_recipes, "small");
  CHECK(file.format == LaunchFormat::Python);
  CHECK(file.path == "r.py");
  CHECK(value_of(file, "call") == "Config");
  CHECK(value_of(file, "spec") == "registry");
  CHECK(value_of(file, "spec.0") == "8B");
  CHECK(value_of(file, "spec.backend") == "null");
  CHECK(value_of(file, "training.tokens") == "16384");
  CHECK(value_of(file, "training.steps") == "1000");
  CHECK(place_of(file, "training.steps") == "r.py:9:40");
  CHECK(value_of(file, "training.rate") == "3e-4");
  CHECK(value_of(file, "checkpoint") == "Full.Config");
  CHECK(value_of(file, "names") == "a b");
  CHECK(unknown_of(file, "data") == "r.py:11:9: DATA[\"c4\"] (not a literal)");
}

TEST_CASE("functions of the file are followed, those of others listed") {
  const LaunchFile file = recipe(two_recipes, "large");
  CHECK(value_of(file, "training.steps") == "20");
  CHECK(place_of(file, "training.steps") == "r.py:17:5");
  CHECK(value_of(file, "training.tokens") == "16384");
  CHECK(value_of(file, "parallel.tensor") == "8");
  CHECK(unknown_of(file, "") == "r.py:19:5: tune(config) (a function of another file)");
}

TEST_CASE("a sign among parameters takes no argument's place") {
  CHECK(value_of(recipe("def part(a, /, b=1):\n    c = base()\n    c.size = b\n    return c\n\n"
                        "def all():\n    return part(3, 2)\n",
                        "all"),
                 "size") == "2");
}

TEST_CASE("behind a star parameters are given by keyword alone") {
  const auto size = [](const std::string& parameters, const std::string& call) {
    return value_of(recipe("def part(" + parameters + "):\n    c = base()\n    c.size = size\n" +
                               "    return c\n\ndef all():\n    return part(" + call + ")\n",
                           "all"),
                    "size");
  };
  CHECK(size("*args, size=4", "8") == "4");
  CHECK(size("a, *, size=4", "8, size=2") == "2");
  CHECK(size("size=4, *args", "8") == "8");
}

TEST_CASE("of several recipes one has to be named") {
  CHECK(refusal([] { recipe(two_recipes); }) ==
        "r.py: it defines 2 configurations: name one as r.py:small; there are small, large");
  CHECK(refusal([] { recipe(two_recipes, "smal"); }) ==
        "r.py: unknown function 'smal', did you mean 'small'? valid functions: large, small");
  CHECK(value_of(recipe("cfg = base()\ncfg.model.layers = 8\n"), "model.layers") == "8");
  CHECK(value_of(recipe("cfg = base()\ncfg.layers = 8"), "layers") == "8");  // no line end
  CHECK(refusal([] { recipe("import os\n"); }) ==
        "r.py: nothing in it sets anything: `cfg.a = 8`, `Config(a=8)`");
}

TEST_CASE("a dataclass gives its defaults") {
  const LaunchFile file = recipe(
      "@dataclass\nclass config:\n    # size\n    variant: str = \"7b\"\n    steps: int = 10\n"
      "    name: Optional[str] = None\n");
  CHECK(value_of(file, "variant") == "7b");
  CHECK(value_of(file, "steps") == "10");
  CHECK(value_of(file, "name") == "null");
}

TEST_CASE("a condition of literals decides, and of others nothing is known") {
  const LaunchFile file = recipe(
      "def r(fast: bool = False, layers=None):\n"
      "    c = base()\n"
      "    if fast:\n        c.a = 1\n    elif layers is None:\n        c.a = 2\n"
      "    else:\n        c.a = 3\n"
      "    if torch.cuda.is_available():\n        c.b = 1\n"
      "    for i in range(3):\n        c.d = i\n"
      "    c.e = 2 ** 10 if fast else 0\n"
      "    c.f = -(3 + 1) // 2\n"
      "    c.g = 'one' \"two\"\n"
      "    c.h = f'{fast}'\n"
      "    c.i = -'4'\n"
      "    c.j = -[4]\n"
      "    return c\n");
  CHECK(value_of(file, "a") == "2");
  CHECK(unknown_of(file, "b") == "r.py:10:9: c.b = 1 (a condition or a loop decides)");
  CHECK(unknown_of(file, "d") == "r.py:12:9: c.d = i (a condition or a loop decides)");
  CHECK(unknown_of(file, "e") == "r.py:13:5: 2 ** 10 if fast else 0 (not a literal)");
  CHECK(value_of(file, "f") == "-2");
  CHECK(value_of(file, "g") == "onetwo");
  CHECK(value_of(file, "h") == "none");
  CHECK(unknown_of(file, "i") == "r.py:17:5: -'4' (not a literal)");
  CHECK(value_of(file, "j") == "none");
}

TEST_CASE("a branch may stand on the line of its condition") {
  const LaunchFile file = recipe(
      "def r(fast: bool = False):\n"
      "    c = base()\n"
      "    if fast: c.a = 1\n"
      "    else: c.a = 2\n"
      "    return c\n");
  CHECK(value_of(file, "a") == "2");
}

TEST_CASE("broken and hostile Python is refused in a line") {
  CHECK(refusal([] { recipe("a = 'x\n"); }) == "r.py:1:5: a quote is not closed");
  CHECK(refusal([] { recipe("a = (1,\n"); }) == "r.py:1:5: a bracket is not closed");
  CHECK(refusal([] { recipe("a = 1)\n"); }) == "r.py:1:6: no bracket is open");
  CHECK(refusal([] { recipe("if x:\n    a = 1\n  b = 2\n"); }) ==
        "r.py:3:3: the block does not line up");
  const auto parts = [](std::size_t depth) { return "cfg.a = " + std::string(depth, '-') + "1\n"; };
  CHECK(value_of(recipe(parts(198)), "a") == "1");
  CHECK(value_of(recipe(parts(199)), "a") == "-1");  // 200 expressions, including the whole
  CHECK(refusal([&] { recipe(parts(200)); }).ends_with("nested too deeply"));
  CHECK(refusal([] { recipe("a = " + std::string(1000, '(')); }).ends_with("nested too deeply"));
  CHECK(refusal([] { recipe("def f():\n    return f()\n"); }).ends_with("nested too deeply"));
  std::string negative = "a = ";
  for (int i = 0; i < 5000; ++i) negative += "-";
  CHECK(refusal([&] { recipe(negative + "1\n"); }).ends_with("nested too deeply"));
  std::string doubling = "def f0():\n    return g()\n";
  for (int i = 1; i < 40; ++i)
    doubling += fmt::format("def f{}():\n    f{}()\n    return f{}()\n", i, i - 1, i - 1);
  CHECK(refusal([&] { recipe(doubling, "f39"); }) != "accepted");
}

TEST_CASE("a config that holds itself is read once") {
  const LaunchFile file = recipe(
      "from lib import Config, Part\n\n"
      "def one():\n"
      "    config = Config(training=Part(steps=5))\n"
      "    config.training.whole = config\n"
      "    return config\n");
  CHECK(value_of(file, "training.steps") == "5");
  CHECK(value_of(file, "training.whole.training.steps") == "none");
}
