#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace config {

/// Returns the letters and digits of a text in lower case.
std::string letters_of(std::string_view text);
/// Returns these letters without a leading vendor name, to compare names.
std::string key_of(std::string_view name);

/// The objects in one folder of configs; each file is read on first use. References stay valid for
/// the folder's lifetime.
template <class Thing>
class LazyFolder {
 public:
  using Read = std::function<Thing(const std::filesystem::path&)>;
  LazyFolder(const std::filesystem::path& configs, std::string_view folder, Read read)
      : read_(std::move(read)), files_(files_in(configs, folder)) {
    things_.resize(files_.size());
    entries_.resize(files_.size());
  }

  /// Returns all objects in order of file name, then added ones. InputError at the first mistake,
  /// including a name that two files share.
  const std::deque<Thing>& all() const {
    const std::scoped_lock lock(mutex_);
    if (!are_reported_apart_) {
      std::set<std::string> taken;
      for (std::size_t i = 0; i < files_.size(); ++i)
        if (!taken.insert(key_of(at(i).name)).second)
          throw InputError({files_[i].string()}, "name",
                           "'" + things_[i].name + "' is taken already");
      are_reported_apart_ = true;
    }
    return things_;
  }

  /// Returns the object by name or alias, without regard to case, vendor prefix or punctuation;
  /// nullptr if unknown. Reads the file of that name, otherwise those that contain its letters.
  const Thing* find(std::string_view name) const {
    const std::scoped_lock lock(mutex_);
    const std::string wanted = key_of(name);
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (key_of(files_[i].stem().string()) == wanted && is_named(at(i), wanted))
        return &things_[i];
    for (std::size_t i = 0; i < things_.size(); ++i)
      if ((i >= files_.size() || mentions(i, wanted)) && is_named(at(i), wanted))
        return &things_[i];
    return nullptr;
  }

  /// Returns the objects that pass `is_meant`, in the order of `all`. Does not read files that do
  /// not mention the word, because their objects cannot pass.
  template <class IsMeant>
  std::vector<const Thing*> mentioning(std::string_view word, const IsMeant& is_meant) const {
    const std::scoped_lock lock(mutex_);
    const std::string wanted = letters_of(word);
    std::vector<const Thing*> found;
    for (std::size_t i = 0; i < things_.size(); ++i)
      if ((i >= files_.size() || mentions(i, wanted)) && is_meant(at(i)))
        found.push_back(&things_[i]);
    return found;
  }

  /// Adds the object of a file from elsewhere.
  const Thing& add(const std::filesystem::path& file) {
    const std::scoped_lock lock(mutex_);
    return things_.emplace_back(read_(file));
  }

 private:
  struct Entry {
    bool is_read = false;
    /// Letters of the file's text; empty: unknown, so any word matches.
    std::optional<std::string> letters;
  };

  const Thing& at(std::size_t i) const {
    if (i < files_.size() && !entries_[i].is_read) {
      things_[i] = read_(files_[i]);
      entries_[i].is_read = true;
    }
    return things_[i];
  }

  bool mentions(std::size_t i, const std::string& wanted) const {
    Entry& entry = entries_[i];
    if (entry.is_read) return true;
    if (!entry.letters) {
      const std::string text = read_text_file(files_[i]);
      const bool is_escaped = text.find('\\') != std::string::npos;
      entry.letters = is_escaped ? std::string() : letters_of(text);
    }
    return entry.letters->empty() || entry.letters->find(wanted) != std::string::npos;
  }

  static bool is_named(const Thing& thing, const std::string& wanted) {
    if (key_of(thing.name) == wanted) return true;
    if constexpr (requires { thing.aliases; })
      for (const auto& alias : thing.aliases)
        if (key_of(alias) == wanted) return true;
    return false;
  }

  Read read_;
  std::vector<std::filesystem::path> files_;
  mutable std::deque<Thing> things_;         ///< one per file, then added ones
  mutable std::vector<Entry> entries_;       ///< by file
  mutable bool are_reported_apart_ = false;  ///< true once all are read and no two share a name
  mutable std::mutex mutex_;
};

}  // namespace config
}  // namespace tofn
