#include <algorithm>
#include <iostream>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/collective_tables.hpp"
#include "sim/answers/knowledge.hpp"
#include "sim/app/command.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/collective_check_report.hpp"

namespace tofn {
inline namespace app {
namespace {

std::vector<CollectiveTable> read_logs(const options::variables_map& values) {
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
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

void add_nccl_facts(std::vector<JudgedTable>& judged, const options::variables_map& values) {
  for (const std::filesystem::path file : values["check"].as<std::vector<std::string>>())
    if (const auto facts = nccl_facts(file))
      for (JudgedTable& each : judged)
        if (each.table.file == file.filename()) each.nccl = facts;
}

}  // namespace

int check_collectives(const options::variables_map& values, const CommonOptions& common) {
  Library library = Library::load(common.configs);
  const Knowledge knowledge = knowledge_of(library, common.configs, text_option(values, "cluster"));
  std::vector<JudgedTable> judged = judge_tables(read_logs(values), knowledge);
  add_nccl_facts(judged, values);
  write_answer(common, collective_check_text(judged), collective_check_records(judged));
  const bool all_normal = std::all_of(judged.begin(), judged.end(), [](const JudgedTable& each) {
    return each.judgement.is_normal();
  });
  return all_normal ? 0 : 1;
}

}  // namespace app
}  // namespace tofn
