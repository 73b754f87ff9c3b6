#include "sim/app/plan_request.hpp"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/sensitivity_answer.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace app {
namespace {

int unit_of(const Cluster& cluster, Whole whole) {
  const int node = cluster.accelerators_per_node.value;
  if (whole == Whole::Domain) return cluster.scale_up.domain_accelerators.value;
  if (whole == Whole::Leaf && cluster.network) return node * cluster.network->nodes_per_leaf.value;
  return node;
}

/// Splits `dgx-h100:256` into the cluster and its number of available accelerators, if stated.
std::pair<std::string, std::optional<int>> stock_of(const std::string& word) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos) return {word, {}};
  constexpr long long most = 10'000'000;
  long long stock = 0;
  if (!parse_integer(word.substr(colon + 1), stock) || stock < 1 || stock > most)
    throw InputError({}, word, "expected CLUSTER:ACCELERATORS, e.g. dgx-h100:256");
  return {word.substr(0, colon), static_cast<int>(stock)};
}

/// Requested sizes within the stock that are whole units, ascending. Sizes of a range are rounded
/// down, and the stock is added if it cuts the range short. The default range goes on to the stock.
std::vector<int> whole_sizes(std::vector<int> request, int unit, std::optional<int> stock,
                             bool is_range, bool is_default) {
  while (is_default && stock && request.back() < *stock)
    request.push_back(std::min(2 * request.back(), *stock));
  std::vector<int> sizes;
  for (const int size : request)
    if (const int whole = is_range ? size / unit * unit : size;
        whole >= unit && whole % unit == 0 && whole <= stock.value_or(whole))
      sizes.push_back(whole);
  if (is_range && stock && *stock < request.back() && *stock >= request.front() && *stock >= unit)
    sizes.push_back(*stock / unit * unit);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace

std::vector<Offer> offers_of(const options::variables_map& values, Library& library) {
  const std::string text = option::accelerators.text(values).value();
  const std::vector<int> sizes = option::accelerators.value(values);
  const bool is_range = text.find("..") != std::string::npos;
  const bool is_default = !option::accelerators.is_given(values);
  const Whole whole = option::whole_units.value(values);
  const auto prices = price_list_of(values, library);
  const std::vector<ExpenseOptions> terms = expense_options_of_terms(values);
  std::vector<const Cluster*> all;
  for (const Cluster& each : library.clusters()) all.push_back(&each);
  std::vector<Offer> offers;
  std::vector<std::string> unpriced;
  std::string why_unpriced;
  const auto add = [&](const Cluster& found, const std::string& requested_as,
                       std::optional<int> stock) {
    const Cluster cluster = as_requested(values, found, prices);
    const int unit = unit_of(cluster, whole);
    for (const ExpenseOptions& term : terms) {
      Offer offer{.cluster = cluster,
                  .sizes = whole_sizes(sizes, unit, stock, is_range, is_default),
                  .is_refined = is_range,
                  .requested_as = requested_as,
                  .unit = unit,
                  .expenses = listed_expenses(term, cluster, prices)};
      try {
        choose_price(cluster, offer.expenses);
      } catch (const InputError& error) {
        unpriced.push_back(fmt::format("{} ({})", requested_as,
                                       name_in(price_terms, offer.expenses.term.value())));
        if (why_unpriced.empty()) why_unpriced = error.what();
        continue;
      }
      offer.price_deviation = price_deviation(cluster, offer.expenses, all);
      if (!offer.sizes.empty()) offers.push_back(std::move(offer));
    }
  };
  const std::vector<std::string> words = option::clusters.of(values);
  if (!words.empty()) {
    std::set<std::string> seen;
    for (const std::string& word : words) {
      if (!seen.insert(word).second) {
        say(fmt::format("{} is named twice: it is tried once", word));
        continue;
      }
      const auto [name, stock] = stock_of(word);
      const std::size_t before = offers.size() + unpriced.size();
      const Cluster& cluster = library.cluster(name);
      add(cluster, name, stock);
      if (offers.size() + unpriced.size() == before)
        throw InputError({}, word,
                         fmt::format("has no size of -N {}: {}s of {} accelerators", text,
                                     name_in(wholes, whole), unit_of(cluster, whole)));
    }
  } else {
    for (const Cluster& cluster : library.clusters())
      if (!cluster.is_a_view() &&
          choose_price(prices ? priced(cluster, *prices) : cluster, {.price = terms.front().price}))
        add(cluster, cluster.name, {});
  }
  if (offers.empty() && !unpriced.empty()) throw InputError(why_unpriced);
  if (!unpriced.empty()) {
    const std::size_t named = std::min<std::size_t>(unpriced.size(), 6);
    say(fmt::format(
        "left out, since no such price is known: {}{}",
        fmt::join(std::span(unpriced).first(named), ", "),
        named < unpriced.size() ? fmt::format(" and {} more", unpriced.size() - named) : ""));
  }
  return offers;
}

std::vector<std::string> predict_words(const options::variables_map& values, const Offer& offer,
                                       int accelerators) {
  return {"tofn",
          "predict",
          shell_word(option::model.value(values)),
          shell_word(offer.requested_as),
          "-N",
          std::to_string(accelerators)};
}

std::string again(const options::variables_map& values, const RunSearch& request,
                  const RunChoice& choice) {
  const RunCandidate& shown = choice.candidates[choice.best.value_or(choice.nearest)];
  const Offer& offer = request.offers[shown.offer];
  const StatedRun& run = request.runs[shown.run];
  std::vector<std::string> words = predict_words(values, offer, shown.point.accelerators);
  const auto add = [&](const AnyOption& option, const std::string& value) {
    words.push_back(option.flag());
    words.push_back(shell_word(value));
  };
  const RunFigures& figures = shown.figures();
  const bool has_grown = figures.samples > run.samples() * (1 + 1e-9);
  for (const auto& [counted, now] :
       {std::pair<const AnyOption*, double>{&option::tokens, figures.tokens},
        {&option::samples, figures.samples}})
    if (const auto text = counted->text(values))
      add(*counted, has_grown ? count_text(now, 4) : *text);
  if (run.has_default_batch)
    add(option::batch, fmt::format("{:g}", shown.point.estimate->plan.global_batch()));
  else if (const auto text = option::batch.text(values))
    add(option::batch, *text);
  if (shown.run > 0) add(plan_option(&Plan::precision), "fp8");
  if (offer.expenses.term)
    add(option::price_term, std::string(name_in(price_terms, *offer.expenses.term)));
  CommandOptions rows = joined({plan_run_rows(), common_rows()});
  std::ranges::sort(rows,
                    [](const auto& a, const auto& b) { return a.option->name < b.option->name; });
  for (const CommandOption& row : rows)
    if ((row.acts_on & choice_predicted) != 0 &&
        (row.option == &option::search || row.option->is_given(values)) &&
        !(row.option == &option::preemption_every && offer.expenses.term != PriceTerm::Spot))
      for (const std::string& text : row.option->texts(values)) add(*row.option, text);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace app
}  // namespace tofn
