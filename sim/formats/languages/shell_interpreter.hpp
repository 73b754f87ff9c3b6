#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/languages/shell_run.hpp"

namespace tofn {
inline namespace formats {

/// State that commands of a script leave behind.
struct ShellState {
  ShellVariables variables{};
  bool is_over = false;  ///< true after an `exit` or `return`
};

/// Joins the states after two possible branches: values on which they agree stay, and those that
/// differ are unknown from the first difference on.
ShellState join_branches(ShellState one, ShellState other, ShellSources& sources, std::uint32_t at);

enum class ShellStatus {
  True,
  False,
  Assumed,  ///< a program ran, which is assumed to succeed
  Unknown,
};

/// Evaluates a script without running a program: blocks (shell_flow.cpp), commands
/// (shell_interpreter.cpp), and texts that are edited (shell_streams.cpp).
class ShellInterpreter {
 public:
  ShellInterpreter(ShellRun& run, const std::filesystem::path& path)
      : run_(run), folder_(path.parent_path()) {}

  /// Runs the text that begins at that offset, up to the end of the sources.
  void run_text(std::uint32_t begin);

 private:
  ShellStatus run_all(const ShellNodes& nodes);
  ShellStatus run_node(const ShellNode& node);
  /// Runs each branch on a copy of the state, and joins the results.
  void run_both(std::uint32_t at, const std::function<void()>& one,
                const std::function<void()>& other);
  ShellStatus run_either(const ShellNode& node);
  ShellStatus run_if(const ShellNode& node, std::size_t first);
  ShellStatus run_case(const ShellNode& node);
  ShellStatus run_case_from(const ShellNode& node, const std::optional<std::string>& subject,
                            std::size_t first);
  ShellStatus run_for(const ShellNode& node);
  ShellStatus run_while(const ShellNode& node);
  ShellStatus run_function(const ShellNode& function);

  ShellStatus run_simple(const ShellNode& node);
  ShellStatus run_words(const ShellNode& node, const std::vector<Glyphs>& words);
  ShellStatus run_program(const ShellNode& node, const std::vector<Glyphs>& words);
  /// Keeps the text that `cat <<EOF > file` or `echo TEXT > file` writes. False if the command is
  /// not one of cat, echo, tee and printf.
  bool write_file(const ShellNode& node, const std::vector<Glyphs>& words, std::string_view name);
  void edit_stream(const ShellNode& node, const std::vector<Glyphs>& words);
  std::optional<Glyphs> text_of_file(const std::string& name);
  /// Runs the script that a word names. If it is not there, records it as passed over and returns
  /// false.
  bool run_file(const Glyphs& word);
  void run_glyphs(const Glyphs& text);
  void assign(const ShellAssignment& assignment);
  void set_unknown(const std::string& name, std::uint32_t at, std::string_view reason);
  void read_batch_options(std::uint32_t begin, std::uint32_t end);
  void add_batch_options(std::string_view text, std::uint32_t at);
  void set_batch_variables();

  ShellRun& run_;
  std::filesystem::path folder_;
  ShellState state_{};
  std::deque<ShellNodes> scripts_{};  // pointed to by `functions_`
  std::map<std::string, const ShellNode*, std::less<>> functions_{};
  std::optional<Glyphs> stream_{};  // text that a command passes to the next one in a pipe
  std::size_t nodes_run_ = 0;
  int depth_ = 0;
};

}  // namespace formats
}  // namespace tofn
