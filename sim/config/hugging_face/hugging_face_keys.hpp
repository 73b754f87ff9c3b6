#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/hugging_face/hugging_face_key_effects.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// A key that the reader did not read and that may have an effect.
struct UnreadKey {
  YamlNode node;
  KeyEffect effect;

  bool stops() const { return effect == KeyEffect::Size || effect == KeyEffect::Kind; }
};

/// The keys of a `config.json` of Hugging Face's transformers. Many of them do not affect the work,
/// null stands for an absent value, and architectures name the same property differently.
class HuggingFaceKeys {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// Takes the keys of `text_config` if the model handles more than text.
  explicit HuggingFaceKeys(const YamlNode& root);

  bool has_text_config() const { return has_text_config_; }

  /// Returns the value under any of the names; absent also if it is null. InputError if two of the
  /// names have different values.
  std::optional<YamlNode> find(Names);
  /// InputError that names the key if it is absent.
  YamlNode needed(Names);
  bool is_on(std::string_view name, bool typical = false);

  /// Reads a number from 1 to ten million.
  int dimension(Names);
  std::optional<int> optional_dimension(Names);
  /// Reads a number from 0.
  int count(Names, int typical = 0);
  double number(std::string_view name);

  /// Marks keys that have no effect in this model as read: names and patterns, separated by blanks.
  void pass_over(std::string_view names) { (passed_over_ += ' ') += names; }
  /// Adds a value whose effect is not counted.
  void add_uncounted(const YamlNode& node, KeyEffect effect) {
    uncounted_.push_back({node, effect});
  }
  /// Adds the unread keys of a map within this one.
  void adopt(const HuggingFaceKeys& inner);
  /// Returns the unread keys that may have an effect, and the values that are not counted.
  std::vector<UnreadKey> unread() const;
  [[noreturn]] void fail(std::string_view problem) const { root_.fail(problem); }

 private:
  YamlNode root_;
  std::vector<std::pair<std::string, YamlNode>> entries_;
  bool has_text_config_ = false;
  std::set<std::string, std::less<>> request_;
  std::string passed_over_;
  std::vector<UnreadKey> uncounted_;
};

}  // namespace config
}  // namespace tofn
