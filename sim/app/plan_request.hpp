#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/plan_answer.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/library.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Unit in which machines are available: only whole ones can be rented.
enum class Whole { Node, Domain, Leaf };
inline constexpr std::array<std::pair<std::string_view, Whole>, 3> wholes{
    {{"node", Whole::Node}, {"domain", Whole::Domain}, {"leaf", Whole::Leaf}}};

namespace option {
inline constexpr Texts clusters{
    {"cluster", "names of `tofn list clusters`, or files (.yaml)", Takes::Words}};
inline constexpr OptionOf<Whole> whole_units{
    {.name = "whole",
     .help = "unit that is had as a whole: node, domain or leaf",
     .default_text = "node"},
    choice<wholes>};
}  // namespace option

/// Rows of `tofn plan`.
CommandOptions plan_run_rows();

/// Machines to choose from, for each requested cluster and price term, in whole units (`--whole`).
/// If no cluster is named, all that have a price. InputError if a named cluster has none of the
/// requested sizes.
std::vector<Offer> offers_of(const options::variables_map&, Library&);

/// Words, quoted for a shell, with which a command line that predicts the plan of an offer begins.
std::vector<std::string> predict_words(const options::variables_map&, const Offer&,
                                       int accelerators);

/// Command line, quoted for a shell, that predicts the candidate that is shown. It states what was
/// chosen, and repeats all options except those of the search.
std::string again(const options::variables_map&, const RunSearch&, const RunChoice&);

}  // namespace app
}  // namespace tofn
