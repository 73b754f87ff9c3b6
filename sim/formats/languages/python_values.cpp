#include "sim/formats/languages/python_values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr int deepest_object = 32;

/// Adds the settings of values. Objects may contain themselves, so each counts once on the way
/// down.
class PythonSettings {
 public:
  explicit PythonSettings(LaunchFile& file) : file_(file) {}

  void add(const std::string& key, const PythonValue& value, int depth) {
    if (depth > deepest_object) return;
    switch (value.kind) {
      case PythonValueKind::Unknown:
      case PythonValueKind::Symbol:
        file_.not_understood.push_back(
            {key, value.text,
             value.kind == PythonValueKind::Symbol ? "a name from another file" : value.reason,
             value.place});
        return;
      case PythonValueKind::Literal:
        file_.settings.push_back({key, value.text, value.place});
        return;
      case PythonValueKind::List:
        add_list(key, value, depth);
        return;
      case PythonValueKind::Object:
        add_object(key, value, depth);
        return;
    }
  }

 private:
  void add_list(const std::string& key, const PythonValue& list, int depth) {
    const bool is_plain = std::ranges::all_of(
        list.items, [](const PythonValue& item) { return item.kind == PythonValueKind::Literal; });
    std::string text;
    for (std::size_t i = 0; i < list.items.size(); ++i)
      if (is_plain)
        text += (i == 0 ? "" : " ") + list.items[i].text;
      else
        add(fmt::format("{}.{}", key, i), list.items[i], depth + 1);
    if (is_plain) file_.settings.push_back({key, text, list.place, true});
  }

  void add_object(const std::string& key, const PythonValue& value, int depth) {
    constexpr std::size_t most = 100'000;
    if (!inside_.insert(value.object).second || file_.settings.size() > most) return;
    const PythonObject& object = *value.object;
    if (!object.callee.empty())
      file_.settings.push_back({key.empty() ? "call" : key, object.callee, value.place});
    for (const auto& [name, member] : object.members) {
      const bool is_argument = name.find_first_not_of("0123456789") == std::string::npos;
      const std::string member_key = key.empty() ? name : key + "." + name;
      if (is_argument && member.kind == PythonValueKind::Symbol)
        file_.settings.push_back({member_key, member.text, member.place});
      else
        add(member_key, member, depth + 1);
    }
    inside_.erase(value.object);
  }

  LaunchFile& file_;
  std::set<const PythonObject*> inside_;
};

std::optional<double> result_of(double left, std::string_view sign, double right) {
  if (sign == "+") return left + right;
  if (sign == "-") return left - right;
  if (sign == "*") return left * right;
  if (sign == "/" && right != 0) return left / right;
  if (sign == "//" && right != 0) return std::floor(left / right);
  if (sign == "%" && right != 0) return left - right * std::floor(left / right);
  if (sign == "**") return std::pow(left, right);
  return std::nullopt;
}

}  // namespace

PythonValue* PythonObject::find(std::string_view name) {
  const auto found =
      std::ranges::find_if(members, [&](const auto& member) { return member.first == name; });
  return found == members.end() ? nullptr : &found->second;
}

void PythonObject::set(std::string_view name, PythonValue value) {
  if (PythonValue* member = find(name))
    *member = std::move(value);
  else
    members.emplace_back(name, std::move(value));
}

PythonValue python_literal(std::string text, const Location& place, bool is_text) {
  return {.kind = PythonValueKind::Literal,
          .text = std::move(text),
          .is_text = is_text,
          .place = place};
}

PythonValue python_unknown(std::string text, std::string reason, const Location& place) {
  constexpr std::size_t longest = 80;
  if (text.size() > longest) text = text.substr(0, text.find_last_of(" (,", longest)) + " ...";
  std::replace(text.begin(), text.end(), '\n', ' ');
  return {.kind = PythonValueKind::Unknown,
          .text = std::move(text),
          .reason = std::move(reason),
          .place = place};
}

void add_python_settings(const std::string& key, const PythonValue& value, LaunchFile& file) {
  PythonSettings(file).add(key, value, 0);
}

PythonValue python_operation(const PythonValue& left, std::string_view sign,
                             const PythonValue& right) {
  constexpr double exact = 9e15;  // whole numbers up to here are exact in a double
  const std::string text = left.text + " " + std::string(sign) + " " + right.text;
  PythonValue unknown = python_unknown(text, "not a literal", left.place);
  const bool are_literals = left.kind == PythonValueKind::Literal && !left.is_text &&
                            right.kind == PythonValueKind::Literal && !right.is_text;
  double a = 0;
  double b = 0;
  if (!are_literals || !parse_number(left.text, a) || !parse_number(right.text, b)) return unknown;
  const auto result = result_of(a, sign, b);
  if (!result || !std::isfinite(*result) || std::abs(*result) > exact) return unknown;
  long long whole = 0;
  const bool is_whole = parse_integer(left.text, whole) && parse_integer(right.text, whole) &&
                        sign != "/" && *result == std::floor(*result);
  return python_literal(
      is_whole ? fmt::format("{}", static_cast<long long>(*result)) : fmt::format("{}", *result),
      left.place);
}

}  // namespace formats
}  // namespace tofn
