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

/// Unit of machines that is had as a whole.
enum class Whole { Node, Domain, Leaf };
inline constexpr std::array<std::pair<std::string_view, Whole>, 3> wholes{
    {{"node", Whole::Node}, {"domain", Whole::Domain}, {"leaf", Whole::Leaf}}};

namespace option {
inline constexpr Texts clusters{
    {"cluster", "names of `tofn list clusters`, or files (.yaml)", Takes::Words}};
inline constexpr OptionOf<Whole> whole_units{
    {.name = "whole", .help = "what is had as a whole: node, domain or leaf", .usual = "node"},
    choice<wholes>};
}  // namespace option

/// Rows of `tofn plan`.
CommandOptions plan_run_rows();

/// Machines that may be had, of each cluster and price term that is asked for, in whole units
/// (`--whole`); without clusters all that have a price. InputError where a cluster has no size that
/// is asked for.
std::vector<Offer> offers_of(const options::variables_map&, Library&);

/// The command that predicts the candidate that is shown: the options of this one but for those
/// that chose it, with what was chosen; as a shell reads it.
std::string again(const options::variables_map&, const RunSearch&, const RunChoice&);

}  // namespace app
}  // namespace tofn
