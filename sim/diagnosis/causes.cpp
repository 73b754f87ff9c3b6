#include "sim/diagnosis/causes.hpp"

#include <array>

#include "sim/diagnosis/fault_factors.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

/// Odds of a forced choice that the log does not show: those who force NCCL's choice mostly print
/// it beside the times (assumed).
constexpr double rarely_unsaid = 0.2;
/// Odds between nodes of switches that do not reduce, because that shows on one node first. Over
/// two nodes rings carry as much as trees over half the NICs, and these causes are named before
/// (assumed, beside made-up tables of both).
constexpr double seen_before = 0.5;

bool has_rdma(const NcclFacts& facts) { return facts.has_rdma(); }
bool writes_to_devices(const NcclFacts& facts) { return facts.writes_to_devices; }

template <LinkEffect Effect>
std::optional<LogFactors> slowed_links(const HealthyJob& job, const FaultChoice& choice) {
  return slow_links(job, Effect, choice);
}

}  // namespace

std::span<const SlownessCause> causes() {
  static constexpr std::array table{
      SlownessCause{.name = "one NIC",
                    .slowed = one_nic_left,
                    .sentence = "all but one NIC of a node are missing or not used",
                    .test = "NCCL_DEBUG=INFO lists the network cards that each node uses",
                    .nics_left = NicsLeft::One,
                    .tier = FaultyTier::Network},
      SlownessCause{
          .name = "half the NICs",
          .slowed = half_the_nics_left,
          .sentence = "half the NICs of a node are missing, or all run at half speed",
          .test = "NCCL_DEBUG=INFO lists the network cards that each node uses, ibstat their rate",
          .nics_left = NicsLeft::Half,
          .tier = FaultyTier::Network},
      SlownessCause{.name = "kernel sockets",
                    .slowed = kernel_sockets,
                    .sentence = "times are those of kernel sockets, not of RDMA: is RDMA off "
                                "(NCCL_IB_DISABLE), or are its devices not in the container?",
                    .test = "NCCL_DEBUG=INFO says `Using network Socket` where RDMA is off",
                    .is_refuted = has_rdma,
                    .tier = FaultyTier::Network},
      SlownessCause{
          .name = "missing plugin",
          .slowed = sockets_without_plugin,
          .sentence =
              "times are those of kernel sockets, not of the fabric: is NCCL's plugin of it "
              "missing (aws-ofi-nccl of EFA and of Slingshot's CXI, Google's of TCPX)? a "
              "log with NCCL_DEBUG=INFO names the network that runs",
          .test = "NCCL_DEBUG=INFO says `Using network Socket` where the plugin is missing",
          .is_refuted = has_rdma,
          .tier = FaultyTier::Network},
      SlownessCause{
          .name = "no GPUDirect",
          .slowed = host_staged,
          .sentence =
              "hops and bytes between nodes take longer: transfers pass through host memory "
              "(no GPUDirect RDMA)",
          .test = "NCCL_DEBUG=INFO shows channels `via NET` without GDRDMA",
          .is_refuted = writes_to_devices,
          .tier = FaultyTier::Network},
      SlownessCause{
          .name = "PCIe",
          .slowed = scale_up_over_pcie,
          .sentence = "bus bandwidth levels off at PCIe's: the scale-up links are not used "
                      "(peer-to-peer off, or the fabric manager down)",
          .test =
              "nvidia-smi topo -p2p r and nvidia-smi nvlink -s; NCCL_DEBUG=INFO shows `via SHM`",
          .tier = FaultyTier::ScaleUp},
      SlownessCause{.name = "launch",
                    .slowed = slow_launches,
                    .sentence =
                        "small messages all take the same longer time: calls wait for the host (no "
                        "CUDA graph, slow launches)",
                    .test = "the same run with a CUDA graph (nccl-tests -G 1)"},
      SlownessCause{.name = "no NVLS",
                    .slowed = no_reduction_in_switch,
                    .sentence =
                        "times are those of rings and trees: the scale-up switches do not reduce "
                        "(NVLS is off, or a ring is forced)",
                    .test = "NCCL_DEBUG=INFO says whether NVLS channels are used; unset "
                            "NCCL_NVLS_ENABLE and NCCL_ALGO",
                    .odds_between_nodes = seen_before,
                    .tier = FaultyTier::ScaleUp},
      SlownessCause{
          .name = "protocol",
          .slowed = forced_protocol,
          .sentence = "times are those of one protocol at all sizes: it is forced where NCCL would "
                      "choose (NCCL_PROTO, a tuner's file)",
          .test = "the same run without NCCL_PROTO and without a tuner's file",
          .odds = rarely_unsaid},
      SlownessCause{
          .name = "algorithm",
          .slowed = forced_algorithm,
          .sentence =
              "times are those of one algorithm at all sizes: it is forced where NCCL would "
              "choose (NCCL_ALGO, a tuner's file)",
          .test = "the same run without NCCL_ALGO and without a tuner's file",
          .odds = rarely_unsaid},
      SlownessCause{
          .name = "switch at the wrong size",
          .slowed = switch_at_wrong_size,
          .sentence =
              "smaller and larger messages are normal: most likely the algorithm or protocol "
              "switches at the wrong size",
          .test = "runs at these sizes with each NCCL_ALGO and NCCL_PROTO show which is faster"},
      SlownessCause{
          .name = "network bandwidth",
          .slowed = slowed_links<LinkEffect::NetworkBandwidth>,
          .sentence = "bytes between nodes take longer, small messages do not: less bandwidth than "
                      "the NICs have (a congested or degraded fabric)",
          .test = "ib_write_bw and the same run between pairs of nodes find the slow one",
          .tier = FaultyTier::Network},
      SlownessCause{
          .name = "network latency",
          .slowed = slowed_links<LinkEffect::NetworkLatency>,
          .sentence =
              "hops between nodes take longer, large messages do not: a slower transport or "
              "more switches than the cluster's",
          .test = "ib_write_lat between pairs of nodes",
          .tier = FaultyTier::Network},
      SlownessCause{.name = "scale-up bandwidth",
                    .slowed = slowed_links<LinkEffect::ScaleUpBandwidth>,
                    .sentence =
                        "bytes inside the scale-up domain take longer, small messages do not: "
                        "links of it are down, or fewer channels are used",
                    .test = "one node alone; nvidia-smi nvlink -s names links that are down",
                    .tier = FaultyTier::ScaleUp},
  };
  return table;
}

}  // namespace diagnosis
}  // namespace tofn
