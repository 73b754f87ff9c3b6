#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "sim/core/count_text.hpp"
#include "sim/core/date.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/unit_table.hpp"
#include "sim/serve/change_order.hpp"
#include "sim/training/amount.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

template <class Q>
void quantity(const std::string& text) {
  constexpr int exact = 17;
  try {
    const Q amount = parse_quantity<Q>(text);
    require(std::isfinite(amount.base()), "an amount is finite");
    require(parse_quantity<Q>(to_text(amount, exact)).base() == amount.base(),
            "an amount reads back as it was");
  } catch (const std::invalid_argument& error) {
    require(error.what() != std::string(), "a refusal says something");
  }
}

void amounts(const std::string& text) {
  quantity<Seconds>(text);
  quantity<Bytes>(text);
  quantity<Flops>(text);
  quantity<BytesPerSecond>(text);
  quantity<FlopsPerSecond>(text);
  quantity<Joules>(text);
  quantity<Watts>(text);
  // Counts of logs are whole and have their own parser.
  std::optional<double> (*const count_in)(std::string_view) = parse_count;
  if (const auto count = count_in(text)) require(!count_text(*count).empty(), "a count has a text");
  if (const auto amount = parse_amount(text))
    require(parse_amount(to_text(*amount)) == amount, "an amount reads back as it was");
  if (const auto date = parse_date(text))
    require(parse_date(date_text(*date)) == date, "a date reads back as it was");
}

std::vector<std::string> units() {
  std::vector<std::string> words{"tokens", "samples", "steps", "epochs", "2026-11-20"};
  for (const QuantityKind& kind : quantity_kinds())
    for (const Unit& unit : kind.units) words.push_back(unit.name);
  return words;
}

/// Words the refusal of a name that is not valid.
void wrong_name(const std::string& text) {
  if (!is_text(text)) return;
  static const std::vector<std::string> valid{"dgx-h100", "dgx-h200", "gb200-nvl72", "a", ""};
  check_refusal(InputError(unknown_name("cluster", text, valid)).what(), "");
}

/// Reads the header by which a page says which of its questions is newer.
void change(const std::string& text) {
  if (const auto read = ChangeOrder::read(text)) {
    require(read->slot.size() <= text.size(), "a slot is part of the header");
    ChangeOrder own;
    own.note(*read);
    require(!own.is_overtaken(*read), "the newest is not overtaken");
  }
}

}  // namespace

TargetTable word_targets() {
  constexpr double often = 10;
  return {{.name = "amounts",
           .reads = "amounts with units, counts, dates",
           .run = amounts,
           .longest = 64,
           .millions = often,
           .words = units},
          {.name = "names", .reads = "names that are unknown", .run = wrong_name, .longest = 256},
          {.name = "change",
           .reads = "the header Tofn-Change of `explore`",
           .run = change,
           .longest = 256,
           .millions = often}};
}

}  // namespace tofn::fuzz
