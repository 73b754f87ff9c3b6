#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/cluster/precision.hpp"

namespace tofn {
inline namespace parallelism {

/// Part of a step that is replayed as a captured graph, so that the host launches nothing else:
/// parts of it, each layer's pass, or all of it.
enum class CudaGraphs { None, Segmented, Layer, FullIteration };
inline constexpr std::array<std::pair<std::string_view, CudaGraphs>, 4> cuda_graph_names{
    {{"none", CudaGraphs::None},
     {"segmented", CudaGraphs::Segmented},
     {"layer", CudaGraphs::Layer},
     {"full_iteration", CudaGraphs::FullIteration}}};
std::string_view to_text(CudaGraphs);
constexpr const auto& names_of(CudaGraphs) { return cuda_graph_names; }

/// Software settings of a run's published configuration, known before it starts. Absent: not
/// stated, and the workload's default applies.
struct RunSettings {
  std::string software_release;  ///< `YY.MM` of the code; empty if unknown
  std::optional<Precision> precision;
  std::optional<bool> fp8_attention;
  std::optional<bool> tensor_overlap;  ///< tensor-parallel traffic overlaps the GEMMs in chunks
  std::optional<CudaGraphs> cuda_graphs;
  std::optional<bool> overlap_gradient_reduction;
  std::optional<bool> in_network_reduction;  ///< SHARP is requested
  std::optional<double> skipped_evaluations;
  std::optional<double> evaluation_interval;  ///< in training samples
};

/// Months between two releases `YY.MM`; absent if either has another form.
std::optional<int> months_between(std::string_view from, std::string_view to);

}  // namespace parallelism
}  // namespace tofn
