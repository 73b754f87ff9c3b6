#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

CommandLine scale_command_line();

/// All but the sizes. InputError at an option that is out of range.
ScaleRequest read_scale_request(const options::variables_map&);

/// Sizes asked for; else one node (or one replica, where that is more) and its doublings.
std::vector<int> scale_sizes(const options::variables_map&, const Cluster&, int model_parallel);
/// The latter.
std::vector<int> usual_scale_sizes(const Cluster&, int model_parallel);

/// Options of the command that act on one kind of answer.
struct ScaleKind {
  std::string_view name;  ///< `published times`
  std::span<const std::string_view> options;
  bool are_idle = false;  ///< these change nothing, all others act
};
extern const ScaleKind workload_answer, model_answer, of_published_times, series_answer,
    quote_answer;

/// InputError at an option that was given but would change nothing.
void refuse_idle_options(const options::variables_map&, const ScaleKind&);

}  // namespace app
}  // namespace tofn
