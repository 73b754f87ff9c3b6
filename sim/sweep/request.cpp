#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

Request read_request(const YamlNode& node) {
  Request request;
  request.location = node.location();
  Fields fields = node.fields();
  for (const RequestKey& key : request_keys) fields.optional(key.name, request.*key.text);
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

Amount amount_in(const std::string& text) {
  if (const auto amount = parse_amount(text)) return *amount;
  throw InputError(
      fmt::format("expected an amount above 0 of samples, tokens or steps such as '2T tokens', got "
                  "'{}'",
                  shortened(text)));
}

}  // namespace sweep
}  // namespace tofn
