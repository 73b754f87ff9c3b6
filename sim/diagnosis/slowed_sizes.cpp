#include "sim/diagnosis/slowed_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/diagnosis/residuals.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

constexpr std::size_t fewest_rows = 3;
/// Error of a curve that no effect explains, from row to row and over neighbouring sizes.
constexpr double misfit = 0.1;
constexpr double misfit_octaves = 3;
/// The longest run is reported if it is at least this share as significant as the most significant
/// one.
constexpr double nearly = 0.6;

Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

}  // namespace

Residuals residuals_of(const LinkTable& placed, const LinkPosterior& posterior,
                       const LinkSpreads& spreads) {
  const auto& rows = placed.table->rows;
  const CollectiveKind kind = placed.table->collective;
  const double own = row_deviation(placed.nominal, spreads);
  Residuals result{Eigen::VectorXd(at(rows.size())), {}};
  Eigen::MatrixXd weights(at(rows.size()), at(table_effect_count));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.values[at(i)] = std::log(rows[i].time().base()) -
                           log_time(kind, rows[i].size, placed.nominal, posterior.mean);
    const TableEffects row = responses(kind, rows[i].size, placed.nominal, posterior.mean);
    weights.row(at(i)) = Eigen::Map<const Eigen::VectorXd>(row.data(), at(row.size()));
  }
  const Eigen::Map<const Eigen::MatrixXd> effects(posterior.covariance.data(),
                                                  at(table_effect_count), at(table_effect_count));
  result.covariance = weights * effects * weights.transpose();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double apart = std::log2(rows[i].size / rows[j].size) / misfit_octaves;
      result.covariance(at(i), at(j)) += misfit * misfit * std::exp(-0.5 * apart * apart);
    }
  result.covariance.diagonal().array() += own * own + misfit * misfit;
  return result;
}

Slowdown slowdown_of(const LinkTable& placed, const LinkPosterior& posterior,
                     const LinkSpreads& spreads) {
  const Residuals residuals = residuals_of(placed, posterior, spreads);
  const std::size_t rows = placed.table->rows.size();
  const Eigen::MatrixXd precision =
      residuals.covariance.llt().solve(Eigen::MatrixXd::Identity(at(rows), at(rows)));
  std::vector<Slowdown> runs;
  for (std::size_t first = 0; first + std::min(fewest_rows, rows) <= rows; ++first) {
    const Eigen::Index count = at(rows - first);
    const double information = precision.bottomRightCorner(count, count).sum();
    const std::span<const double> values(residuals.values.data() + first, rows - first);
    runs.push_back({first, rows - 1, std::exp(median(values)),
                    quantile(values, 0.25) * std::sqrt(information)});
  }
  const auto is_less = [](const Slowdown& a, const Slowdown& b) {
    return a.deviations < b.deviations;
  };
  const double most = std::ranges::max_element(runs, is_less)->deviations;
  Slowdown reported = *std::ranges::find_if(runs, [&](const Slowdown& run) {
    return run.deviations >= nearly * most || run.deviations >= most;
  });
  reported.deviations = most;
  return reported;
}

}  // namespace diagnosis
}  // namespace tofn
