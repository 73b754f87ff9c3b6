#pragma once

namespace tofn::bench {

/// Rule for sampling a point in short visits, spread over the time of its whole table, because a
/// machine's slow noise does not show in one burst (Hunold & Carpen-Amarie, "Reproducible MPI
/// benchmarking is still not as easy as you think", TPDS 2016). Times in seconds.
struct StoppingRule {
  double share = 0.02;   ///< half width of the 95 % interval, over the median
  double most_time = 2;  ///< of sampling one point; a point that is not settled by then is flagged
  double visit_time = 0.05;
  int least_visits = 10;  ///< fewer show too little of the noise between visits, unless time is up

  /// Calls in a sample: fast calls are timed in batches, far above the clock's resolution.
  static int calls_per_sample(double call_time, bool on_device);
  /// Samples in a visit; the record keeps them all.
  int samples_per_visit(double sample_time) const;
  /// True if a point with this half width, as a share of the median, is done.
  bool is_enough(int visits, double time, double half_width) const;
};

}  // namespace tofn::bench
