#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace answers {

/// Something that was chosen with the errors of a score in view, so that the score is no blind one.
struct Disclosure {
  std::string_view score;     ///< a kind of `tofn validate`, or `quotes`
  std::string_view protocol;  ///< of it; empty: all
  std::string_view rows;      ///< the stack, benchmark or reading that it tells of; empty: all
  std::string_view name;      ///< for a cell
  /// A sentence of what was chosen, its value today, and by what.
  std::string sentence;
};

/// Every one that is known: what prints a score walks these.
std::span<const Disclosure> disclosures();

/// Those of one score.
std::vector<Disclosure> disclosures_of(std::string_view score, std::string_view protocol = {});

/// Their names, for a cell; empty: there are none.
std::string names_of(std::span<const Disclosure>);
/// The names of those that tell of a row with these properties, for a cell; empty: it is blind.
std::string not_blind(std::string_view score, std::string_view protocol,
                      std::initializer_list<std::string_view> row);

}  // namespace answers
}  // namespace tofn
