// Files beside the results of a round of MLPerf Training.
#include "sim/published/mlperf_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/text/json_rows.hpp"
#include "sim/formats/text/log_text.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace published {
namespace {

namespace fs = std::filesystem;

bool is_result(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("result_") && path.extension() == ".txt";
}

void add_results(const fs::path& submitter, std::vector<ResultFolder>& folders) {
  for (const fs::path& system : sorted_entries(submitter / "results"))
    for (const fs::path& benchmark : sorted_entries(system)) {
      ResultFolder folder{.submitter = submitter, .path = benchmark};
      for (const fs::path& file : sorted_entries(benchmark))
        if (is_result(file)) folder.files.push_back(file);
      if (!folder.files.empty()) folders.push_back(std::move(folder));
    }
}

using Texts = std::map<std::string, std::string>;

std::string text_at(const Texts& texts, const char* key) {
  const auto found = texts.find(key);
  return found == texts.end() ? std::string{} : found->second;
}

std::optional<int> count_at(const Texts& texts, const char* key) {
  return parse_count(text_at(texts, key));
}

/// The YY.MM in the names of NVIDIA's containers.
std::string release_in(const std::string& text) {
  for (const char* tag : {"ngc", "Release "}) {
    const auto at = text.find(tag);
    if (at == std::string::npos) continue;
    std::string name = text.substr(at + std::string_view(tag).size(), 5);
    if (months_between(name, name)) return name;
  }
  return {};
}

void describe_system(const ResultFolder& folder, ImportedRow& row) {
  const Texts system = json_texts(folder.submitter / "systems" / (row.system + ".json"));
  row.division = text_at(system, "division");
  row.status = text_at(system, "status");
  row.nodes = count_at(system, "number_of_nodes");
  row.accelerators_per_node = count_at(system, "accelerators_per_node");
  constexpr double most = 1e7;
  if (row.nodes && row.accelerators_per_node &&
      1.0 * *row.nodes * *row.accelerators_per_node <= most)
    row.accelerators = *row.nodes * *row.accelerators_per_node;
  row.accelerator = text_at(system, "accelerator_model_name");
  row.framework = text_at(system, "framework");
  row.software_release = release_in(row.system);
  if (row.software_release.empty())
    row.software_release = release_in(text_at(system, "framework_name"));
}

/// Value of a setting in a script's line, such as `export TP=4`, `: "${FP8:=True}"` or
/// `TENSOR_MODEL_PARALLEL=4`; empty if it has none.
std::string exported(const std::string& line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0 &&
                                    line[at - 1] != '_');
    if (!begins || end >= line.size() || (line[end] != '=' && line.compare(end, 2, ":=") != 0))
      continue;
    const std::size_t start = line.find_first_not_of(":=\"'", end);
    if (start == std::string::npos) return {};
    return line.substr(start, line.find_first_of(" \"'};\t\r#", start) - start);
  }
  return {};
}

struct PlanKey {
  std::string_view name;
  std::optional<int> ImportedRow::*size;
};
constexpr std::array plan_keys{PlanKey{"TP", &ImportedRow::tensor_parallel},
                               PlanKey{"TENSOR_MODEL_PARALLEL", &ImportedRow::tensor_parallel},
                               PlanKey{"PP", &ImportedRow::pipeline_parallel},
                               PlanKey{"PIPELINE_MODEL_PARALLEL", &ImportedRow::pipeline_parallel},
                               PlanKey{"CP", &ImportedRow::context_parallel},
                               PlanKey{"CONTEXT_PARALLEL", &ImportedRow::context_parallel}};

void take_script(const fs::path& script, ImportedRow& row) {
  std::istringstream lines(file_content(script));
  for (std::string line; std::getline(lines, line);) {
    for (const PlanKey& each : plan_keys)
      if (const auto size = parse_count(exported(line, each.name))) {
        row.*each.size = size;
        row.plan_source = "config " + script.filename().string();
      }
    const std::string fp8 = exported(line, "FP8");
    if (fp8 != "True" && fp8 != "true" && fp8 != "1") continue;
    row.precision = "fp8";
    row.precision_source = "config " + script.filename().string();
  }
}

/// Reads the submission's script for this system: config_SYSTEM.sh, or the first that begins so.
void describe_plan(const ResultFolder& folder, ImportedRow& row) {
  std::error_code error;
  std::vector<fs::path> scripts;
  const std::string start = "config_" + row.system;
  for (fs::recursive_directory_iterator
           entry(folder.submitter / "benchmarks" / row.benchmark, error),
       end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(start) && entry->path().extension() == ".sh")
      scripts.push_back(entry->path());
  }
  if (scripts.empty()) return;
  take_script(*std::ranges::min_element(scripts,
                                        [](const fs::path& a, const fs::path& b) {
                                          return a.filename().string().size() <
                                                 b.filename().string().size();
                                        }),
              row);
}

}  // namespace

std::vector<ResultFolder> result_folders(const fs::path& repository) {
  std::vector<ResultFolder> folders;
  for (const fs::path& first : sorted_entries(repository)) {
    add_results(first, folders);
    for (const fs::path& second : sorted_entries(first)) add_results(second, folders);
  }
  if (folders.empty())
    throw InputError({repository.string()}, "",
                     "holds no SUBMITTER/results/SYSTEM/BENCHMARK/result_*.txt of MLPerf Training");
  return folders;
}

namespace {

/// Round of a repository that is still called training_results_v5.0: `v5.0`.
std::string round_of(const fs::path& repository) {
  constexpr std::string_view before = "training_results_";
  const std::string name = repository.filename().string();
  double number = 0;
  const bool says_it = name.starts_with(before) && name.size() > before.size() + 1 &&
                       name[before.size()] == 'v' &&
                       parse_number(name.substr(before.size() + 1), number) && number > 0;
  return says_it ? name.substr(before.size()) : std::string();
}

}  // namespace

ImportedRow described_row(const ResultFolder& folder) {
  ImportedRow row{.round = round_of(folder.submitter.parent_path()),
                  .organisation = folder.submitter.filename().string(),
                  .system = folder.path.parent_path().filename().string(),
                  .benchmark = folder.path.filename().string()};
  describe_system(folder, row);
  describe_plan(folder, row);
  const Texts scaling = json_texts(folder.path / "scaling.json");
  double factor = 1;
  if (parse_number(text_at(scaling, "scaling_factor"), factor) && factor > 0)
    row.scaling_factor = factor;
  return row;
}

}  // namespace published
}  // namespace tofn
