#include "sim/options/manual.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Manual small_manual() {
  OptionRow by{
      .name = "--by", .short_name = "-b", .description = "time or cost: the user's 'best' [one]"};
  by.takes_value = true;
  by.default_value = "cost";
  by.choices = {"time", "cost"};
  OptionRow cluster{
      .name = "--cluster", .short_name = "", .description = "of `tofn list clusters`"};
  cluster.takes_value = true;
  cluster.lists = {"clusters"};
  cluster.is_positional = true;
  OptionRow help{.name = "--help", .short_name = "-h", .description = ".hidden"};
  return {.program = "tool",
          .summary = "do what is asked",
          .version = "1.2.3",
          .date = "2026-11-23",
          .common = {help},
          .commands = {{.name = "choose",
                        .summary = "choose one: the best",
                        .usages = {"choose CLUSTER [OPTIONS]"},
                        .examples = {"  tool choose dgx-h100\n\n'quoted'\n"},
                        .rows = {by, cluster}}},
          .sections = {{"FILES", {"first", "second"}}}};
}

}  // namespace

TEST_CASE("a page of a command says all of its options") {
  const Manual manual = small_manual();
  CHECK(man_page(manual, manual.commands[0]) ==
        ".TH TOOL\\-CHOOSE 1 \"2026-11-23\" \"tool 1.2.3\" \"User Commands\"\n.ad l\n"
        ".SH NAME\ntool\\-choose \\- choose one: the best\n"
        ".SH SYNOPSIS\ntool choose CLUSTER [OPTIONS]\n"
        ".SH OPTIONS\n"
        ".TP\n\\fB\\-b\\fR, \\fB\\-\\-by\\fR \\fIVALUE\\fR\n"
        "time or cost: the user\\(aqs \\(aqbest\\(aq [one] (default: cost)\n"
        ".TP\n\\fB\\-\\-cluster\\fR \\fIVALUE\\fR\n"
        "of \\(gatofn list clusters\\(ga; its name may be left out\n"
        ".SH COMMON OPTIONS\n"
        ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n\\&.hidden\n"
        ".SH EXAMPLES\n.nf\n  tool choose dgx\\-h100\n.sp\n\\&\\(aqquoted\\(aq\n.fi\n"
        ".SH SEE ALSO\n.BR tool (1)\n");
}

TEST_CASE(
    "a completion tells descriptions of up to 70 characters whole, longer ones up to a word") {
  Manual manual = small_manual();
  std::string& description = manual.commands[0].rows[1].description;
  description = std::string(66, 'a') + " bcd";
  REQUIRE(description.size() == 70);
  CHECK_THAT(fish_completion(manual), ContainsText(description + "'"));
  description += "e";
  CHECK_THAT(fish_completion(manual), ContainsText(std::string(66, 'a') + " ...'"));
}

TEST_CASE("the page of a program names its commands") {
  const std::string page = man_page(small_manual());
  CHECK_THAT(page, ContainsText(".SH NAME\ntool \\- do what is asked\n"));
  CHECK_THAT(page, ContainsText(".TP\n\\fBchoose\\fR\nchoose one: the best; see "
                                "\\fBtool\\-choose\\fR(1)\n"));
  CHECK_THAT(page, ContainsText(".SH FILES\nfirst\n.PP\nsecond\n"));
  CHECK_THAT(page, ContainsText(".SH SEE ALSO\n.BR tool\\-choose (1)\n"));
}

TEST_CASE("completions quote as their shells do") {
  const Manual manual = small_manual();
  CHECK_THAT(bash_completion(manual), ContainsText("-b|--by) values='time cost' takes=value ;;"));
  CHECK_THAT(bash_completion(manual), ContainsText("--cluster) lists='clusters' takes=value ;;"));
  CHECK_THAT(zsh_completion(manual),
             ContainsText("'*'{-b,--by}'[time or cost\\: the user'\\''s '\\''best'\\'' "
                          "\\[one\\]]:by:(time cost)'"));
  CHECK_THAT(zsh_completion(manual), ContainsText("'choose:choose one\\: the best'"));
  CHECK_THAT(fish_completion(manual),
             ContainsText("-l by -s b -r -f -a 'time cost' -d 'time or cost: the user\\'s "
                          "\\'best\\' [one]'"));
}
