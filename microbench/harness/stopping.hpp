#pragma once

namespace tofn::bench {

/// How a point is sampled: in short visits spread over the time that its whole table takes, since
/// a machine's slow noise does not show in one burst (Hunold & Carpen-Amarie, "Reproducible MPI
/// benchmarking is still not as easy as you think", TPDS 2016). Times in seconds.
struct StoppingRule {
  double share = 0.02;   ///< half width of the 95 % interval, over the median
  double most_time = 2;  ///< of sampling one point; one that does not settle by then says so
  double visit_time = 0.05;
  int least_visits =
      10;  ///< fewer say too little about the noise between visits, unless time is up

  /// Calls back to back in a sample: fast ones are timed in batches, far above the clock's grain.
  static int calls_per_sample(double call_time, bool on_device);
  /// Samples in a visit, every one of which is kept in the record.
  int samples_per_visit(double sample_time) const;
  /// Whether a point with this half width over median is done.
  bool is_enough(int visits, double time, double half_width) const;
};

}  // namespace tofn::bench
