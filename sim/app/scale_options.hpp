#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/options/command_line.hpp"
#include "sim/report/scale_report.hpp"

namespace tofn {
inline namespace app {

/// Table that csv and json contain (`--table`).
using ScaleTable = Records (*)(const ScaleAnswer&);
template <ExplainedRecords (*table)(const ScaleAnswer&)>
Records scale_table_of(const ScaleAnswer& answer) {
  return table(answer);
}
inline constexpr std::array<std::pair<std::string_view, ScaleTable>, 4> scale_tables{
    {{"points", scale_point_records},
     {"laws", scale_table_of<scale_law_records>},
     {"knees", scale_table_of<scale_knee_records>},
     {"left-out", scale_table_of<scale_left_out_records>}}};

namespace option {
inline constexpr Text series{
    {.name = "series",
     .help = "a table of measured times (accelerators, minutes or seconds)",
     .is_for_pages = false}};
inline constexpr Text published_on{
    {"accelerator", "published times on this accelerator in place of predicted ones"}};
inline constexpr Text quotes{
    {.name = "quotes",
     .help = "examples that others quote beside simulated ones (default: those of quotes/)",
     .takes = Takes::PerhapsValue,
     .is_for_pages = false}};
inline constexpr OptionOf<ScaleTable> scale_table{
    {.name = "table",
     .help = "content of csv and json: points, laws, knees or left-out",
     .default_text = "points"},
    choice<scale_tables>};
}  // namespace option

/// Rows of `tofn scale` for all kinds of job.
CommandOptions scale_rows();
CommandLine scale_command_line();

/// Reads all of the request except the sizes. InputError if an option is out of range.
ScaleRequest read_scale_request(const options::variables_map&);

/// Requested numbers of accelerators, otherwise the default ones.
std::vector<int> scale_sizes(const options::variables_map&, const Cluster&, int model_parallel);
/// Accelerators of one node, or of one replica if that is more, and the doublings of that number.
std::vector<int> default_scale_sizes(const Cluster&, int model_parallel);

}  // namespace app
}  // namespace tofn
