#include <algorithm>
#include <array>
#include <regex>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Private words of this project that must not be printed, because the field has its own.
const std::regex private_words(
    R"re(\b(asked|told|usual|instead|taught|held(?![ -]out)|price of (the )?batch|as (published )?runs went|keeps? .{0,40}% of draws|binds|blind|kin|in doubt|lever|fullest|no other beats)\b)re");

/// Values of options, which are printed as users type them.
constexpr std::array values_of_options{"usual (what stacks run by default)", "(=usual)",
                                       "--search usual"};

std::string without_values(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  text = std::regex_replace(text, std::regex(" +"), " ");
  for (const std::string value : values_of_options)
    text = with_each_replaced(std::move(text), value, "");
  return text;
}

void check_words(const std::string& arguments) {
  const std::string text = without_values(run_program(filled_in(arguments)).output);
  INFO("tofn " << arguments);
  CHECK_FALSE(text.empty());
  for (std::sregex_iterator found(text.begin(), text.end(), private_words), none; found != none;
       ++found)
    FAIL_CHECK(found->str() << " in: " << text.substr(std::max(0L, found->position() - 60), 120));
}

}  // namespace

TEST_CASE("answers are in words of the field, their details too") {
  for (const char* arguments : {"step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64",
                                "step llama3-70b dgx-h100 -N 8 --batch 8 --tp 8",
                                "step llama3-8b dgx-h100 -N 8..64 --replica-batch 2",
                                "step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a100:1",
                                "step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64 "
                                "--explain dgx-b200",
                                "collective --cluster dgx-h100 --ranks 64 --size 25MiB",
                                "collective --cluster gb200-nvl72 --ranks 72 --size 1GiB",
                                "collective --check {configs}/calibrations/h100-quietbox-1x4.yaml",
                                "collective --check {configs}/calibrations/h100-dell-2x8.yaml",
                                "sweep llama3-70b-plans",
                                "sweep best-plan-by-size",
                                "compare",
                                "study",
                                "validate energy",
                                "validate published",
                                "validate runs",
                                "validate collectives {configs}/calibrations --protocol formula",
                                "predict bert dgx-h100 -N 64",
                                "predict llama3-8b dgx-h100 -N 64 --tokens 1T --deadline 20d",
                                "plan llama3-8b dgx-h100 dgx-a100 -N 64,128 --tokens 1T "
                                "--deadline 60d",
                                "scale bert dgx-h100 -N 8..512"})
    check_words(std::string(arguments) + " --details");
  for (const char* arguments :
       {"list accelerators", "list clusters", "list fabrics", "list baselines", "list workloads",
        "list plans", "list runs", "list stacks", "list sweeps", "list figures", "list disclosures",
        "list calibrations", "check {configs}/clusters/dgx-h100.yaml"})
    check_words(arguments);
}

TEST_CASE("help is in words of the field") {
  for (const char* command :
       {"compare", "study",      "predict",  "plan",    "scale", "step",    "step bert",
        "sweep",   "collective", "report",   "explore", "list",  "explain", "init",
        "check",   "calibrate",  "validate", "import",  "watch", "repeat",  "manual"})
    check_words(std::string(command) + " --help");
}
