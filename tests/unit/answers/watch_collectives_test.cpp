#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "sim/answers/watch_collectives_answer.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/config/library.hpp"
#include "sim/core/file.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/report/watch_collectives_report.hpp"
#include "sim/validation/learned_time.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Duration of each call that one rank reports, by the index of the call.
struct InspectedCall {
  std::string communicator;
  int ranks = 8;
  int nodes = 1;
  std::function<double(int)> microseconds;
};

std::string inspected_text(const std::vector<InspectedCall>& kinds, int calls = 100) {
  std::string text;
  for (int i = 0; i < calls; ++i)
    for (const InspectedCall& each : kinds)
      text += fmt::format(
          R"({{"header":{{"id":"{}","rank":0,"n_ranks":{},"nnodes":{}}},"metadata":{{"dump_timestamp_us":{}}},"coll_perf":{{"coll":"AllReduce","coll_sn":{},"coll_msg_size_bytes":67108864,"coll_exec_time_us":{:.0f}}}}})"
          "\n",
          each.communicator, each.ranks, each.nodes, 1'000'000 * (i + 1), i, each.microseconds(i));
  return text;
}

WatchedCollectives watched(const std::vector<InspectedCall>& kinds) {
  return watch_collectives(inspected_text(kinds), "pid.log");
}

double steady(int) { return 1000; }
double doubled(int i) { return i < 50 ? 1000 : 2000; }

}  // namespace

TEST_CASE("steady collectives have no drift and no cause") {
  const WatchedCollectives now = watched({{"0xa", 8, 1, steady}});
  CHECK_THAT(now.drift, WithinAbs(0, 1e-12));
  CHECK(now.cause.empty());
  REQUIRE(now.share);
  CHECK_THAT(*now.share, WithinRel(1e-3, 1e-6));
  CHECK(watch_collectives_line(now).find("bandwidth as at their start") != std::string::npos);
}

TEST_CASE("where bandwidth falls says what is slow") {
  const auto cause = [](const std::vector<InspectedCall>& kinds) { return watched(kinds).cause; };
  CHECK(cause({{"0xa", 8, 1, steady}, {"0xb", 32, 4, doubled}}).find("the network") !=
        std::string::npos);
  CHECK(cause({{"0xa", 8, 1, doubled}, {"0xb", 32, 4, steady}}).find("links of the node") !=
        std::string::npos);
  CHECK(cause({{"0xa", 8, 1, doubled}, {"0xb", 8, 1, steady}}).find("one communicator alone") !=
        std::string::npos);
  CHECK(cause({{"0xa", 8, 1, doubled}, {"0xb", 32, 4, doubled}}).find("all collectives") !=
        std::string::npos);
}

TEST_CASE("calls that wait for late ranks are told from slow links") {
  const auto late = [](int i) { return i < 50 || i % 5 == 0 ? 1000.0 : 2000.0; };
  const WatchedCollectives now = watched({{"0xa", 8, 1, late}, {"0xb", 32, 4, late}});
  CHECK(now.drift < -0.3);
  CHECK_THAT(now.unwaited_drift, WithinAbs(0, 1e-12));
  CHECK(now.cause.find("ranks wait for a late one") != std::string::npos);
}

TEST_CASE("a few calls tell no bandwidth") {
  CHECK(refusal([] {
          watch_collectives(inspected_text({{"0xa", 8, 1, steady}}, 3), "pid.log");
        }) ==
        "pid.log: coll_perf: no collective has the 8 calls of one size that it takes to tell of "
        "their bandwidth");
}

TEST_CASE("of few calls the newer half is held against the older") {
  // The first of thirteen calls warms up, so six are compared with six. If four are slow, the
  // fastest tenth of the newer six are normal; if all six are slow, they are slow too.
  const auto drift = [](int first_slow) {
    const auto time = [first_slow](int i) { return i < first_slow ? 1000.0 : 2000.0; };
    return watch_collectives(inspected_text({{"0xa", 8, 1, time}}, 13), "pid.log").unwaited_drift;
  };
  CHECK_THAT(drift(9), WithinAbs(0, 1e-9));
  CHECK_THAT(drift(7), WithinAbs(-0.5, 1e-9));
}

TEST_CASE("expected bandwidth is what the cluster measured or its links allow, where ranks fit") {
  Library library = Library::load(configs);
  const Cluster& cluster = library.cluster("dgx-h100");
  const std::vector<InspectedCall> calls{{"0xa", 8, 1, steady},
                                         {"0xb", 32, 4, steady},
                                         {"0xc", 4, 4, steady},
                                         {"0xd", 12, 4, steady},
                                         {"0xe", 16, 1, steady}};
  const auto expected = [&](const std::string& of, const std::string& communicator) {
    WatchedCollectives now = watched(calls);
    set_expected(now, of, library, configs);
    return std::ranges::find(now.kinds, communicator, &WatchedCollective::communicator)->expected;
  };
  const Bytes size{67108864};
  const auto by_curves = [&](RankSet set, const Cluster& on) {
    const Communicator ranks = place(set, on, set.stride * set.count);
    const Seconds time = collective_cost(CollectiveKind::AllReduce, size, ranks, false).time;
    return (size / time).base() * 2 * (set.count - 1) / set.count;
  };
  const auto measured = [&](const char* calibration) {
    return measured_cluster(cluster, library, configs, calibration);
  };
  REQUIRE(expected("dgx-h100", "0xa"));
  CHECK_THAT(expected("dgx-h100", "0xa")->base(),
             WithinRel(by_curves({1, 8}, measured("h100-dgx-1x8")), 1e-12));
  CHECK_THAT(expected("dgx-h100", "0xb")->base(),
             WithinRel(by_curves({1, 32}, measured("h100-vmware-4x8")), 1e-12));
  // A rank of each node has no table of its own, but links that tables of the cluster know.
  const Knowledge knowledge = knowledge_of(library, configs, {});
  const LearnedTime learned = learned_time(LinkFit(link_tables(knowledge), shipped_spreads()),
                                           cluster, place({8, 4}, with_nominal_links(cluster), 32),
                                           CollectiveKind::AllReduce, size, true);
  CHECK_THAT(expected("dgx-h100", "0xc")->base(),
             WithinRel((size / learned.time).base() * 2 * 3 / 4, 1e-12));
  CHECK_FALSE(expected("dgx-h100", "0xd"));  // three ranks of eight accelerators
  CHECK_FALSE(expected("dgx-h100", "0xe"));  // more than a node has
  // The cluster of a file has no measurements, so that its figures count.
  const TemporaryFile own("own.yaml", read_text_file(configs / "clusters/dgx-h100.yaml"));
  CHECK_THAT(expected(own.path().string(), "0xb")->base(),
             WithinRel(by_curves({1, 32}, library.cluster(own.path().string())), 1e-12));
}
