#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace config {

enum class LaunchKind { Whole, Number, Truth, Text };
inline constexpr std::array<std::pair<std::string_view, LaunchKind>, 4> launch_kinds{
    {{"whole", LaunchKind::Whole},
     {"number", LaunchKind::Number},
     {"truth", LaunchKind::Truth},
     {"text", LaunchKind::Text}}};
constexpr const auto& names_of(LaunchKind) { return launch_kinds; }

/// Consequences of a key whose value the file does not tell, as that of a variable that is not set.
enum class IfUnknown {
  Refuse,
  ReadWithout,
  AskLength  ///< refused unless the caller says how long the run is
};
inline constexpr std::array<std::pair<std::string_view, IfUnknown>, 3> unknown_consequences{
    {{"refuse", IfUnknown::Refuse},
     {"read-without", IfUnknown::ReadWithout},
     {"ask-length", IfUnknown::AskLength}}};
constexpr const auto& names_of(IfUnknown) { return unknown_consequences; }

/// A word that a key may have, and the rows of a plan that it sets.
struct LaunchChoice {
  std::string word{};
  Plan plan{};                           ///< whose `rows` count
  std::vector<std::string_view> rows{};  ///< names of plan_fields.hpp
  std::optional<SelectiveRecompute> selective{};
};

/// A key or flag of a launcher.
struct LaunchKey {
  std::string key{};
  LaunchKind kind = LaunchKind::Text;
  std::string standard{};   ///< what holds where a file does not state it
  std::string source{};     ///< where the launcher's sources say so
  std::string_view sets{};  ///< the row of plan_fields.hpp that it states; empty: code reads it
  IfUnknown if_unknown = IfUnknown::Refuse;
  std::vector<LaunchChoice> choices{};  ///< of a text: its words; empty: any
};

/// A key of files that is a key of its launcher under another name, with any value or with one.
struct LaunchName {
  std::string key{};
  std::string row{};
  std::string value{};    ///< that the key must have; empty: any
  std::string becomes{};  ///< the row's value; empty: the key's
};

/// Signs that a file is of a launcher: all that are stated must hold.
struct LaunchMark {
  std::vector<std::string> starts{};   ///< of keys that the file has
  std::vector<std::string> without{};  ///< of keys that it has not
  std::string key{};                   ///< that it has, with `value` unless that is empty
  std::string value{};
  std::string program{};  ///< the start of the program's name
};

/// A model that a launcher knows by name: one of configs/models, or settings of its keys.
struct LaunchModel {
  std::string name{};
  std::string model{};  ///< empty: `settings` have its dimensions
  std::vector<std::pair<std::string, std::string>> settings{};
};

/// Software whose launch files are known: one file of configs/launchers.
struct Launcher {
  std::filesystem::path file{};
  std::string name{};
  std::string description{};
  bool is_read = true;  ///< else its files are told from others', and refused
  std::string stack{};  ///< of configs/stacks, which runs it
  std::string version{};
  int order =
      0;  ///< where a file has the marks of several, the first counts; unread ones are first
  std::vector<std::string> bases{};  ///< launchers that it is based on, the nearest first
  std::vector<LaunchMark> marks{};
  std::vector<LaunchKey> keys{};
  std::vector<LaunchName> renames{};
  std::vector<std::pair<std::string, std::string>> presets{};  ///< settings under every model's
  std::vector<std::string> model_keys{};  ///< whose values, with blanks between, name a model
  std::vector<LaunchModel> models{};
  std::vector<std::pair<std::string, int>> tokenizers{};  ///< start of a name, entries
  std::vector<std::pair<std::string, std::string>>
      other_programs{};                ///< start of a name, what it trains
  std::vector<std::string> ignored{};  ///< starts of keys that tell nothing of a step's time

  const LaunchKey* find(std::string_view key) const;
  bool ignores(std::string_view key) const;
};

/// A launcher with what it has of those that it is based on, which are looked up in `configs`, as
/// models and stacks are. Mistakes are InputErrors at file, line and column.
Launcher load_launcher(const std::filesystem::path& file, const std::filesystem::path& configs);

/// All launchers of a folder of configs in their order, loaded once a process. References stay
/// valid. InputError where there are none.
const std::vector<Launcher>& launchers_in(const std::filesystem::path& configs);

}  // namespace config
}  // namespace tofn
