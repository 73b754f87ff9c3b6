#include "sim/answers/candidate_search.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/answer_of_no.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Text such as `8, 16 and 32`, or `8 to 512 (7 sizes)` of many.
std::string listed_sizes(std::vector<int> sizes) {
  constexpr std::size_t most_listed = 4;
  std::ranges::sort(sizes);
  if (sizes.size() > most_listed)
    return fmt::format("{} to {} ({} sizes)", sizes.front(), sizes.back(), sizes.size());
  std::vector<std::string> texts;
  for (const int size : sizes) texts.push_back(std::to_string(size));
  return list_text(texts, "and");
}

}  // namespace

void LeftOutSizes::add(std::string_view cluster, int size, std::string_view reason,
                       std::string_view when) {
  auto group = std::ranges::find_if(groups_, [&](const Group& each) {
    return each.cluster == cluster && each.reason == reason && each.when == when;
  });
  if (group == groups_.end())
    group =
        groups_.insert(group, {std::string(cluster), std::string(reason), std::string(when), {}});
  if (std::ranges::find(group->sizes, size) == group->sizes.end()) group->sizes.push_back(size);
}

std::string LeftOutSizes::text_of(const Group& group, const std::string& sizes) {
  return fmt::format("{}, N = {}{}{}: {}", group.cluster, sizes, group.when.empty() ? "" : ", ",
                     group.when, group.reason);
}

std::size_t LeftOutSizes::count() const {
  std::size_t count = 0;
  for (const Group& each : groups_) count += each.sizes.size();
  return count;
}

std::string LeftOutSizes::first() const {
  const Group& group = groups_.front();
  return text_of(group, std::to_string(group.sizes.front()));
}

std::vector<std::string> LeftOutSizes::words() const {
  std::vector<std::string> texts;
  for (const Group& each : groups_) texts.push_back(text_of(each, listed_sizes(each.sizes)));
  return texts;
}

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
