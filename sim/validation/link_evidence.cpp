#include "sim/validation/link_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "sim/collectives/algorithm.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr std::size_t scatter = link_effect_count;
constexpr std::size_t pairs = scatter + 1;
constexpr std::size_t sends = pairs + 1;
constexpr std::size_t crowd = sends + 1;
constexpr std::size_t shape_inside = crowd + 1;
constexpr std::size_t shape_between = shape_inside + shape_points;

TableEffects effects_of(const EffectVector& vector) {
  TableEffects effects;
  std::copy(vector.data(), vector.data() + effect_count, effects.begin());
  return effects;
}

/// Weights of the effects that do not belong to links.
TableEffects other_weights(CollectiveKind kind, Bytes size, const Communicator& c) {
  TableEffects weights{};
  const bool is_half = kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllGather;
  const bool is_send = kind == CollectiveKind::SendReceive;
  if (!c.one_domain() && kind != CollectiveKind::AllReduce)
    weights[is_half ? scatter : is_send ? sends : pairs] = 1;
  constexpr double crowded = 256;
  if (!c.one_domain()) weights[crowd] = std::max(0.0, std::log2(c.ranks / crowded));
  constexpr double first_octave = 6;
  constexpr double octaves_apart = 2;
  constexpr double last = shape_points - 1;
  const double place =
      std::clamp((std::log2(size.base()) - first_octave) / octaves_apart, 0.0, last);
  const auto below = static_cast<std::size_t>(std::min(place, last - 1));
  const std::size_t point = (c.one_domain() ? shape_inside : shape_between) + below;
  weights[point + 1] = place - static_cast<double>(below);
  weights[point] = 1 - weights[point + 1];
  return weights;
}

LinkEffects links_of(const TableEffects& effects) {
  LinkEffects first;
  std::copy_n(effects.begin(), link_effect_count, first.begin());
  return first;
}

double log_formula(CollectiveKind kind, Bytes size, const Communicator& c,
                   const Ramps& ramps = fitted_ramps()) {
  return std::log(collective_cost(kind, size, c, false, ramps).time.base());
}

/// Weight of a row. Neighbouring rows share what bends a curve, so that a table counts as at most
/// ten independent rows.
double weight_of_row(std::size_t rows) {
  constexpr double most = 10;
  return std::min(1.0, most / static_cast<double>(rows));
}

double student_weight(double deviations) {
  return (row_freedom + 1) / (row_freedom + deviations * deviations);
}

/// Evidence of the rows, linear about `effects`.
Evidence evidence_at(const LinkTable& table, const EffectVector& effects, double deviation) {
  const TableEffects about = effects_of(effects);
  const CollectiveKind kind = table.table->collective;
  const double weight = weight_of_row(table.table->rows.size()) / (deviation * deviation);
  Evidence evidence;
  for (const CollectiveRow& row : table.table->rows) {
    const double error =
        std::log(row.time().base()) - log_time(kind, row.size, table.nominal, about);
    const EffectVector response = vector_of(responses(kind, row.size, table.nominal, about));
    const double w = weight * student_weight(error / deviation);
    evidence.precision += w * response * response.transpose();
    evidence.sum += w * response * (error + response.dot(effects));
  }
  return evidence;
}

}  // namespace

EffectVector vector_of(const TableEffects& effects) { return EffectVector(effects.data()); }
EffectMatrix matrix_of(const LinkPosterior& posterior) {
  return EffectMatrix(posterior.covariance.data());
}

LinkPosterior posterior_of(const EffectVector& mean, const EffectMatrix& covariance) {
  LinkPosterior posterior{.mean = effects_of(mean), .covariance = {}};
  std::copy(covariance.data(), covariance.data() + covariance.size(), posterior.covariance.begin());
  return posterior;
}

TableEffects deviations(const LinkSpreads& spreads, EffectLevel level) {
  TableEffects all{};
  const LinkEffects& of_links = level == EffectLevel::All      ? spreads.all
                                : level == EffectLevel::Family ? spreads.family
                                : level == EffectLevel::System ? spreads.system
                                                               : spreads.table;
  std::copy(of_links.begin(), of_links.end(), all.begin());
  if (level == EffectLevel::All || level == EffectLevel::Family) return all;
  const bool of_system = level == EffectLevel::System;
  all[scatter] = of_system ? spreads.scatter_system : spreads.scatter_table;
  all[pairs] = of_system ? spreads.pairs_system : spreads.pairs_table;
  all[sends] = of_system ? spreads.sends_system : spreads.sends_table;
  all[crowd] = of_system ? spreads.crowd_system : spreads.crowd_table;
  std::fill(all.begin() + shape_inside, all.end(),
            of_system ? spreads.shape_system : spreads.shape_table);
  return all;
}

EffectMatrix variance_of(const LinkSpreads& spreads, EffectLevel level) {
  return vector_of(deviations(spreads, level)).array().square().matrix().asDiagonal();
}

void Evidence::add(const Evidence& other) {
  precision += other.precision;
  sum += other.sum;
}

Evidence Evidence::blurred(const EffectMatrix& variance) const {
  const EffectMatrix by = (EffectMatrix::Identity() + precision * variance).inverse();
  return {by * precision, by * sum};
}

LinkPosterior Evidence::with_prior(const EffectVector& mean, const EffectMatrix& variance) const {
  const EffectMatrix covariance =
      (EffectMatrix::Identity() + variance * precision).inverse() * variance;
  return posterior_of(covariance * sum + mean - covariance * precision * mean, covariance);
}

Evidence evidence_of(const LinkTable& table, const EffectVector& mean, const EffectMatrix& variance,
                     const LinkSpreads& spreads) {
  const double deviation = row_deviation(table.nominal, spreads);
  constexpr int iterations = 8;
  EffectVector effects = mean;
  Evidence evidence;
  for (int i = 0; i < iterations; ++i) {
    evidence = evidence_at(table, effects, deviation);
    effects = 0.5 * (effects + vector_of(evidence.with_prior(mean, variance).mean));
  }
  return evidence;
}

LinkEffects LinkPosterior::of_links() const { return links_of(mean); }

double LinkPosterior::variance(const TableEffects& weights) const {
  const EffectVector w = vector_of(weights);
  return w.dot(matrix_of(*this) * w);
}

double log_time(CollectiveKind kind, Bytes size, const Communicator& nominal,
                const TableEffects& effects, const Ramps& ramps) {
  return log_formula(kind, size, with_effects(nominal, links_of(effects)), ramps) +
         vector_of(other_weights(kind, size, nominal)).dot(vector_of(effects));
}

double row_deviation(const Communicator& c, const LinkSpreads& spreads) {
  return c.one_domain() ? spreads.row_inside : spreads.row_between;
}

TableEffects responses(CollectiveKind kind, Bytes size, const Communicator& nominal,
                       const TableEffects& effects) {
  constexpr double step = 0.02;
  const Communicator c = with_effects(nominal, links_of(effects));
  TableEffects result = other_weights(kind, size, nominal);
  for (std::size_t i = 0; i < link_effect_count; ++i) {
    LinkEffects up{};
    LinkEffects down{};
    up[i] = step;
    down[i] = -step;
    result[i] = (log_formula(kind, size, with_effects(c, up)) -
                 log_formula(kind, size, with_effects(c, down))) /
                (2 * step);
  }
  return result;
}

}  // namespace validation
}  // namespace tofn
