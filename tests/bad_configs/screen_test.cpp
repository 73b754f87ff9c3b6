#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <utility>

#include "sim/core/utf8.hpp"
#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Commands that print tables, the wide tables first.
constexpr std::array request{"scale bert dgx-h100 -N 8..128",
                             "predict llama3-8b dgx-h100 -N 8..64 --tokens 1T",
                             "predict bert dgx-h100 -N 8..64",
                             "plan llama3-8b dgx-h100 dgx-a100 --tokens 200B -N 64..128",
                             "step llama3-8b dgx-h100 -N 8..64 --replica-batch 2",
                             "step gpt3-175b dgx-a100 -N 64 --batch 64 --plan gpt3-175b-megatron",
                             "compare",
                             "study",
                             "collective --cluster dgx-h100 --ranks 64 --size 25MiB",
                             "sweep gradient-compression",
                             "list clusters",
                             "list figures",
                             "list stacks",
                             "predict --help"};

std::set<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> words;
  for (std::string word; in >> word;)
    if (word.find_first_not_of('-') != word.npos) words.insert(word);
  return words;
}

/// True if the text has the word, whole or without its middle (`Dell/8xXE96..-80GB`).
bool has_word(const std::string& text, const std::set<std::string>& words,
              const std::string& word) {
  if (text.find(word) != text.npos) return true;
  constexpr std::size_t least = 26;
  return word.size() > least &&
         std::any_of(words.begin(), words.end(), [&](const std::string& cut) {
           const std::size_t at = cut.find("..");
           return at != cut.npos && cut.size() >= least && word.starts_with(cut.substr(0, at)) &&
                  word.ends_with(cut.substr(at + 2));
         });
}

/// Width of the widest table in characters, measured by the rule below its header.
std::size_t widest_table(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("-") && line.find_first_not_of("- ") == line.npos)
      widest = std::max(widest, line.size());
  return widest;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) widest = std::max(widest, character_count(line));
  return widest;
}

Outcome printed(const std::string& columns, const std::string& arguments) {
  return run_command("env -u COLUMNS " + columns + " TOFN_CONFIGS='" + configs_folder() +
                     "' '" TOFN_BINARY "' " + arguments);
}

}  // namespace

TEST_CASE("details are not offered where they follow") {
  for (const auto& [arguments, rest] :
       {std::pair{"scale bert dgx-h100 -N 8..32", "tofn predict for money\n"},
        std::pair{"study", "--workload bert\n"},
        std::pair{"step llama3-8b dgx-h100 -N 8", "tofn "}}) {
    const std::string hint = "\nnext          ";
    const std::string screen = run_program(arguments).output;
    const std::string whole = run_program(std::string(arguments) + " --details").output;
    INFO(whole);
    CHECK_THAT(screen.substr(screen.rfind(hint)), ContainsText("--details"));
    const std::size_t line = whole.rfind(hint);
    REQUIRE(line != whole.npos);
    const std::string next = whole.substr(line, whole.find('\n', line + 1) + 1 - line);
    CHECK_THAT(next, !ContainsText("--details"));
    CHECK_THAT(next, ContainsText(rest));
  }
  CHECK_THAT(run_program("step llama3-8b dgx-h100 -N 8..16 --details").output,
             ContainsText("next          one -N for its parts and memory\n"));
}

TEST_CASE(
    "no table of a pipe is wider than 100 characters, no line than COLUMNS, no word is lost") {
  for (const char* arguments : request) {
    INFO(arguments);
    const std::string wide = printed("", std::string(arguments) + " --wide").output;
    CHECK(widest_table(printed("", arguments).output) <= 100);
    for (const char* columns : {"60", "80", "132"}) {
      INFO("COLUMNS=" << columns);
      const std::string text = printed(std::string("COLUMNS=") + columns, arguments).output;
      const std::set<std::string> narrow = words_of(text);
      CHECK(widest_line(text) <= std::stoul(columns));
      for (const std::string& word : words_of(wide)) {
        if (word.ends_with("/s),")) continue;  // speed of a sweep, which varies
        if (!has_word(text, narrow, word)) FAIL_CHECK(word);
      }
    }
  }
}

TEST_CASE("an answer is one screen of 80 columns, and --details go on below it") {
  struct Screen {
    const char* arguments;
    std::ptrdiff_t lines;
  };
  for (const Screen& screen : std::initializer_list<Screen>{
           {"step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64", 30},
           {"step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64 --explain dgx-b200",
            30},
           {"step mixtral-8x7b dgx-h100 -N 64 --batch 256", 30},
           {"step llama3-8b dgx-h100 -N 8..512 --replica-batch 8 --sharded parameters", 30},
           {"collective --check '{configs}/calibrations/h100-quietbox-1x4.yaml'", 25},
           {"collective --check '{configs}/calibrations/h100-dell-2x8.yaml'", 25},
           {"collective --cluster dgx-h100 --ranks 64 --size 25MiB", 25},
           {"sweep llama3-70b-plans", 40},
           {"compare", 60},
           {"study", 60},
           {"validate published", 40},
           {"validate energy", 40},
       }) {
    INFO(screen.arguments);
    const auto lines_of = [](const std::string& text) {
      return std::count(text.begin(), text.end(), '\n');
    };
    const std::string arguments = filled_in(screen.arguments);
    const auto printed_without_speed = [&](const std::string& more) {  // a sweep's points/s vary
      return std::regex_replace(printed("COLUMNS=80", arguments + more).output,
                                std::regex(R"(\(\d+/s\))"), "");
    };
    const std::string text = printed_without_speed("");
    CHECK(lines_of(text) <= screen.lines);
    const std::string all = printed_without_speed(" --details");
    const std::string answer = text.substr(0, text.rfind("\nnext "));  // which offers the details
    CHECK(all.starts_with(answer + '\n'));
    CHECK(lines_of(all) > lines_of(text) + 1);
  }
}

TEST_CASE("what goes into a file fits as in a pipe, and pages of programs stay as they are") {
  const TemporaryFile file("scale.txt", "");
  CHECK(run_program("scale bert dgx-h100 -N 8..64 -o " + file.path().string()).exit_code == 0);
  CHECK(widest_table(take_file(file.path())) <= 100);
  const std::string emitted =
      printed("COLUMNS=60", "predict llama3-8b dgx-h100 -N 64 --tokens 1T --emit megatron-lm")
          .output;
  CHECK(widest_line(emitted) > 60);
}

TEST_CASE("with --quiet nothing is said beside the answer, but why an input is not taken") {
  const std::string twice = "plan llama3-8b dgx-h100 dgx-h100 --tokens 200B -N 64";
  CHECK(run_program(twice).errors.find("is named twice") != std::string::npos);
  const Outcome quiet = run_program(twice + " --quiet");
  CHECK(quiet.errors.empty());
  CHECK(quiet.exit_code == 0);
  const Outcome wrong = run_program("predict nothing dgx-h100 --quiet");
  CHECK(wrong.errors.find("nothing") != std::string::npos);
  CHECK(wrong.exit_code == 2);
}

TEST_CASE("a pipe holds no colour, whatever the terminal is") {
  const Outcome plain = printed("TERM=xterm-256color", "predict bert dgx-h100 -N 8");
  CHECK(plain.output.find('\x1b') == std::string::npos);
  // `script` runs the program on a terminal.
  if (run_command("sh -c 'command -v script'").exit_code != 0) return;
  const auto on_terminal = [](const std::string& variables) {
    return run_command("env " + variables + " TOFN_CONFIGS='" + configs_folder() +
                       "' script -qec \"'" TOFN_BINARY "' predict bert dgx-h100 -N 8\" /dev/null")
        .output;
  };
  CHECK(on_terminal("TERM=xterm COLUMNS=100").find("\x1b[1m") != std::string::npos);
  CHECK(on_terminal("TERM=xterm COLUMNS=100 NO_COLOR=1").find('\x1b') == std::string::npos);
  CHECK(on_terminal("TERM=dumb COLUMNS=100").find('\x1b') == std::string::npos);
}
