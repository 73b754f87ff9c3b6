#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/sweep/sweep_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace sweep {

/// A file of configs with the changes that the axes of a sweep make: axes may vary its name, and
/// thus the file, and its fields.
class VariedDocument {
 public:
  /// `key` is that of the request, such as `cluster`. `open` loads the file of a name, once for
  /// each name; it may be empty. InputError if a name is unknown.
  VariedDocument(const Sweep&, std::string_view key, std::optional<std::string> base_name,
                 const std::function<YamlNode(const std::string& name)>& open);

  /// True if neither a name nor an axis needs it.
  bool is_absent() const { return !is_named() && changes_.empty(); }
  bool is_named() const { return base_name_ || !name_axes_.empty(); }
  bool has_changes() const { return !changes_.empty(); }
  const std::string& name_at(const Positions&) const;
  YamlNode at(const Positions&) const;
  /// Returns the fields that are multiplied together with the one at a path.
  using MovedWith = std::function<std::vector<std::string>(const std::string& path)>;
  /// Applies the same changes to another file.
  YamlNode changed(const YamlNode& base, const Positions&, const MovedWith& = {}) const;
  /// An axis that varies a field, by the field's path within the file.
  struct Change {
    PlacedAxis axis;
    std::string path;
  };
  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<PlacedAxis>& name_axes() const { return name_axes_; }

  /// Number that is equal for equal documents. `so_far` is the variant of the thing's other
  /// sources.
  std::uint64_t variant(const Positions&, std::uint64_t so_far = 0) const;

 private:
  std::optional<std::string> base_name_;
  std::vector<PlacedAxis> name_axes_;  ///< one at most
  std::vector<Change> changes_;
  std::map<std::string, YamlNode> files_;  ///< by name
};

/// Multiplies an amount: `400 Gb/s` times 0.5 is `200 Gb/s`. InputError if the text has no number.
std::string multiplied(const std::string& text, const std::string& factor);

/// Recently used variants of one thing, each made once. If a variant cannot be read, the error is
/// kept in its place.
template <class T>
class Varied {
 public:
  /// Returns the variant; throws the InputError of `read`.
  template <class Read>
  const T& at(std::uint64_t variant, const Read& read) {
    auto found = made_.find(variant);
    if (found == made_.end()) {
      if (made_.size() >= most_variants) made_.clear();
      found = made_.emplace(variant, make(read)).first;
    }
    if (found->second.thing == nullptr) throw InputError(found->second.mistake);
    return *found->second.thing;
  }

 private:
  static constexpr std::size_t most_variants = 4096;
  struct Variant {
    std::unique_ptr<const T> thing;
    std::string mistake;
  };
  template <class Read>
  static Variant make(const Read& read) {
    try {
      return {std::make_unique<const T>(read()), {}};
    } catch (const InputError& error) {
      return {nullptr, error.what()};
    }
  }

  std::unordered_map<std::uint64_t, Variant> made_;
};

}  // namespace sweep
}  // namespace tofn
