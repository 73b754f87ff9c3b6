#pragma once

namespace tofn {
inline namespace calibration {

/// Relative spreads that are added to a figure carried beyond the conditions of its measurement.
/// The spreads of releases, accelerators, splits and sizes are fitted: a test leaves out each
/// measurement in turn and takes the width that holds nine of ten errors
/// (tests/validation/carried_spreads_test.cpp). No run of the benchmark beyond one scale-up domain
/// is among the measurements.
struct CarriedSpreads {
  double release = 0.12;            ///< to another release of the software
  double same_architecture = 0.11;  ///< to another chip of an observed architecture
  double accelerator = 0.50;        ///< to another architecture: mostly other software
  double precision = 0.10;          ///< assumed
  double split = 0.066;             ///< to another split of a sample, in one domain
  double evaluation = 0.14;         ///< evaluation passes under such a split
  double domains = 0.092;           ///< of the whole step, to several domains and other splits
};
inline constexpr CarriedSpreads carried_spreads;

}  // namespace calibration
}  // namespace tofn
