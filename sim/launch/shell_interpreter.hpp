#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/launch/shell_run.hpp"

namespace tofn {
inline namespace launch {

/// What commands of a script leave behind.
struct ShellState {
  ShellVariables variables{};
  bool is_over = false;  ///< it came to an `exit`
};

/// Of two ways that a script may take: what they agree in, and unknown from where they part.
ShellState join_branches(ShellState one, ShellState other, ShellSources& sources, std::uint32_t at);

enum class ShellStatus {
  True,
  False,
  Assumed,  ///< a program, which is taken to succeed
  Unknown,
};

/// Goes through a script without running a program: blocks (shell_flow.cpp), commands
/// (shell_interpreter.cpp), and texts that are edited (shell_streams.cpp).
class ShellInterpreter {
 public:
  ShellInterpreter(ShellRun& run, const std::filesystem::path& path)
      : run_(run), folder_(path.parent_path()) {}

  /// Runs the text that begins there, up to its end.
  void run_text(std::uint32_t begin);

 private:
  ShellStatus run_all(const ShellNodes& nodes);
  ShellStatus run_node(const ShellNode& node);
  /// Each in a copy of what there is, which are then joined.
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
  /// `cat <<EOF > file`, `echo TEXT > file`: what stands in it, if the command writes one.
  bool write_file(const ShellNode& node, const std::vector<Glyphs>& words, std::string_view name);
  void edit_stream(const ShellNode& node, const std::vector<Glyphs>& words);
  std::optional<Glyphs> text_of_file(const std::string& name);
  /// The script that a word names, if it is there; else it is remembered as passed over.
  bool run_file(const Glyphs& word);
  void run_glyphs(const Glyphs& text);
  void assign(const ShellAssignment& assignment);
  void set_unknown(const std::string& name, std::uint32_t at, std::string_view reason);
  void read_batch_options(std::uint32_t begin, std::uint32_t end);
  void add_batch_options(std::string_view text, std::uint32_t at);
  void set_batch_variables();
  std::string plain(const ShellWord& word) const;

  ShellRun& run_;
  std::filesystem::path folder_;
  ShellState state_{};
  std::deque<ShellNodes> scripts_{};  // functions point into them
  std::map<std::string, const ShellNode*, std::less<>> functions_{};
  std::optional<Glyphs> stream_{};  // what a command hands to the next in a pipe
  std::size_t nodes_run_ = 0;
  int depth_ = 0;
};

}  // namespace launch
}  // namespace tofn
