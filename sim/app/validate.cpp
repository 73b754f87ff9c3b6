#include <algorithm>
#include <iostream>
#include <map>

#include <fmt/format.h>

#include "sim/app/collective_tables.hpp"
#include "sim/app/command.hpp"
#include "sim/app/knowledge.hpp"
#include "sim/app/validate_energy.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
namespace {

CommandLine command_line() {
  CommandLine line{
      .usage = "validate collectives FILE|FOLDER... [OPTIONS], or validate energy [FILE.csv]",
      .examples =
          "  tofn validate collectives logs/\n"
          "  tofn validate collectives configs/calibrations --protocol nodes\n"
          "  tofn validate collectives a.txt b.txt --format csv > rows.csv\n"
          "  tofn validate energy\n",
      .description = options::options_description("Options"),
      .positional = {}};
  std::string protocol_help;
  for (const ScoringProtocol& protocol : protocols())
    protocol_help +=
        fmt::format("{}{}: {}", protocol_help.empty() ? "" : "; ", protocol.name, protocol.what);
  line.description.add_options()  //
      ("what", options::value<std::vector<std::string>>(),
       "collectives, then logs of benchmarks, records of tofn-bench, calibrations, or folders; or "
       "energy, then a table like configs/measured/mlperf-power.csv (the default)")  //
      ("cluster", options::value<std::string>(),
       "the cluster of all tables, for the protocol `formula`")  //
      ("protocol", options::value<std::string>()->default_value("split"), protocol_help.c_str());
  line.positional.add("what", -1);
  return line;
}

/// The table after the word `energy`; nothing where another word comes first.
std::optional<std::filesystem::path> energy_table(const options::variables_map& values,
                                                  const CommonOptions& common) {
  if (values.count("what") == 0) return {};
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != "energy") return {};
  if (words.size() > 2) throw InputError("validate energy takes one table");
  for (const char* name : {"cluster", "protocol"})
    if (values.count(name) > 0 && !values[name].defaulted())
      throw InputError({}, fmt::format("--{}", name), "acts with validate collectives alone");
  return words.size() == 2 ? std::filesystem::path(words[1])
                           : common.configs / "measured" / "mlperf-power.csv";
}

/// The files named after the word `collectives`.
std::vector<std::filesystem::path> files_of(const options::variables_map& values) {
  const std::vector<std::string> kinds{"collectives", "energy"};
  if (values.count("what") == 0)
    throw InputError("validate needs what and where, e.g. `tofn validate collectives logs/`");
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != kinds.front())
    throw InputError(unknown_name("validation", words.front(), kinds));
  if (words.size() == 1)
    throw InputError("validate collectives needs a file or a folder of measured collectives");
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 1; i < words.size(); ++i)
    for (auto& file : files_at(words[i])) files.push_back(std::move(file));
  return files;
}

/// All tables under the names of their files; what cannot be read or placed goes to `unread`.
std::vector<CollectiveTable> read_all(const std::vector<std::filesystem::path>& files,
                                      std::vector<std::string>& unread) {
  std::vector<CollectiveTable> tables;
  for (const auto& file : files) {
    try {
      for (CollectiveTable& table : read_collective_tables(file, {}).tables) {
        table.file = std::filesystem::path(table.file).filename().string();
        tables.push_back(std::move(table));
      }
    } catch (const InputError& error) {
      unread.emplace_back(error.what());
    }
  }
  return tables;
}

Records records_of(const std::vector<ScoredRow>& rows) {
  using Row = ScoredRow;
  const auto microseconds = [](Seconds time) { return time.base() * 1e6; };
  const Columns<Row> columns{
      {"file", &Row::file},
      {"collective", of_its(&Row::collective, collective_name)},
      {"ranks", &Row::ranks},
      {"nodes", &Row::nodes},
      {"size", [](const Row& r) { return static_cast<long long>(r.size.base()); }},
      {"measured_us", of_its(&Row::measured, microseconds)},
      {"predicted_us", of_its(&Row::predicted, microseconds)},
      {"low_us", of_its(&Row::low, microseconds)},
      {"high_us", of_its(&Row::high, microseconds)},
      {"basis", &Row::basis},
      {"beyond", &Row::beyond},
      {"calibrated_nodes", &Row::calibrated_nodes},
      {"fault", of_its(&Row::fault, known)},
      {"laboratory", of_its(&Row::laboratory, known)},
      {"taught", of_its(&Row::taught, known)}};
  return records_of(columns, rows);
}

/// Lines of the summary and, of some rows, whose line they are.
class Summary {
 public:
  void add(const std::string& name, const std::vector<ScoredRow>& rows) {
    if (rows.empty()) return;
    const ScoreSummary s = summary_of(rows);
    table_.add({name, fmt::format("{}", s.rows), percent(s.median), percent(s.ninetieth),
                percent(s.worst), signed_percent(s.bias), percent(s.covered)});
  }
  std::string render() const { return table_.render(); }

 private:
  TextTable table_{
      {{"file", Align::Left}, {"rows"}, {"median"}, {"p90"}, {"worst"}, {"bias"}, {"in 90 %"}}};
};

template <class Condition>
std::vector<ScoredRow> rows_where(const std::vector<ScoredRow>& rows, const Condition& holds) {
  std::vector<ScoredRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), holds);
  return chosen;
}

/// Per file in order of appearance, then in all; what lint distrusts in lines of its own.
std::string table_text(const std::vector<ScoredRow>& rows) {
  Summary summary;
  std::vector<std::string> files;
  for (const ScoredRow& row : rows)
    if (std::find(files.begin(), files.end(), row.file) == files.end()) files.push_back(row.file);
  for (const std::string& file : files)
    summary.add(fitted(file, 62), rows_where(rows, [&](const auto& r) { return r.file == file; }));
  const auto is_sound = [](const ScoredRow& row) { return row.fault.empty(); };
  const auto is_all_reduce = [](const ScoredRow& row) {
    return row.collective == CollectiveKind::AllReduce;
  };
  const auto sound = rows_where(rows, is_sound);
  summary.add("= all-reduce", rows_where(sound, is_all_reduce));
  summary.add("= the others",
              rows_where(sound, [&](const auto& row) { return !is_all_reduce(row); }));
  summary.add("= all", sound);
  if (sound.size() < rows.size()) {
    summary.add("= tables that lint names below",
                rows_where(rows, [&](const auto& row) { return !is_sound(row); }));
    summary.add("= all, with those", rows);
  }
  const auto is_blind = [](const ScoredRow& row) { return row.taught.empty(); };
  const auto blind = rows_where(rows, is_blind);
  if (blind.size() < rows.size()) {
    summary.add("= of laboratories whose tables set figures of the formulas",
                rows_where(rows, [&](const auto& row) { return !is_blind(row); }));
    summary.add("= blind", blind);
  }
  return summary.render();
}

std::string faults_text(const std::vector<ScoredRow>& rows) {
  std::string text;
  std::string last;
  for (const ScoredRow& row : rows) {
    if (row.fault.empty() || row.file == last) continue;
    text += fmt::format("  lint: {}: {}\n", row.file, row.fault);
    last = row.file;
  }
  return text;
}

/// Answers far outside what calibrated them, by file.
std::string beyond_text(const std::vector<ScoredRow>& rows) {
  std::map<std::string, std::vector<double>> files;
  for (const ScoredRow& row : rows)
    if (row.beyond > far_beyond) files[row.file].push_back(row.beyond);
  std::string text;
  for (const auto& [file, ratios] : files)
    text += fmt::format("  extrapolated: {}: {} rows, up to {:.3g} x beyond what was measured\n",
                        file, ratios.size(), *std::max_element(ratios.begin(), ratios.end()));
  return text;
}

/// Which laboratories are no blind test, and of what.
std::string taught_text(const std::vector<ScoredRow>& rows) {
  std::string text;
  std::vector<std::string> told;
  for (const ScoredRow& row : rows) {
    if (row.taught.empty() || std::find(told.begin(), told.end(), row.laboratory) != told.end())
      continue;
    told.push_back(row.laboratory);
    const auto own = rows_where(
        rows, [&](const ScoredRow& other) { return other.laboratory == row.laboratory; });
    text +=
        fmt::format("  not blind: {} ({} rows) set {}\n", row.laboratory, own.size(), row.taught);
  }
  return text;
}

/// What the summary leaves out, and why.
std::string notes_text(const Scores& scores, const std::vector<std::string>& unread) {
  std::string text = faults_text(scores.rows) + beyond_text(scores.rows) + taught_text(scores.rows);
  for (const Unscored& each : scores.left_out)
    text += fmt::format("  not scored: {}: {}\n", each.file, each.reason);
  for (const std::string& line : unread) text += fmt::format("  not read: {}\n", line);
  return text;
}

std::string summary_text(const ScoringProtocol& protocol, const std::vector<ScoredRow>& rows) {
  return fmt::format(
      "protocol {}: {}; errors in %\n{}"
      "  median, p90, worst: |predicted/measured - 1|; bias: its signed mean; in 90 %: share of\n"
      "  measurements inside their 90 % interval\n",
      protocol.name, protocol.what, table_text(rows));
}

/// A broken file of configs/ stops the protocols that need it alone.
Scores scores_of(const ScoringProtocol& protocol, const std::vector<CollectiveTable>& tables,
                 const std::filesystem::path& configs, const options::variables_map& values) {
  if (!protocol.needs_knowledge) return protocol.score(tables, {});
  Library library = Library::load(configs);
  return protocol.score(tables, knowledge_of(library, configs, text_option(values, "cluster")));
}

}  // namespace

int run_validate(const std::vector<std::string>& words) {
  const auto values = parse(command_line(), words);
  if (!values) return 0;
  const CommonOptions common = read_common(*values);
  if (const auto table = energy_table(*values, common)) return validate_energy(common, *table);
  const ScoringProtocol& protocol =
      protocol_named((*values)["protocol"].as<std::string>(), "--protocol");
  if (values->count("cluster") > 0 && protocol.name != "formula")
    throw InputError({}, "--cluster", "acts with --protocol formula alone");
  std::vector<std::string> unread;
  const auto tables = read_all(files_of(*values), unread);
  const Scores scores = scores_of(protocol, tables, common.configs, *values);
  const std::string notes = notes_text(scores, unread);
  if (scores.rows.empty()) {
    std::cerr << notes;
    throw InputError("nothing could be scored");
  }
  const std::string text = summary_text(protocol, scores.rows) + notes;
  if (common.format != Format::Table) std::cerr << text;
  write_answer(common, text, records_of(scores.rows));
  return 0;
}

}  // namespace tofn
