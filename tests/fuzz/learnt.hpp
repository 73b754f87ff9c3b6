#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofn::fuzz {

/// What readers know of keys and values, in their own words: the rows of `tofn list fields`, and
/// each refusal, which names the valid keys of a map, the choices of a key, or an example with its
/// unit. No list of keys stands here, so that none grows old.
class Learnt {
 public:
  Learnt();

  /// `input.yaml:3:1: node: unknown key 'x'; valid keys: a, b`
  void hear(std::string_view refusal);

  /// Of the map at a dotted path; empty: nothing was heard of it.
  const std::vector<std::string>& keys(const std::string& path) const;
  const std::vector<std::string>& values(const std::string& path) const;
  /// Of any map.
  const std::vector<std::string>& all_keys() const { return all_keys_; }

 private:
  using Words = std::map<std::string, std::vector<std::string>>;
  void hear_line(std::string_view line);
  void add(Words&, const std::string& path, std::string_view word);
  void add_list(Words&, const std::string& path, std::string_view list);

  Words keys_, values_;
  std::vector<std::string> all_keys_;
  std::set<std::string> heard_;  ///< lists, each read once
};

/// The one that targets and mutators share.
Learnt& learnt();

}  // namespace tofn::fuzz
