#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/hugging_face_key_effects.hpp"
#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// A key that nobody asked for and that may act.
struct UnreadKey {
  YamlNode node;
  KeyEffect effect;

  bool stops() const { return effect == KeyEffect::Size || effect == KeyEffect::Kind; }
};

/// The keys of a `config.json` of Hugging Face's transformers, which has more of them than act on
/// work, and null where a key has no value. One thing has several names over the architectures.
class HuggingFaceKeys {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// Of a model of more than text they are those of its `text_config`.
  explicit HuggingFaceKeys(const YamlNode& root);

  bool has_text_config() const { return has_text_config_; }

  /// Absent too where it is null. InputError where two of the names say different things.
  std::optional<YamlNode> find(Names);
  /// InputError that names the key.
  YamlNode needed(Names);
  bool is_on(std::string_view name, bool usual = false);

  /// Numbers from 1 to ten million.
  int dimension(Names);
  std::optional<int> optional_dimension(Names);
  /// From 0 on.
  int count(Names, int usual = 0);
  double number(std::string_view name);

  /// Keys that change nothing in this model, where they are stated: names and patterns, which
  /// blanks part.
  void pass_over(std::string_view names) { (passed_over_ += ' ') += names; }
  /// A value whose effect is not counted.
  void add_uncounted(const YamlNode& node, KeyEffect effect) {
    uncounted_.push_back({node, effect});
  }
  /// What nobody asked for of a map within.
  void adopt(const HuggingFaceKeys& inner);
  /// What nobody asked for and may act, with what is not counted.
  std::vector<UnreadKey> unread() const;
  [[noreturn]] void fail(std::string_view problem) const { root_.fail(problem); }

 private:
  YamlNode root_;
  std::vector<std::pair<std::string, YamlNode>> entries_;
  bool has_text_config_ = false;
  std::set<std::string, std::less<>> asked_;
  std::string passed_over_;
  std::vector<UnreadKey> uncounted_;
};

}  // namespace config
}  // namespace tofn
