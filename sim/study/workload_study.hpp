#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/published/published_table.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace study {

/// A published row with the names of its workload and accelerator, by which rows are grouped.
struct NamedRow {
  PublishedRow row;
  std::string workload;
  std::string accelerator;
};

/// Efficiencies of one system in one workload, as defined in Cortes, Juiz, Bermejo, SARTECO 2025,
/// arXiv 2509.03263, and others that compare equal accelerators.
struct StudyRow {
  PublishedRow published;
  std::string accelerator;
  double minutes = 0;  ///< the official score
  double speedup = 0;
  double efficiency = 0;           ///< speedup / N
  double relative_efficiency = 0;  ///< the study's E'
  /// E' against the reference system of the same accelerator.
  double own_efficiency = 0;
  /// Efficiency against the median of the systems with 8 of the same accelerator; absent if there
  /// are none.
  std::optional<double> scaling_efficiency;

  int accelerators() const { return published.inputs.accelerators; }
  ScalingPoint point() const { return {.accelerators = accelerators(), .minutes = minutes}; }
};

struct WorkloadStudy {
  std::string workload;
  std::vector<StudyRow> rows;  ///< by accelerators, then time; at least one
  std::size_t reference = 0;   ///< row with the fewest accelerators, of those the slowest

  const StudyRow& reference_row() const { return rows[reference]; }
};

/// Accelerators of one full server, whose systems are the base of scaling efficiencies.
inline constexpr int server_accelerators = 8;

/// One study per workload, in order of appearance. Skips rows without an official time.
std::vector<WorkloadStudy> study_workloads(std::span<const NamedRow>);

/// Names (`organisation/system`) of the systems that have a row in every workload, sorted.
std::vector<std::string> systems_in_every_workload(std::span<const WorkloadStudy>);

/// Rows that report the same runs as an earlier row of their workload.
std::vector<const StudyRow*> repeated_rows(const WorkloadStudy&);

}  // namespace study
}  // namespace tofn
