#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "sim/formats/languages/python_reader.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr int deepest_call_of_python = 16;
constexpr int deepest_python_expression = 200;

std::string truth(bool is_true) { return is_true ? "true" : "false"; }

}  // namespace

/// Token of the first of these signs outside of brackets, or of the last if `from_right`; absent if
/// there is none.
std::optional<std::size_t> PythonReader::find_sign(Range range,
                                                   const std::vector<std::string_view>& signs,
                                                   bool from_right) const {
  std::optional<std::size_t> found;
  for (std::size_t i = range.begin; i < range.end; i = after(i)) {
    const bool can_be = at(i).kind == PythonKind::Sign || at(i).kind == PythonKind::Name;
    if (!can_be || std::ranges::find(signs, at(i).text) == signs.end()) continue;
    found = i;
    if (!from_right) break;
  }
  return found;
}

std::vector<PythonReader::Range> PythonReader::split(Range range, std::string_view sign) const {
  std::vector<Range> parts;
  while (range.begin < range.end) {
    const std::size_t end = find_sign(range, {sign}, false).value_or(range.end);
    if (end > range.begin) parts.push_back({range.begin, end});
    range.begin = end + 1;
  }
  return parts;
}

PythonValue PythonReader::expression(Range range, Variables& variables) {
  count_step(range.begin);
  if (range.begin >= range.end) return unknown(range, "an expression is missing");
  if (++depth_ > deepest_python_expression)
    throw InputError(place(range.begin), {}, "nested too deeply");
  PythonValue value = binary(range, variables);
  --depth_;
  return value;
}

/// Evaluates a range at the operator that binds least: conditions, comparisons, sums, products,
/// powers.
PythonValue PythonReader::binary(Range range, Variables& variables) {
  if (find_sign(range, {"for", "if", "lambda", "await", "|", "&", "^", "@", ","}, false))
    return unknown(range, "not a literal");
  if (find_sign(range, {"or", "and", "==", "!=", "is"}, false) || is_name(range.begin, "not"))
    return logical(range, variables);
  if (find_sign(range, {"<", ">", "<=", ">=", "in"}, false)) return unknown(range, "not a literal");
  for (const std::vector<std::string_view>& signs :
       {std::vector<std::string_view>{"+", "-"}, {"*", "/", "//", "%"}, {"**"}}) {
    const auto sign = find_sign(range, signs, true);
    if (!sign || *sign == range.begin) continue;
    if (at(*sign - 1).kind == PythonKind::Sign && !is_sign(*sign - 1, ")") &&
        !is_sign(*sign - 1, "]"))
      continue;  // the sign of a number
    PythonValue value =
        python_operation(expression({range.begin, *sign}, variables), at(*sign).text,
                         expression({*sign + 1, range.end}, variables));
    if (value.kind == PythonValueKind::Unknown) return unknown(range, "not a literal");
    value.place = place(range.begin);
    return value;
  }
  if (is_sign(range.begin, "-") || is_sign(range.begin, "+")) {
    PythonValue value = expression({range.begin + 1, range.end}, variables);
    if (value.kind != PythonValueKind::Literal || value.is_text)
      return unknown(range, "not a literal");
    if (is_sign(range.begin, "-"))
      value.text = value.text.starts_with('-') ? value.text.substr(1) : "-" + value.text;
    return value;
  }
  return postfix(range, variables);
}

/// Evaluates `or`, `and`, `not` and comparisons of literals.
PythonValue PythonReader::logical(Range range, Variables& variables) {
  for (const std::string_view word : {"or", "and"})
    if (const auto sign = find_sign(range, {word}, false)) {
      const PythonValue left = expression({range.begin, *sign}, variables);
      const bool is_true = left.text != "false" && left.text != "null";
      if (left.kind != PythonValueKind::Literal) return unknown(range, "not a literal");
      return is_true == (word == "or") ? left : expression({*sign + 1, range.end}, variables);
    }
  if (is_name(range.begin, "not")) {
    const PythonValue value = expression({range.begin + 1, range.end}, variables);
    if (value.kind != PythonValueKind::Literal || value.is_text)
      return unknown(range, "not a literal");
    return python_literal(truth(value.text == "false" || value.text == "null"), place(range.begin));
  }
  if (const auto sign = find_sign(range, {"==", "!=", "is"}, false)) {
    const bool is_not = is_name(*sign + 1, "not");
    const PythonValue left = expression({range.begin, *sign}, variables);
    const PythonValue right = expression({*sign + (is_not ? 2 : 1), range.end}, variables);
    if (left.kind != PythonValueKind::Literal || right.kind != PythonValueKind::Literal)
      return unknown(range, "not a literal");
    const bool is_same = left.text == right.text && left.is_text == right.is_text;
    return python_literal(truth(is_same != (is_not || is_sign(*sign, "!="))), place(range.begin));
  }
  return unknown(range, "not a literal");
}

/// Evaluates a name or a literal, followed by any number of `.b` and `(...)`.
PythonValue PythonReader::postfix(Range range, Variables& variables) {
  std::size_t token = range.begin;
  PythonValue value = atom(range, variables, token);
  while (token < range.end) {
    if (is_sign(token, ".") && token + 1 < range.end && at(token + 1).kind == PythonKind::Name) {
      value = attribute(value, at(token + 1).text, {range.begin, token + 2});
      token += 2;
    } else if (is_sign(token, "(")) {
      const std::size_t close = at(token).partner;
      value = call(value, {token + 1, close}, {range.begin, close + 1}, variables);
      token = close + 1;
    } else {
      return unknown(range, "not a literal");
    }
  }
  return value;
}

PythonValue PythonReader::atom(Range range, Variables& variables, std::size_t& end) {
  const PythonToken& first = at(range.begin);
  const Location here = place(range.begin);
  end = range.begin + 1;
  switch (first.kind) {
    case PythonKind::Number:
      return python_literal(first.text, here);
    case PythonKind::Text: {
      std::string text = first.text;  // adjacent texts are one
      for (; end < range.end && at(end).kind == PythonKind::Text; ++end) text += at(end).text;
      return python_literal(text, here, true);
    }
    case PythonKind::Name:
      break;
    default: {
      if (first.partner == 0) return unknown(range, "not a literal");
      end = first.partner + 1;
      const Range inside{range.begin + 1, first.partner};
      if (first.text == "[") return list(inside, variables);
      if (first.text == "{") return dictionary(inside, variables);
      if (first.text == "(" && !find_sign(inside, {","}, false) && inside.begin < inside.end)
        return expression(inside, variables);
      return list(inside, variables);
    }
  }
  if (first.text == "True" || first.text == "False")
    return python_literal(truth(first.text == "True"), here);
  if (first.text == "None") return python_literal("null", here);
  for (const Variables* scope : {&variables, &globals_})
    if (const auto found = scope->find(first.text); found != scope->end()) return found->second;
  PythonValue symbol{.kind = PythonValueKind::Symbol, .text = first.text, .place = here};
  return symbol;
}

PythonValue PythonReader::list(Range inside, Variables& variables) {
  PythonValue value{.kind = PythonValueKind::List,
                    .place = place(inside.begin > 0 ? inside.begin - 1 : 0)};
  for (const Range& item : split(inside, ",")) value.items.push_back(expression(item, variables));
  return value;
}

PythonValue PythonReader::dictionary(Range inside, Variables& variables) {
  PythonValue value = new_object("", place(inside.begin - 1));
  for (const Range& item : split(inside, ",")) {
    const auto colon = find_sign(item, {":"}, false);
    if (!colon) continue;  // `**more`
    const PythonValue key = expression({item.begin, *colon}, variables);
    if (key.kind == PythonValueKind::Literal)
      value.object->set(key.text, expression({*colon + 1, item.end}, variables));
  }
  return value;
}

PythonValue PythonReader::attribute(const PythonValue& value, std::string_view name,
                                    Range whole) const {
  if (value.kind == PythonValueKind::Symbol) {
    PythonValue longer = value;
    longer.text += "." + std::string(name);
    return longer;
  }
  if (value.kind == PythonValueKind::Object)
    if (const PythonValue* member = value.object->find(name)) return *member;
  return unknown(whole, "it is not set here");
}

PythonValue PythonReader::call(const PythonValue& callee, Range inside, Range whole,
                               Variables& variables) {
  PythonObject arguments;
  bool takes_object = false;
  std::size_t count = 0;
  for (const Range& part : split(inside, ",")) {
    const auto sign = find_sign(part, {"="}, false);
    if (is_sign(part.begin, "**") || is_sign(part.begin, "*")) {
      noted_.push_back({"", source(part), "not a literal", place(part.begin)});
      continue;
    }
    PythonValue value = expression({sign ? *sign + 1 : part.begin, part.end}, variables);
    takes_object = takes_object || value.kind == PythonValueKind::Object;
    value.place = place(part.begin);
    arguments.set(sign ? at(part.begin).text : fmt::format("{}", count++), std::move(value));
  }
  if (callee.kind != PythonValueKind::Symbol) {
    // A method of an object that is only partly known, such as `recipe.callbacks.append(...)`.
    noted_.push_back({"", source(whole), "a call whose effect is not known", place(whole.begin)});
    return unknown(whole, "what a call returns");
  }
  if (const auto own = definitions_.find(callee.text);
      own != definitions_.end() && !own->second.is_class)
    return call_own(own->second, arguments, whole.begin);
  // A call that stands alone may change an object that is passed to it.
  const bool is_statement = whole.begin == 0 || at(whole.begin - 1).kind == PythonKind::LineEnd ||
                            at(whole.begin - 1).kind == PythonKind::Indent ||
                            at(whole.begin - 1).kind == PythonKind::Dedent;
  if (is_statement && takes_object)
    noted_.push_back({"", source(whole), "a function of another file", place(whole.begin)});
  PythonValue value = new_object(callee.text, place(whole.begin));
  value.object->members = std::move(arguments.members);
  return value;
}

PythonValue PythonReader::call_own(const PythonDefinition& definition,
                                   const PythonObject& arguments, std::size_t token) {
  if (++depth_ > deepest_call_of_python * 8)
    throw InputError(place(token), {}, "nested too deeply");
  Variables variables;
  PythonObject given = arguments;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    const auto& [name, begin, end, is_by_keyword] = definition.parameters[i];
    const PythonValue* value = given.find(name);
    if (value == nullptr && !is_by_keyword) value = given.find(fmt::format("{}", i));
    variables[name] =
        value != nullptr ? *value
        : begin < end    ? expression({begin, end}, globals_)
                      : python_unknown(name, "an argument of the function", place(definition.body));
  }
  const auto outer = std::exchange(returned_, std::nullopt);
  run_block(definition.body, variables);
  PythonValue value = returned_.value_or(python_literal("null", place(definition.body)));
  returned_ = outer;
  --depth_;
  if (!definition.is_class) return value;
  value = new_object("", place(definition.body));
  for (auto& [name, field] : variables) value.object->set(name, std::move(field));
  return value;
}

}  // namespace formats
}  // namespace tofn
