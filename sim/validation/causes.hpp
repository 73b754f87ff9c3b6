#pragma once

#include <span>
#include <string_view>

#include "sim/cluster/cluster.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {

/// What a cause is looked for in.
struct Evidence {
  const Cluster& cluster;
  std::span<const JudgedRow> rows;  ///< sizes ascend
  SlowBand band;
};

/// A known reason for slow collectives: how it shows, and what to say.
struct SlownessCause {
  std::string_view name;
  bool (*shows)(const Evidence&);
  std::string_view sentence;
};

/// Every cause, the most telling first. Add one here: a row.
std::span<const SlownessCause> causes();

/// The first that shows; nullptr where none does.
const SlownessCause* likely_cause(const Evidence&);

}  // namespace tofn
