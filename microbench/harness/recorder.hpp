#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "microbench/harness/team.hpp"
#include "sim/core/record.hpp"

namespace tofn::bench {

/// The record file of a job. Rank 0 writes it whole after each finished point, and with unfinished
/// points every few seconds, so that a crash loses nothing older. It is empty on other ranks.
class Recorder {
 public:
  /// Writes the file at once, so that an unwritable path is found before any measurement
  /// (SharedFailure). Collective. An empty path writes nothing. `record` has the provenance and,
  /// when resuming, the earlier points.
  Recorder(Team&, std::filesystem::path path, Record record);

  /// The point of the same kind and parameters if the record has it complete, else null.
  const RecordPoint* complete(const RecordPoint&) const;
  /// Adds the point, or replaces the one of the same kind and parameters. Collective. SharedFailure
  /// if the file cannot be written; the old file then remains.
  void put(const RecordPoint&);
  /// Text such as `12 finished points are in FILE`; empty if nothing is written.
  std::string holdings() const;
  /// Blocks writing until the lock is released; for code that ends the process.
  std::unique_lock<std::mutex> paused() const { return std::unique_lock(mutex_); }

 private:
  void write();

  Team& team_;
  std::filesystem::path path_;
  Record record_;
  std::vector<std::string> texts_;  // of the points
  int finished_ = 0;                // complete points in the file
  mutable std::mutex mutex_;        // locked while the file is written
  double last_write_ = 0;           // in host_seconds()
};

}  // namespace tofn::bench
