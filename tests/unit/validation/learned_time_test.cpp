#include "sim/validation/learned_time.hpp"

#include <cmath>

#include "sim/evidence/knowledge.hpp"
#include "sim/validation/formula.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Library& learned_library() {
  static Library loaded = Library::load(configs);
  return loaded;
}

const LinkFit& fit() {
  static const Knowledge knowledge = knowledge_of(learned_library(), configs, {});
  static const LinkFit learned(link_tables(knowledge), shipped_spreads());
  return learned;
}

Communicator ranks_on(const Cluster& cluster, int ranks) {
  return place({.stride = 1, .count = ranks}, cluster, ranks);
}

LearnedTime learned(const Cluster& cluster, int ranks, double size, bool system_is_known = true) {
  return learned_time(fit(), cluster, ranks_on(with_nominal_links(cluster), ranks),
                      CollectiveKind::AllReduce, Bytes{size}, system_is_known);
}

}  // namespace

TEST_CASE("an interval reaches as far up as down, as a factor") {
  const LearnedTime time{.time = Seconds{1}, .reach = std::log(2.0)};
  CHECK_THAT(time.around(Seconds{3}).low, WithinRel(1.5, 1e-12));
  CHECK_THAT(time.around(Seconds{3}).high, WithinRel(6.0, 1e-12));
}

TEST_CASE("an interval holds no time that the links do not allow") {
  const LearnedTime time{.time = Seconds{1}, .reach = std::log(2.0), .least = Seconds{2}};
  CHECK(time.around(Seconds{3}).low == 2);
  CHECK(time.around(Seconds{5}).low == 2.5);
  // A formula that is faster than the links still lies in its interval.
  CHECK(time.around(Seconds{1}).low == 1);
}

TEST_CASE("a machine's own tables narrow what is told of it") {
  const Cluster& known = learned_library().cluster("dgx-h100");
  const LearnedTime by_tables = learned(known, 128, 0x1p25);
  const LearnedTime by_links = learned(known, 128, 0x1p25, false);
  CHECK(by_tables.tables > 20);
  CHECK(by_tables.machine == "dgx-h100");
  CHECK(by_links.tables == 0);
  CHECK(by_tables.reach < by_links.reach);
}

TEST_CASE("what tables say of links is what formulas take of a machine that states none of them") {
  for (const char* name : {"oracle-gb200", "aws-p6-b200", "gb300-nvl72"}) {
    const Cluster& cluster = learned_library().cluster(name);
    const LearnedTime reported = learned(cluster, 8, 0x1p28);
    CHECK(reported.tables == 0);
    const Cost formula =
        collective_cost(CollectiveKind::AllReduce, Bytes{0x1p28}, ranks_on(cluster, 8), false);
    INFO(name);
    CHECK_THAT(reported.time.base(), WithinRel(formula.time.base(), 0.03));
  }
}

TEST_CASE("links that no table knows are in more doubt than those that many do") {
  const double of_pods = learned(learned_library().cluster("tpu-v5p"), 8, 0x1p28).reach;
  CHECK(of_pods > learned(learned_library().cluster("aws-p5"), 8, 0x1p28).reach);
  Cluster unknown = learned_library().cluster("aws-p5");
  unknown.machine = "nobody's";
  unknown.scale_up.family = {};
  CHECK(learned(unknown, 8, 0x1p28).reach >
        learned(learned_library().cluster("aws-p5"), 8, 0x1p28).reach);
}
