#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/collective_tables.hpp"
#include "sim/answers/fabric_training_answer.hpp"
#include "sim/answers/knowledge.hpp"
#include "sim/app/command.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/simulation/stack_habits.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Refuses a table that says no cluster, with those that have the accelerator of its log.
void require_cluster(const CollectiveTable& table, const std::filesystem::path& log,
                     const Library& library, const Knowledge& knowledge) {
  if (knowledge.cluster_of(table) != nullptr) return;
  const auto names = clusters_with_named_accelerator(library, read_text_file(log));
  throw InputError(
      {table.file}, "",
      "name and source do not say which cluster it is: give --cluster" +
          (names.empty() ? "" : ", with the accelerator of the log: " + choices(names)));
}

/// Says which of the clusters with a spelled accelerator a table was taken for.
void say_guessed_cluster(const CollectiveTable& table, const Library& library,
                         const Knowledge& knowledge) {
  const bool is_known =
      std::any_of(knowledge.known.begin(), knowledge.known.end(),
                  [&](const KnownTable& each) { return each.table.file == table.file; });
  const auto names = clusters_with_named_accelerator(library, table.file + ' ' + table.source);
  if (!is_known && names.size() > 1)
    std::cerr << fmt::format(
        "tofn: {}: taken for {} by its name or source, of those with that accelerator ({}): "
        "--cluster says another\n",
        table.file, knowledge.cluster_of(table)->name, choices(names));
}

std::vector<CollectiveTable> read_logs(const options::variables_map& values, const Library& library,
                                       const Knowledge& knowledge) {
  const LogHints hints{.collective = choice_option(values, "collective", collective_kinds),
                       .ranks = count_option(values, "ranks"),
                       .nodes = count_option(values, "nodes"),
                       .type = {}};
  std::vector<CollectiveTable> tables;
  for (const std::string& file : values["check"].as<std::vector<std::string>>()) {
    LogReading reading = read_collective_tables(file, hints);
    for (const std::string& remark : reading.remarks) std::cerr << "tofn: " << remark << '\n';
    for (CollectiveTable& table : reading.tables) {
      table.file = std::filesystem::path(table.file).filename().string();
      require_cluster(table, file, library, knowledge);
      if (values.count("cluster") == 0) say_guessed_cluster(table, library, knowledge);
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

/// By how much a step is longer on each table's links; empty where no model is asked for.
std::string training_text(const options::variables_map& values, const CommonOptions& common,
                          Library& library, const std::vector<JudgedTable>& judged) {
  const auto name = text_option(values, "training");
  if (!name) return {};
  const KernelProfile profile =
      find_kernel_profile(common.configs, values["stack"].as<std::string>());
  const Model model = as_run_by(profile.habits, find_model(common.configs, *name, {}));
  std::string text;
  for (const JudgedTable& each : judged)
    text += fabric_training_text(
        each, model, fabric_training(each, library.cluster(each.cluster), model, profile));
  return text;
}

}  // namespace

int check_collectives(const options::variables_map& values, const CommonOptions& common) {
  Library library = Library::load(common.configs);
  const Knowledge knowledge = knowledge_of(library, common.configs, text_option(values, "cluster"));
  std::vector<JudgedTable> judged = judge_tables(read_logs(values, library, knowledge), knowledge);
  for (const std::string& file : values["check"].as<std::vector<std::string>>())
    add_words_of_log(judged, file);
  write_answer(common,
               collective_check_text(judged) + training_text(values, common, library, judged),
               collective_check_records(judged));
  const bool all_normal = std::all_of(judged.begin(), judged.end(),
                                      [](const JudgedTable& each) { return each.is_normal(); });
  return all_normal ? 0 : 1;
}

}  // namespace app
}  // namespace tofn
