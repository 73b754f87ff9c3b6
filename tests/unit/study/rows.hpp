#pragma once

#include <string>
#include <vector>

#include "sim/study/workload_study.hpp"

namespace tofn::test {

inline NamedRow row_of(const std::string& workload, const std::string& system,
                       const std::string& accelerator, int accelerators, double minutes) {
  NamedRow named{.row = {}, .workload = workload, .accelerator = accelerator};
  named.row.inputs.benchmark = workload;
  named.row.inputs.organisation = "Test";
  named.row.inputs.system = system;
  named.row.inputs.accelerators = accelerators;
  named.row.inputs.global_batch = 8;
  named.row.outcome.official_minutes = minutes;
  return named;
}

inline NamedRow measured_row(const std::string& system, int accelerators, double minutes,
                             double batch, double samples, double step_ms) {
  NamedRow named = row_of("bert", system, "H100", accelerators, minutes);
  named.row.inputs.global_batch = batch;
  named.row.outcome.unscaled_minutes = minutes;
  named.row.outcome.samples = samples;
  named.row.outcome.step_ms = step_ms;
  return named;
}

inline WorkloadStudy study_of(const std::vector<NamedRow>& rows) {
  return study_workloads(rows).at(0);
}

}  // namespace tofn::test
