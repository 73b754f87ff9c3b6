#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace answers {

/// A choice made with the errors of a score in view, so that the score is not independent.
struct Disclosure {
  std::string_view score;     ///< a kind of `tofn validate`, or `quotes`
  std::string_view protocol;  ///< protocol of that score; empty: all
  std::string_view rows;      ///< the stack, benchmark or reading that it applies to; empty: all
  std::string_view name;      ///< short, for a table cell
  /// Sentence with the choice, its value today, and its grounds.
  std::string sentence;
};

/// All known disclosures, for every command that prints a score.
std::span<const Disclosure> disclosures();

/// Returns the disclosures of one score; with a protocol, those that apply to it.
std::vector<Disclosure> disclosures_of(std::string_view score, std::string_view protocol = {});

/// Returns their names for a table cell; empty if there are none.
std::string names_of(std::span<const Disclosure>);
/// Returns, for a table cell, the names of the disclosures that apply to a row with these
/// properties; empty if the row is independent.
std::string not_blind(std::string_view score, std::string_view protocol,
                      std::initializer_list<std::string_view> row);

}  // namespace answers
}  // namespace tofn
