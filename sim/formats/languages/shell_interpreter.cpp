#include "sim/formats/languages/shell_interpreter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/utf8.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Index of the word with the text of a shell's `-c`, as in `srun bash -x -c TEXT`; absent if there
/// is none.
std::optional<std::size_t> shell_text_at(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "bash" && names[i] != "sh") continue;
    for (std::size_t j = i + 1; j + 1 < names.size() && names[j].starts_with('-'); ++j)
      if (names[j].ends_with('c')) return j + 1;
  }
  return std::nullopt;
}

}  // namespace

void ShellInterpreter::set_unknown(const std::string& name, std::uint32_t at,
                                   std::string_view reason) {
  state_.variables[name] = {.is_array = false,
                            .items = {{run_.sources.add_unknown("$" + name, reason, at)}}};
}

void ShellInterpreter::assign(const ShellAssignment& assignment) {
  ShellExpander expander(run_.sources, state_.variables);
  ShellValue value{.is_array = assignment.is_array, .items = {}};
  if (assignment.is_array) {
    for (const ShellWord& word : assignment.values)
      for (Glyphs& field : expander.fields(word)) value.items.push_back(std::move(field));
  } else {
    value.items.push_back(expander.text(assignment.values.front()));
  }
  ShellValue& variable = state_.variables[assignment.name];
  if (!assignment.is_added) {
    variable = std::move(value);
  } else if (assignment.is_array || variable.items.empty()) {
    variable.is_array = assignment.is_array;
    for (Glyphs& item : value.items) variable.items.push_back(std::move(item));
  } else {
    Glyphs& text = variable.items.front();
    text.insert(text.end(), value.items.front().begin(), value.items.front().end());
  }
}

ShellStatus ShellInterpreter::run_simple(const ShellNode& node) {
  if (node.words.empty() && node.assignments.empty()) return ShellStatus::Unknown;
  const std::string name = node.words.empty() ? "" : source_text(node.words.front(), run_.sources);
  if (node.words.empty() || is_shell_declaration(name)) {
    for (const ShellAssignment& assignment : node.assignments) assign(assignment);
    return ShellStatus::True;
  }
  const bool is_test = name == "[" || name == "[[" || name == "test";
  ShellExpander expander(run_.sources, state_.variables);
  if (is_test) expander.take_unset_as_empty();
  std::vector<Glyphs> words;
  for (const ShellWord& word : node.words)
    for (Glyphs& field : expander.fields(word)) words.push_back(std::move(field));
  if (words.empty()) return ShellStatus::Assumed;
  if (!is_test) return run_words(node, words);
  words.erase(words.begin());
  if (name != "test" && !words.empty()) words.pop_back();
  const auto truth = shell_test(words);
  if (!truth) return ShellStatus::Unknown;
  return *truth ? ShellStatus::True : ShellStatus::False;
}

ShellStatus ShellInterpreter::run_words(const ShellNode& node, const std::vector<Glyphs>& words) {
  const std::string name = known_text(words.front()).value_or("");
  if (const auto found = functions_.find(name); found != functions_.end())
    return run_function(*found->second);
  if (name == "true" || name == ":") return ShellStatus::True;
  if (name == "false") return ShellStatus::False;
  if (name == "exit" || name == "return") {
    state_.is_over = true;
    return ShellStatus::True;
  }
  if (is_any_of(name, {"unset", "read", "mapfile", "readarray"})) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto variable = known_text(words[i]);
      if (variable && name == "unset")
        state_.variables.erase(*variable);
      else if (variable && !variable->empty())
        set_unknown(*variable, words[i].front().at, "it is read while the script runs");
    }
    return ShellStatus::Unknown;
  }
  if (name == "source" || name == ".") {
    if (words.size() > 1) run_file(words[1]);
    return ShellStatus::Assumed;
  }
  if (name == "sed") {
    edit_stream(node, words);
    return ShellStatus::Assumed;
  }
  if (write_file(node, words, name)) return ShellStatus::Assumed;
  return run_program(node, words);
}

bool ShellInterpreter::write_file(const ShellNode& node, const std::vector<Glyphs>& words,
                                  std::string_view name) {
  if (name != "cat" && name != "echo" && name != "tee" && name != "printf") return false;
  ShellExpander expander(run_.sources, state_.variables);
  Glyphs text;
  Glyphs path = name == "tee" && words.size() > 1 ? words.back() : Glyphs{};
  for (const ShellRedirect& redirect : node.redirects) {
    if (redirect.operation.starts_with("<<") && redirect.operation != "<<<")
      text = expander.text(redirect.body);
    else if (redirect.operation == ">" || redirect.operation == ">|")
      path = expander.text(redirect.target);
  }
  if (name == "echo" && words.size() == 2) text = words[1];
  if (name == "cat" && words.size() == 2) stream_ = text_of_file(known_text(words[1]).value_or(""));
  const auto file = known_text(path);
  if (file && !file->empty() && !text.empty()) run_.files[*file] = std::move(text);
  return true;
}

ShellStatus ShellInterpreter::run_program(const ShellNode& node, const std::vector<Glyphs>& words) {
  std::vector<std::string> names;
  for (const Glyphs& word : words) names.emplace_back(base_name(known_text(word).value_or("")));
  if (names.front() == "eval") {
    Glyphs text;
    for (std::size_t i = 1; i < words.size(); ++i) {
      text.insert(text.end(), words[i].begin(), words[i].end());
      text.push_back({' ', false, 0, words[i].empty() ? 0 : words[i].back().at});
    }
    run_glyphs(text);
    return ShellStatus::Assumed;
  }
  run_.commands.push_back({.at = run_.sources.glyph(node.begin, true).at, .words = words});
  if (const auto at = shell_text_at(names)) {
    run_glyphs(words[*at]);
    return ShellStatus::Assumed;
  }
  for (const ShellRedirect& redirect : node.redirects)
    if (redirect.operation.starts_with("<<") && redirect.operation != "<<<" &&
        is_any_of(names.front(), {"sbatch", "bash", "sh"}))
      run_glyphs(ShellExpander(run_.sources, state_.variables).text(redirect.body));
  const bool is_runner = is_any_of(names.front(), {"srun", "sbatch", "bash", "sh"});
  const bool runs_script = names.front().ends_with(".sh");
  for (std::size_t i = is_runner ? 1 : 0; i < words.size() && (i == 0 ? runs_script : is_runner);
       ++i)
    if (names[i].ends_with(".sh") || names[i].ends_with(".slurm")) {
      run_file(words[i]);
      break;
    }
  return ShellStatus::Assumed;
}

bool ShellInterpreter::run_file(const Glyphs& word) {
  const auto name = known_text(word);
  const std::uint32_t at = word.empty() ? 0 : word.front().at;
  for (const std::filesystem::path& folder : {folder_, std::filesystem::path()}) {
    std::error_code error;
    if (!name || !std::filesystem::is_regular_file(folder / *name, error)) continue;
    const std::string path = (folder / *name).string();
    run_text(run_.sources.add(read_text_file(path), path));
    return true;
  }
  run_.passed_over.push_back({shown(word, run_.sources), "this script is not here", at});
  return false;
}

void ShellInterpreter::run_glyphs(const Glyphs& text) {
  run_.sources.spend(text.size(), text.empty() ? 0 : text.front().at);
  if (!text.empty()) run_text(run_.sources.add(text));
}

/// Reads lines such as `#SBATCH --nodes=4`: comments to a shell, but options to Slurm, which sets
/// variables from them.
void ShellInterpreter::read_batch_options(std::uint32_t begin, std::uint32_t end) {
  constexpr std::string_view mark = "#SBATCH ";
  for (std::uint32_t at = begin; at < end;) {
    std::uint32_t line_end = at;
    while (line_end < end && run_.sources[line_end] != '\n') ++line_end;
    std::string_view line = run_.sources.text(at, line_end);
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(start);
    if (line.starts_with(mark) && line.find(unknown_mark) == std::string_view::npos)
      add_batch_options(line.substr(mark.size()),
                        static_cast<std::uint32_t>(at + start + mark.size()));
    at = line_end + 1;
  }
  set_batch_variables();
}

/// Adds the options of a line, which may have several: `--nodes=4`, `--nodes 4`, `-N 4` and `-N4`.
void ShellInterpreter::add_batch_options(std::string_view text, std::uint32_t at) {
  constexpr std::string_view blanks = " \t\r";
  text = text.substr(0, text.find(" #"));
  bool needs_value = false;
  for (std::size_t start = 0; (start = text.find_first_not_of(blanks)) != std::string_view::npos;) {
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    if (!word.starts_with('-')) {
      if (needs_value) run_.batch.back().value = word;
      needs_value = false;
      continue;
    }
    const bool is_letter = word.size() > 1 && word[1] != '-';
    const std::size_t name_end = is_letter ? 2 : std::min(word.find('='), word.size());
    std::string_view value = word.substr(name_end);
    if (value.starts_with('=')) value.remove_prefix(1);
    BatchOption option{
        .key = std::string(word.substr(0, name_end)), .value = std::string(value), .at = at};
    option.key.erase(0, option.key.find_first_not_of('-'));
    if (option.key == "N") option.key = "nodes";
    if (option.key == "n") option.key = "ntasks";
    needs_value = value.empty();
    run_.batch.push_back(std::move(option));
  }
}

void ShellInterpreter::set_batch_variables() {
  struct Named {
    std::string_view option;
    std::string_view variable;
  };
  for (const auto& [key, variable] : {Named{"nodes", "SLURM_NNODES"},
                                      {"nodes", "SLURM_JOB_NUM_NODES"},
                                      {"ntasks", "SLURM_NTASKS"},
                                      {"ntasks-per-node", "SLURM_NTASKS_PER_NODE"},
                                      {"gpus-per-node", "SLURM_GPUS_PER_NODE"}})
    for (const BatchOption& option : run_.batch) {
      if (option.key != key) continue;
      Glyphs value;
      for (const char character : option.value) value.push_back({character, false, 0, option.at});
      state_.variables[std::string(variable)] = {.is_array = false, .items = {std::move(value)}};
    }
}

ShellRun run_shell(const std::string& text, const std::filesystem::path& path) {
  ShellRun run;
  const std::uint32_t begin =
      run.sources.add(std::string(without_byte_order_mark(text)), path.string());
  ShellInterpreter(run, path).run_text(begin);
  return run;
}

}  // namespace formats
}  // namespace tofn
