#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/core/file.hpp"
#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Output of `tofn manual` and the folder that it wrote to.
struct Written {
  TemporaryFolder folder{};
  Outcome outcome = run_program("manual '" + folder.path().string() + "'");

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::string text(const std::string& name) const { return read_text_file(path(name)); }
};

std::string page_of(const ManualCommand& command) { return "man/man1/tofn-" + command.name + ".1"; }

constexpr const char* bash_file = "bash-completion/completions/tofn";
constexpr const char* zsh_file = "zsh/site-functions/_tofn";
constexpr const char* fish_file = "fish/vendor_completions.d/tofn.fish";

bool has(const std::string& program) {
  return run_command("sh -c 'command -v " + program + "'").exit_code == 0;
}

/// Part of a text that begins with `from` and ends before `to`.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  REQUIRE(start != std::string::npos);
  const std::size_t end = text.find(to, start + from.size());
  return text.substr(start, end == std::string::npos ? end : end - start);
}

/// The name with its minus signs escaped for roff, so that copying it from a page keeps them.
std::string in_roff(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '-' ? std::string("\\-") : std::string(1, c);
  return text;
}

/// Completions that bash offers for the last of these words.
std::vector<std::string> offered(const Written& written, const std::string& words) {
  const std::string script =
      "source \"" + written.path(bash_file) + "\"; tofn() { \"" + std::string(TOFN_BINARY) +
      "\" \"$@\"; }; export -f tofn; " + "PATH=\"" +
      std::filesystem::path(TOFN_BINARY).parent_path().string() + ":$PATH\"; COMP_WORDS=(" + words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _tofn; " + "printf \"%s\\n\" \"${COMPREPLY[@]}\"";
  const Outcome outcome =
      run_command("env TOFN_CONFIGS='" + configs_folder() + "' bash -c '" + script + "'");
  INFO(words << outcome.errors);
  CHECK(outcome.errors.empty());
  std::vector<std::string> lines;
  std::istringstream text(outcome.output);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

bool offers(const std::vector<std::string>& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

TEST_CASE("every option of every command has its place on its page and in each completion") {
  const Written written;
  REQUIRE(written.outcome.exit_code == 0);
  const std::string bash = written.text(bash_file);
  const std::string zsh = written.text(zsh_file);
  const std::string fish = written.text(fish_file);
  const Manual manual = program_manual();
  CHECK(manual.commands.size() >= 17);
  for (const ManualCommand& command : manual.commands) {
    INFO(command.name);
    const std::string page = written.text(page_of(command));
    const std::string of_bash = between(bash, "    " + command.name + ")\n", "\n      ;;\n");
    const std::string of_zsh = between(zsh, "    " + command.name + ")\n", "\n      ;;\n");
    std::vector<OptionRow> rows = command.rows;
    rows.insert(rows.end(), manual.common.begin(), manual.common.end());
    for (const OptionRow& row : rows) {
      INFO(row.name);
      CHECK_THAT(page, ContainsText("\\fB" + in_roff(row.name) + "\\fR"));
      CHECK_THAT(of_bash, ContainsText(row.name + (row.name == "--help" ? "'" : " ")));
      CHECK_THAT(of_zsh, ContainsText(row.name + (row.short_name.empty() ? "[" : "}'[")));
      CHECK_THAT(fish, ContainsText("'__fish_seen_subcommand_from " + command.name + "' -l " +
                                    row.name.substr(2) + " "));
    }
  }
}

TEST_CASE("bash offers commands, options, values and names") {
  const Written written;
  CHECK(offered(written, "tofn pla") == std::vector<std::string>{"plan"});
  CHECK(offers(offered(written, "tofn \"\""), "predict"));
  CHECK(offered(written, "tofn plan --deadl") == std::vector<std::string>{"--deadline"});
  CHECK(offered(written, "tofn plan --by co") == std::vector<std::string>{"cost", "cost-x-time"});
  CHECK(offered(written, "tofn list --format = j") == std::vector<std::string>{"json"});
  CHECK(offers(offered(written, "tofn predict \"\""), "bert"));
  CHECK(offers(offered(written, "tofn predict llama3-8b dgx-h"), "dgx-h100"));
  CHECK(offers(offered(written, "tofn predict llama3-8b dgx-h100 --stack me"), "megatron-core"));
  CHECK(offers(offered(written, "tofn help wat"), "watch"));
  CHECK_FALSE(offers(offered(written, "tofn plan --cluster dgx"), "--deadline"));
}

TEST_CASE("pages and completions are without faults") {
  const Written written;
  const auto is_sound = [](const std::string& command) {
    const Outcome outcome = run_command(command);
    INFO(command);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output + outcome.errors == "");
  };
  const bool has_man = has("man");
  const bool has_mandoc = has("mandoc");
  for (const auto& entry : std::filesystem::directory_iterator(written.path("man/man1"))) {
    const std::string page = "'" + entry.path().string() + "'";
    if (has_man)
      is_sound("sh -c \"LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l " + page + " >/dev/null\"");
    if (has_mandoc) is_sound("mandoc -Tlint -Wwarning " + page);
  }
  is_sound("bash -n '" + written.path(bash_file) + "'");
  if (has("zsh")) is_sound("zsh -n '" + written.path(zsh_file) + "'");
  if (has("fish")) is_sound("fish -n '" + written.path(fish_file) + "'");
}

TEST_CASE("a folder that cannot be written is refused") {
  check_refused("manual", "manual needs a folder, e.g. `tofn manual ~/.local/share`");
  check_refused("manual /dev/null/x",
                "/dev/null/x/man/man1/tofn.1: cannot be written: Not a directory");
}

TEST_CASE("the version says what the program was built with") {
  for (const char* program : {TOFN_BINARY, TOFN_BENCH_BINARY}) {
    const Outcome outcome = run_command("'" + std::string(program) + "' --version");
    CHECK(outcome.exit_code == 0);
    const std::string name = std::filesystem::path(program).filename().string();
    CHECK(outcome.output.starts_with(name + " 0."));
    for (const char* part : {"compiler", "MPI", "CUDA", "NCCL", "OpenBLAS", "Chart.js"})
      CHECK_THAT(outcome.output, ContainsText(std::string("\n  ") + part));
    CHECK(outcome.output.find("  compiler  without") == std::string::npos);
  }
}
