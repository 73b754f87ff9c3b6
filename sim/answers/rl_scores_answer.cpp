#include "sim/answers/rl_scores_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "sim/core/parallel.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Errors of the rows of each model.
using ModelErrors = std::map<std::string, std::vector<double>>;

double deviation_without(const ModelErrors& errors, const std::string& without) {
  std::vector<std::vector<double>> others;
  for (const auto& [model, of_model] : errors)
    if (model != without) others.push_back(of_model);
  return deviation_of_unseen_model(others);
}

/// Share of the rows that lie in their 90 % interval, each model counting alike.
template <class Rows>
double share_inside(const Rows& rows) {
  std::map<std::string, std::vector<double>> inside;
  for (const auto& each : rows)
    if (each.is_scored())
      inside[each.row.seen->model].push_back(
          each.scored().intervals->back().contains(each.measured) ? 1 : 0);
  std::vector<double> shares;
  for (const auto& [model, of_model] : inside) shares.push_back(mean(of_model));
  return mean(shares);
}

struct Fits {
  EngineFigures engine;
  RlFigures rl;
};

/// Fits the rows of all models but one; of all if it is empty.
Fits fits_without(const std::string& model, const std::vector<RlRow>& steps,
                  const std::vector<DecodeRow>& rates) {
  std::vector<const DecodeObservation*> seen_rates;
  for (const DecodeRow& row : rates)
    if (row.seen && row.seen->model != model) seen_rates.push_back(&*row.seen);
  std::vector<RlObservation> parts;
  for (const RlRow& row : steps) {
    if (!row.seen || row.seen->model == model || row.trust == "C") continue;
    RlObservation seen = *row.seen;
    if (!row.left_out.empty()) seen.step = seen.generation = {};  // its training may still count
    parts.push_back(seen);
  }
  std::vector<const RlObservation*> seen_steps;
  for (const RlObservation& each : parts) seen_steps.push_back(&each);
  Fits fits{.engine = fit_engine(seen_rates), .rl = {}};
  fits.rl = fit_rl(seen_steps, fits.engine);
  return fits;
}

std::vector<RlPair> pairs_of(const std::vector<ScoredRl>& steps) {
  std::vector<RlPair> pairs;
  const auto speed = [](const ScoredRl& row, double seconds) {
    const auto& rollout = row.row.seen->rollout;
    return rollout.responses * (rollout.prompt + rollout.lengths.mean) / seconds /
           row.row.accelerators;
  };
  for (const ScoredRl& on : steps)
    for (const ScoredRl& off : steps) {
      if (!on.is_scored() || !off.is_scored() || on.row.seen->placement.steps_off > 0 ||
          off.row.seen->placement.steps_off == 0 || on.row.recipe != off.row.recipe)
        continue;
      pairs.push_back({.on = on.row.id,
                       .off = off.row.id,
                       .measured = speed(off, off.measured) / speed(on, on.measured),
                       .predicted = speed(off, off.predicted) / speed(on, on.predicted)});
    }
  return pairs;
}

/// The rows of two tables.
struct RlEvidence {
  std::vector<RlRow> steps;
  std::vector<DecodeRow> rates;

  std::set<std::string> models() const {
    std::set<std::string> names;
    for (const RlRow& row : steps)
      if (row.seen) names.insert(row.seen->model);
    for (const DecodeRow& row : rates)
      if (row.seen) names.insert(row.seen->model);
    return names;
  }
};

RlEvidence read_evidence(const std::filesystem::path& configs, const RlTables& tables) {
  Library library = Library::load(configs);
  return {.steps = read_rl_rows(tables.steps, configs, library),
          .rates = read_decode_rows(tables.rates, configs, library)};
}

/// Fits that leave out each of these models; under an empty name the fit to all rows.
std::map<std::string, Fits> blind_fits(const RlEvidence& evidence, std::set<std::string> models) {
  models.insert("");
  std::vector<std::pair<std::string, Fits>> found;
  for (const std::string& model : models) found.emplace_back(model, Fits{});
  in_parallel(found.size(), [&](std::size_t i) {
    found[i].second = fits_without(found[i].first, evidence.steps, evidence.rates);
  });
  return {found.begin(), found.end()};
}

/// Predicts each row by the fit without its model.
RlScores predicted_rows(const RlEvidence& evidence, const std::map<std::string, Fits>& fits) {
  RlScores scores{.engine = fits.at("").engine, .rl = fits.at("").rl};
  for (const RlRow& row : evidence.steps) {
    if (!row.seen || !row.seen->step || !row.seen->predicts_generation) {
      scores.left_out.push_back(row);
      continue;
    }
    const Fits& blind = fits.at(row.seen->model);
    const RlStep step = predicted(*row.seen, blind.engine, blind.rl);
    scores.steps.push_back({.row = row,
                            .measured = *row.seen->step,
                            .predicted = step.period().base(),
                            .limit = std::string(limit_of(step)),
                            .generation = step.generation(),
                            .training = step.training()});
  }
  for (const DecodeRow& row : evidence.rates) {
    if (!row.seen)
      scores.rates_left_out.push_back(row);
    else
      scores.rates.push_back({.row = row,
                              .measured = row.seen->measured,
                              .predicted = predicted(*row.seen, fits.at(row.seen->model).engine)});
  }
  return scores;
}

/// Sets the deviation of each row from the errors of other models' rows in `known`.
void set_deviations(RlScores& scores, const RlScores& known) {
  ModelErrors of_steps;
  for (const ScoredRl& each : known.steps)
    if (each.is_scored())
      of_steps[each.row.seen->model].push_back(std::log(each.predicted / each.measured));
  ModelErrors of_rates;
  for (const ScoredDecode& each : known.rates)
    of_rates[each.row.seen->model].push_back(std::log(each.predicted / each.measured));
  for (ScoredRl& each : scores.steps)
    each.deviation = deviation_without(of_steps, each.row.seen->model);
  for (ScoredDecode& each : scores.rates)
    each.deviation = deviation_without(of_rates, each.row.seen->model);
  scores.step_deviation = deviation_without(of_steps, "");
  scores.rate_deviation = deviation_without(of_rates, "");
}

}  // namespace

double deviation_of_unseen_model(const std::vector<std::vector<double>>& errors) {
  constexpr double prior = 0.2;
  double sum = prior * prior;
  for (const std::vector<double>& of_model : errors)
    sum += std::inner_product(of_model.begin(), of_model.end(), of_model.begin(), 0.0) /
           static_cast<double>(of_model.size());
  const auto models = static_cast<int>(errors.size());
  constexpr double ninety_percent_side = 0.95;
  return std::sqrt(sum / (models + 1)) * student_quantile(ninety_percent_side, models + 1) /
         ninety_percent_deviations;
}

RlTables shipped_rl_tables(const std::filesystem::path& configs) {
  return {.steps = configs / "measured" / "rl-steps.csv",
          .rates = configs / "measured" / "decode-rates.csv"};
}

RlScores rl_scores_answer(const std::filesystem::path& configs, const RlTables& tables) {
  const RlTables shipped = shipped_rl_tables(configs);
  const RlEvidence known = read_evidence(configs, shipped);
  const bool are_shipped = tables.steps == shipped.steps && tables.rates == shipped.rates;
  const RlEvidence asked = are_shipped ? known : read_evidence(configs, tables);
  std::set<std::string> models = known.models();
  models.merge(asked.models());
  const auto fits = blind_fits(known, models);
  RlScores scores = predicted_rows(asked, fits);
  set_deviations(scores, are_shipped ? scores : predicted_rows(known, fits));
  scores.pairs = pairs_of(scores.steps);
  scores.steps_inside = share_inside(scores.steps);
  scores.rates_inside = share_inside(scores.rates);
  return scores;
}

}  // namespace answers
}  // namespace tofn
