#include "sim/training/amount.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"

namespace tofn {
inline namespace training {
namespace {

constexpr std::array<std::pair<std::string_view, Counted>, 4> counted_names{
    {{"samples", Counted::Samples},
     {"tokens", Counted::Tokens},
     {"steps", Counted::Steps},
     {"epochs", Counted::Epochs}}};

}  // namespace

std::optional<Amount> parse_amount(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return {};
  const auto value = parse_count(text.substr(0, space));
  if (!value || !(*value > 0)) return {};
  const std::string_view unit = text.substr(space + 1);
  for (const auto& [name, of] : counted_names)
    if (unit == name || (*value == 1 && unit == name.substr(0, name.size() - 1)))
      return Amount{*value, of};
  return {};
}

std::string to_text(const Amount& amount) {
  const std::string_view name = name_in(counted_names, amount.of);
  return fmt::format("{} {}", count_text(amount.value),
                     amount.value == 1 ? name.substr(0, name.size() - 1) : name);
}

double samples_of(const Amount& amount, const SampleMeasure& measure) {
  switch (amount.of) {
    case Counted::Samples:
      return amount.value;
    case Counted::Tokens:
      if (measure.sequence_length <= 0) throw InputError("samples of this model are no texts");
      return amount.value / measure.sequence_length;
    case Counted::Steps:
      return amount.value * measure.batch;
    case Counted::Epochs:
      break;
  }
  if (measure.epoch <= 0) throw InputError("the samples of an epoch are not stated");
  return amount.value * measure.epoch;
}

double batch_samples(double tokens, double sequence_length) {
  constexpr double near = 0.07;
  const double samples = tokens / sequence_length;
  const double power = std::exp2(std::round(std::log2(std::max(1.0, samples))));
  return std::abs(power / samples - 1) <= near ? power : std::max(1.0, std::round(samples));
}

}  // namespace training
}  // namespace tofn
