#include "sim/calibration/own_steps.hpp"

#include "sim/calibration/calibration.hpp"
#include "tests/catch.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Published runs at 45 % of peak and 20 ms a pass; a user's machine at 30 % and 50 ms.
class OwnSteps {
 public:
  std::vector<Observation> published() const {
    std::vector<Observation> seen;
    for (const double batch : {1, 2, 4, 8, 16}) seen.push_back(at(batch, 0.45, 20_ms));
    return seen;
  }
  Observation own(double batch) const {
    Observation seen = at(batch, 0.30, 50_ms);
    seen.origin = "mine";
    seen.step_error = 0.001;
    return seen;
  }
  ComputeProfile profile(const std::vector<Observation>& own, double batch) const {
    return Calibration(with_own_steps(published(), own))
        .profile_for(synthetic_run(workload, cluster, batch));
  }

 private:
  Observation at(double batch, double efficiency, Seconds overhead) const {
    ComputeProfile profile;
    profile.efficiency = efficiency;
    profile.overhead = overhead;
    return observed(synthetic_run(workload, cluster, batch), profile);
  }
  Workload workload = synthetic_workload();
  Cluster cluster = synthetic_cluster();
};

}  // namespace

TEST_CASE_METHOD(OwnSteps, "two batches of one machine tell its efficiency and its overhead") {
  const ComputeProfile found = profile({own(4), own(16)}, 8);
  CHECK_THAT(found.efficiency, WithinRel(0.30, 0.005));
  CHECK_THAT(found.overhead.base(), WithinRel(0.050, 0.005));
  CHECK(found.overhead_basis == Basis::Interpolated);
  CHECK(found.origin == "T1, step profile mine");
}

TEST_CASE_METHOD(OwnSteps, "one batch borrows the overhead of the published runs") {
  const ComputeProfile found = profile({own(8)}, 8);
  CHECK_THAT(found.overhead.base(), WithinRel(0.020, 0.005));
  // 8 samples of 3 TFLOP at a peak of 1000 TFLOP/s take 24 ms at full efficiency, 80 ms at 30 %. Of
  // the 130 ms measured, 110 remain for arithmetic.
  CHECK_THAT(found.efficiency, WithinRel(24.0 / 110, 0.005));
  CHECK(found.overhead_basis == Basis::Extrapolated);
  CHECK(found.overhead_spread == 0.15);
  CHECK(found.origin == "T1, step profile mine (overhead borrowed)");
}

TEST_CASE_METHOD(OwnSteps, "no own steps leave the published runs as they were") {
  const ComputeProfile found = profile({}, 8);
  CHECK_THAT(found.efficiency, WithinRel(0.45, 0.005));
  CHECK(found.origin == "T1 24.10");
}

TEST_CASE_METHOD(OwnSteps, "unsteady steps widen the interval of the efficiency") {
  Observation unsteady = own(8);
  unsteady.step_error = 0.04;
  CHECK_THAT(profile({unsteady}, 8).efficiency_spread, WithinRel(0.05, 1e-9));  // from 3 % and 4 %
}
