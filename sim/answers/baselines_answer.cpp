#include "sim/answers/baselines_answer.hpp"

#include <algorithm>
#include <array>

#include "sim/diagnosis/judge.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr Bytes size{0x1p30};

Baseline baseline(const Cluster& cluster, int nodes, const HealthyLinks& healthy) {
  const int ranks = nodes * cluster.accelerators_per_node.value;
  CollectiveTable table;
  table.ranks = ranks;
  table.nodes = nodes;
  table.rows.push_back({.size = size, .out_of_place = Seconds(1), .in_place = {}});
  const LinkTable placed = link_table(table, cluster);
  const ScoredRow row = scored_rows(placed, healthy.posterior(placed)).front();
  const double factor = bus_factor_of(CollectiveKind::AllReduce, ranks);
  return {.cluster = cluster.name,
          .accelerator = cluster.accelerator.name,
          .nodes = nodes,
          .ranks = ranks,
          .size = size,
          .typical = size / row.predicted * factor,
          .to_pass = size / row.high * factor,
          .tables = healthy.tables_of(placed)};
}

}  // namespace

std::vector<Baseline> baselines(const std::filesystem::path& configs) {
  Library library = Library::load(configs);
  const Knowledge knowledge = knowledge_of(library, configs, {});
  const HealthyLinks healthy(knowledge);
  std::vector<Baseline> all;
  for (const Cluster& cluster : library.clusters()) {
    if (cluster.scale_up.torus) continue;
    for (const int nodes : {1, 2, 8}) {
      if (nodes > 1 && !cluster.network) continue;
      if (nodes * cluster.accelerators_per_node.value < 2) continue;
      all.push_back(baseline(cluster, nodes, healthy));
    }
  }
  return all;
}

}  // namespace answers
}  // namespace tofn
