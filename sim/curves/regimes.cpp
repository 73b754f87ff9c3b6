#include <algorithm>
#include <limits>

#include "sim/curves/forms.hpp"
#include "sim/curves/line.hpp"

namespace tofn {
inline namespace curves {

namespace {

struct Run {
  double cost = std::numeric_limits<double>::infinity();  ///< of the best split of all rows so far
  std::size_t begin = 0;                                  ///< first row of its last regime
};

/// best[k][n]: split of the first n rows into k+1 regimes of at least two rows each.
std::vector<std::vector<Run>> best_splits(std::span<const Sample> samples, std::size_t count) {
  const std::size_t rows = samples.size();
  std::vector<std::vector<Run>> best(count, std::vector<Run>(rows + 1));
  for (std::size_t begin = 0; begin + 2 <= rows; ++begin) {
    for (std::size_t end = begin + 2; end <= rows; ++end) {
      const auto run = samples.subspan(begin, end - begin);
      const double cost = misfit(fit_line(run), run);
      for (std::size_t k = begin == 0 ? 0 : 1; k < (begin == 0 ? 1 : count); ++k) {
        const double before = begin == 0 ? 0 : best[k - 1][begin].cost;
        if (before + cost < best[k][end].cost) best[k][end] = {before + cost, begin};
      }
    }
  }
  return best;
}

struct Regime {
  double from = 0;  ///< bytes
  Line line;
};

}  // namespace

std::vector<double> predict_regimes(std::span<const Sample> samples, std::span<const double> sizes,
                                    std::size_t count) {
  count = std::clamp<std::size_t>(count, 1, std::max<std::size_t>(samples.size() / 2, 1));
  std::vector<Regime> regimes;
  const auto best = best_splits(samples, count);
  std::size_t end = samples.size();
  for (std::size_t k = count; k-- > 0;) {
    const std::size_t begin = best[k][end].begin;
    regimes.insert(regimes.begin(),
                   {samples[begin].size, fit_line(samples.subspan(begin, end - begin))});
    end = begin;
  }
  std::vector<double> times;
  std::size_t at = 0;
  for (const double size : sizes) {
    while (at + 1 < regimes.size() && size >= regimes[at + 1].from) ++at;
    times.push_back(regimes[at].line.at(size));
  }
  return times;
}

}  // namespace curves
}  // namespace tofn
