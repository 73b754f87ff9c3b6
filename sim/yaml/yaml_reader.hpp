#pragma once

#include <concepts>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace yaml {

class Fields;
struct YamlDocument;
struct YamlValue;

/// The names of an enum's values, as files spell them.
template <class E>
using ChoiceTable = std::span<const std::pair<std::string_view, E>>;

/// The type that T, Sourced<T> and std::optional<T> state.
template <class T>
struct StatedType {
  using type = T;
};
template <class T>
struct StatedType<Sourced<T>> : StatedType<T> {};
template <class T>
struct StatedType<std::optional<T>> : StatedType<T> {};
template <class T>
using Stated = typename StatedType<T>::type;

/// Mistakes of one file, one line each: missing or unknown keys, and bad values.
class FileMistakes : public InputError {
 public:
  /// Requires at least one mistake (asserted).
  explicit FileMistakes(const std::vector<InputError>&);
  const char* what() const noexcept override { return lines_.c_str(); }

 private:
  std::string lines_;
};

/// Mistakes found while a file is read to its end.
struct Reading {
  std::vector<InputError> mistakes;
  /// True if a value may be wrong, so that further mistakes may follow from it.
  bool is_in_doubt = false;
  bool is_over = false;
};

/// A value of a YAML file with its place and dotted key, for error messages. An unquoted scalar may
/// end in ` [tag, tag]`, the sources of the value: each tag is `assumed` or a key of the top-level
/// map `sources`. A mistake is an InputError with file, line and column.
class YamlNode {
 public:
  static YamlNode load(const std::filesystem::path& path);
  static YamlNode parse(const std::string& text, std::string file_name);
  /// The root of a document.
  explicit YamlNode(std::shared_ptr<const YamlDocument> document);
  const YamlDocument& document() const { return *document_; }

  Fields fields() const;
  /// The values of a list.
  std::vector<YamlNode> items() const;
  /// Keys and values of a map with free keys, in file order.
  std::vector<std::pair<std::string, YamlNode>> entries() const;

  [[noreturn]] void fail(std::string_view problem) const;
  /// Notes a mistake of the value and continues, so that it is reported with the others of its map.
  /// Does nothing if the value already has one.
  void mistaken(std::string_view problem) const;
  /// Notes the mistake, and reads the value as if its key were missing.
  template <class T>
  void mistaken(std::string_view problem, T& out) const {
    mistaken(problem);
    absent().read(out);
  }
  Location location() const;
  /// The dotted path from the root, e.g. `node.accelerators`; empty at the root.
  const std::string& key() const { return key_; }
  bool is_scalar() const;
  bool is_list() const;
  bool is_map() const;
  /// True for a quoted or block scalar, which is text even if it looks like a number.
  bool is_quoted() const;

  void read(double& out) const;
  void read(bool& out) const;
  void read(std::string& out) const;
  void read(Seconds& out) const;
  void read(Bytes& out) const;
  void read(Flops& out) const;
  void read(BytesPerSecond& out) const;
  void read(FlopsPerSecond& out) const;
  void read(Joules& out) const;
  void read(Watts& out) const;
  template <std::signed_integral T>
  void read(T& out) const {
    out = static_cast<T>(integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
  template <class T>
  void read(Sourced<T>& out) const {
    read(out.value);
    out.source = source();
  }
  template <class T>
  void read(std::optional<T>& out) const {
    read(out.emplace());
  }
  template <class T>
  void read(std::vector<T>& out) const {
    out.clear();
    for (const YamlNode& item : items()) {
      T value{};
      item.read(value);
      out.push_back(std::move(value));
    }
  }

  template <class T>
  void read_choice(T& out, ChoiceTable<Stated<T>> table) const {
    out = table[choice(names_of(table))].second;
  }
  template <class T>
  void read_choice(Sourced<T>& out, ChoiceTable<T> table) const {
    read_choice(out.value, table);
    out.source = source();
  }
  template <class T>
  void read_choice(std::optional<T>& out, ChoiceTable<Stated<T>> table) const {
    read_choice(out.emplace(), table);
  }

 private:
  friend class Fields;
  YamlNode(std::shared_ptr<const YamlDocument> document, const YamlValue& value, std::string key,
           std::shared_ptr<Reading> reading);

  template <class E>
  static std::vector<std::string> names_of(ChoiceTable<E> table) {
    std::vector<std::string> names;
    for (const auto& [name, value] : table) names.emplace_back(name);
    return names;
  }
  YamlNode child(const YamlValue& value, std::string_view key) const;
  /// Returns the text of a scalar without its source tags; absent if it is missing or mistaken:
  /// `expected <what>, got a map`.
  std::optional<std::string> scalar(std::string_view what) const;
  std::string source() const;
  long long integer(long long lowest, long long highest) const;
  std::size_t choice(const std::vector<std::string>& names) const;
  template <class Q>
  void read_quantity(Q& out) const;

  /// True if the map lacks the key: the value then reads as 1 or empty until the reading is over.
  bool is_missing() const;
  YamlNode absent() const;
  /// Marks the reading as uncertain, because a value reads as 1 or empty.
  void leave_in_doubt() const;
  void add(const InputError&) const;

  std::shared_ptr<const YamlDocument> document_;  // keeps value_ alive
  const YamlValue* value_;
  std::string key_;
  std::shared_ptr<Reading> reading_;  // of the outermost map that is being read
};

/// Reads the keys of one map. Must end with done(), which refuses unread keys. For the outermost
/// map, done() throws for all missing or unknown keys in it and in inner maps, and for bad values.
class Fields {
 public:
  explicit Fields(YamlNode map);
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  ~Fields();

  template <class T>
  Fields& required(std::string_view key, T& out) {
    child(key).read(out);
    return *this;
  }
  /// Leaves `out` unchanged if the key is absent.
  template <class T>
  Fields& optional(std::string_view key, T& out) {
    if (const auto node = optional_child(key)) node->read(out);
    return *this;
  }
  template <class T>
  Fields& required_choice(std::string_view key, T& out, ChoiceTable<Stated<T>> table) {
    child(key).read_choice(out, table);
    return *this;
  }
  template <class T>
  Fields& optional_choice(std::string_view key, T& out, ChoiceTable<Stated<T>> table) {
    if (const auto node = optional_child(key)) node->read_choice(out, table);
    return *this;
  }

  /// The map itself, whose mistakes are reported with those of the reading.
  const YamlNode& map() const { return map_; }
  YamlNode child(std::string_view key);
  std::optional<YamlNode> optional_child(std::string_view key);
  bool has(std::string_view key);
  void done();

 private:
  YamlNode map_;
  bool is_outermost_ = false;
  std::vector<std::string> request_;  // in reading order, for error messages
  int exceptions_at_start_;
  bool is_done_ = false;
};

}  // namespace yaml
}  // namespace tofn
