#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/measurements/nccl_debug.hpp"
#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace validation {

/// What ran, on links as healthy as they are believed to be.
struct HealthyJob {
  const Cluster& cluster;
  CollectiveKind collective = CollectiveKind::AllReduce;
  Communicator links;
  std::vector<Bytes> sizes;  ///< ascending
};

/// How grave a fault is and of which variety, each in [0, 1].
struct FaultChoice {
  double gravity = 0;
  double variety = 0;
};

/// Natural logarithms of how many times as long each size takes.
using LogFactors = std::vector<double>;

/// NICs of a node that a cause leaves to carry its bytes.
enum class NicsLeft { All, Half, One };

/// Whose links a cause slows: a run on one node shows those of the scale-up domain alone.
enum class FaultyTier { Neither, ScaleUp, Network };

/// A known reason for slow collectives: what it does to times, and what to say of it.
struct SlownessCause {
  std::string_view name;
  /// By the formulas; absent where such a job cannot have the fault.
  std::optional<LogFactors> (*slowed)(const HealthyJob&, const FaultChoice&);
  std::string_view sentence;
  std::string_view test;          ///< what confirms or excludes it
  double odds = 1;                ///< beforehand, over the others'
  double odds_between_nodes = 1;  ///< times those, where the network takes part
  /// Whether what the log says of NCCL excludes it; null: nothing that a log says does.
  bool (*is_refuted)(const NcclFacts&) = nullptr;
  NicsLeft nics_left = NicsLeft::All;
  FaultyTier tier = FaultyTier::Neither;
};

/// Every cause. Add one here: a row.
std::span<const SlownessCause> causes();

/// How likely a cause is by a table's times; null: one factor at all sizes, which none makes.
struct LikelyCause {
  const SlownessCause* cause = nullptr;
  double probability = 0;
};

/// Whose links are believed in, by their nominal figures and what tables taught.
HealthyJob healthy_job(const LinkTable&, const Cluster&, const LinkPosterior&);

/// Holds tables of one job against what each cause would make of them.
class CauseFinder {
 public:
  CauseFinder(const LinkTable&, const Cluster&, const LinkPosterior&);

  /// What explains the times, the likeliest first, those of 1 in 100 left out: by the evidence of
  /// normal errors with heavy tails about the healthy times and the cause's factors, averaged over
  /// gravities and varieties, and the odds beforehand (Kass & Raftery, JASA 1995).
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

}  // namespace validation
}  // namespace tofn
