#include <cctype>
#include <limits>
#include <string>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/languages/shell_values.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr int deepest_expression = 64;

/// Evaluates sums, products, signs and brackets by recursive descent. Absent values are not
/// understood.
class ShellSum {
 public:
  ShellSum(std::string_view text, const ShellVariables& variables)
      : text_(text), variables_(variables) {}

  std::optional<long long> value() {
    const auto sum = this->sum();
    skip();
    return text_.empty() ? sum : std::nullopt;
  }

 private:
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())) != 0)
      text_.remove_prefix(1);
  }
  bool take(std::string_view sign) {
    skip();
    if (!text_.starts_with(sign)) return false;
    text_.remove_prefix(sign.size());
    return true;
  }

  std::optional<long long> sum() {
    auto left = product();
    while (left) {
      const bool is_sum = take("+");
      if (!is_sum && !take("-")) return left;
      const auto right = product();
      long long result = 0;
      if (!right || (is_sum ? __builtin_add_overflow(*left, *right, &result)
                            : __builtin_sub_overflow(*left, *right, &result)))
        return std::nullopt;
      left = result;
    }
    return left;
  }

  std::optional<long long> product() {
    auto left = factor();
    while (left) {
      const bool is_product = take("*");
      const bool is_quotient = !is_product && take("/");
      if (!is_product && !is_quotient && !take("%")) return left;
      const auto right = factor();
      if (!right) return std::nullopt;
      long long result = 0;
      if (is_product) {
        if (__builtin_mul_overflow(*left, *right, &result)) return std::nullopt;
      } else {
        const bool overflows = *left == std::numeric_limits<long long>::min() && *right == -1;
        if (*right == 0 || overflows) return std::nullopt;
        result = is_quotient ? *left / *right : *left % *right;
      }
      left = result;
    }
    return left;
  }

  std::optional<long long> factor() {
    if (++depth_ > deepest_expression) return std::nullopt;
    const auto value = signed_factor();
    --depth_;
    return value;
  }

  std::optional<long long> signed_factor() {
    if (take("-")) {
      const auto value = factor();
      if (!value || *value == std::numeric_limits<long long>::min()) return std::nullopt;
      return -*value;
    }
    if (take("(")) {
      const auto value = sum();
      return take(")") ? value : std::nullopt;
    }
    const bool is_braced = take("${");
    if (!is_braced) take("$");
    std::size_t length = 0;
    while (length < text_.size() && is_of_a_word(text_[length])) ++length;
    const std::string word(text_.substr(0, length));
    text_.remove_prefix(length);
    if (is_braced && !take("}")) return std::nullopt;
    return amount(word, is_braced);
  }

  std::optional<long long> amount(const std::string& word, bool is_name) const {
    long long number = 0;
    std::string text = word;
    if (is_name || word.empty() || !is_digit(word.front())) {
      const auto found = variables_.find(word);
      if (found == variables_.end() || found->second.items.empty()) return std::nullopt;
      const auto known = known_text(found->second.items.front());
      if (!known) return std::nullopt;
      text = *known;
    }
    // A shell takes 010 as octal. Nobody means that, so it is not understood.
    const bool is_octal = text.size() > 1 && text.front() == '0';
    if (is_octal || !parse_integer(text, number)) return std::nullopt;
    return number;
  }

  std::string_view text_;
  const ShellVariables& variables_;
  int depth_ = 0;
};

}  // namespace

std::optional<long long> shell_arithmetic(std::string_view text, const ShellVariables& variables) {
  return ShellSum(text, variables).value();
}

}  // namespace formats
}  // namespace tofn
