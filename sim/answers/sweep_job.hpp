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

/// What became of a sweep's points.
struct SweepSummary {
  std::string points{};                ///< `5,760 points (44,000/s), 20 rows, 12 refused`
  std::vector<std::string> assumed{};  ///< what took the place of a request, in any row
  std::vector<std::string> notes{};    ///< how the figures of the rows are to be read

  /// All of it in one line.
  std::string sentence() const;
};

/// A sweep that is ready to run: everything it names was found.
class SweepJob {
 public:
  /// `program`: which one makes the rows; another cannot resume its file. InputError at the place
  /// of the mistake.
  SweepJob(Sweep, const std::filesystem::path& configs, const std::string& program);

  const Sweep& sweep() const { return sweep_; }
  const BlockJob& job() const { return job_; }
  /// `5,760 points, about 0.2 s on 2 threads (29,000/s)`, by trying some; a line.
  std::string announcement(int threads) const;
  /// Of points that made no row, what this process saw.
  SweepSummary summary(const BlockProgress&, std::uint64_t rows) const;
  /// InputError where there is no row, and points were refused: with the reason of the first.
  void require_rows(std::uint64_t rows) const;
  /// All rows, chosen where the sweep selects, of finished CSV with its header.
  Records records(const std::string& csv) const;

 private:
  BlockWorker make_worker();
  /// Of one thread, by trying some.
  double seconds_of_a_point() const;
  std::string chosen(const std::vector<std::uint64_t>& points) const;
  std::vector<std::string> reading_notes() const;

  Sweep sweep_;
  std::filesystem::path configs_;
  Shipped shipped_;
  std::optional<SweepSources> sources_;
  RowLayout layout_;
  BlockJob job_;
  std::list<RowMaker> makers_;  ///< of the threads
};

}  // namespace answers
}  // namespace tofn
