#include <fmt/format.h>

#include "sim/config/load_plan.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

namespace {

/// Adds the unit of an amount. InputError with its place if it is not one.
void take_amount(const RequestKey& key, const YamlNode& stated, std::string& text) {
  try {
    amount_in(key, text);
  } catch (const InputError& error) {
    stated.fail(error.what());
  }
  text += key.unit;
}

std::optional<std::string> read_sequence_length(Fields& fields) {
  std::optional<std::string> text;
  const auto stated = fields.optional_child("sequence_length");
  if (!stated) return text;
  stated->read(text);
  try {
    whole_number(*text);
  } catch (const InputError& error) {
    stated->fail(error.what());
  }
  return text;
}

void check_cost(const RequestKey& key, const YamlNode& stated, const std::string& text) try {
  RunCosts costs;
  key.tell(costs, text);
} catch (const InputError& error) {
  stated.fail(error.what());
}

}  // namespace

Request read_request(const YamlNode& node) {
  Request request;
  request.location = node.location();
  Fields fields = node.fields();
  for (const RequestKey& key : request_keys) {
    const auto stated = fields.optional_child(key.name);
    if (!stated) continue;
    if (request.*key.text) stated->fail("says again what another key does: leave one out");
    stated->read(request.*key.text);
    if (key.kind == RequestKind::Amount) take_amount(key, *stated, *(request.*key.text));
    if (key.kind == RequestKind::Cost) check_cost(key, *stated, *(request.*key.text));
  }
  request.sequence_length = read_sequence_length(fields);
  for (const PlanKey& word : plan_keys())
    if (const auto stated = fields.optional_child(word.word)) {
      Axis& axis = request.plan_words.emplace_back();
      axis.name = word.word;
      axis.path = whole_path(axis.name);
      axis.location = stated->location();
      stated->read(axis.values.emplace_back());
    }
  fields.done();
  return request;
}

int whole_number(const std::string& text) {
  constexpr long long most = 1'000'000'000;
  long long number = 0;
  if (!parse_integer(text, number) || number < 1 || number > most)
    throw InputError(
        fmt::format("expected a whole number from 1 to {}, got '{}'", most, shortened(text)));
  return static_cast<int>(number);
}

Amount amount_in(const RequestKey& key, const std::string& text) {
  if (const auto amount = parse_amount(text + std::string(key.unit))) return *amount;
  if (!key.unit.empty())
    throw InputError(fmt::format("expected a number above 0 such as 2T, 200B or 1.4e12, got '{}'",
                                 shortened(text)));
  throw InputError(
      fmt::format("expected an amount above 0 of samples, tokens or steps such as '2T tokens', got "
                  "'{}'",
                  shortened(text)));
}

}  // namespace sweep
}  // namespace tofn
