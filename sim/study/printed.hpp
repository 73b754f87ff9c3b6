#pragma once

#include <array>
#include <string_view>

namespace tofn {
inline namespace study {

/// Figures that the study (Cortes, Juiz, Bermejo, SARTECO 2025, arXiv 2509.03263) prints for a
/// workload of MLPerf Training v4.1.
struct PrintedWorkload {
  std::string_view workload;
  int rows = 0;
  double reference_minutes = 0;
};
inline constexpr std::array printed_workloads{
    PrintedWorkload{"bert", 28, 366.18},
    PrintedWorkload{"llama2_70b_lora", 29, 61.87},
    PrintedWorkload{"retinanet", 26, 172.83},
    PrintedWorkload{"stable_diffusion", 25, 60.52},
};

/// Number of systems that the study counts in all four workloads.
inline constexpr int printed_common_systems = 11;

}  // namespace study
}  // namespace tofn
