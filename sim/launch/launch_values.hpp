#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/load_launcher.hpp"
#include "sim/launch/launch_file.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace launch {

/// The values of a launcher's keys: those that a file states, else their standards.
class LaunchValues {
 public:
  /// Of a launcher that outlives them.
  explicit LaunchValues(const Launcher& launcher) : launcher_(launcher) {}
  const Launcher& launcher() const { return launcher_; }

  /// Takes the settings of a file whose key the launcher has; returns the others. An `auto` leaves
  /// its key open.
  std::vector<LaunchSetting> take(const LaunchFile&);

  // InputError where the text is none of the kind, and at the launcher's file where it has no such
  // key of that kind.
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
  /// The words of the key, in the order of the launcher's file.
  const std::vector<LaunchChoice>& choices(std::string_view key) const;
  /// The choice of the key that its text is, or failure with the valid words.
  const LaunchChoice& choice(std::string_view key) const;
  /// Sets the rows of a plan that the key's word stands for, or fails likewise.
  void choose(std::string_view key, Plan&) const;
  /// The word whose rows the plan has, else the standard where it leaves one of them open.
  std::optional<std::string> word_for(std::string_view key, const Plan&) const;
  /// The model of configs/models that the file names; empty: none that is known.
  std::string model() const;

  void set(std::string_view key, long long value);
  void set(std::string_view key, int value) { set(key, static_cast<long long>(value)); }
  void set(std::string_view key, double value);
  void set(std::string_view key, bool value);
  void set(std::string_view key, std::string_view value);
  void set(std::string_view key, const char* value) { set(key, std::string_view(value)); }

  /// Sets the key to the word for the plan; the first where the plan has the rows of none, which
  /// `write_training` tells as left out.
  void set_word(std::string_view key, const Plan&);
  /// States the model of configs/models by the first name that the launcher has for it.
  void set_model(std::string_view model);

  /// Rows of the plan that keys state as they are, both ways. A text without a standard sets
  /// nothing where it is not stated; of two keys of one row the one that is stated counts.
  void to_plan(Plan&) const;
  void from_plan(const Plan&);

  /// What was set or stated, in the order of the rows.
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

}  // namespace launch
}  // namespace tofn
