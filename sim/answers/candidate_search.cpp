#include "sim/answers/candidate_search.hpp"

#include "sim/core/answer_of_no.hpp"

namespace tofn {
inline namespace answers {

bool needs_price(const Objective& by, const std::vector<RunLimit>& limits) {
  return by.needs_price || std::ranges::any_of(limits, [](const RunLimit& limit) {
           return limit.figure == &RunFigures::usd;
         });
}

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
  std::ranges::sort(between);
  between.erase(std::unique(between.begin(), between.end()), between.end());
  return between;
}

void refuse_all(int not_tried, const LeftOutSizes& left_out, bool some_do_not_fit) {
  if (not_tried > 0) throw InputError("stopped before the first candidate");
  if (left_out.count() == 0) throw InputError("nothing to choose from");
  const std::string text = refusal_of_all(left_out.first(), left_out.count());
  if (some_do_not_fit) throw AnswerOfNo(text);
  throw InputError(text);
}

}  // namespace answers
}  // namespace tofn
