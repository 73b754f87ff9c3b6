#include "sim/yaml/file_format.hpp"

#include "sim/yaml/yaml_reader.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A sweep file in the old format, in which stacks were called kernels.
const std::string old_sweep =
    "# Größe: how much does it gain?\n"
    "name: gain  # a comment\n"
    "base:\n"
    "  kernels: megatron  # whose figures\n"
    "  cluster: dgx-h100\n"
    "axes: []\n";

std::string stack_of(const std::string& text) {
  std::string stack;
  for (const auto& [key, value] : YamlNode::parse(text, "s.yaml").entries())
    if (key == "base")
      for (const auto& [inner, node] : value.entries())
        if (inner == "stack") node.read(stack);
  return stack;
}

}  // namespace

TEST_CASE("a file of an older form is read as the newest has it") {
  CHECK(stack_of(old_sweep) == "megatron");
  CHECK(stack_of("format: 1\n" + old_sweep) == "megatron");
  CHECK(stack_of("format: 2\n" + old_sweep).empty());  // format 2 has no key `kernels`
}

TEST_CASE("an upgrade renames keys, says the format and leaves the rest as it is") {
  const UpgradedText upgraded = upgraded_text(old_sweep, "s.yaml");
  CHECK(upgraded.text ==
        "# Größe: how much does it gain?\n"
        "format: 2\n"
        "name: gain  # a comment\n"
        "base:\n"
        "  stack: megatron  # whose figures\n"
        "  cluster: dgx-h100\n"
        "axes: []\n");
  CHECK(upgraded.changes == std::vector<std::string>{"base.kernels is stack", "format 1 is 2"});
  const UpgradedText again = upgraded_text(upgraded.text, "s.yaml");
  CHECK(again.text == upgraded.text);
  CHECK(again.changes.empty());
  CHECK(upgraded_text("format: 1 # x\nname: a\n", "a.yaml").text == "format: 2 # x\nname: a\n");
}

TEST_CASE("a key of that name in files of another kind stays") {
  const std::string other = "format: 1\nbase:\n  kernels: 3\n";
  CHECK(upgraded_text(other, "o.yaml").text == "format: 2\nbase:\n  kernels: 3\n");
}

TEST_CASE("a format that nobody knows is refused in one line") {
  const auto refused = [](const std::string& format) {
    return refusal([&] { YamlNode::parse("format: " + format + "\nname: a\n", "a.yaml"); });
  };
  CHECK(refused("3") == "a.yaml:1:9: format: 3 is newer than 2, the newest that this tofn reads");
  CHECK(refused("two") == "a.yaml:1:9: format: expected a whole number from 1 to 2, got 'two'");
  CHECK(refused("0") == "a.yaml:1:9: format: expected a whole number from 1 to 2, got '0'");
  CHECK(refusal([] { upgraded_text("{name: a}", "a.json"); }) ==
        "a.json: --upgrade: rewrites maps of a key a line alone");
}
