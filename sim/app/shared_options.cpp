#include "sim/app/shared_options.hpp"

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/core/dollars.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace app {

int sequence_length_of(const std::string& text, const std::string& flag) {
  return at_key({}, flag, [&] { return length_in_tokens(text); });
}

std::uint64_t seed_of(const std::string& text, const std::string& flag) {
  long long seed = 0;
  if (!parse_integer(text, seed) || seed < 0)
    throw InputError({}, flag,
                     "expected a whole number of at least 0, got '" + shortened(text) + "'");
  return static_cast<std::uint64_t>(seed);
}

double number_between(int least, int most, std::string_view what, const std::string& text,
                      const std::string& flag) {
  double number = 0;
  if (parse_number(text, number) && number >= least && number <= most) return number;
  throw InputError(
      {}, flag,
      fmt::format("expected a {} from {} to {}, got '{}'", what, least, most, shortened(text)));
}

double trained_number(const std::string& text, const std::string& flag) {
  constexpr double most = 1e18;  // ten thousand times what the largest runs have trained
  const auto count = parse_count(text);
  if (!count || !(*count > 0))
    throw InputError(
        {}, flag,
        fmt::format("expected a number above 0 such as 2T, 200B, 4M or 1.4e12, got '{}'",
                    shortened(text)));
  if (*count > most)
    throw InputError({}, flag,
                     fmt::format("must be at most {:g}, got '{}'", most, shortened(text)));
  return *count;
}

double price_of(const std::string& text, const std::string& flag) {
  if (const auto price = parse_price(text)) return *price;
  if (const auto price = parse_dollars(text)) return *price;
  throw InputError({}, flag,
                   fmt::format("expected US dollars above 0 of one accelerator for an hour, e.g. "
                               "2.5, '$2.5' or '2.5 USD/h', got '{}'",
                               shortened(text)));
}

std::string release_of(const std::string& text, const std::string& flag) {
  if (!months_between(text, text))
    throw InputError({}, flag, "expected YY.MM, e.g. 24.09, got '" + text + "'");
  return text;
}

void refuse_two_tables(const options::variables_map& values) {
  if (option::sensitivity.is_given(values) && option::next_measurement.is_given(values))
    throw InputError(
        {}, option::next_measurement.flag(),
        fmt::format("is a table of its own: leave {} out", option::sensitivity.flag()));
}

}  // namespace app
}  // namespace tofn
