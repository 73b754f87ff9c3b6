#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "microbench/harness/team.hpp"
#include "sim/core/record.hpp"

namespace tofn::bench {

/// The record file of a job. Rank 0 keeps it, and writes it whole after each finished point (of
/// unfinished ones what there is every few seconds), so that a crash keeps everything of before. On
/// other ranks it is empty.
class Recorder {
 public:
  /// Collective: writes the file at once, so that a path that cannot be written is known before
  /// anything is measured (SharedFailure). An empty path writes nothing. `record` holds the
  /// provenance and, when resuming, the points of before.
  Recorder(Team&, std::filesystem::path path, Record record);

  /// The point of the same kind and parameters, if the record has it complete; else nullptr.
  const RecordPoint* complete(const RecordPoint&) const;
  /// Collective: adds the point, or replaces the one of the same kind and parameters.
  /// SharedFailure if the file cannot be written; the one of before is left.
  void put(const RecordPoint&);
  /// `12 finished points are in FILE`; empty where nothing is written.
  std::string holdings() const;
  /// Holds writing until the lock goes: for those who end the process.
  std::unique_lock<std::mutex> paused() const { return std::unique_lock(mutex_); }

 private:
  void write();

  Team& team_;
  std::filesystem::path path_;
  Record record_;
  std::vector<std::string> texts_;  // of the points
  int finished_ = 0;                // points that are in the file and complete
  mutable std::mutex mutex_;        // held while the file is written
  double last_write_ = 0;           // host_seconds()
};

}  // namespace tofn::bench
