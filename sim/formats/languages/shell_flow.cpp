#include <algorithm>
#include <utility>

#include "sim/formats/languages/shell_interpreter.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr int deepest_call = 16;  // of functions, and of scripts that run themselves

ShellStatus negated(ShellStatus status) {
  if (status == ShellStatus::True) return ShellStatus::False;
  return status == ShellStatus::False ? ShellStatus::True : ShellStatus::Unknown;
}

bool is_same(const Glyph& one, const Glyph& other) {
  return one.character == other.character && one.unknown == other.unknown;
}

bool is_same(const Glyphs& one, const Glyphs& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Glyph& a, const Glyph& b) { return is_same(a, b); });
}

/// Returns the longest start that both lists share.
template <class List>
List common_start(const List& one, const List& other) {
  List start;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    if (!is_same(one[i], other[i])) break;
    start.push_back(one[i]);
  }
  return start;
}

std::size_t length(const ShellVariables& variables) {
  std::size_t sum = 0;
  for (const auto& [name, value] : variables)
    for (const Glyphs& item : value.items) sum += item.size() + 1;
  return sum;
}

/// Joins two values of a variable: their common start, followed by the unknown `open`.
ShellValue joined(const ShellValue& one, const ShellValue& other, const Glyph& open) {
  ShellValue value{.is_array = one.is_array || other.is_array, .items = {}};
  if (value.is_array) {
    value.items = common_start(one.items, other.items);
    value.items.push_back({open});
    return value;
  }
  const Glyphs nothing;
  Glyphs text = common_start(one.items.empty() ? nothing : one.items.front(),
                             other.items.empty() ? nothing : other.items.front());
  text.push_back(open);
  value.items.push_back(std::move(text));
  return value;
}

bool is_same(const ShellValue& one, const ShellValue& other) {
  return std::equal(one.items.begin(), one.items.end(), other.items.begin(), other.items.end(),
                    [](const Glyphs& a, const Glyphs& b) { return is_same(a, b); });
}

}  // namespace

ShellState join_branches(ShellState one, ShellState other, ShellSources& sources,
                         std::uint32_t at) {
  if (one.is_over) return other;
  if (other.is_over) return one;
  const auto open = [&](const std::string& name) {
    return sources.add_unknown("$" + name, "a condition that is not known decides", at);
  };
  for (auto& [name, value] : one.variables) {
    const ShellValue& another = other.variables[name];
    if (is_same(value, another)) continue;
    value = joined(value, another, open(name));
    other.variables.erase(name);
  }
  for (auto& [name, value] : other.variables)
    if (!one.variables.contains(name)) one.variables[name] = joined(value, {}, open(name));
  return one;
}

void ShellInterpreter::run_text(std::uint32_t begin) {
  if (++depth_ > deepest_call) run_.sources.fail(begin, "nested too deeply");
  const auto end = static_cast<std::uint32_t>(run_.sources.size());
  read_batch_options(begin, end);
  run_all(scripts_.emplace_back(parse_shell(run_.sources, begin, end)));
  state_.is_over = false;
  --depth_;
}

ShellStatus ShellInterpreter::run_all(const ShellNodes& nodes) {
  ShellStatus status = ShellStatus::True;
  for (const ShellNode& node : nodes) {
    if (state_.is_over) break;
    status = run_node(node);
  }
  return status;
}

ShellStatus ShellInterpreter::run_node(const ShellNode& node) {
  constexpr std::size_t most_commands = 1'000'000;  // of functions that call functions
  if (++nodes_run_ > most_commands) run_.sources.fail(node.begin, "the script goes on and on");
  switch (node.kind) {
    case ShellNodeKind::Simple:
      return run_simple(node);
    case ShellNodeKind::Sequence:
      return run_all(node.body);
    case ShellNodeKind::Either:
      return run_either(node);
    case ShellNodeKind::Not:
      return negated(run_all(node.body));
    case ShellNodeKind::If:
      return run_if(node, 0);
    case ShellNodeKind::Case:
      return run_case(node);
    case ShellNodeKind::For:
      return run_for(node);
    case ShellNodeKind::While:
      return run_while(node);
    case ShellNodeKind::Function:
      break;
  }
  functions_[node.name] = &node.body.front();
  return ShellStatus::True;
}

void ShellInterpreter::run_both(std::uint32_t at, const std::function<void()>& one,
                                const std::function<void()>& other) {
  run_.sources.spend(length(state_.variables), at);
  ShellState before = state_;
  one();
  ShellState first = std::exchange(state_, std::move(before));
  other();
  state_ = join_branches(std::move(first), std::move(state_), run_.sources, at);
}

ShellStatus ShellInterpreter::run_either(const ShellNode& node) {
  const ShellStatus left = run_node(node.body[0]);
  const bool holds = left == ShellStatus::True || left == ShellStatus::Assumed;
  if (left != ShellStatus::Unknown) return holds == node.is_or ? left : run_node(node.body[1]);
  run_both(
      node.begin, [&] { run_node(node.body[1]); }, [] {});
  return ShellStatus::Unknown;
}

ShellStatus ShellInterpreter::run_if(const ShellNode& node, std::size_t first) {
  if (first == node.arms.size()) return ShellStatus::True;
  const ShellNode::Arm& arm = node.arms[first];
  const ShellStatus status = arm.condition.empty() ? ShellStatus::True : run_all(arm.condition);
  if (status == ShellStatus::True) return run_all(arm.body);
  if (status == ShellStatus::False) return run_if(node, first + 1);
  run_both(
      node.begin, [&] { run_all(arm.body); }, [&] { run_if(node, first + 1); });
  return ShellStatus::Unknown;
}

ShellStatus ShellInterpreter::run_case(const ShellNode& node) {
  ShellExpander expander(run_.sources, state_.variables);
  expander.take_unset_as_empty();
  return run_case_from(node, known_text(expander.text(node.subject)), 0);
}

ShellStatus ShellInterpreter::run_case_from(const ShellNode& node,
                                            const std::optional<std::string>& subject,
                                            std::size_t first) {
  for (std::size_t i = first; i < node.arms.size(); ++i) {
    const ShellNode::Arm& arm = node.arms[i];
    if (!subject) {
      run_both(
          node.begin, [&] { run_all(arm.body); }, [&] { run_case_from(node, subject, i + 1); });
      return ShellStatus::Unknown;
    }
    const auto fits = [&](const ShellWord& pattern) {
      const Glyphs text = ShellExpander(run_.sources, state_.variables).text(pattern);
      return fits_pattern(*subject, shown(text, run_.sources));
    };
    if (std::ranges::any_of(arm.patterns, fits)) return run_all(arm.body);
  }
  return ShellStatus::True;
}

/// Runs the body at most once, with the loop's variable unknown.
ShellStatus ShellInterpreter::run_for(const ShellNode& node) {
  const auto once = [&] {
    if (!node.name.empty()) set_unknown(node.name, node.begin, "a loop's variable");
    run_all(node.body);
  };
  run_both(node.begin, once, [] {});
  return ShellStatus::Assumed;
}

ShellStatus ShellInterpreter::run_while(const ShellNode& node) {
  const ShellStatus ends = node.name == "while" ? ShellStatus::False : ShellStatus::True;
  if (run_all(node.condition) == ends) return ShellStatus::True;
  run_both(
      node.begin, [&] { run_all(node.body); }, [] {});
  return ShellStatus::Assumed;
}

ShellStatus ShellInterpreter::run_function(const ShellNode& function) {
  if (++depth_ > deepest_call) run_.sources.fail(function.begin, "nested too deeply");
  const ShellStatus status = run_node(function);
  state_.is_over = false;
  --depth_;
  return status;
}

}  // namespace formats
}  // namespace tofn
