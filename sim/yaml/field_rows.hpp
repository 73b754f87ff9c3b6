#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/range.hpp"
#include "sim/core/unit_table.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

// Keys of files as rows. The keys of a map are a function over its rows, `rows(walk, thing)`:
// FieldReader reads them, FieldWriter writes them and FieldLister lists them.

namespace tofn {
inline namespace yaml {

/// A key of a kind of file, as `tofn list fields` prints it.
struct FileKey {
  std::string kind;
  std::string key;            ///< dotted; `phases[].batch` of each entry of a list
  std::string value;          ///< its unit, or the valid choices
  std::string default_value;  ///< `required` if there is none; may be empty
  std::string meaning;
};

/// One key of a map.
struct FileField {
  std::string_view key;
  std::string_view meaning;
  bool is_required = false;
  Range range = range::any;  ///< of a number, which its rule may show: `at most 8, got {}`
  int digits = 15;           ///< of a number when written
  Range limit = range::any;  ///< a second range, with its own error message
};

template <class T>
concept IsChoice = std::is_enum_v<T>;
template <class T>
concept IsQuantity = requires(T value) {
  kind_of(value);
}
&&!std::is_arithmetic_v<T>;
template <class T>
concept IsNumber = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || IsQuantity<T>;

/// Reads a map's rows; a member whose key is absent keeps its value.
class FieldReader {
 public:
  explicit FieldReader(Fields& fields) : fields_(fields) {}

  /// Returns true if the map has the key; `check` refuses a value that contradicts others.
  template <class T, class Check = std::nullptr_t>
  bool operator()(const FileField& field, T& out, const Check& check = {}) const {
    return with(field, "", [&](const YamlNode& node) {
      read(node, field, out);
      if constexpr (std::is_invocable_v<Check, const YamlNode&>) check(node);
    });
  }
  bool has(std::string_view key) const { return fields_.has(key); }
  /// Reads a value of a special form, such as `2T tokens`, by `read_node`. Returns true if the map
  /// has the key.
  template <class Read>
  bool with(const FileField& field, std::string_view, const Read& read_node) const {
    if (!field.is_required && !fields_.has(field.key)) return false;
    read_node(fields_.child(field.key));
    return true;
  }
  /// Reads a map with rows of its own.
  template <class Rows, class Check = std::nullptr_t>
  void map(const FileField& field, const Rows& rows, const Check& check = {}) const {
    with(field, "", [&](const YamlNode& node) {
      read_map(node, rows);
      if constexpr (std::is_invocable_v<Check, const YamlNode&>) check(node);
    });
  }
  /// Reads a list of such maps; `rule` is the error message for an empty list, or none if it may be
  /// empty.
  template <class T, class Rows>
  void list(const FileField& field, std::string_view rule, std::vector<T>& out,
            const Rows& rows) const {
    with(field, "", [&](const YamlNode& node) {
      for (const YamlNode& item : node.items())
        read_map(item, [&](auto& walk) { rows(walk, out.emplace_back()); });
      if (out.empty() && !rule.empty()) node.fail(rule);
    });
  }

  /// Reads a value within this range.
  template <class T>
  static void read_value(const YamlNode& node, const Range& range, T& out) {
    read(node, {.key = "", .meaning = "", .range = range}, out);
  }
  template <class Rows>
  static void read_map(const YamlNode& node, const Rows& rows) {
    Fields fields = node.fields();
    FieldReader reader(fields);
    rows(reader);
    fields.done();
  }

 private:
  template <class T>
  static void read(const YamlNode& node, const FileField& field, T& out) {
    if constexpr (IsChoice<Stated<T>>)
      node.read_choice(out, ChoiceTable<Stated<T>>(names_of(Stated<T>{})));
    else
      node.read(out);
    if constexpr (IsNumber<Stated<T>>)
      for (const Range& range : {field.range, field.limit})
        if (const double number = stated_number(out); !range.holds(number))
          node.mistaken(fmt::format(fmt::runtime(range.rule), number), out);
  }
  template <class T>
  static void read(const YamlNode& node, const FileField& field, std::vector<T>& out) {
    out.clear();
    for (const YamlNode& item : node.items()) {
      T value{};
      read(item, field, value);
      out.push_back(std::move(value));
    }
  }
  template <class T>
  static double stated_number(const T& value) {
    return number_of(value);
  }
  template <class T>
  static double stated_number(const std::optional<T>& value) {
    return number_of(*value);
  }

  Fields& fields_;
};

/// Writes a map's rows as lines; optional rows at their default are left out.
class FieldWriter {
 public:
  explicit FieldWriter(std::string_view indent = {}) : indent_(indent) {}

  template <class T>
  void operator()(const FileField& field, const T& value) {
    if (!field.is_required && value == T{}) return;
    text_ += fmt::format("{}{}: {}\n", indent_, field.key, value_text(value, field.digits));
  }
  const std::string& text() const { return text_; }

  template <class T>
  static std::string value_text(const T& value, int digits) {
    if constexpr (std::is_same_v<T, std::string>)
      return yaml_text(value);
    else if constexpr (std::is_same_v<T, bool>)
      return value ? "true" : "false";
    else if constexpr (std::is_floating_point_v<T>)
      return fmt::format("{:.{}g}", value, digits);
    else if constexpr (IsChoice<T>)
      return std::string(name_of(value));
    else if constexpr (IsQuantity<T>)
      return to_text(value, digits);
    else
      return fmt::format("{}", value);
  }
  template <class T>
  static std::string value_text(const std::optional<T>& value, int digits) {
    return value ? value_text(*value, digits) : std::string();
  }
  template <class T>
  static std::string value_text(const Sourced<T>& value, int digits) {
    return value_text(value.value, digits);
  }
  template <class T>
  static std::string value_text(const std::vector<T>& values, int digits) {
    std::vector<std::string> texts;
    for (const T& value : values) texts.push_back(value_text(value, digits));
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }

 private:
  std::string_view indent_;
  std::string text_;
};

/// Lists a map's rows, with the defaults of the object that it walks.
class FieldLister {
 public:
  FieldLister(std::string_view kind, std::vector<FileKey>& keys) : kind_(kind), keys_(keys) {}

  template <class T, class Check = std::nullptr_t>
  bool operator()(const FileField& field, const T& value, const Check& = {}) {
    add(field, form_of(value), default_of(value));
    return true;
  }
  bool has(std::string_view) const { return false; }
  template <class Read>
  bool with(const FileField& field, std::string_view form, const Read&) {
    add(field, std::string(form), "");
    return true;
  }
  template <class Rows, class Check = std::nullptr_t>
  void map(const FileField& field, const Rows& rows, const Check& = {}) {
    add(field, "map", "");
    inside(fmt::format("{}.", field.key), rows);
  }
  template <class T, class Rows>
  void list(const FileField& field, std::string_view, std::vector<T>&, const Rows& rows) {
    add(field, "list of maps", "");
    T item{};
    inside(fmt::format("{}[].", field.key), [&](auto& walk) { rows(walk, item); });
  }
  /// Lists the rows of a map whose own key was listed before; `before` ends in a dot.
  template <class Rows>
  void inside(std::string before, const Rows& rows) {
    before = before_ + before;
    std::swap(before_, before);
    rows(*this);
    std::swap(before_, before);
  }

 private:
  void add(const FileField& field, std::string value, std::string default_value) {
    keys_.push_back({kind_, before_ + std::string(field.key), std::move(value),
                     field.is_required ? "required" : std::move(default_value),
                     std::string(field.meaning)});
  }
  template <class T>
  static std::string form_of(const std::vector<T>&) {
    return "list of " + form_of(T{});
  }
  template <class T>
  static std::string form_of(const T&) {
    using Value = Stated<T>;
    if constexpr (std::is_same_v<Value, bool>) return "true, false";
    if constexpr (std::is_same_v<Value, std::string>) return "text";
    if constexpr (std::is_integral_v<Value>) return "whole number";
    if constexpr (std::is_floating_point_v<Value>) return "number";
    if constexpr (IsQuantity<Value>)
      return fmt::format("{}, such as {}", kind_of(Value{}).name, kind_of(Value{}).example);
    if constexpr (IsChoice<Value>) {
      std::vector<std::string_view> names;
      for (const auto& [name, value] : names_of(Value{})) names.push_back(name);
      return fmt::format("{}", fmt::join(names, ", "));
    }
  }
  template <class T>
  static std::string default_of(const Sourced<T>& value) {
    return default_of(value.value);
  }
  template <class T>
  static std::string default_of(const std::optional<T>& value) {
    return value ? default_of(*value) : "";
  }
  template <class T>
  static std::string default_of(const T& value) {
    if constexpr (std::is_same_v<T, bool> || IsChoice<T>)
      return FieldWriter::value_text(value, 6);
    else if constexpr (std::is_same_v<T, std::string> || IsNumber<T>)
      return value == T{} ? "" : FieldWriter::value_text(value, 6);
    else
      return "";
  }

  std::string kind_;
  std::vector<FileKey>& keys_;
  std::string before_;
};

}  // namespace yaml
}  // namespace tofn
