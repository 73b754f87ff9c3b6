#pragma once

#include <string>
#include <vector>

#include "sim/report/scale_report.hpp"

namespace tofn {

/// One line a size: job, scaling, step and bottleneck.
std::string main_table(const ScaleSeries&, const std::vector<ScalingPoint>& times);
/// The same where only times are known.
std::string times_table(const std::vector<ScalingPoint>& times);
/// Both ways to grow a job, side by side.
std::string strong_weak_table(const ScaleSeries& strong, const ScaleSeries& weak);

}  // namespace tofn
