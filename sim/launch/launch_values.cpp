#include "sim/launch/launch_values.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace launch {

std::vector<LaunchSetting> LaunchValues::take(const LaunchFile& file) {
  path_ = file.path;
  std::vector<LaunchSetting> others;
  for (const LaunchSetting& setting : file.settings) {
    const bool is_own = std::any_of(keys_.begin(), keys_.end(),
                                    [&](const LaunchKey& each) { return each.key == setting.key; });
    if (!is_own)
      others.push_back(setting);
    else if (setting.value != "auto" && setting.value != "null")
      stated_[setting.key] = setting;
    else
      stated_.erase(setting.key);
    if (is_own && setting.value == "auto") left_open_[setting.key] = setting.place;
  }
  for (const LaunchUnknown& unknown : file.not_understood)
    if (std::any_of(keys_.begin(), keys_.end(), [&](const LaunchKey& each) {
          return each.key == unknown.key && each.if_unknown == IfUnknown::ReadWithout;
        }))
      left_open_[unknown.key] = unknown.place;
  return others;
}

const LaunchKey& LaunchValues::row(std::string_view key) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const LaunchKey& each) { return each.key == key; });
  assert(found != keys_.end());
  return *found;
}

std::string LaunchValues::text(std::string_view key) const {
  const auto found = stated_.find(key);
  if (found == stated_.end()) return std::string(row(key).standard);
  // A switch without a value.
  if (row(key).kind == LaunchKind::Truth && found->second.value.empty()) return "true";
  return found->second.value;
}

long long LaunchValues::whole(std::string_view key) const {
  assert(row(key).kind == LaunchKind::Whole);
  double value = 0;
  constexpr double most = 1e15;
  if (!parse_number(text(key), value) || std::abs(value) > most || value != std::trunc(value))
    fail(key, fmt::format("expected a whole number, got '{}'", shortened(text(key))));
  return static_cast<long long>(value);
}

std::optional<long long> LaunchValues::count(std::string_view key) const {
  if (!is_stated(key)) return {};
  const long long value = whole(key);
  if (value < 1) fail(key, fmt::format("must be at least 1, is {}", value));
  return value;
}

double LaunchValues::number(std::string_view key) const {
  assert(row(key).kind == LaunchKind::Number);
  double value = 0;
  if (!parse_number(text(key), value))
    fail(key, fmt::format("expected a number, got '{}'", shortened(text(key))));
  return value;
}

bool LaunchValues::truth(std::string_view key) const {
  assert(row(key).kind == LaunchKind::Truth);
  const std::string value = text(key);
  for (const std::string_view name : {"true", "True", "1"})
    if (value == name) return true;
  for (const std::string_view name : {"false", "False", "0"})
    if (value == name) return false;
  fail(key, fmt::format("expected true or false, got '{}'", shortened(value)));
}

void LaunchValues::fail(std::string_view key, std::string_view problem) const {
  const auto found = stated_.find(key);
  if (is_left_open(key))
    throw InputError(left_open_.find(key)->second, key,
                     fmt::format("'auto' leaves it to the program: {}", problem));
  throw InputError(found == stated_.end() ? Location{.file = path_} : found->second.place, key,
                   problem);
}

void LaunchValues::fail_choice(std::string_view key, const std::vector<std::string>& valid) const {
  fail(key, fmt::format("'{}' is not understood here: {}", shortened(text(key)),
                        list_text(valid, "or")));
}

void LaunchValues::set(std::string_view key, long long value) {
  set(key, std::string_view(fmt::format("{}", value)));
}
void LaunchValues::set(std::string_view key, double value) {
  set(key, std::string_view(fmt::format("{}", value)));
}
void LaunchValues::set(std::string_view key, bool value) {
  set(key, std::string_view(value ? "true" : "false"));
}
void LaunchValues::set(std::string_view key, std::string_view value) {
  stated_[std::string(row(key).key)] = {.key = std::string(key), .value = std::string(value)};
}

void LaunchValues::to_plan(Plan& plan) const {
  for (const LaunchKey& each : keys_) {
    if (const auto* size = std::get_if<int Plan::*>(&each.member)) {
      const long long value = whole(each.key);
      if (value < 1 || value > std::numeric_limits<int>::max())
        fail(each.key, fmt::format("must be at least 1, got {}", value));
      plan.** size = static_cast<int>(value);
    } else if (const auto* is_on = std::get_if<bool Plan::*>(&each.member)) {
      plan.** is_on = truth(each.key);
    }
  }
}

void LaunchValues::from_plan(const Plan& plan) {
  for (const LaunchKey& each : keys_)
    if (const auto* size = std::get_if<int Plan::*>(&each.member))
      set(each.key, plan.**size);
    else if (const auto* is_on = std::get_if<bool Plan::*>(&each.member))
      set(each.key, plan.**is_on);
}

std::vector<LaunchSetting> LaunchValues::settings() const {
  std::vector<LaunchSetting> settings;
  for (const LaunchKey& each : keys_)
    if (const auto found = stated_.find(each.key); found != stated_.end())
      settings.push_back(found->second);
  return settings;
}

}  // namespace launch
}  // namespace tofn
