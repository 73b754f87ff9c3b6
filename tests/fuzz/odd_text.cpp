#include <array>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/unit_table.hpp"
#include "tests/fuzz/yaml_mutator.hpp"

namespace tofn::fuzz {
namespace {

constexpr auto odd_texts = std::to_array<std::string_view>(
    {"",       "~",           "null",      "true",     "false",      "on",        "off",
     "yes",    "-",           "?",         "&a 3",     "*a",         "!!int 3",   "!x y",
     "<<",     "|",           ">-",        "[",        "]",          "{",         "}",
     "[1, 2",  "{a: 1",       "'",         "\"",       "# no value", "@x",        "%YAML",
     "---",    "...",         "[]",        "{}",       "[[]]",       "[1, 2, 3]", "{a: {}}",
     ".nan",   "nan",         ".inf",      "-.inf",    "inf",        "0x10",      "010",
     "1_000",  "1e3",         "1,5",       "1.5.2",    "½",          "\u0663",    "\u00e9",
     "\u200b", "\ufeff",      "\u202e",    "a b",      "assumed",    "x [y]",     "3 [",
     "3 [a]",  "3 [assumed]", "3 [a, a]",  "1 %",      "100%",       "1/3",       "1..8",
     "8..1",   "1:30:00",     "2T tokens", "3 epochs", "-1 steps",   "-",         "unknown.yaml",
     "../x",   "/dev/null"});

constexpr auto odd_numbers = std::to_array<std::string_view>({"0",
                                                              "-0",
                                                              "1",
                                                              "-1",
                                                              "2",
                                                              "3",
                                                              "7",
                                                              "8",
                                                              "64",
                                                              "1024",
                                                              "0.5",
                                                              "0.999999",
                                                              "1.000001",
                                                              "-0.5",
                                                              "1e-9",
                                                              "1e-308",
                                                              "5e-324",
                                                              "1e9",
                                                              "1e15",
                                                              "1e16",
                                                              "1e18",
                                                              "1e30",
                                                              "1e300",
                                                              "1e308",
                                                              "1e309",
                                                              "-1e308",
                                                              "127",
                                                              "128",
                                                              "32768",
                                                              "65536",
                                                              "1000000",
                                                              "2147483647",
                                                              "2147483648",
                                                              "-2147483648",
                                                              "4294967296",
                                                              "9007199254740993",
                                                              "9223372036854775807",
                                                              "9223372036854775808",
                                                              "99999999999999999999999",
                                                              "0.1",
                                                              "12.5",
                                                              "100",
                                                              "3.5"});

template <class Texts>
const auto& one_of(const Texts& texts, Dice& dice) {
  return texts[dice() % std::size(texts)];
}

}  // namespace

std::string odd_text(Dice& dice) {
  const auto kind = dice() % 8;
  if (kind < 2) return std::string(one_of(odd_texts, dice));
  if (kind < 5) return std::string(one_of(odd_numbers, dice));
  if (kind == 5) return std::string(1 + dice() % 400, dice() % 2 == 0 ? '9' : 'x');
  const QuantityKind& quantity = one_of(quantity_kinds(), dice);
  if (kind == 6) return std::string(quantity.example);
  return fmt::format("{} {}", one_of(odd_numbers, dice), one_of(quantity.units, dice).name);
}

}  // namespace tofn::fuzz
