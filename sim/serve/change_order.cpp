#include "sim/serve/change_order.hpp"

#include <charconv>

namespace tofn {
inline namespace serve {
namespace {

constexpr std::size_t longest_slot = 64;
/// Limit of the slots: a page of ours has only a few.
constexpr std::size_t most_slots = 1000;

}  // namespace

std::optional<ChangeOrder::Change> ChangeOrder::read(std::string_view header) {
  const std::size_t space = header.find(' ');
  if (space == 0 || space == header.npos || space > longest_slot) return {};
  Change change{.slot = std::string(header.substr(0, space))};
  const std::string_view digits = header.substr(space + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), change.number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  return change;
}

void ChangeOrder::note(const Change& change) {
  const std::lock_guard lock(mutex_);
  if (newest_.size() >= most_slots && !newest_.contains(change.slot)) newest_.clear();
  std::uint64_t& newest = newest_[change.slot];
  newest = std::max(newest, change.number);
}

bool ChangeOrder::is_overtaken(const Change& change) const {
  const std::lock_guard lock(mutex_);
  const auto found = newest_.find(change.slot);
  return found != newest_.end() && found->second > change.number;
}

}  // namespace serve
}  // namespace tofn
