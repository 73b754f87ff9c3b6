#include "sim/evidence/log_candidates.hpp"

#include <algorithm>
#include <set>

#include "sim/evidence/knowledge.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using Placements = std::vector<std::pair<int, int>>;  ///< ranks and nodes

Placements placements(const OpenTable& open, int accelerators_per_node) {
  Placements found;
  for (const LogHints& each : placements_on(open, accelerators_per_node))
    found.emplace_back(*each.ranks, *each.nodes);
  return found;
}

/// All-reduces of 16 ranks on an unknown number of nodes: 14.00 = 7.467 x 30 / 16.
const std::string rows =
    "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
    "  1048576  262144 float sum -1 140.4 7.467 14.00 0 140.4 7.467 14.00 0\n"
    "  2097152  524288 float sum -1 280.8 7.467 14.00 0 280.8 7.467 14.00 0\n";

struct Found {
  std::set<std::string> clusters;
  Placements placements;  ///< without repetition
  std::string by;
};

Found found_in(const std::string& text, const LogHints& hints = {}, const char* request = nullptr) {
  Library library = Library::load(configs);
  const Knowledge knowledge = knowledge_of(library, configs, {});
  const TemporaryFile log("job.txt", text);
  const CandidateReading reading =
      read_candidates(log.path(), hints, request == nullptr ? nullptr : &library.cluster(request),
                      library, knowledge);
  Found found{.clusters = {}, .placements = {}, .by = reading.tables.at(0).machine_by};
  for (const LogCandidate& each : reading.tables.at(0).candidates) {
    found.clusters.insert(each.cluster->name);
    const std::pair placement{each.table.ranks, each.table.nodes};
    if (std::count(found.placements.begin(), found.placements.end(), placement) == 0)
      found.placements.push_back(placement);
  }
  return found;
}

}  // namespace

TEST_CASE("known ranks are spread evenly over as many nodes as hold them, the fewest first") {
  CHECK(placements({.least_ranks = 16, .most_ranks = 16}, 8) ==
        Placements{{16, 2}, {16, 4}, {16, 8}, {16, 16}});
  CHECK(placements({.least_ranks = 6, .most_ranks = 6}, 4) == Placements{{6, 2}, {6, 3}, {6, 6}});
  CHECK(placements({.least_ranks = 8, .most_ranks = 8}, 8).front() == std::pair{8, 1});
}

TEST_CASE("open ranks fill their nodes, or are fewer than one node has") {
  CHECK(placements({.least_ranks = 13, .most_ranks = 18}, 8) == Placements{{16, 2}});
  CHECK(placements({.least_ranks = 100, .most_ranks = 1000}, 8) ==
        Placements{{128, 16}, {256, 32}, {512, 64}});
  CHECK(placements({.least_ranks = 5, .most_ranks = 7}, 8) == Placements{{5, 1}, {6, 1}, {7, 1}});
  CHECK(placements({}, 4) == Placements{{4, 1}, {8, 2}, {16, 4}, {32, 8}, {64, 16}});
  CHECK(placements({.nodes = 3}, 8) == Placements{{24, 3}});
}

TEST_CASE("what NCCL prints excludes the machines that it would not print it on") {
  const std::string h100 =
      "#  Rank  0 Group  0 Pid 1 on n1 device  0 [0x1b] NVIDIA H100 80GB HBM3\n"
      "#  Rank 15 Group  0 Pid 1 on n2 device  7 [0x1b] NVIDIA H100 80GB HBM3\n";
  const std::string line = "n1:1:1 [0] NCCL INFO ";
  const Found all = found_in(h100 + rows);
  CHECK(all.placements == Placements{{16, 2}});
  CHECK(all.clusters.count("dgx-h100") == 1);
  CHECK(all.clusters.count("aws-p5") == 1);
  CHECK(all.clusters.count("dgx-a100") == 0);
  CHECK(all.clusters.count("hgx-h100-4gpu") == 0);  // it has 4 accelerators a node
  const Found roce = found_in(h100 + line + "NET/IB : Using [0]mlx5_0:1/RoCE [RO]\n" + rows);
  CHECK(roce.clusters.count("oracle-h100") == 1);
  CHECK(roce.clusters.count("dgx-h100") == 0);
  const Found infiniband = found_in(h100 + line + "NET/IB : Using [0]mlx5_0:1/IB [RO]\n" + rows);
  CHECK(infiniband.clusters.count("dgx-h100") == 1);
  CHECK(infiniband.clusters.count("oracle-h100") == 0);
  const Found efa =
      found_in(h100 + line + "NET/OFI Selected Provider is efa (found 32 nics)\n" + rows);
  CHECK(efa.clusters == std::set<std::string>{"aws-p5"});
}

TEST_CASE("a log that names no accelerator may be of any machine of its library") {
  const Found any = found_in(rows, {.nodes = 2});
  CHECK(any.by.empty());
  CHECK(any.clusters.count("dgx-h100") == 1);
  CHECK(any.clusters.count("mi300x") == 1);
  CHECK(any.clusters.count("tpu-v5e") == 0);
  const Found amd = found_in("RCCL version : 2.28.3\n" + rows, {.nodes = 2});
  CHECK(amd.clusters.count("mi300x") == 1);
  CHECK(amd.clusters.count("dgx-h100") == 0);
}

TEST_CASE("an MPI benchmark is of a machine of MPI, or of any whose links are as fast") {
  const auto found = [](const char* time) {
    return found_in(std::string("# OSU MPI-CUDA Allreduce Latency Test v7.4\n# Size       Avg "
                                "Latency(us)\n1073741824 ") +
                        time + "\n",
                    {.ranks = 16, .nodes = 4})
        .clusters;
  };
  const std::set<std::string> slow = found("2000000.00");
  CHECK(slow.count("abci-a-mpi") == 1);
  CHECK(slow.count("perlmutter") == 0);
  // 89.5 GB/s of bus bandwidth, of the 100 GB/s that four NICs of 200 Gb/s have.
  const std::set<std::string> fast = found("22500.00");
  CHECK(fast.count("perlmutter") == 1);
  CHECK(fast.count("tpu-v5e") == 0);
}

TEST_CASE("an option leaves what it settles to itself") {
  CHECK(found_in(rows, {}, "dgx-h100").placements ==
        Placements{{16, 2}, {16, 4}, {16, 8}, {16, 16}});
  const Found settled = found_in(rows, {.nodes = 4}, "dgx-h100");
  CHECK(settled.placements == Placements{{16, 4}});
  CHECK(settled.clusters == std::set<std::string>{"dgx-h100"});
  CHECK_THAT(refusal([] { found_in("size_bytes,time_us\n1024,1\n"); }),
             ContainsText("give --collective"));
}

TEST_CASE("words of a cluster's name count, those of its accelerator do not") {
  const Library library = Library::load(configs);
  const auto shared = [&](const char* cluster, const std::string& text) {
    return shared_words(*library.find_cluster(cluster), distinct_words(text));
  };
  CHECK(shared("polaris", "ALCF Polaris 4x A100-SXM4 per node") == 1);
  CHECK(shared("gcp-a3-mega", "gcp-h100sxm-2x8-a3mega.txt") == 3);
  CHECK(shared("dgx-h100", "16 x H100 of some make") == 0);
  CHECK(shared("dgx-h100", "NVIDIA DGX H100") == 1);
}

TEST_CASE("a version and the name of a library name no machine") {
  Library library = Library::load(configs);
  const auto words = distinct_words("# OSU MPI Allreduce Latency Test v7.4, Open MPI v4.1.4, CUDA");
  for (const char* name : {"azure-nd-a100-v4", "abci-a-mpi", "abci-a-mpi-cuda"})
    CHECK(shared_words(library.cluster(name), words) == 0);
  CHECK(shared_words(library.cluster("azure-nd-a100-v4"), distinct_words("azure, v4")) == 1);
}
