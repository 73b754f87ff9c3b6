#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/launch/launch_file.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace launch {

enum class LaunchKind { Whole, Number, Truth, Text };

/// What comes of a key whose value the file does not tell, as that of a variable that is not set.
enum class IfUnknown {
  Refuse,
  ReadWithout,
  AskLength  ///< refused unless the caller says how long the run is
};

/// A member of a plan that a key sets as it is.
using LaunchMember = std::variant<std::monostate, int Plan::*, bool Plan::*>;

/// A key or flag of a stack.
struct LaunchKey {
  std::string_view key;
  LaunchKind kind = LaunchKind::Text;
  std::string_view standard;  ///< what holds where a file does not state it
  std::string_view source;    ///< where the stack's sources say so
  LaunchMember member{};      ///< else the stack's two functions make something of it
  IfUnknown if_unknown = IfUnknown::Refuse;
};

/// The values of a stack's keys: those that a file states, else their standards.
class LaunchValues {
 public:
  explicit LaunchValues(std::span<const LaunchKey> keys) : keys_(keys) {}

  /// Takes the settings of a file whose key the stack has; returns the others. An `auto` leaves
  /// its key open.
  std::vector<LaunchSetting> take(const LaunchFile&);

  // Asserted: the stack has the key, of that kind. InputError where the text is none of the kind.
  long long whole(std::string_view key) const;
  /// Absent where nothing states it; InputError where what does is below 1.
  std::optional<long long> count(std::string_view key) const;
  double number(std::string_view key) const;
  bool truth(std::string_view key) const;
  std::string text(std::string_view key) const;
  bool is_stated(std::string_view key) const { return stated_.contains(key); }
  /// Whether `auto` leaves the key to the program, or a value that is not known stands there, and
  /// nothing states it.
  bool is_left_open(std::string_view key) const {
    return left_open_.contains(key) && !is_stated(key);
  }
  /// The place of the key where it is stated, and its name.
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const;
  /// The value among names, or failure with the valid ones.
  template <class E>
  E choice(std::string_view key, std::span<const std::pair<std::string_view, E>> names) const {
    for (const auto& [name, value] : names)
      if (name == text(key)) return value;
    std::vector<std::string> valid;
    for (const auto& [name, value] : names) valid.emplace_back(name);
    fail_choice(key, valid);
  }

  void set(std::string_view key, long long value);
  void set(std::string_view key, int value) { set(key, static_cast<long long>(value)); }
  void set(std::string_view key, double value);
  void set(std::string_view key, bool value);
  void set(std::string_view key, std::string_view value);
  void set(std::string_view key, const char* value) { set(key, std::string_view(value)); }

  /// Members of the plan that rows have, both ways.
  void to_plan(Plan&) const;
  void from_plan(const Plan&);

  /// What was set or stated, in the order of the rows.
  std::vector<LaunchSetting> settings() const;

 private:
  const LaunchKey& row(std::string_view key) const;
  [[noreturn]] void fail_choice(std::string_view key, const std::vector<std::string>& valid) const;

  std::span<const LaunchKey> keys_;
  std::map<std::string, LaunchSetting, std::less<>> stated_;
  std::map<std::string, Location, std::less<>> left_open_;
  std::string path_;
};

}  // namespace launch
}  // namespace tofn
