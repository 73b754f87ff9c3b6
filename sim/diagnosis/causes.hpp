#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/formats/collective_logs/nccl_debug.hpp"
#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace diagnosis {

/// A collective with its sizes, on links that are estimated to be healthy.
struct HealthyJob {
  const Cluster& cluster;
  CollectiveKind collective = CollectiveKind::AllReduce;
  Communicator links;
  std::vector<Bytes> sizes;  ///< ascending
};

/// Gravity and variety of a fault, each in [0, 1].
struct FaultChoice {
  double gravity = 0;
  double variety = 0;
};

/// Natural logarithms of the factors by which each size takes longer.
using LogFactors = std::vector<double>;

/// NICs of a node that still carry its bytes.
enum class NicsLeft { All, Half, One };

/// Tier of links that a cause slows. A run on one node shows only the scale-up domain.
enum class FaultyTier { Neither, ScaleUp, Network };

/// A known cause of slow collectives: its effect on times, and sentences for the user.
struct SlownessCause {
  std::string_view name;
  /// Computes the effect by the formulas; absent if such a job cannot have the fault.
  std::optional<LogFactors> (*slowed)(const HealthyJob&, const FaultChoice&);
  std::string_view sentence;
  std::string_view test;          ///< test that confirms or excludes it
  double odds = 1;                ///< prior odds relative to the other causes
  double odds_between_nodes = 1;  ///< factor on `odds` if the network takes part
  /// True if the log's facts on NCCL exclude the cause; null if no fact can.
  bool (*is_refuted)(const NcclFacts&) = nullptr;
  NicsLeft nics_left = NicsLeft::All;
  FaultyTier tier = FaultyTier::Neither;
};

/// All causes. To add one, add a row there.
std::span<const SlownessCause> causes();

/// Probability of a cause given a table's times; null: one factor at all sizes, which no known
/// cause gives.
struct LikelyCause {
  const SlownessCause* cause = nullptr;
  double probability = 0;
};

/// Job on links that are estimated from their nominal figures and measured tables.
HealthyJob healthy_job(const LinkTable&, const Cluster&, const LinkPosterior&);

/// Compares tables of one job with the effect of each cause.
class CauseFinder {
 public:
  CauseFinder(const LinkTable&, const Cluster&, const LinkPosterior&);

  /// Causes of the times, most likely first, without those below 1 in 100. Their probability comes
  /// from the evidence of normal errors with heavy tails about the healthy times and the cause's
  /// factors, averaged over gravities and varieties, and the prior odds (Kass & Raftery, JASA
  /// 1995).
  std::vector<LikelyCause> likely(const CollectiveTable& same_sizes) const;

 private:
  struct Candidate {
    const SlownessCause* cause = nullptr;
    double odds = 1;
    std::vector<LogFactors> choices;
  };
  LinkTable placed_;
  LinkPosterior posterior_;
  std::vector<Candidate> candidates_;
};

}  // namespace diagnosis
}  // namespace tofn
