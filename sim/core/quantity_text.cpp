#include "sim/core/quantity_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/unit_table.hpp"

namespace tofn {
namespace {

#ifdef __EMSCRIPTEN__
/// Parses a double under emscripten, whose library (LLVM's 13) has std::from_chars only for whole
/// numbers. It refuses forms that only strtod takes: hexadecimal numbers, names, spaces and plus
/// signs.
bool parse_whole_text(std::string_view text, double& out) {
  if (text.empty() || text.front() == '+' || text.find_first_not_of("0123456789.eE+-") != text.npos)
    return false;
  const std::string whole(text);
  char* stop = nullptr;
  const double value = std::strtod(whole.c_str(), &stop);
  const bool has_digit =
      text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != text.npos;
  if (stop != whole.c_str() + whole.size() || (value == 0 && has_digit)) return false;
  out = value;
  return true;
}
#endif

template <class Number>
bool parse_whole_text(std::string_view text, Number& out) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return false;
  out = value;
  return true;
}

struct Parts {
  std::string_view number;
  std::string_view unit;
};

Parts split(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return {text, {}};
  const std::size_t unit = text.find_first_not_of(' ', space);
  return {text.substr(0, space), unit == std::string_view::npos ? "" : text.substr(unit)};
}

/// Parses the number times 10^exponent, rounded once: `3.5` and -6 give the double nearest to
/// 3.5e-6.
bool parse_shifted(std::string_view number, int exponent, double& out) {
  long long own_exponent = 0;
  const std::size_t mark = number.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view digits = number.substr(mark + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (!parse_integer(digits, own_exponent)) return false;
  }
  const auto mantissa = number.substr(0, mark);
  // Only zero is a finite number with an exponent beyond these.
  own_exponent = std::clamp(own_exponent, -9999LL, 9999LL);
  return parse_number(fmt::format("{}e{}", mantissa, own_exponent + exponent), out);
}

[[noreturn]] void refuse(const QuantityKind& kind, std::string_view text) {
  const std::string expected =
      fmt::format("expected {} such as '{}', got '{}'", kind.name, kind.example, shortened(text));
  const Parts parts = split(text);
  double number = 0;
  if (!parse_number(parts.number, number)) throw std::invalid_argument(expected);
  if (parts.unit.empty()) throw std::invalid_argument("a unit is missing: " + expected);
  for (const QuantityKind& other : quantity_kinds())
    if (find_unit(other, parts.unit) != nullptr && &other != &kind)
      throw std::invalid_argument(fmt::format("{} ({})", expected, other.name));
  if (find_unit(kind, parts.unit) != nullptr) throw std::invalid_argument(expected);
  throw std::invalid_argument(unknown_name("unit", parts.unit, unit_names(kind)));
}

double parse_amount(const QuantityKind& kind, std::string_view text) {
  const Parts parts = split(text);
  const Unit* const unit = find_unit(kind, parts.unit);
  double value = 0;
  double ignored = 0;
  if (unit == nullptr || !parse_number(parts.number, ignored) ||
      !parse_shifted(parts.number, unit->decimal_exponent, value) ||
      !std::isfinite(value * unit->factor))
    refuse(kind, text);
  return value * unit->factor;
}

/// Digits of a positive number and the power of ten of the first digit: 0.0035 is "35", -3.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal decimal(double value, int significant_digits) {
  const std::string text = fmt::format("{:.{}e}", value, significant_digits - 1);
  const std::size_t mark = text.find('e');
  Decimal result;
  for (const char c : text.substr(0, mark))
    if (c != '.') result.digits += c;
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  result.exponent = std::stoi(text.substr(mark + 1));
  return result;
}

std::string zeros(int count) { return fmt::format("{:0>{}}", "", count); }

/// Text of the number over 10^shift, without an exponent if that stays readable.
std::string plain(const Decimal& number, int shift) {
  const int exponent = number.exponent - shift;
  const int digits_before_point = exponent + 1;
  const auto digit_count = static_cast<int>(number.digits.size());
  std::string text = number.digits;
  if (exponent < -4 || exponent > 20) {
    if (digit_count > 1) text.insert(1, 1, '.');
    return fmt::format("{}e{}", text, exponent);
  }
  if (exponent < 0) return "0." + zeros(-digits_before_point) + text;
  if (digits_before_point >= digit_count) return text + zeros(digits_before_point - digit_count);
  return text.insert(static_cast<std::size_t>(digits_before_point), 1, '.');
}

std::string write(const QuantityKind& kind, double amount, int significant_digits,
                  const Unit* factor_unit = nullptr) {
  const std::string sign = std::signbit(amount) && amount != 0 ? "-" : "";
  const double size = std::abs(amount);
  if (size == 0 || !std::isfinite(size))
    return fmt::format("{}{} {}", sign, size, decimal_unit(kind, 0).name);
  if (factor_unit != nullptr) {
    const Decimal number = decimal(size / factor_unit->factor, significant_digits);
    return fmt::format("{}{} {}", sign, plain(number, 0), factor_unit->name);
  }
  const Decimal number = decimal(size, significant_digits);
  const Unit& unit = decimal_unit(kind, number.exponent);
  return fmt::format("{}{} {}", sign, plain(number, unit.decimal_exponent), unit.name);
}

template <class Q>
std::string write(Q amount, int significant_digits) {
  return write(kind_of(amount), amount.base(), significant_digits);
}

}  // namespace

bool parse_number(std::string_view text, double& out) {
  double value = 0;
  if (!parse_whole_text(text, value) || !std::isfinite(value)) return false;
  out = value;
  return true;
}

bool parse_integer(std::string_view text, long long& out) { return parse_whole_text(text, out); }

template <class Q>
Q parse_quantity(std::string_view text) {
  return Q{parse_amount(kind_of(Q{}), text)};
}

template Seconds parse_quantity<Seconds>(std::string_view);
template Bytes parse_quantity<Bytes>(std::string_view);
template Flops parse_quantity<Flops>(std::string_view);
template BytesPerSecond parse_quantity<BytesPerSecond>(std::string_view);
template FlopsPerSecond parse_quantity<FlopsPerSecond>(std::string_view);
template Joules parse_quantity<Joules>(std::string_view);
template Watts parse_quantity<Watts>(std::string_view);

std::string to_text(Seconds amount, int significant_digits) {
  // Text of 17 digits must read back exactly, which a factor such as 60 would prevent.
  const Unit* const unit =
      significant_digits < 17 ? calendar_unit(std::abs(amount.base())) : nullptr;
  return write(kind_of(amount), amount.base(), significant_digits, unit);
}
std::string to_text(Bytes amount, int digits) { return write(amount, digits); }
std::string to_text(Flops amount, int digits) { return write(amount, digits); }
std::string to_text(BytesPerSecond amount, int digits) { return write(amount, digits); }
std::string to_text(FlopsPerSecond amount, int digits) { return write(amount, digits); }
std::string to_text(Joules amount, int digits) { return write(amount, digits); }
std::string to_text(Watts amount, int digits) { return write(amount, digits); }

}  // namespace tofn
