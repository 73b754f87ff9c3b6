// Measures the time of one question: from a calibrated curve (the aim is 100 ns), and from the
// formulas with NCCL's choice among all algorithms and protocols (2 us). Run by hand:
// build/tests/collective_speed
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "sim/collectives/algorithm.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/curves/fit_curve.hpp"

using namespace tofn;

namespace {

/// Nanoseconds per question over sizes from 8 B to 16 GiB. The sum keeps the compiler from removing
/// the work.
template <class Question>
void measure(const char* name, Question question) {
  constexpr int questions = 1'000'000;
  constexpr int octaves = 31;
  double sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < questions; ++i) sum += question(Bytes{std::ldexp(8.5, i % octaves)});
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  fmt::print("{:<40} {:8.1f} ns a question (sum {:.6g} s)\n", name, time.count() / questions, sum);
}

}  // namespace

int main() {
  Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  const auto calibration =
      load_calibration(TOFN_SOURCE_DIR "/configs/calibrations/h100-dell-2x8.yaml");
  const CostCurve curve = fit_curve(calibration.tables.front()).curve;
  measure("a calibrated curve", [&](Bytes size) { return curve.at(size).time.base(); });
  const Communicator c = place({.stride = 1, .count = 64}, library.cluster("dgx-h100"), 64);
  measure("formulas, all-reduce over 8 x 8 ranks", [&](Bytes size) {
    return collective_cost(CollectiveKind::AllReduce, size, c, false).time.base();
  });
}
