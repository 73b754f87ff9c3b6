#include <map>

#include "microbench/harness/machine.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string quick = "collective --backend mpi --max-time 10ms --visit-time 1ms ";

std::string text_of(const RecordPoint& point, const char* name) {
  return std::get<std::string>(*parameter(point, name));
}
long long whole_of(const RecordPoint& point, const char* name) {
  return std::get<long long>(*parameter(point, name));
}
bool flag_of(const RecordPoint& point, const char* name) {
  return std::get<bool>(*parameter(point, name));
}

}  // namespace

TEST_CASE("two ranks measure every operation, and tofn reads the record") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const Outcome outcome = run_ranks(2, quick + "--op all --sizes 8B,1KiB,64KiB -o '" + file + "'");
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(own_lines(outcome.errors).empty());
  CHECK_THAT(outcome.output, ContainsText("# all-reduce, fp32, out of place, world: 2 ranks on 1 "
                                          "node; "));
  CHECK(outcome.output.ends_with("\n27 finished points are in " + file + "\n"));

  const Record record = load_record(file);
  std::map<std::string, int> points;
  for (const RecordPoint& point : record.points) {
    INFO(text_of(point, "operation") << " of " << whole_of(point, "size_bytes"));
    CHECK(point.is_complete);
    CHECK(point.visits.size() >= 2);
    CHECK(whole_of(point, "group_ranks") == 2);
    CHECK(text_of(point, "backend") == "mpi");
    CHECK(text_of(point, "memory") == "host");
    REQUIRE(point.figures.size() == 2);
    CHECK(point.figures[1].first == "bus_bandwidth_gb_s");
    CHECK(point.figures[1].second > 0);
    ++points[text_of(point, "operation") + (flag_of(point, "in_place") ? ", in" : ", out")];
  }
  // Every operation that MPI has, with three sizes each.
  CHECK(points == std::map<std::string, int>{{"all-reduce, in", 3},
                                             {"all-reduce, out", 3},
                                             {"reduce-scatter, out", 3},
                                             {"all-gather, in", 3},
                                             {"all-gather, out", 3},
                                             {"broadcast, in", 3},
                                             {"all-to-all, out", 3},
                                             {"send-receive-ring, out", 3},
                                             {"send-receive-pairs, in", 3}});
  REQUIRE(record.hosts.size() == 1);
  CHECK(record.hosts[0].name == bench::host_name());
  CHECK(record.hosts[0].ranks == 2);

  const Outcome check = run_command("'" TOFN_BINARY "' check '" + file + "'");
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.output, ContainsText(file + ": ok (record, 27 points on 2 ranks of 1 host)\n"));
}

TEST_CASE("four ranks stand for two nodes, in every group") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const Outcome outcome = run_ranks(4, quick +
                                           "--sizes 1KiB --place out --ranks-per-node 2 --group "
                                           "world,node,leaders,rails -o '" +
                                           file + "'");
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  const Record record = load_record(file);
  REQUIRE(record.points.size() == 4);
  struct Shape {
    const char* group;
    int ranks;
    int nodes;
    int groups;
  };
  constexpr std::array<Shape, 4> shapes{
      {{"world", 4, 2, 1}, {"node", 2, 1, 2}, {"leaders", 2, 2, 1}, {"rails", 2, 2, 2}}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const RecordPoint& point = record.points[i];
    INFO(shapes[i].group);
    CHECK(point.is_complete);
    CHECK(text_of(point, "group") == shapes[i].group);
    CHECK(whole_of(point, "group_ranks") == shapes[i].ranks);
    CHECK(whole_of(point, "group_nodes") == shapes[i].nodes);
    CHECK(whole_of(point, "groups") == shapes[i].groups);
    // The bus factor 2 (n-1)/n is 1.5 for 4 ranks and 1 for 2.
    const double factor = shapes[i].ranks == 4 ? 1.5 : 1;
    CHECK_THAT(point.figures[1].second,
               WithinRel(1024 / point.summary.median * factor / 1e9, 1e-5));
  }
}

TEST_CASE("three ranks do all that needs no pairs, and values stay right in every type") {
  const Outcome outcome =
      run_ranks(3, quick + "--op all --sizes 100B --type fp32,fp16,fp8_e5m2,int32");
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("left out: 3 ranks cannot be paired\n"));
  CHECK_THAT(outcome.output,
             ContainsText("left out: MPI cannot reduce fp16: choose fp32 or int32\n"));
  CHECK_THAT(outcome.output, ContainsText("# all-gather, fp8_e5m2, in place, world: 3 ranks on 1 "
                                          "node; "));
}

TEST_CASE("without a record only the tables are printed") {
  const Outcome outcome = run_ranks(2, quick + "--sizes 8B");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, !ContainsText("finished point"));
}
