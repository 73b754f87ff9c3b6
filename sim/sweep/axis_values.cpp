#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/random.hpp"
#include "sim/sweep/axis.hpp"

namespace tofn {
inline namespace sweep {
namespace {

constexpr double most_values = 1e7;

/// An amount such as `400 Gb/s`; the unit is empty if the text is a plain number.
struct AxisAmount {
  double number = 0;
  std::string unit;
};

AxisAmount read_amount(Fields& fields, std::string_view key) {
  const YamlNode node = fields.child(key);
  std::string text;
  node.read(text);
  const std::size_t space = text.find(' ');
  AxisAmount amount;
  if (!parse_number(text.substr(0, space), amount.number))
    node.fail("expected a number, with a unit where the field has one, got '" + text + "'");
  if (space != std::string::npos) amount.unit = text.substr(space + 1);
  return amount;
}

struct Ends {
  AxisAmount from, to;
};

Ends read_ends(Fields& fields) {
  Ends ends{read_amount(fields, "from"), read_amount(fields, "to")};
  if (ends.from.unit != ends.to.unit)
    fields.child("to").fail(fmt::format("must be in the unit of from ({})",
                                        ends.from.unit.empty() ? "none" : ends.from.unit));
  if (!(ends.from.number <= ends.to.number)) fields.child("to").fail("must not be below from");
  return ends;
}

/// Shortest text with the same 12 digits, so that 0.1 * 3 is 0.3.
std::string text_of(double number, const std::string& unit) {
  return fmt::format("{:.12g}{}{}", number, unit.empty() ? "" : " ", unit);
}

void require_positive(Fields& fields, const Ends& ends) {
  if (!(ends.from.number > 0)) fields.child("from").fail("must be above 0");
}

int read_count(Fields& fields) {
  int count = 0;
  const YamlNode node = fields.child("count");
  node.read(count);
  if (count < 1 || count > most_values)
    node.fail(fmt::format("must be from 1 to {:.0f}", most_values));
  return count;
}

std::vector<std::string> read_range(Fields& fields) {
  const Ends ends = read_ends(fields);
  double step = 1;
  if (const auto node = fields.optional_child("step")) {
    const AxisAmount stated = read_amount(fields, "step");
    if (stated.unit != ends.from.unit) node->fail("must be in the unit of from and to");
    if (!(stated.number > 0)) node->fail("must be above 0");
    step = stated.number;
  }
  const double steps = std::floor((ends.to.number - ends.from.number) / step * (1 + 1e-12));
  if (steps >= most_values) fields.child("to").fail("makes more than ten million values");
  std::vector<std::string> values;
  for (double i = 0; i <= steps; ++i)
    values.push_back(text_of(ends.from.number + i * step, ends.from.unit));
  return values;
}

std::vector<std::string> read_log_range(Fields& fields) {
  const Ends ends = read_ends(fields);
  require_positive(fields, ends);
  const int count = read_count(fields);
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) {
    const double share = count == 1 ? 0 : 1.0 * i / (count - 1);
    values.push_back(text_of(ends.from.number * std::pow(ends.to.number / ends.from.number, share),
                             ends.from.unit));
  }
  return values;
}

std::vector<std::string> read_doubling(Fields& fields) {
  const Ends ends = read_ends(fields);
  require_positive(fields, ends);
  std::vector<std::string> values;
  for (double x = ends.from.number; x <= ends.to.number * (1 + 1e-12); x *= 2)
    values.push_back(text_of(x, ends.from.unit));
  return values;
}

enum class Spread { Linear, Log };
constexpr std::array<std::pair<std::string_view, Spread>, 2> spreads{
    {{"linear", Spread::Linear}, {"log", Spread::Log}}};

std::vector<std::string> read_sample(Fields& fields) {
  const Ends ends = read_ends(fields);
  const int count = read_count(fields);
  int seed = 0;
  fields.required("seed", seed);
  Spread spread = Spread::Linear;
  fields.optional_choice("spread", spread, spreads);
  if (spread == Spread::Log) require_positive(fields, ends);
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) {
    const double share = random.uniform();
    const double drawn = spread == Spread::Log
                             ? ends.from.number * std::pow(ends.to.number / ends.from.number, share)
                             : ends.from.number + share * (ends.to.number - ends.from.number);
    values.push_back(text_of(drawn, ends.from.unit));
  }
  return values;
}

/// Text of a scalar, or of a list as `[7, 8, 7]`.
std::string text_of(const YamlNode& value) {
  std::string text;
  if (!value.is_list()) {
    value.read(text);
    return text;
  }
  std::vector<std::string> items;
  value.read(items);
  return fmt::format("[{}]", fmt::join(items, ", "));
}

struct Generator {
  std::string_view key;
  std::vector<std::string> (*read)(Fields&);
};
constexpr std::array generators{
    Generator{"range", read_range}, Generator{"log_range", read_log_range},
    Generator{"doubling", read_doubling}, Generator{"sample", read_sample}};

}  // namespace

std::vector<std::string> read_value_list(const YamlNode& list) {
  std::vector<std::string> values;
  for (const YamlNode& item : list.items()) values.push_back(text_of(item));
  if (values.empty()) list.fail("needs at least one value");
  return values;
}

std::vector<std::string> read_axis_values(Fields& fields, const YamlNode& axis) {
  std::vector<std::vector<std::string>> found;
  if (const auto list = fields.optional_child("values")) found.push_back(read_value_list(*list));
  for (const Generator& generator : generators)
    if (const auto node = fields.optional_child(generator.key)) {
      Fields parts = node->fields();
      found.push_back(generator.read(parts));
      parts.done();
    }
  if (found.size() != 1) axis.fail("needs one of values, range, log_range, doubling and sample");
  return found.front();
}

}  // namespace sweep
}  // namespace tofn
