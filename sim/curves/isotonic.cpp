#include "sim/curves/isotonic.hpp"

#include <algorithm>
#include <vector>

namespace tofn {
inline namespace curves {

namespace {

struct Pool {
  double sum = 0;
  int count = 0;
  double mean() const { return sum / count; }
};

}  // namespace

void level_falls(std::span<double> values) {
  std::vector<Pool> pools;
  for (const double value : values) {
    pools.push_back({value, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  auto place = values.begin();
  for (const Pool& pool : pools) place = std::fill_n(place, pool.count, pool.mean());
}

}  // namespace curves
}  // namespace tofn
