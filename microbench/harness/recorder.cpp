#include "microbench/harness/recorder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "microbench/harness/timed.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"

namespace tofn::bench {
namespace {

auto find(const std::vector<RecordPoint>& points, const RecordPoint& wanted) {
  return std::find_if(points.begin(), points.end(), [&](const RecordPoint& each) {
    return each.kind == wanted.kind && each.parameters == wanted.parameters;
  });
}

}  // namespace

Recorder::Recorder(Team& team, std::filesystem::path path, Record record)
    : team_(team), path_(std::move(path)) {
  if (team.rank() == 0) record_ = std::move(record);
  for (const RecordPoint& point : record_.points) texts_.push_back(to_json(point));
  write();
}

const RecordPoint* Recorder::complete(const RecordPoint& point) const {
  const auto known = find(record_.points, point);
  return known != record_.points.end() && known->is_complete ? &*known : nullptr;
}

void Recorder::put(const RecordPoint& point) {
  if (team_.rank() == 0) {
    const auto known = find(record_.points, point);
    const auto index = static_cast<std::size_t>(known - record_.points.begin());
    if (known == record_.points.end()) {
      record_.points.emplace_back();
      texts_.emplace_back();
    }
    record_.points[index] = point;
    texts_[index] = to_json(point);
  }
  // Writing at every visit would overload network file systems.
  constexpr double least_pause = 2;
  if (point.is_complete || host_seconds() - last_write_ >= least_pause)
    write();
  else
    agree(team_, {});
}

void Recorder::write() {
  LocalProblem problem{.text = {}, .exit_code = mistake_of_the_user};
  if (team_.rank() == 0 && !path_.empty()) {
    const std::lock_guard lock(mutex_);
    try {
      write_text_file_atomically(
          path_, fmt::format("{}{}{}", json_head(record_), fmt::join(texts_, ",\n"), json_tail()));
      finished_ = static_cast<int>(
          std::count_if(record_.points.begin(), record_.points.end(),
                        [](const RecordPoint& point) { return point.is_complete; }));
    } catch (const InputError& error) {
      problem.text = error.what();
    } catch (const WriteError& error) {
      problem = {.text = error.what(), .exit_code = failure_of_the_job};
    }
    last_write_ = host_seconds();
  }
  agree(team_, problem);
}

std::string Recorder::holdings() const {
  if (path_.empty() || team_.rank() != 0) return {};
  return fmt::format("{} finished point{} in {}", finished_, finished_ == 1 ? " is" : "s are",
                     path_.string());
}

}  // namespace tofn::bench
