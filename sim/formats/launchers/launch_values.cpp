#include "sim/formats/launchers/launch_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace formats {
namespace {

bool has_row(const LaunchChoice& choice, const PlanField& field) {
  return std::ranges::find(choice.rows, field.name) != choice.rows.end();
}

}  // namespace

std::vector<LaunchSetting> LaunchValues::take(const LaunchFile& file) {
  path_ = file.path;
  std::vector<LaunchSetting> others;
  for (const LaunchSetting& setting : file.settings) {
    const bool is_own = launcher_.find(setting.key) != nullptr;
    if (!is_own)
      others.push_back(setting);
    else if (setting.value != "auto" && setting.value != "null")
      stated_[setting.key] = setting;
    else
      stated_.erase(setting.key);
    if (is_own && setting.value == "auto") left_open_[setting.key] = setting.place;
  }
  for (const LaunchUnknown& unknown : file.not_understood)
    if (const LaunchKey* key = launcher_.find(unknown.key);
        key != nullptr && key->if_unknown == IfUnknown::ReadWithout)
      left_open_[unknown.key] = unknown.place;
  return others;
}

const LaunchKey& LaunchValues::row(std::string_view key) const {
  const LaunchKey* found = launcher_.find(key);
  if (found == nullptr)
    throw InputError({.file = launcher_.file.string()}, "keys",
                     fmt::format("must have '{}', which is asked for here", key));
  return *found;
}

const LaunchKey& LaunchValues::row(std::string_view key, LaunchKind kind) const {
  const LaunchKey& found = row(key);
  if (found.kind != kind)
    throw InputError({.file = launcher_.file.string()}, fmt::format("keys.{}.kind", key),
                     fmt::format("must be {}", name_of(kind)));
  return found;
}

std::string LaunchValues::text(std::string_view key) const {
  const auto found = stated_.find(key);
  if (found == stated_.end()) return std::string(row(key).standard);
  // A switch has no value.
  if (row(key).kind == LaunchKind::Truth && found->second.value.empty()) return "true";
  return found->second.value;
}

long long LaunchValues::whole(std::string_view key) const {
  row(key, LaunchKind::Whole);
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

int LaunchValues::size(std::string_view key) const {
  const long long size = whole(key);
  constexpr long long most = 10'000'000;
  if (size < 0 || size > most) fail(key, fmt::format("must be from 0 to {}, got {}", most, size));
  return static_cast<int>(size);
}

double LaunchValues::number(std::string_view key) const {
  row(key, LaunchKind::Number);
  double value = 0;
  if (!parse_number(text(key), value))
    fail(key, fmt::format("expected a number, got '{}'", shortened(text(key))));
  return value;
}

bool LaunchValues::truth(std::string_view key) const {
  row(key, LaunchKind::Truth);
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

const std::vector<LaunchChoice>& LaunchValues::choices(std::string_view key) const {
  const LaunchKey& found = row(key);
  if (found.choices.empty())
    throw InputError({.file = launcher_.file.string()}, "choices",
                     fmt::format("must have '{}', which is asked for here", key));
  return found.choices;
}

const LaunchChoice& LaunchValues::choice(std::string_view key) const {
  const std::string word = text(key);
  std::vector<std::string> valid;
  for (const LaunchChoice& each : choices(key)) {
    if (each.word == word) return each;
    valid.push_back(each.word);
  }
  fail(key,
       fmt::format("'{}' is not understood here: {}", shortened(word), list_text(valid, "or")));
}

void LaunchValues::choose(std::string_view key, Plan& plan) const {
  const LaunchChoice& chosen = choice(key);
  visit_plan([&](const PlanField& field, auto member) {
    if (has_row(chosen, field)) plan.*member = chosen.plan.*member;
  });
}

std::optional<std::string> LaunchValues::word_for(std::string_view key, const Plan& plan) const {
  bool is_open = false;
  for (const LaunchChoice& each : choices(key)) {
    bool has_all = !each.rows.empty();
    visit_plan([&](const PlanField& field, auto member) {
      if (!has_row(each, field)) return;
      has_all = has_all && plan.*member == each.plan.*member;
      if constexpr (requires { (plan.*member).has_value(); })
        is_open = is_open || !(plan.*member).has_value();
    });
    if (has_all) return each.word;
  }
  return is_open ? std::optional(row(key).standard) : std::nullopt;
}

std::string LaunchValues::model_name() const {
  std::string name;
  for (const std::string& key : launcher_.model_keys) name += (name.empty() ? "" : " ") + text(key);
  return name;
}

std::string LaunchValues::model() const {
  const std::string name = model_name();
  for (const LaunchModel& each : launcher_.models)
    if (each.name == name) return each.model;
  return {};
}

void LaunchValues::set_word(std::string_view key, const Plan& plan) {
  const std::string word = word_for(key, plan).value_or(choices(key).front().word);
  if (!word.empty()) set(key, word);
}

void LaunchValues::set_model(std::string_view model) {
  for (const LaunchModel& each : launcher_.models) {
    if (model.empty() || each.model != model) continue;
    std::string_view rest = each.name;
    for (const std::string& key : launcher_.model_keys) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      set(key, rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return;
  }
}

void LaunchValues::to_plan(Plan& plan) const {
  for (const bool is_second : {false, true})
    for (const LaunchKey& each : launcher_.keys)
      if (!each.sets.empty() && is_stated(each.key) == is_second) set_row(each, plan);
}

void LaunchValues::set_row(const LaunchKey& key, Plan& plan) const {
  if (key.kind == LaunchKind::Text && (is_stated(key.key) || !key.standard.empty()))
    choose(key.key, plan);
  visit_plan([&](const PlanField& field, auto member) {
    if (field.name != key.sets) return;
    if constexpr (std::is_same_v<decltype(member), int Plan::*>) {
      const long long value = whole(key.key);
      if (value < 1 || value > std::numeric_limits<int>::max())
        fail(key.key, fmt::format("must be at least 1, got {}", value));
      plan.*member = static_cast<int>(value);
    } else if constexpr (std::is_same_v<decltype(member), bool Plan::*>) {
      plan.*member = truth(key.key);
    }
  });
}

void LaunchValues::from_plan(const Plan& plan) {
  for (const LaunchKey& each : launcher_.keys) {
    if (each.sets.empty()) continue;
    if (each.kind == LaunchKind::Text) set_word(each.key, plan);
    visit_plan([&](const PlanField& field, auto member) {
      if (field.name != each.sets) return;
      if constexpr (std::is_same_v<decltype(member), int Plan::*> ||
                    std::is_same_v<decltype(member), bool Plan::*>)
        set(each.key, plan.*member);
    });
  }
}

std::vector<LaunchSetting> LaunchValues::settings() const {
  std::vector<LaunchSetting> settings;
  for (const LaunchKey& each : launcher_.keys)
    if (const auto found = stated_.find(each.key); found != stated_.end())
      settings.push_back(found->second);
  return settings;
}

}  // namespace formats
}  // namespace tofn
