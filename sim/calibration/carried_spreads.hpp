#pragma once

namespace tofn {
inline namespace calibration {

/// Relative spreads that are added where a figure is carried beyond what it was measured on. Those
/// of releases, accelerators, splits and sizes are learnt: a test leaves each out in turn of what
/// was measured and asks how wide nine of ten errors lie
/// (tests/validation/carried_spreads_test.cpp). No run of the benchmark beyond one scale-up domain
/// is among what was measured.
struct CarriedSpreads {
  double release = 0.12;            ///< to another one of the software
  double same_architecture = 0.11;  ///< to one of an architecture that was seen
  double accelerator = 0.50;        ///< to one of another: other software mostly
  double precision = 0.10;          ///< assumed
  double split = 0.066;             ///< of a sample over other accelerators, in one domain
  double evaluation = 0.19;         ///< its passes under such a split
  double domains = 0.092;  ///< of the whole step, to more domains than one and other splits
};
inline constexpr CarriedSpreads carried_spreads;

}  // namespace calibration
}  // namespace tofn
