#include "sim/formats/collective_logs/nccl_debug.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

namespace tofn {
namespace {

TEST_CASE("what NCCL_DEBUG=INFO says of a communicator", "[measurements]") {
  const std::string prefix = "alpha:7:9 [0] NCCL INFO ";
  const std::string choice =
      prefix + "AllReduce: 1048576 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}\n";
  const NcclFacts facts = read_nccl_debug(
      "NCCL version 2.28.9+cuda13.0\n" + prefix + "Using network AWS Libfabric\n" + prefix +
          "comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0\n" + prefix +
          "24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p channels, 4 p2p "
          "channels per peer\n" +
          choice + choice,
      "log.txt");
  CHECK(facts.version == "2.28.9+cuda13.0");
  CHECK(facts.network == "AWS Libfabric");
  CHECK(facts.ranks == 16);
  CHECK(facts.nodes == 2);
  CHECK(facts.channels == 24);
  CHECK(facts.nvls_channels == 16);
  REQUIRE(facts.choices.size() == 1);
  CHECK(facts.choices[0] == NcclChoice{.collective = "AllReduce",
                                       .size = Bytes{1048576},
                                       .algorithm = "RING",
                                       .protocol = "LL128",
                                       .channels = 24});
  CHECK(test::refusal([] { read_nccl_debug("x\n", "log.txt"); }) ==
        "log.txt:1:1: holds no line of NCCL: set NCCL_DEBUG=INFO");
}

TEST_CASE("NCCL's own version counts, the first that is said", "[measurements]") {
  const NcclFacts facts = read_nccl_debug(
      "alpha:7:9 [0] NCCL INFO NET/OFI Using Libfabric version 1.22\n"
      "alpha:7:9 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
      "beta:7:9 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\n",
      "log.txt");
  CHECK(facts.version == "2.28.9+cuda13.0");
}

TEST_CASE("the network that runs is told by its name, its provider or its channels",
          "[measurements]") {
  const auto facts = [](const std::string& line) {
    return read_nccl_debug("alpha:7:9 [0] NCCL INFO " + line + "\n", "log.txt");
  };
  // Lines of aws-ofi-nccl since 1.7 and until 1.6, and of NCCL's own transports.
  CHECK(facts("NET/OFI Selected provider is efa, fabric is efa-direct (found 4 nics)").provider ==
        "efa");
  CHECK(facts("NET/OFI Selected Provider is cxi").provider == "cxi");
  CHECK(facts("NET/OFI Selected Provider is cxi").has_rdma());
  CHECK_FALSE(facts("NET/OFI Selected provider is tcp;ofi_rxm, fabric is 10.0.0.0").has_rdma());
  const NcclFacts channel = facts("Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA");
  CHECK(channel.network == "IB");
  CHECK((channel.has_rdma() && channel.writes_to_devices));
  const NcclFacts staged = facts("Channel 00/0 : 0[0] -> 8[0] [send] via NET/AWS Libfabric/0");
  CHECK(staged.network == "AWS Libfabric");
  CHECK_FALSE(staged.writes_to_devices);
  CHECK_FALSE(facts("Using network Socket").has_rdma());
  CHECK_FALSE(facts("comm 0x1 rank 0 nRanks 16").has_rdma());
}

}  // namespace
}  // namespace tofn
