#include "microbench/collective/collective_sweep.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "microbench/collective/cold_trial.hpp"
#include "microbench/collective/printed_table.hpp"
#include "microbench/harness/rounds.hpp"
#include "sim/core/bus_factor.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {
namespace {

/// Parameters that the sizes of one table share.
struct Table {
  const Operation& operation;
  const ElementType& type;
  GroupKind kind;
  bool in_place;
  bool is_cold;
  Groups groups;
  bool is_world_again;  ///< its group is all ranks, which have their own table
};

double bytes_of(const Table& table, const Extent& extent) {
  return static_cast<double>(extent.total) * table.type.bytes;
}

/// Reason why the table cannot be measured here; absent if it can.
std::optional<std::string> objection(const Backend& backend, const Table& table) {
  if (table.in_place && !table.operation.can_be_in_place) return "it has no in-place form";
  if (!table.in_place && table.operation.must_be_in_place) return "it has no out-of-place form";
  if (table.groups.size < 2)
    return fmt::format("the group '{}' has a single rank here", to_text(table.kind));
  if (table.is_world_again)
    return fmt::format("the group '{}' is the world here", to_text(table.kind));
  if (!table.operation.is_possible_on(table.groups.size))
    return fmt::format("{} ranks cannot be paired", table.groups.size);
  return backend.objection(table.operation, table.type, table.in_place);
}

/// Sizes that can be measured, and reasons such as `4.4 TB: no room in memory` for the others.
struct Extents {
  std::vector<Extent> possible;
  std::vector<std::string> left_out;
};

/// Distinct extents of the requested sizes, as far as memory and the library allow.
Extents extents_of(Lab& lab, const Backend& backend, const Table& table,
                   const std::vector<double>& sizes) {
  // 5 % stays free for the library's own buffers.
  const double memory = backend.free_memory() * 0.95;
  Extents extents;
  std::set<std::size_t> seen;
  for (const double size : sizes) {
    const Extent extent = extent_of(table.operation, table.type, table.groups.size, size);
    const bool is_known = !seen.insert(extent.total).second;
    double has_no_room = bytes_needed(table.type, extent, table.in_place) > memory ? 1 : 0;
    lab.team.maximum({&has_no_room, 1});
    if (is_known) continue;
    if (extent.chunk <= backend.most_elements() && has_no_room == 0) {
      extents.possible.push_back(extent);
      continue;
    }
    extents.left_out.push_back(
        fmt::format("{}: {}", to_text(Bytes(size), 4),
                    has_no_room > 0 ? "no room in memory"
                                    : fmt::format("{} takes at most {} elements", backend.library(),
                                                  backend.most_elements())));
  }
  return extents;
}

RecordPoint identity(const Backend& backend, const Table& table, const Extent& extent) {
  RecordPoint point;
  point.kind = "collective";
  point.parameters = {{"operation", std::string(table.operation.name)},
                      {"backend", backend.name()},
                      {"library", backend.library()},
                      {"memory", backend.memory()},
                      {"type", std::string(table.type.name)},
                      {"size_bytes", static_cast<long long>(bytes_of(table, extent))},
                      {"group", std::string(to_text(table.kind))},
                      {"group_ranks", static_cast<long long>(table.groups.size)},
                      {"group_nodes", static_cast<long long>(table.groups.nodes)},
                      {"groups", static_cast<long long>(table.groups.count)},
                      {"in_place", table.in_place},
                      {"cuda_graph", backend.has_cuda_graph()},
                      {"registered", backend.has_registration()}};
  if (backend.has_symmetric_memory()) point.parameters.emplace_back("symmetric", true);
  if (backend.has_device_api()) point.parameters.emplace_back("device_api", true);
  if (table.is_cold) point.parameters.emplace_back("cold", true);
  return point;
}

RecordFigures figures(const Table& table, double bytes, double seconds) {
  const double bandwidth = bytes / seconds;
  const double factor = bus_factor(table.operation.name, table.groups.size).value_or(1);
  return {{"algorithm_bandwidth_gb_s", bandwidth / 1e9},
          {"bus_bandwidth_gb_s", bandwidth * factor / 1e9}};
}

/// The cases of one table and their buffers.
class Bench {
 public:
  Bench(Lab& lab, Backend& backend, const Table& table, const std::vector<Extent>& extents)
      : lab_(lab), table_(table) {
    const auto rank = static_cast<std::size_t>(lab.team.rank());
    const auto group = table.groups.of_rank[rank];
    lab.watchdog.start("joining the ranks of " + title(0));
    communicator_ = backend.join(lab.team, group);
    const std::string largest = title(bytes_of(table, extents.back()));
    if (backend.has_symmetric_memory()) {
      // All ranks together, because ranks that wait in NCCL do not learn that another one failed.
      lab.watchdog.start("allocating for " + largest);
      allocate(extents.back());
    } else {
      lab.on_each_rank(largest, [&] { allocate(extents.back()); });
    }
    for (const Extent& extent : extents) add(identity(backend, table, extent), extent);
  }
  std::vector<Case>& cases() { return cases_; }

 private:
  std::string title(double bytes) const {
    const std::string size = bytes > 0 ? " of " + to_text(Bytes(bytes), 4) : "";
    return fmt::format("{}{} ({}, {}{})", table_.operation.name, size, table_.type.name,
                       to_text(table_.kind), table_.in_place ? ", in place" : "");
  }

  void allocate(const Extent& largest) {
    if (!communicator_) return;
    const auto size = static_cast<std::size_t>(table_.type.bytes);
    const std::size_t elements = table_.in_place ? largest.total : largest.send;
    buffers_.send = communicator_->allocate(elements * size);
    if (!table_.in_place) buffers_.receive = communicator_->allocate(largest.receive * size);
  }

  void add(RecordPoint point, const Extent& extent) {
    Trial* trial = nullptr;
    if (communicator_)
      trial = trials_
                  .emplace_back(std::make_unique<Trial>(*communicator_, buffers_, table_.operation,
                                                        table_.type, extent))
                  .get();
    Timed* timed = trial;
    if (trial != nullptr && table_.is_cold)
      timed = cold_.emplace_back(std::make_unique<ColdTrial>(*communicator_, *trial)).get();
    const double bytes = bytes_of(table_, extent);
    const std::string what = title(bytes);
    const auto goes_on = [this] { lab_.watchdog.progress(); };
    const auto verify_one_call = [this, trial, what, goes_on] {
      lab_.on_each_rank(what, [&] {
        if (trial != nullptr) trial->fill(goes_on);
      });
      if (trial != nullptr) trial->run(1);
      lab_.on_each_rank(what, [&] {
        if (trial != nullptr) trial->check_result(goes_on);
      });
    };
    const auto verify_timed_calls = [this, trial, what, goes_on, verify_one_call] {
      double keeps_input = trial != nullptr && trial->keeps_input() ? 1 : 0;
      lab_.team.maximum({&keeps_input, 1});
      if (keeps_input == 0) return verify_one_call();
      lab_.on_each_rank(what, [&] {
        if (trial != nullptr) trial->check_result(goes_on);
      });
    };
    cases_.push_back(
        {.point = std::move(point),
         .title = what,
         .timed = timed,
         .prepare = verify_one_call,
         .check = verify_timed_calls,
         .figures = [this, bytes](double seconds) { return figures(table_, bytes, seconds); }});
  }

  Lab& lab_;
  const Table& table_;
  std::unique_ptr<LibraryCommunicator> communicator_;
  TrialBuffers buffers_;
  std::vector<std::unique_ptr<Trial>> trials_;
  std::vector<std::unique_ptr<ColdTrial>> cold_;
  std::vector<Case> cases_;
};

/// Prints the table, or why it cannot be measured; returns true if it was measured.
bool run_table(Lab& lab, Backend& backend, const Table& table, const std::vector<double>& sizes) {
  lab.watchdog.start(
      fmt::format("what {} of {} can be measured", table.operation.name, table.type.name));
  const auto problem = objection(backend, table);
  const Extents extents = problem ? Extents{} : extents_of(lab, backend, table, sizes);
  const CollectiveHeading heading{.operation = table.operation.name,
                                  .type = table.type.name,
                                  .group = to_text(table.kind),
                                  .groups = table.groups,
                                  .in_place = table.in_place,
                                  .is_cold = table.is_cold,
                                  .library = backend.library(),
                                  .memory = backend.memory()};
  lab.progress.add_done(static_cast<double>(sizes.size() - extents.possible.size()));
  if (problem) lab.progress.print(left_out(heading, *problem));
  for (const std::string& each : extents.left_out) lab.progress.print(left_out(heading, each));
  if (extents.possible.empty()) return false;
  Bench bench(lab, backend, table, extents.possible);
  const auto points = measure_in_rounds(lab, bench.cases());
  if (!points.empty()) lab.progress.print(collective_table(heading, points));
  return true;
}

}  // namespace

int most_points(const CollectiveSweep& sweep) {
  return static_cast<int>(sweep.operations.size() * sweep.types.size() * sweep.groups.size() *
                          sweep.in_place.size() * sweep.sizes.size());
}

void run(Lab& lab, Backend& backend, const CollectiveSweep& sweep) {
  bool has_any = false;
  const bool has_world =
      std::find(sweep.groups.begin(), sweep.groups.end(), GroupKind::World) != sweep.groups.end();
  for (const GroupKind group : sweep.groups) {
    const Groups groups = groups_of(lab.placement, group);
    const bool is_all = groups.size == lab.team.size();
    for (const Operation* operation : sweep.operations)
      for (const ElementType* type : sweep.types)
        for (const bool in_place : sweep.in_place) {
          const Table table{.operation = *operation,
                            .type = *type,
                            .kind = group,
                            .in_place = in_place,
                            .is_cold = sweep.is_cold,
                            .groups = groups,
                            .is_world_again = group != GroupKind::World && has_world && is_all};
          if (run_table(lab, backend, table, sweep.sizes)) has_any = true;
        }
  }
  if (!has_any) throw InputError("nothing of this can be measured here; the reasons stand above");
}

}  // namespace tofn::bench
