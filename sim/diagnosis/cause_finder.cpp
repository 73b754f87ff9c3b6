#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/statistics.hpp"
#include "sim/diagnosis/causes.hpp"
#include "sim/diagnosis/residuals.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

constexpr int grid = 8;  ///< number of gravities, and of varieties

std::vector<LogFactors> choices_of(const HealthyJob& job, const SlownessCause& cause) {
  std::vector<LogFactors> choices;
  for (int i = 0; i < grid; ++i)
    for (int j = 0; j < grid; ++j)
      if (auto factors = cause.slowed(job, {(i + 0.5) / grid, (j + 0.5) / grid}))
        choices.push_back(std::move(*factors));
  return choices;
}

double odds_of(const SlownessCause& cause, const HealthyJob& job) {
  return cause.odds * (job.links.one_domain() ? 1 : cause.odds_between_nodes);
}

std::vector<LogFactors> one_factor(std::size_t sizes) {
  std::vector<LogFactors> choices;
  for (int i = 0; i < grid; ++i)
    choices.emplace_back(sizes, std::log(1.2) + (i + 0.5) / grid * std::log(5 / 1.2));
  return choices;
}

/// Adds variance to rows whose neighbours do not share their deviation, because of warm-up or a
/// hiccup.
void allow_for_spikes(Residuals& residuals) {
  const Eigen::Index last = residuals.values.size() - 1;
  const Eigen::VectorXd values = residuals.values;
  for (Eigen::Index i = 0; i <= last; ++i) {
    const std::array around{values[std::max<Eigen::Index>(0, i - 1)], values[i],
                            values[std::min(last, i + 1)]};
    residuals.covariance(i, i) += std::pow(values[i] - median(around), 2);
  }
}

/// Log-likelihood of deviations that are independent and have heavy tails (Student's t).
double log_likelihood(const Eigen::VectorXd& deviations) {
  return -0.5 * (row_freedom + 1) * (1 + deviations.array().square() / row_freedom).log().sum();
}

/// ln of the sum of the numbers whose logarithms are given.
double log_sum(const std::vector<double>& logs) {
  const double greatest = *std::ranges::max_element(logs);
  double sum = 0;
  for (const double each : logs) sum += std::exp(each - greatest);
  return greatest + std::log(sum);
}

}  // namespace

HealthyJob healthy_job(const LinkTable& placed, const Cluster& cluster,
                       const LinkPosterior& posterior) {
  HealthyJob job{.cluster = cluster,
                 .collective = placed.table->collective,
                 .links = with_effects(placed.nominal, posterior.of_links()),
                 .sizes = {}};
  for (const CollectiveRow& row : placed.table->rows) job.sizes.push_back(row.size);
  return job;
}

CauseFinder::CauseFinder(const LinkTable& placed, const Cluster& cluster,
                         const LinkPosterior& posterior)
    : placed_(placed), posterior_(posterior) {
  const HealthyJob job = healthy_job(placed, cluster, posterior);
  candidates_.push_back({nullptr, 1, one_factor(job.sizes.size())});
  for (const SlownessCause& cause : causes())
    if (auto choices = choices_of(job, cause); !choices.empty())
      candidates_.push_back({&cause, odds_of(cause, job), std::move(choices)});
}

std::vector<LikelyCause> CauseFinder::likely(const CollectiveTable& table) const {
  LinkTable placed = placed_;
  placed.table = &table;
  Residuals residuals = residuals_of(placed, posterior_, shipped_spreads());
  allow_for_spikes(residuals);
  const Eigen::LLT<Eigen::MatrixXd> covariance(residuals.covariance);
  std::vector<double> evidence;
  for (const Candidate& candidate : candidates_) {
    std::vector<double> logs;
    for (const LogFactors& factors : candidate.choices) {
      const Eigen::Map<const Eigen::VectorXd> fault(factors.data(), residuals.values.size());
      logs.push_back(log_likelihood(covariance.matrixL().solve(residuals.values - fault)));
    }
    evidence.push_back(log_sum(logs) + std::log(candidate.odds / static_cast<double>(logs.size())));
  }
  const double all = log_sum(evidence);
  std::vector<LikelyCause> likely;
  constexpr double least = 0.01;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (const double share = std::exp(evidence[i] - all); share >= least)
      likely.push_back({candidates_[i].cause, share});
  std::ranges::sort(likely, std::greater{}, &LikelyCause::probability);
  return likely;
}

}  // namespace diagnosis
}  // namespace tofn
