#pragma once

#include <span>
#include <string_view>

#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Options of a command that act on one kind of job or answer.
struct JobKind {
  std::string_view name;  ///< `published times`
  std::span<const std::string_view> options;
  bool are_idle = false;   ///< these change nothing, all others act
  std::string_view why{};  ///< what the answer rests on instead
};
extern const JobKind workload_predicted, model_predicted;
extern const JobKind workload_scaled, model_scaled, of_published_times, series_answer, quote_answer;
extern const JobKind collectives_checked, collective_timed;
extern const JobKind collectives_calibrated, workload_steps, model_steps;
extern const JobKind steps_of_table, steps_of_records;

/// InputError at an option that was given but would change nothing.
void refuse_idle_options(const options::variables_map&, const JobKind&);

}  // namespace app
}  // namespace tofn
