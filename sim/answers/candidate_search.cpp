#include "sim/answers/candidate_search.hpp"

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {

std::vector<int> sizes_between(const Offer& offer, int size) {
  const std::vector<int>& known = offer.sizes;
  const int unit = offer.whole_unit();
  std::vector<int> between;
  for (const int from : {size / 2, size})
    for (const int quarters : {5, 6, 7})
      if (const int count = from * quarters / 4 / unit * unit;
          count > known.front() && count < known.back() &&
          !std::binary_search(known.begin(), known.end(), count))
        between.push_back(count);
  std::sort(between.begin(), between.end());
  between.erase(std::unique(between.begin(), between.end()), between.end());
  return between;
}

void refuse_all(int not_tried, const std::vector<std::string>& left_out) {
  throw InputError(not_tried > 0      ? "stopped before the first candidate"
                   : left_out.empty() ? "nothing to choose from"
                                      : "none can be had: " + left_out.front());
}

}  // namespace answers
}  // namespace tofn
