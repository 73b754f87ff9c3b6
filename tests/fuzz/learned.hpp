#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofn::fuzz {

/// Keys and values that readers know, from their own messages: the rows of `tofn list fields`, and
/// each refusal, which names the valid keys of a map, the choices of a key, or an example with its
/// unit. No list of keys is kept here, so none goes out of date.
class Learned {
 public:
  Learned();

  /// Learns from a refusal such as `input.yaml:3:1: node: unknown key 'x'; valid keys: a, b`.
  void hear(std::string_view refusal);

  /// Keys of the map at a dotted path; empty if no message named any.
  const std::vector<std::string>& keys(const std::string& path) const;
  const std::vector<std::string>& values(const std::string& path) const;
  /// Keys of every map.
  const std::vector<std::string>& all_keys() const { return all_keys_; }

 private:
  using Words = std::map<std::string, std::vector<std::string>>;
  void hear_line(std::string_view line);
  void add(Words&, const std::string& path, std::string_view word);
  void add_list(Words&, const std::string& path, std::string_view list);

  Words keys_, values_;
  std::vector<std::string> all_keys_;
  std::set<std::string> heard_;  ///< lists already read
};

/// Instance that targets and mutators share.
Learned& learned();

}  // namespace tofn::fuzz
