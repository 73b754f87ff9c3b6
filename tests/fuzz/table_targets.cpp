#include "sim/blocks/csv_rows.hpp"
#include "sim/blocks/journal.hpp"
#include "sim/blocks/nsys_sqlite.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/file.hpp"
#include "sim/evidence/step_rows.hpp"
#include "sim/formats/step_logs/kernel_trace.hpp"
#include "sim/formats/text/answer_file.hpp"
#include "sim/formats/text/json_rows.hpp"
#include "sim/page/page.hpp"
#include "sim/page/read_table.hpp"
#include "sim/published/published_table.hpp"
#include "sim/published/series.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/shipped_configs.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

void cells(const std::string& text) {
  only_input_errors([&] {
    const CsvTable csv = CsvTable::parse(text, file);
    for (std::size_t row = 0; row < csv.rows(); ++row)
      for (const std::string& column : csv.columns()) {
        static_cast<void>(csv.at(row, column));
        require(csv.location(row, column).line > 0, "a cell has a line");
      }
  });
}

/// Reads a sweep's own file row by row, as a sweep that resumes does.
void rows_in_constant_memory(const std::string& text) {
  for_each_csv_row(
      path_with(text), [] { return false; },
      [](const std::vector<std::string>& row) { require(!row.empty(), "a row has a cell"); });
}

void published(const std::string& path) {
  for (const PublishedRow& row : read_published_table(path)) {
    require(row.inputs.accelerators >= 1 && row.inputs.global_batch > 0, "a row has sizes");
    static_cast<void>(row.contradiction());
  }
}

void step_cases(const std::string& path) {
  const StepCaseTable table = read_step_cases(path, shipped_library());
  for (const RefusedStep& refused : table.refused) {
    check_refusal(refused.mistake.what(), path);
    learned().hear(refused.mistake.what());
  }
}

std::vector<std::string> columns_of_step_cases() {
  std::vector<std::string> words;
  for (const auto& column : step_case_columns()) words.emplace_back(column.name);
  return words;
}

std::vector<std::string> columns_of_published() {
  const CsvTable table =
      CsvTable::read(default_configs() / "published" / "mlperf-training-v5.0.csv");
  std::vector<std::string> words(table.columns().begin(), table.columns().end());
  for (const std::string& column : table.columns()) words.push_back(table.at(0, column));
  return words;
}

void answer(const std::string& text) {
  static_cast<void>(answer_words(text));
  only_input_errors([&] {
    check_text(text, file);
    const AnswerFile read = read_answer(text, file);
    const std::string once = to_json(read);
    require(to_json(read_answer(once, file)) == once, "it reads back as it was");
  });
}

/// Reads a journal. Only lines that begin with the digest of the rest count, so the digests are
/// added.
void journal(const std::string& text) {
  static_cast<void>(parse_journal(text));
  std::string sound;
  for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    sound += digest_of(line) + ' ' + line + '\n';
  }
  const Journal read = parse_journal(sound);
  std::string again = journal_lines(read.identity);
  for (const JournalEntry& each : read.entries) again += journal_line(each);
  require(parse_journal(again).entries.size() == read.entries.size(), "it reads back as it was");
}

void page_of_table(const std::string& path) {
  const PageTable table = read_page_table(path);
  require(table.kind != nullptr, "it is of a kind");
  if (has_chart_library()) require(!page_html({{table}}, "tofn").empty(), "there is a page");
}

Target table_target(const std::string& name, const std::string& reads,
                    std::function<void(const std::string& path)> load, double millions = 2) {
  return {.name = name,
          .reads = reads,
          .run =
              [load = std::move(load)](const std::string& text) {
                const std::string& path = path_with(text);
                only_input_errors([&] { load(path); }, path);
              },
          .millions = millions};
}

}  // namespace

TargetTable table_targets() {
  constexpr double often = 10;  // users bring CSV of any kind
  TargetTable all{
      {"csv_reader", "CSV", cells, Shape::Bytes, 2048, often},
      {"csv_rows", "rows of a sweep's file", rows_in_constant_memory, Shape::Bytes, 2048, often},
      table_target("published", "tables of published runs", published, often),
      table_target("step_cases", "tables of measured steps", step_cases, often),
      table_target(
          "series", "series of sizes and times", [](const std::string& path) { read_series(path); },
          often),
      table_target("page_table", "what `report` draws", page_of_table),
      table_target("nsys", "databases of nsys",
                   [](const std::string& path) { summary_of(read_nsys_sqlite(path)); }),
      {"json_rows", "tables in JSON",
       [](const std::string& text) {
         only_input_errors([&] {
           check_text(text, file);
           json_rows(text, file);
         });
       }},
      {"answer", "answers in JSON, which `repeat` reads", answer},
      {"journal", "journals of sweeps", journal}};
  for (Target& each : all) {
    if (each.name == "published") each.words = columns_of_published;
    if (each.name == "step_cases") each.words = columns_of_step_cases;
  }
  return all;
}

}  // namespace tofn::fuzz
