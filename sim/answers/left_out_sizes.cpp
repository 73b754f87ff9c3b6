#include "sim/answers/left_out_sizes.hpp"

#include <algorithm>

#include <fmt/format.h>

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

}  // namespace answers
}  // namespace tofn
