#include "sim/sweep/sweep_file.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/core/dollars.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace sweep {
namespace {

constexpr double most_points = 1e15;

std::vector<SweepText> read_texts(Fields& fields, std::string_view key) {
  std::vector<SweepText> texts;
  const auto list = fields.optional_child(key);
  if (!list) return texts;
  for (const YamlNode& item : list->items()) {
    texts.push_back({.text = {}, .location = item.location()});
    item.read(texts.back().text);
  }
  return texts;
}

Goal read_goal(const YamlNode& node) {
  std::string text;
  node.read(text);
  const std::size_t space = text.find(' ');
  const std::string direction = text.substr(0, space);
  if (space == std::string::npos || (direction != "least" && direction != "most"))
    node.fail(fmt::format("expected e.g. 'least step_s' or 'most samples_per_s', got '{}'", text));
  return {.column = text.substr(space + 1),
          .is_least = direction == "least",
          .location = node.location()};
}

Best read_best(const YamlNode& node) {
  Fields fields = node.fields();
  Best best{.of = read_texts(fields, "of"), .by = read_goal(fields.child("by"))};
  fields.done();
  if (best.of.empty()) node.fail("needs of: the axes of which the best is taken, e.g. [tp, pp]");
  return best;
}

/// Moves the groups of `best` behind the others, so that the points of a row are neighbours.
void place_inner_groups(Sweep& sweep) {
  const auto is_of = [&](const Axis& axis) {
    return std::ranges::any_of(sweep.best->of,
                               [&](const SweepText& each) { return each.text == axis.name; });
  };
  std::vector<std::string> names;
  for (const Axis* axis : sweep.axes()) names.push_back(axis->name);
  for (const SweepText& each : sweep.best->of)
    if (std::ranges::find(names, each.text) == names.end())
      throw InputError(each.location, "best.of", unknown_name("axis name", each.text, names));
  const auto is_inner = [&](const AxisGroup& group) {
    const auto count = std::ranges::count_if(group.axes, is_of);
    if (count > 0 && count < std::ssize(group.axes))
      throw InputError(
          sweep.best->by.location, "best.of",
          fmt::format("has some axes of the zip of {}: name all of them", group.axes.front().name));
    return count > 0;
  };
  const auto inner =
      std::stable_partition(sweep.groups.begin(), sweep.groups.end(), std::not_fn(is_inner));
  sweep.inner_groups = static_cast<std::size_t>(sweep.groups.end() - inner);
  if (inner != sweep.groups.begin() || sweep.select) return;
  sweep.select = {.goals = {sweep.best->by}, .top = 1, .apart = {}};  // the best of all points
  sweep.best.reset();
  sweep.inner_groups = 0;
}

Selection read_selection(const YamlNode& node) {
  Selection selection;
  Fields fields = node.fields();
  if (const auto top = fields.optional_child("top")) {
    top->read(selection.top.emplace());
    if (*selection.top < 1 || *selection.top > 1'000'000) top->fail("must be from 1 to 1000000");
    selection.goals.push_back(read_goal(fields.child("by")));
  } else if (const auto pareto = fields.optional_child("pareto")) {
    for (const YamlNode& item : pareto->items()) selection.goals.push_back(read_goal(item));
    if (selection.goals.size() < 2) pareto->fail("needs at least two goals");
  } else {
    node.fail("needs top and by, or pareto");
  }
  selection.apart = read_texts(fields, "for_each");
  fields.done();
  return selection;
}

void check_axes(const Sweep& sweep, const YamlNode& node) {
  if (sweep.groups.empty()) node.fail("needs at least one axis");
  std::set<std::string> names;
  std::set<std::string> paths;
  std::vector<std::optional<std::string> Request::*> request;
  for (const Axis* axis : sweep.axes()) {
    // SQLite ignores case in column names.
    const std::string name = lower_case(axis->name);
    if (!names.insert(name).second)
      throw InputError(axis->location, "axes",
                       fmt::format("two axes are called '{}': give one a name", axis->name));
    if (!paths.insert(axis->path).second)
      throw InputError(axis->location, "axes", fmt::format("two axes change '{}'", axis->path));
    for (const RequestKey& key : request_keys)
      if (key.name == axis->path) {
        if (std::ranges::find(request, key.text) != request.end())
          throw InputError(axis->location, "axes",
                           fmt::format("{} says again what another axis does", axis->path));
        request.push_back(key.text);
      }
  }
  double points = 1;
  for (const AxisGroup& group : sweep.groups) points *= static_cast<double>(group.size());
  if (points > most_points)
    node.fail(fmt::format("make {:.2g} points: more than {:.0g}", points, most_points));
}

}  // namespace

void tell_price(RunCosts& costs, const std::string& text) {
  const auto stated = parse_price(text);
  costs.expenses.price = stated ? stated : parse_dollars(text);
  if (!costs.expenses.price)
    throw InputError(fmt::format(
        "expected US dollars above 0 of one accelerator for an hour, e.g. 2.5, '$2.5' or '2.5 "
        "USD/h', got '{}'",
        shortened(text)));
}

void tell_price_term(RunCosts& costs, const std::string& text) {
  const auto found =
      std::ranges::find_if(price_terms, [&](const auto& term) { return term.first == text; });
  if (found == price_terms.end()) {
    std::vector<std::string> names;
    for (const auto& [name, term] : price_terms) names.emplace_back(name);
    throw InputError(unknown_name("price term", text, names));
  }
  costs.expenses.term = found->second;
}

void tell_grid(RunCosts& costs, const std::string& text) {
  costs.grid_intensity = grid_intensity_of(text);
}

Seconds positive_time(const std::string& text) {
  Seconds time;
  try {
    time = parse_quantity<Seconds>(text);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  if (!(time > Seconds{})) throw InputError(fmt::format("must be above 0, got '{}'", text));
  return time;
}

std::vector<const Axis*> Sweep::axes() const {
  std::vector<const Axis*> all;
  for (const AxisGroup& group : groups)
    for (const Axis& axis : group.axes) all.push_back(&axis);
  return all;
}

std::uint64_t Sweep::points() const {
  std::uint64_t count = 1;
  for (const AxisGroup& group : groups) count *= group.size();
  return count;
}

std::uint64_t Sweep::points_of_a_row() const {
  std::uint64_t count = 1;
  for (std::size_t i = groups.size() - inner_groups; i < groups.size(); ++i)
    count *= groups[i].size();
  return count;
}

bool Sweep::asks_for(std::optional<std::string> Request::*text) const {
  if (base.*text) return true;
  const auto all = axes();
  return std::ranges::any_of(all, [&](const Axis* axis) {
    return std::ranges::any_of(request_keys, [&](const RequestKey& key) {
      return key.text == text && key.name == axis->path;
    });
  });
}

Sweep load_sweep(const std::filesystem::path& file) {
  Sweep sweep;
  sweep.file = file;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", sweep.name).required("title", sweep.title);
  sweep.base = read_request(fields.child("base"));
  const YamlNode axes = fields.child("axes");
  for (const YamlNode& item : axes.items()) sweep.groups.push_back(read_axis_group(item));
  sweep.constraints = read_texts(fields, "constraints");
  sweep.columns = read_texts(fields, "columns");
  if (const auto best = fields.optional_child("best")) sweep.best = read_best(*best);
  if (const auto select = fields.optional_child("select")) sweep.select = read_selection(*select);
  fields.done();
  check_axes(sweep, axes);
  if (sweep.best) place_inner_groups(sweep);
  return sweep;
}

}  // namespace sweep
}  // namespace tofn
