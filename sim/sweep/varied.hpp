#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

/// A file of configs with what the axes of a sweep make of it: which file where they vary its name,
/// and its fields.
class VariedDocument {
 public:
  /// `key` of the request: `cluster`. `open` finds the file of a name, if that has one. Reads each
  /// file once.
  /// InputError where a name is unknown.
  VariedDocument(const Sweep&, std::string_view key, std::optional<std::string> base_name,
                 const std::function<YamlNode(const std::string& name)>& open);

  /// Neither a name nor an axis asks for it.
  bool is_absent() const { return !is_named() && changes_.empty(); }
  bool is_named() const { return base_name_ || !name_axes_.empty(); }
  bool has_changes() const { return !changes_.empty(); }
  const std::string& name_at(const Positions&) const;
  YamlNode at(const Positions&) const;
  /// Fields that are multiplied with the one at a path.
  using MovedWith = std::function<std::vector<std::string>(const std::string& path)>;
  /// Another file with the same changes.
  YamlNode changed(const YamlNode& base, const Positions&, const MovedWith& = {}) const;
  /// An axis that varies a field, by the field's path within the file.
  struct Change {
    PlacedAxis axis;
    std::string path;
  };
  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<PlacedAxis>& name_axes() const { return name_axes_; }

  /// Equal where `at` is equal. `so_far`: the variant of what else a thing is made of.
  std::uint64_t variant(const Positions&, std::uint64_t so_far = 0) const;

 private:
  std::optional<std::string> base_name_;
  std::vector<PlacedAxis> name_axes_;  ///< one at most
  std::vector<Change> changes_;
  std::map<std::string, YamlNode> files_;  ///< by name
};

/// `400 Gb/s` times 0.5 is `200 Gb/s`. InputError where the text is no number.
std::string multiplied(const std::string& text, const std::string& factor);

/// The variants of one thing that were asked for of late, made once each. A variant that cannot be
/// read is remembered by its mistake.
template <class T>
class Varied {
 public:
  /// InputError as `read`.
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
