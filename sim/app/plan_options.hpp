#pragma once

#include <list>
#include <optional>
#include <string>
#include <type_traits>

#include "sim/core/error.hpp"
#include "sim/options/option.hpp"
#include "sim/options/option_values.hpp"
#include "sim/parallelism/plan_fields.hpp"

// Options of the fields of a plan: `--tp`, `--recompute`, ...

namespace tofn {
inline namespace app {

/// Type of the option for a member of a plan: the member's type without std::optional.
template <class Member>
struct StatedValueOf {
  using type = Member;
};
template <class T>
struct StatedValueOf<std::optional<T>> {
  using type = T;
};

template <class T>
T read_plan_value(const std::string& text, const std::string& flag) {
  if constexpr (std::is_same_v<T, int>) {
    return whole<>(text, flag);
  } else if constexpr (std::is_same_v<T, bool>) {
    return on_or_off(text, flag);
  } else if constexpr (std::is_same_v<T, StageLayers>) {
    return {numbers(text, flag)};
  } else if constexpr (std::is_same_v<T, RecomputeModules>) {
    try {
      return recompute_modules(text);
    } catch (const InputError& unknown) {
      throw InputError({}, flag, unknown.what());
    }
  } else {
    return choice_in(names_of(T{}), text, flag);
  }
}

/// Option for a member of a plan, e.g. `--tp`.
template <class Member>
const auto& plan_option(Member Plan::*member) {
  using Stated = typename StatedValueOf<Member>::type;
  struct Row {
    Member Plan::*member;
    std::string name;
    OptionOf<Stated> option{{}, read_plan_value<Stated>};
  };
  static const std::list<Row> rows = [] {
    std::list<Row> all;
    visit_plan([&](const PlanField& field, auto each) {
      if constexpr (std::is_same_v<decltype(each), Member Plan::*>) {
        Row& row = all.emplace_back(Row{each, field.option()});
        row.option.name = row.name;
      }
    });
    return all;
  }();
  for (const Row& row : rows)
    if (row.member == member) return row.option;
  throw std::logic_error("a member of plans has no row");
}

}  // namespace app
}  // namespace tofn
