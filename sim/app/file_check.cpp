#include "sim/app/file_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "sim/config/load.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/resolve.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"

namespace tofn {
namespace {

enum class Kind { Accelerator, Cluster, Workload, Plan };

/// A kind of YAML file and the key that only it has.
struct KindKey {
  Kind kind;
  std::string_view name;
  std::string_view key;
};
constexpr std::array kind_keys{
    KindKey{Kind::Accelerator, "accelerator", "peak"}, KindKey{Kind::Cluster, "cluster", "node"},
    KindKey{Kind::Workload, "workload", "layers"}, KindKey{Kind::Plan, "plan", "context_parallel"},
    KindKey{Kind::Plan, "plan", "tensor_parallel"}};

/// A workload also has `tensor_parallel`, so the order of the table decides.
const KindKey& kind_of_file(const YamlNode& root) {
  const auto entries = root.entries();
  for (const KindKey& candidate : kind_keys)
    if (std::any_of(entries.begin(), entries.end(),
                    [&](const auto& entry) { return entry.first == candidate.key; }))
      return candidate;
  root.fail(
      "is no kind of file that tofn knows: an accelerator has 'peak', a cluster 'node', a workload "
      "'layers', a plan 'tensor_parallel'");
}

}  // namespace

const std::vector<Accelerator>& FileChecker::accelerators() {
  if (accelerators_) return *accelerators_;
  std::error_code error;
  const auto folder = configs_ / "accelerators";
  std::vector<Accelerator> loaded;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") loaded.push_back(load_accelerator(entry.path()));
  if (error) throw InputError({folder.string()}, "", "cannot be read: " + error.message());
  std::sort(loaded.begin(), loaded.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return accelerators_.emplace(std::move(loaded));
}

const Library& FileChecker::library() {
  if (!library_) library_.emplace(Library::load(configs_));
  return *library_;
}

FileReport FileChecker::check_yaml(const std::filesystem::path& file) {
  const KindKey found = kind_of_file(YamlNode::load(file));
  switch (found.kind) {
    case Kind::Accelerator:
      load_accelerator(file);
      break;
    case Kind::Cluster:
      load_cluster(file, accelerators());
      break;
    case Kind::Workload:
      load_workload(file);
      break;
    case Kind::Plan:
      load_plan(file);
      break;
  }
  return {.kind = std::string(found.name), .summary = {}, .notes = {}};
}

FileReport FileChecker::check_table(const std::filesystem::path& file) {
  const auto rows = read_published_table(file);
  Resolver resolver(library());
  FileReport report{.kind = "published table", .summary = {}, .notes = {}};
  for (const ResolvedRow& row : resolver.resolve(rows))
    if (!row.run)
      report.notes.push_back(fmt::format("line {}: {} {}: {}", row.row.inputs.location.line,
                                         row.row.inputs.benchmark, row.row.full_name(),
                                         row.skipped_because));
  report.summary =
      fmt::format(", {} rows of which {} resolve", rows.size(), rows.size() - report.notes.size());
  return report;
}

FileReport FileChecker::check(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".yaml" || extension == ".yml") return check_yaml(file);
  if (extension == ".csv") return check_table(file);
  read_text_file(file);  // what cannot be read at all says so first
  throw InputError({file.string()}, "", "is neither a .yaml nor a .csv file");
}

}  // namespace tofn
