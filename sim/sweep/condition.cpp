#include "sim/sweep/condition.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <muParser.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace sweep {

/// A muParser expression. It reads variables from `values`, whose addresses must not change.
struct Condition::Parser {
  mu::Parser parser;
  std::vector<double> values;
};

namespace {

double remainder_of(double a, double b) { return std::fmod(a, b); }

/// True if the text has a single `=`, which muParser takes for an assignment that holds for every
/// point.
bool assigns(std::string_view text) {
  for (std::size_t i = text.find('='); i != std::string_view::npos; i = text.find('=', i + 1)) {
    if (i + 1 < text.size() && text[i + 1] == '=')
      ++i;
    else if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

Condition::Condition(const SweepText& stated, const std::vector<std::string>& known)
    : parser_(std::make_unique<Parser>()) {
  const auto fail = [&](std::string_view problem) {
    throw InputError(stated.location, "constraints", fmt::format("'{}': {}", stated.text, problem));
  };
  if (assigns(stated.text)) fail("equality is written ==");
  mu::Parser& parser = parser_->parser;
  constexpr int precedence_of_product = 6;
  try {
    parser.DefineOprt("%", remainder_of, precedence_of_product);
    parser.SetExpr(stated.text);
    for (const auto& [name, place] : parser.GetUsedVar()) names_.push_back(name);
  } catch (const mu::Parser::exception_type& error) {
    fail(error.GetMsg());
  }
  for (const std::string& name : names_)
    if (std::ranges::find(known, name) == known.end()) fail(unknown_name("name", name, known));
  parser_->values.resize(names_.size());
  try {
    for (std::size_t i = 0; i < names_.size(); ++i)
      parser.DefineVar(names_[i], &parser_->values[i]);
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    fail(error.GetMsg());
  }
}

Condition::~Condition() = default;
Condition::Condition(Condition&&) noexcept = default;

bool Condition::holds(const std::vector<double>& values) const {
  assert(values.size() == names_.size());
  parser_->values = values;
  return parser_->parser.Eval() != 0;
}

}  // namespace sweep
}  // namespace tofn
