#include <algorithm>
#include <array>
#include <string>

#include "sim/collectives/algorithm.hpp"
#include "sim/diagnosis/judge.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/report/collective_check_report.hpp"
#include "tests/catch.hpp"

// Healthy tables of two, four and eight nodes, changed as if with half of the network cards, with
// one of eight, or with scale-up links at half their speed. Each time is multiplied by the ratio of
// the predictions for the changed cluster and the healthy one. The healthy tables are shipped, and
// stay as related tables, as they would beside their owner's.
using namespace tofn;
using namespace tofn::test;

namespace {

struct HealthyTable {
  const char* file;
  const char* cluster;
};
constexpr std::array healthy_tables{
    HealthyTable{"dell-h100sxm-2x8-allreduce-ndr400.txt", "dell-xe9680-h100"},
    HealthyTable{"vmware-h100sxm-4x8-allreduce-ndr400.txt", "dgx-h100"},
    HealthyTable{"unstated-h100sxm-8x8-allreduce-ndr400-gjaion.txt", "dgx-h100"}};

struct LinkFault {
  const char* cause;
  void (*make)(Cluster&);
};
constexpr std::array link_faults{
    LinkFault{"half the NICs", [](Cluster& c) { c.network->nics_per_node.value = 4; }},
    LinkFault{"one NIC", [](Cluster& c) { c.network->nics_per_node.value = 1; }},
    LinkFault{"scale-up bandwidth", [](Cluster& c) { c.scale_up.bandwidth.value *= 0.5; }}};

struct LinksWorld {
  Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  Knowledge knowledge = knowledge_of(library, TOFN_SOURCE_DIR "/configs", {});
};
LinksWorld& links_world() {
  static LinksWorld made;
  return made;
}

CollectiveTable faulty_table(const HealthyTable& from, const LinkFault& fault) {
  CollectiveTable table;
  for (const KnownTable& known : links_world().knowledge.known)
    if (known.table.file == from.file) table = known.table;
  REQUIRE(table.rows.size() > 10);
  table.file = "changed.csv";
  table.source.clear();
  const Cluster& healthy = *links_world().library.find_cluster(from.cluster);
  Cluster changed = healthy;
  fault.make(changed);
  const auto time_on = [&](const Cluster& cluster, Bytes size) {
    return collective_cost(table.collective, size, placed_on(cluster, table.ranks, table.nodes),
                           false)
        .time;
  };
  for (CollectiveRow& row : table.rows) {
    const double longer = time_on(changed, row.size) / time_on(healthy, row.size);
    for (auto* time : {&row.out_of_place, &row.in_place})
      if (*time) **time *= longer;
  }
  return table;
}

}  // namespace

// Scale-up links at half their speed and half of the cards give the same curve within 1 % on four
// and eight nodes (450 x 0.81 / 2 = 182 and 400 x 0.92 / 2 = 184 GB/s on the bus). Times alone
// cannot separate them, so the answer names both.
TEST_CASE("missing network cards and slow scale-up links are named first") {
  int first = 0;
  for (const HealthyTable& from : healthy_tables)
    for (const LinkFault& fault : link_faults) {
      CAPTURE(from.file, fault.cause);
      JudgedTable judged;
      judged.judgement =
          judge(faulty_table(from, fault), *links_world().library.find_cluster(from.cluster),
                links_world().knowledge);
      REQUIRE(judged.judgement.slow);
      REQUIRE(judged.judgement.likely.front().cause != nullptr);
      first += judged.judgement.likely.front().cause->name == fault.cause;
      const auto made = std::find_if(causes().begin(), causes().end(),
                                     [&](const auto& each) { return each.name == fault.cause; });
      CHECK_THAT(cause_text(judged), ContainsText(std::string(made->sentence)));
    }
  CHECK(first >= 8);
}

// A ring over one 400 Gb/s card has 50 GB/s at most, and over half of eight 200 GB/s. Trees would
// exceed 88 and 351 GB/s on two nodes, and not every set of cards lets NCCL build them.
TEST_CASE("a plateau at what the cards that are left carry is theirs on two nodes too") {
  const auto& known = links_world().knowledge.known;
  const auto dell = std::find_if(known.begin(), known.end(), [](const KnownTable& each) {
    return each.table.file == healthy_tables[0].file;
  });
  REQUIRE(dell != known.end());
  const auto cause_at = [&](double plateau) {
    CollectiveTable table = dell->table;
    for (CollectiveRow& row : table.rows)
      for (auto* time : {&row.out_of_place, &row.in_place})
        if (*time) *time = std::max(**time, row.size * (15.0 / 8) / BytesPerSecond{plateau});
    const TableJudgement judgement =
        judge(table, *links_world().library.find_cluster(healthy_tables[0].cluster),
              links_world().knowledge);
    CHECK(judgement.slow);
    const SlownessCause* cause = judgement.likely.front().cause;
    return cause == nullptr ? std::string_view("none") : cause->name;
  };
  CHECK(cause_at(47.9e9) == "one NIC");
  CHECK(cause_at(188e9) == "half the NICs");
}
