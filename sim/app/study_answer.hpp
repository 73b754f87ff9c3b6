#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/report/study_report.hpp"

namespace tofn {

/// Rows under the names that the library knows, as given where it knows none.
std::vector<NamedRow> named_rows(const std::vector<PublishedRow>&, const Library&);

/// Rows, clusters (their number absent: by the greatest silhouette) and claims; without losses,
/// which need predictions.
StudyAnswer study_of(const std::vector<NamedRow>&, std::optional<int> clusters, std::uint64_t seed);

}  // namespace tofn
