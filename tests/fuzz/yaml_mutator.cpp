#include "tests/fuzz/yaml_mutator.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/yaml/yaml_document.hpp"
#include "tests/fuzz/learned.hpp"
#include "tests/fuzz/yaml_text.hpp"

namespace tofn::fuzz {
namespace {

/// A value, its dotted key, and its index in its list or map.
struct Place {
  YamlValue* value = nullptr;
  YamlValue* holder = nullptr;  ///< null for the root
  std::size_t index = 0;
  std::string path{};
};

void add_places(const Place& place, std::vector<Place>& all) {
  all.push_back(place);
  YamlValue& value = *place.value;
  for (std::size_t i = 0; i < value.items.size(); ++i)
    add_places({&value.items[i], &value, i, place.path}, all);
  for (std::size_t i = 0; i < value.entries.size(); ++i) {
    YamlEntry& entry = value.entries[i];
    add_places(
        {&entry.value, &value, i, place.path.empty() ? entry.key : place.path + '.' + entry.key},
        all);
  }
}

template <class Words>
const std::string& word_of(const Words& words, Dice& dice) {
  return words[dice() % words.size()];
}

YamlValue value_of(YamlKind kind) {
  YamlValue value;
  value.kind = kind;
  return value;
}

YamlValue scalar_of(std::string text, bool is_quoted = false) {
  YamlValue scalar = value_of(YamlKind::Scalar);
  scalar.text = std::move(text);
  scalar.is_quoted = is_quoted;
  return scalar;
}

/// A value for the key at `path`: mostly a choice or an example that the reader named.
YamlValue value_for(const std::string& path, Dice& dice) {
  const std::vector<std::string>& known = learned().values(path);
  if (!known.empty() && dice() % 4 != 0) return scalar_of(word_of(known, dice));
  const std::vector<std::string>& keys = learned().keys(path);
  if (keys.empty() || dice() % 8 == 0) return scalar_of(odd_text(dice), dice() % 16 == 0);
  YamlValue map = value_of(YamlKind::Map);
  const std::string& key = word_of(keys, dice);
  map.entries.push_back({.key = key, .value = scalar_of(odd_text(dice))});
  if (dice() % 2 == 0) return map;
  YamlValue list = value_of(YamlKind::List);
  list.items.push_back(std::move(map));
  return list;
}

std::string key_for(const std::string& path, Dice& dice) {
  const std::vector<std::string>& known = learned().keys(path);
  if (!known.empty() && dice() % 8 != 0) return word_of(known, dice);
  const std::vector<std::string>& all = learned().all_keys();
  if (!all.empty() && dice() % 4 != 0) return word_of(all, dice);
  return dice() % 2 == 0 ? "zzz" : odd_text(dice);
}

void delete_one(const Place& at, std::vector<Place>&, Dice&) {
  if (at.holder == nullptr) return;
  if (at.holder->kind == YamlKind::Map)
    at.holder->entries.erase(at.holder->entries.begin() + static_cast<std::ptrdiff_t>(at.index));
  else
    at.holder->items.erase(at.holder->items.begin() + static_cast<std::ptrdiff_t>(at.index));
}

void duplicate(const Place& at, std::vector<Place>&, Dice& dice) {
  if (at.holder == nullptr) return;
  const std::size_t times = dice() % 8 == 0 ? 1 + dice() % 64 : 1;
  for (std::size_t i = 0; i < times; ++i)
    if (at.holder->kind == YamlKind::Map) {
      YamlEntry copy = at.holder->entries[at.index];
      at.holder->entries.push_back(std::move(copy));
    } else {
      YamlValue copy = at.holder->items[at.index];
      at.holder->items.push_back(std::move(copy));
    }
}

void swap_keys(const Place& at, std::vector<Place>&, Dice& dice) {
  if (at.holder == nullptr || at.holder->kind != YamlKind::Map) return;
  auto& entries = at.holder->entries;
  std::swap(entries[at.index].key, entries[dice() % entries.size()].key);
}

void rename(const Place& at, std::vector<Place>&, Dice& dice) {
  if (at.holder == nullptr || at.holder->kind != YamlKind::Map) return;
  const std::size_t dot = at.path.rfind('.');
  at.holder->entries[at.index].key =
      key_for(dot == at.path.npos ? "" : at.path.substr(0, dot), dice);
}

void insert(const Place& at, std::vector<Place>&, Dice& dice) {
  if (at.value->kind == YamlKind::List) {
    at.value->items.push_back(value_for(at.path, dice));
    return;
  }
  YamlValue& map = at.value->kind == YamlKind::Map || at.holder == nullptr ? *at.value : *at.holder;
  const bool is_own = &map == at.value;
  const std::size_t dot = at.path.rfind('.');
  const std::string path = is_own ? at.path : dot == at.path.npos ? "" : at.path.substr(0, dot);
  if (map.kind != YamlKind::Map) return;
  const std::string key = key_for(path, dice);
  map.entries.push_back(
      {.key = key, .value = value_for(path.empty() ? key : path + '.' + key, dice)});
}

void exchange(const Place& at, std::vector<Place>&, Dice& dice) {
  *at.value = value_for(at.path, dice);
}

/// Inserts, deletes or replaces one character of a scalar.
void edit(const Place& at, std::vector<Place>&, Dice& dice) {
  static const std::string characters = "0123456789-+.,eE /:*%_[]{}'\"#&kMGTPiBbs";
  std::string& text = at.value->text;
  if (at.value->kind != YamlKind::Scalar) return;
  const std::size_t place = dice() % (text.size() + 1);
  const char c = characters[dice() % characters.size()];
  const auto how = dice() % 3;
  if (how == 0 || place == text.size())
    text.insert(place, 1, c);
  else if (how == 1)
    text.erase(place, 1);
  else
    text[place] = c;
}

void tag(const Place& at, std::vector<Place>&, Dice& dice) {
  static const std::array<std::string, 5> tags{" [assumed]", " [a, assumed]", " []", " [zzz]",
                                               " [a"};
  if (at.value->kind == YamlKind::Scalar) at.value->text += word_of(tags, dice);
}

/// Replaces a value by a copy of another one, which nests if that one contains it.
void splice(const Place& at, std::vector<Place>& all, Dice& dice) {
  YamlValue copy = *all[dice() % all.size()].value;
  *at.value = std::move(copy);
}

void wrap(const Place& at, std::vector<Place>&, Dice& dice) {
  const std::size_t depth = dice() % 16 == 0 ? 60 + dice() % 10 : 1 + dice() % 2;
  for (std::size_t i = 0; i < depth; ++i) {
    YamlValue around = value_of(dice() % 2 == 0 ? YamlKind::List : YamlKind::Map);
    if (around.kind == YamlKind::List)
      around.items.push_back(*at.value);
    else
      around.entries.push_back({.key = key_for(at.path, dice), .value = *at.value});
    *at.value = std::move(around);
  }
}

/// Ways to change a tree. Add one here.
constexpr std::array changes{delete_one, duplicate, swap_keys, rename, insert, insert, exchange,
                             exchange,   exchange,  edit,      edit,   tag,    splice, wrap};

}  // namespace

std::string mutated_yaml(const std::string& text, Dice& dice) {
  YamlValue root;
  try {
    root = parse_old_yaml(text, "input.yaml").root;
  } catch (const InputError&) {
    return {};
  }
  for (auto left = 1 + dice() % 4; left > 0; --left) {
    std::vector<Place> all;
    add_places({.value = &root}, all);
    changes[dice() % changes.size()](all[dice() % all.size()], all, dice);
  }
  return yaml_text_of(root);
}

}  // namespace tofn::fuzz
