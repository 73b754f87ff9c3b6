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
inline namespace yaml {
struct FileKey;
}
inline namespace formats {

enum class LaunchKind { Whole, Number, Truth, Text };
inline constexpr std::array<std::pair<std::string_view, LaunchKind>, 4> launch_kinds{
    {{"whole", LaunchKind::Whole},
     {"number", LaunchKind::Number},
     {"truth", LaunchKind::Truth},
     {"text", LaunchKind::Text}}};
constexpr const auto& names_of(LaunchKind) { return launch_kinds; }

/// Consequence of a key whose value the file does not tell, such as a variable that is not set.
enum class IfUnknown {
  Refuse,
  ReadWithout,
  AskLength  ///< refused unless the caller states the length of the run
};
inline constexpr std::array<std::pair<std::string_view, IfUnknown>, 3> unknown_consequences{
    {{"refuse", IfUnknown::Refuse},
     {"read-without", IfUnknown::ReadWithout},
     {"ask-length", IfUnknown::AskLength}}};
constexpr const auto& names_of(IfUnknown) { return unknown_consequences; }

/// Word that a key may have, and the rows of a plan that it sets.
struct LaunchChoice {
  std::string word{};
  Plan plan{};                           ///< only its `rows` count
  std::vector<std::string_view> rows{};  ///< names in plan_fields.hpp
  std::optional<SelectiveRecompute> selective{};
};

/// Key or flag of a launcher.
struct LaunchKey {
  std::string key{};
  LaunchKind kind = LaunchKind::Text;
  std::string standard{};  ///< value if the file does not state it
  std::string source{};    ///< file of the launcher's sources that sets the default
  /// Row of plan_fields.hpp that it sets directly; empty if code reads it.
  std::string_view sets{};
  IfUnknown if_unknown = IfUnknown::Refuse;
  std::vector<LaunchChoice> choices{};  ///< words of a text; empty if any text is valid
};

/// Key of a file that stands for another key of its launcher, with any value or with one.
struct LaunchName {
  std::string key{};
  std::string row{};
  std::string value{};    ///< value that the key must have; empty if any
  std::string becomes{};  ///< value of the row; empty if the key's own
};

/// Signs that a file belongs to a launcher: all that are stated must hold.
struct LaunchMark {
  std::vector<std::string> starts{};   ///< starts of keys, each of which the file has
  std::vector<std::string> without{};  ///< starts of keys, none of which the file has
  std::string key{};                   ///< key that the file has, with `value` unless that is empty
  std::string value{};
  std::string program{};  ///< start of the program's name
};

/// Model that a launcher knows by name: a model of configs/models, or settings of the launcher's
/// keys.
struct LaunchModel {
  std::string name{};
  std::string model{};  ///< empty if `settings` have its dimensions
  std::vector<std::pair<std::string, std::string>> settings{};
};

/// Software with known launch files: a file of configs/launchers.
struct Launcher {
  std::filesystem::path file{};
  std::string name{};
  std::string description{};
  bool is_read = true;  ///< false if its files are recognized and refused
  std::string stack{};  ///< name in configs/stacks
  std::string version{};
  int order = 0;  ///< rank: if marks of several fit, the lowest counts; unread ones first
  std::vector<std::string> bases{};  ///< launchers that it is based on, nearest first
  std::vector<LaunchMark> marks{};
  std::vector<LaunchKey> keys{};
  std::vector<LaunchName> renames{};
  /// Settings that apply to every model, unless its own settings override them.
  std::vector<std::pair<std::string, std::string>> presets{};
  std::vector<std::string> model_keys{};  ///< keys whose values, joined by blanks, name a model
  std::vector<LaunchModel> models{};
  std::vector<std::pair<std::string, int>> tokenizers{};  ///< start of a name, vocabulary entries
  std::vector<std::pair<std::string, std::string>>
      other_programs{};                ///< start of a name, what it trains
  std::vector<std::string> ignored{};  ///< starts of keys that do not affect a step's time

  const LaunchKey* find(std::string_view key) const;
  bool ignores(std::string_view key) const;
};

/// Loads a launcher, with the rows that it takes from those that it is based on; they, models and
/// stacks are looked up in `configs`. Throws InputError at file, line and column.
Launcher load_launcher(const std::filesystem::path& file, const std::filesystem::path& configs);

/// All launchers of a folder of configs in their order, loaded once a process. References stay
/// valid. InputError if there are none.
const std::vector<Launcher>& launchers_in(const std::filesystem::path& configs);

/// Adds the keys of files of launchers.
void list_launcher_keys(std::vector<FileKey>&);

}  // namespace formats
}  // namespace tofn
