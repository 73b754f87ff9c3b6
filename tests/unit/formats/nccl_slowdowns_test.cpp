#include "sim/formats/collective_logs/nccl_slowdowns.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::vector<std::string> words_in(std::string_view log) {
  std::vector<std::string> words;
  for (const NcclSlowdown& each : slowdowns_in(log)) words.push_back(each.words);
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("settings that slow collectives are read off commands, exports and NCCL's own lines") {
  CHECK(words_in("mpirun -np 2 -x NCCL_IB_DISABLE=1 -x NCCL_DEBUG=INFO all_reduce_perf") ==
        Words{"NCCL_IB_DISABLE=1"});
  CHECK(words_in("export NCCL_P2P_DISABLE=\"1\"\n") == Words{"NCCL_P2P_DISABLE=1"});
  CHECK(words_in("host:1:1 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.\n") ==
        Words{"NCCL_IB_DISABLE=1"});
  CHECK(words_in("host:1:1 [0] NCCL INFO Using network Socket\n") == Words{"Using network Socket"});
}

TEST_CASE("settings that slow nothing are none") {
  CHECK(words_in("-x NCCL_IB_DISABLE=0 -x MY_NCCL_IB_DISABLE=1 -x NCCL_DEBUG=INFO").empty());
  CHECK(words_in("NCCL INFO Using network AWS Libfabric").empty());
  CHECK(words_in("NCCL_IB_DISABLE is a variable").empty());
  // A list of adapters, or a prefix of several, is not a single adapter.
  CHECK(words_in("-x NCCL_IB_HCA=mlx5_2,mlx5_8").empty());
  CHECK(words_in("-x NCCL_IB_HCA=mlx5").empty());
  CHECK(words_in("-x NCCL_IB_HCA=mlx5_0") == Words{"NCCL_IB_HCA=mlx5_0"});
}

TEST_CASE("each says where it acts, and whether links lie idle by it") {
  const auto found = slowdowns_in("NCCL_IB_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_ALGO=Ring");
  REQUIRE(found.size() == 3);
  CHECK((found[0].between_nodes && !found[0].inside_node && found[0].is_grave));
  CHECK((!found[1].between_nodes && found[1].inside_node));
  CHECK((found[2].between_nodes && found[2].inside_node && !found[2].is_grave));
}

TEST_CASE("libfabric's sockets are told as the plugin prints them") {
  CHECK(words_in("NCCL INFO NET/OFI Selected Provider is tcp\n") ==
        Words{"elected Provider is tcp"});
  CHECK(words_in("NCCL INFO NET/OFI Selected provider is efa, fabric is efa\n").empty());
}
