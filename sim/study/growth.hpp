#pragma once

#include <optional>

#include "sim/study/workload_study.hpp"

namespace tofn {

/// The largest run of the workload's commonest accelerator, and the smallest with that accelerator
/// and as many samples a step and accelerator: from one to the other the work of an accelerator's
/// step stays and the batch grows.
struct BatchGrowth {
  const StudyRow* small = nullptr;
  const StudyRow* large = nullptr;
  double loss = 1;     ///< E' of the small one over that of the large
  double samples = 1;  ///< part of it: growth of the samples to target
  double step = 1;     ///< part of it: growth of the step, communication included
  double rest = 1;     ///< evaluation, start-up, scoring: the three multiply to the loss
};

/// Absent: no such pair, or no step and samples of it.
std::optional<BatchGrowth> batch_growth(const WorkloadStudy&);

/// The accelerator that most rows have; the first of equals.
std::string commonest_accelerator(const WorkloadStudy&);

}  // namespace tofn
