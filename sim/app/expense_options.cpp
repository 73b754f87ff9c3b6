#include <algorithm>

#include <fmt/format.h>

#include "sim/app/job_options.hpp"
#include "sim/core/dollars.hpp"
#include "sim/core/name_table.hpp"

namespace tofn {
inline namespace app {
namespace {

std::optional<double> price_option(const options::variables_map& values) {
  const auto text = text_option(values, "price");
  if (!text) return {};
  if (const auto price = parse_price(*text)) return price;
  if (const auto price = parse_dollars(*text)) return price;
  throw InputError({}, "--price",
                   fmt::format("expected US dollars above 0 of one accelerator for an hour, e.g. "
                               "2.5, '$2.5' or '2.5 USD/h', got '{}'",
                               shortened(*text)));
}

std::optional<Seconds> spot_option(const options::variables_map& values, const char* name,
                                   std::optional<PriceTerm> term) {
  const auto time = quantity_option<Seconds>(values, name);
  if (time && term != PriceTerm::Spot)
    throw InputError({}, std::string("--") + name, "needs --price-term spot");
  return time;
}

}  // namespace

void add_facility_option(options::options_description& description) {
  description.add_options()("facility-factor", options::value<std::string>(),
                            "power of the site over that of the machine (PUE)");
}

void add_expense_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  add_facility_option(description);
  description.add_options()                                                                      //
      ("price-term", text(), "on_demand (default), reserved_1y, reserved_3y or spot")            //
      ("price", text(), "US dollars of an accelerator-hour (default: the cluster file's)")       //
      ("failure-every", text(), "mean time to a failure of one accelerator (default: 50700h)")   //
      ("preemption-every", text(), "mean time until a spot node is taken away (default: 168h)")  //
      ("restart", text(), "from a failure until the job computes again (default: 15min)")        //
      ("checkpoint-cost", text(), "time that writing a checkpoint takes (default: 15s)")         //
      ("checkpoint-every", text(), "(default: what loses the least)");
}

std::optional<double> facility_factor_of(const options::variables_map& values) {
  const auto text = text_option(values, "facility-factor");
  if (!text) return {};
  constexpr double most = 10;
  double factor = 0;
  if (!parse_number(*text, factor) || !(factor >= 1 && factor <= most))
    throw InputError(
        {}, "--facility-factor",
        fmt::format("expected a factor from 1 to {}, got '{}'", most, shortened(*text)));
  return factor;
}

std::vector<ExpenseOptions> expense_options_of_terms(const options::variables_map& values) {
  const auto text = text_option(values, "price-term");
  const std::vector<std::string> terms = options::split_list(text.value_or(""));
  if (terms.size() < 2) return {read_expense_options(values)};
  const std::string spot(name_in(price_terms, PriceTerm::Spot));
  const bool has_spot = std::find(terms.begin(), terms.end(), spot) != terms.end();
  std::vector<ExpenseOptions> all;
  for (const std::string& term : terms) {
    options::variables_map own = values;
    own.erase("price-term");
    own = with_option(std::move(own), "price-term", term);
    if (has_spot && term != spot) own.erase("preemption-every");
    all.push_back(read_expense_options(own));
  }
  return all;
}

ExpenseOptions read_expense_options(const options::variables_map& values) {
  const auto term = choice_option(values, "price-term", price_terms);
  return {.term = term,
          .price = price_option(values),
          .facility_factor = facility_factor_of(values),
          .time_to_failure = quantity_option<Seconds>(values, "failure-every"),
          .time_to_preemption = spot_option(values, "preemption-every", term),
          .restart = quantity_option<Seconds>(values, "restart"),
          .checkpoint = quantity_option<Seconds>(values, "checkpoint-cost"),
          .checkpoint_every = quantity_option<Seconds>(values, "checkpoint-every")};
}

}  // namespace app
}  // namespace tofn
