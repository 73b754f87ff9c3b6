#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "sim/blocks/block_job.hpp"
#include "sim/core/records.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/sweep/row_maker.hpp"

namespace tofn {
inline namespace answers {

/// Summary of what happened to a sweep's points.
struct SweepSummary {
  std::string points{};                ///< `5,760 points (44,000/s), 20 rows, 12 refused`
  std::vector<std::string> assumed{};  ///< values used in place of requested ones, in any row
  std::vector<std::string> notes{};    ///< how to read the figures of the rows

  /// Returns all parts in one line.
  std::string sentence() const;
};

/// A sweep that is ready to run: everything it names was found.
class SweepJob {
 public:
  /// `program` identifies the build that makes the rows; another one cannot resume its file.
  /// InputError at the place of the mistake.
  SweepJob(Sweep, const std::filesystem::path& configs, const std::string& program);

  const Sweep& sweep() const { return sweep_; }
  const BlockJob& job() const { return job_; }
  /// Returns a line such as `5,760 points, about 0.2 s on 2 threads (29,000/s)`, estimated by
  /// trying some points.
  std::string announcement(int threads) const;
  /// Summarises the rows, and the points without a row that this process has seen.
  SweepSummary summary(const BlockProgress&, std::uint64_t rows) const;
  /// InputError, with the reason of the first refusal, if there is no row and points were refused.
  void require_rows(std::uint64_t rows) const;
  /// Parses all rows of finished CSV with its header; if the sweep selects, returns the selected
  /// ones.
  Records records(const std::string& csv) const;

 private:
  BlockWorker make_worker();
  /// Seconds that one thread takes for a point, estimated by trying some.
  double seconds_of_a_point() const;
  std::string chosen(const std::vector<std::uint64_t>& points) const;
  std::vector<std::string> reading_notes() const;

  Sweep sweep_;
  std::filesystem::path configs_;
  Shipped shipped_;
  std::optional<SweepSources> sources_;
  RowLayout layout_;
  BlockJob job_;
  std::list<RowMaker> makers_;  ///< one for each thread
};

}  // namespace answers
}  // namespace tofn
