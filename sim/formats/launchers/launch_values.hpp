#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_file.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace formats {

/// Values of a launcher's keys: those that a file states, otherwise their defaults.
class LaunchValues {
 public:
  /// Refers to `launcher`, which must outlive it.
  explicit LaunchValues(const Launcher& launcher) : launcher_(launcher) {}
  const Launcher& launcher() const { return launcher_; }

  /// Takes the settings whose key the launcher has, and returns the others. The value `auto` leaves
  /// a key to the program.
  std::vector<LaunchSetting> take(const LaunchFile&);

  // Values by kind. InputError if the text is not of the kind, or if the launcher's file has no
  // such key of that kind.
  long long whole(std::string_view key) const;
  /// Absent if the file does not state it; InputError if it states less than 1.
  std::optional<long long> count(std::string_view key) const;
  /// A dimension of a model. InputError unless it is from 0 to 10,000,000.
  int size(std::string_view key) const;
  double number(std::string_view key) const;
  bool truth(std::string_view key) const;
  std::string text(std::string_view key) const;
  bool is_stated(std::string_view key) const { return stated_.contains(key); }
  /// True if the file leaves the key to the program, by `auto` or by a value that is not known, and
  /// states nothing else.
  bool is_left_open(std::string_view key) const {
    return left_open_.contains(key) && !is_stated(key);
  }
  /// Throws InputError at the place where the key is stated, and names the key.
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const;
  /// Words that the key may have, in the order of the launcher's file.
  const std::vector<LaunchChoice>& choices(std::string_view key) const;
  /// Choice that the key's text selects. InputError with the valid words if there is none.
  const LaunchChoice& choice(std::string_view key) const;
  /// Sets the rows of the plan that the key's word stands for. InputError as `choice` throws it.
  void choose(std::string_view key, Plan&) const;
  /// Word whose rows equal those of the plan; otherwise the default if the plan leaves one of them
  /// open; otherwise absent.
  std::optional<std::string> word_for(std::string_view key, const Plan&) const;
  /// Model of configs/models that the file names; empty if it names none that is known.
  std::string model() const;

  /// Sets the key to the text of a number, a truth value or a text.
  template <class T>
  void set(std::string_view key, const T& value) {
    stated_[row(key).key] = {.key = std::string(key), .value = fmt::format("{}", value)};
  }
  /// Sets the key to `word_for` the plan. If the plan has the rows of no word, it sets the first
  /// one, and `write_training` reports the difference as left out.
  void set_word(std::string_view key, const Plan&);
  /// States the model of configs/models by the first name that the launcher has for it, if any.
  void set_model(std::string_view model);

  /// Copies the rows of a plan that keys state directly, in either direction. A text that is
  /// neither stated nor has a default sets nothing; if two keys set one row, the stated one counts.
  void to_plan(Plan&) const;
  void from_plan(const Plan&);

  /// Settings that were stated or set, in the order of the launcher's keys.
  std::vector<LaunchSetting> settings() const;

 private:
  const LaunchKey& row(std::string_view key) const;
  const LaunchKey& row(std::string_view key, LaunchKind) const;
  std::string model_name() const;
  void set_row(const LaunchKey&, Plan&) const;

  const Launcher& launcher_;
  std::map<std::string, LaunchSetting, std::less<>> stated_;
  std::map<std::string, Location, std::less<>> left_open_;
  std::string path_;
};

}  // namespace formats
}  // namespace tofn
