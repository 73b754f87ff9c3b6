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
inline namespace config {

class Fields;
struct YamlDocument;
struct YamlValue;

/// The names of an enum's values, as files spell them.
template <class E>
using ChoiceTable = std::span<const std::pair<std::string_view, E>>;

/// The enum inside E, Sourced<E> or std::optional<E>.
template <class T>
struct ChoiceOf {
  using type = T;
};
template <class E>
struct ChoiceOf<Sourced<E>> {
  using type = E;
};
template <class E>
struct ChoiceOf<std::optional<E>> {
  using type = typename ChoiceOf<E>::type;
};

/// Mistakes of one file, a line each: keys that are missing or that nobody knows, bad values.
class FileMistakes : public InputError {
 public:
  /// At least one (asserted).
  explicit FileMistakes(const std::vector<InputError>&);
  const char* what() const noexcept override { return lines_.c_str(); }

 private:
  std::string lines_;
};

/// Mistakes that a reading found and went on after.
struct Reading {
  std::vector<InputError> mistakes;
  bool is_in_doubt = false;  ///< a figure is not what it should be: more may follow from it
  bool is_over = false;
};

/// A value of a YAML file that knows its place and its dotted key, for error messages. A scalar
/// that is not quoted may end in ` [tag, tag]`, the sources of the value: each tag is `assumed` or
/// stands in the top-level map `sources`. A mistake is an InputError with file, line and column.
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
  /// Of the value alone: while its map is read the reading goes on, to tell it with the others. Of
  /// a value that has one already, nothing.
  void mistaken(std::string_view problem) const;
  /// The same, and reads what a missing key reads as.
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
  /// A quoted or block scalar: text even where its characters are those of a number.
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
  void read_choice(T& out, ChoiceTable<typename ChoiceOf<T>::type> table) const {
    out = table[choice(names_of(table))].second;
  }
  template <class T>
  void read_choice(Sourced<T>& out, ChoiceTable<T> table) const {
    read_choice(out.value, table);
    out.source = source();
  }
  template <class T>
  void read_choice(std::optional<T>& out, ChoiceTable<typename ChoiceOf<T>::type> table) const {
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
  /// The text of a scalar without its source tags. Nothing where it is missing or mistaken:
  /// `expected <what>, got a map`.
  std::optional<std::string> scalar(std::string_view what) const;
  std::string source() const;
  long long integer(long long lowest, long long highest) const;
  std::size_t choice(const std::vector<std::string>& names) const;
  template <class Q>
  void read_quantity(Q& out) const;

  /// Whether a map lacks it: it then reads as 1, or as nothing, until the reading is over.
  bool is_missing() const;
  YamlNode absent() const;
  /// Of a value that reads as 1 or nothing.
  void leave_in_doubt() const;
  void add(const InputError&) const;

  std::shared_ptr<const YamlDocument> document_;  // keeps value_ alive
  const YamlValue* value_;
  std::string key_;
  std::shared_ptr<Reading> reading_;  // of the outermost map that is being read
};

/// Reads the keys of one map. End with done(), which refuses keys that nobody asked for. Of the
/// outermost map it throws for all keys that are missing or unknown in it and in those inside, and
/// for bad values.
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
  /// Leaves `out` as it is when the key is absent.
  template <class T>
  Fields& optional(std::string_view key, T& out) {
    if (const auto node = optional_child(key)) node->read(out);
    return *this;
  }
  template <class T>
  Fields& required_choice(std::string_view key, T& out,
                          ChoiceTable<typename ChoiceOf<T>::type> table) {
    child(key).read_choice(out, table);
    return *this;
  }
  template <class T>
  Fields& optional_choice(std::string_view key, T& out,
                          ChoiceTable<typename ChoiceOf<T>::type> table) {
    if (const auto node = optional_child(key)) node->read_choice(out, table);
    return *this;
  }

  /// The map itself, whose mistakes are told with those of the reading.
  const YamlNode& map() const { return map_; }
  YamlNode child(std::string_view key);
  std::optional<YamlNode> optional_child(std::string_view key);
  bool has(std::string_view key);
  void done();

 private:
  YamlNode map_;
  bool is_outermost_ = false;
  std::vector<std::string> asked_;  // in the order of asking, which error texts show
  int exceptions_at_start_;
  bool is_done_ = false;
};

}  // namespace config
}  // namespace tofn
