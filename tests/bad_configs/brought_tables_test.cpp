#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn::test;

namespace {

/// A kind of table that users bring, with two example rows. A test puts cells that cannot be
/// answered in place of `{N}`, `{chip}` and `{precision}`.
struct BroughtKind {
  const char* name;
  const char* columns;
  std::array<const char*, 2> rows;
};

constexpr const char* step_columns =
    "stack,model,accelerator,hidden,layers,heads,gpus,global_batch,precision,micro_batch,"
    "measured_step_s,source";
constexpr std::array<const char*, 2> step_rows{
    "megatron-lm,own,{chip},2048,24,16,{N},64,{precision},4,1.5,own log",
    "megatron-lm,own,{chip},2048,24,16,{N},64,{precision},8,1.3,own log"};

constexpr auto kinds = std::to_array<BroughtKind>(
    {{"published",
      "benchmark,org,system,accelerator,accelerators,nodes,global_batch_size,grad_accum,tp,"
      "precision,time_to_train_min",
      {"llama2_70b_lora,Own,box,{chip},{N},1,8,4,4,{precision},28.1",
       "llama2_70b_lora,Own,box,{chip},{N},1,8,4,4,{precision},28.3"}},
     {"steps", step_columns, step_rows},
     {"plans", step_columns, step_rows},
     {"runs",
      "score,run,model_family,parameters_total,tokens,gpu_hours,accelerator,gpus,precision",
      {"time,a,A,6.7e9,2e12,184320,{chip},{N},{precision}",
       "time,b,B,13e9,2e12,368640,{chip},{N},{precision}"}}});

std::string row_of(const char* row, const std::string& accelerators, const std::string& chip,
                   const std::string& precision) {
  std::string text = with_each_replaced(row, "{N}", accelerators);
  text = with_each_replaced(text, "{chip}", chip);
  return with_each_replaced(text, "{precision}", precision);
}

std::string sound_rows(const BroughtKind& kind, const std::string& more) {
  std::string text;
  for (const char* row : kind.rows)
    text += row_of(row, "8", "NVIDIA H100-SXM5-80GB", "bf16_mixed") + more + '\n';
  return text;
}

/// Rows that must be left out; they become lines 4 to 7 of the file.
std::string unanswered_rows(const BroughtKind& kind, const std::string& more) {
  const char* row = kind.rows.front();
  const char* chip = "NVIDIA H100-SXM5-80GB";
  return row_of(row, "8", "Abacus 3000", "bf16") + more + '\n' + row_of(row, "0", chip, "bf16") +
         more + '\n' + row_of(row, "8", chip, "posit8") + more + '\n' +
         row_of(row, "8", chip, "posit8") + more + '\n';
}

Outcome validated(const BroughtKind& kind, const TemporaryFile& table, const char* format) {
  return run_program(std::string("validate ") + kind.name + " --details --format " + format + " '" +
                     table.path().string() + "'");
}

/// Lines of an answer in CSV, without the rows that were left out.
std::string answered_lines(const std::string& csv) {
  std::istringstream lines(csv);
  std::string answered;
  for (std::string line; std::getline(lines, line);)
    if (line.find("no accelerators") == std::string::npos &&
        line.find("Abacus") == std::string::npos && line.find("posit8") == std::string::npos)
      answered += line + '\n';
  return answered;
}

constexpr const char* foreign = ",mfu_pct,container,driver,my_notes,glabal_batch";
constexpr const char* foreign_cells = ",38,24.09,550,fine,8";

}  // namespace

TEST_CASE("of a table that people bring all is answered but what is named, each thing once") {
  for (const BroughtKind& kind : kinds) {
    INFO(kind.name);
    const std::string header = kind.columns;
    const std::string clean = header + '\n' + sound_rows(kind, "");
    const std::string brought = header + foreign + '\n' + sound_rows(kind, foreign_cells) +
                                unanswered_rows(kind, foreign_cells);
    // Every table has the same file name, because answers state it.
    const auto outcome = [&](const std::string& text, const char* format) {
      const TemporaryFile file("brought.csv", text);
      return validated(kind, file, format);
    };
    const Outcome reported = outcome(brought, "table");
    CHECK(reported.exit_code == 0);
    CHECK_THAT(reported.errors,
               ContainsText("brought.csv:1: columns left out: mfu_pct, container, driver, "
                            "my_notes, glabal_batch"));
    for (const char* why :
         {"left out: 1 x unknown accelerator 'Abacus 3000' (first: ",
          "left out: 1 x no accelerators (first: ", "left out: 2 x unknown precision 'posit8' "}) {
      INFO(why);
      const auto at = reported.output.find(why);
      REQUIRE(at != std::string::npos);
      CHECK(reported.output.find(why, at + 1) == std::string::npos);
    }
    CHECK_THAT(reported.output, ContainsText("brought.csv:6)"));  // line of the first posit8 row
    const Outcome alone = outcome(clean, "csv");
    CHECK(alone.exit_code == 0);
    CHECK_THAT(alone.output, ContainsText("\n"));
    CHECK(answered_lines(outcome(brought, "csv").output) == alone.output);
  }
}

TEST_CASE("a column that may be a known one misspelt is told with it") {
  for (const BroughtKind& kind : kinds) {
    const TemporaryFile file("brought.csv",
                             std::string(kind.columns) + ",precisoin\n" + sound_rows(kind, ",fp8"));
    CHECK_THAT(validated(kind, file, "csv").errors,
               ContainsText(":1: columns left out: precisoin (did you mean 'precision'?)\n"));
  }
}

TEST_CASE("a table of which no row is left is an error that follows the reasons") {
  for (const BroughtKind& kind : kinds) {
    INFO(kind.name);
    const TemporaryFile file("brought.csv",
                             std::string(kind.columns) + '\n' + unanswered_rows(kind, ""));
    const Outcome outcome = validated(kind, file, "table");
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.output.empty());
    CHECK_THAT(outcome.errors, ContainsText("left out: 2 x unknown precision 'posit8' (first: "));
    CHECK_THAT(outcome.errors, ContainsText("\ntofn: nothing could be scored\n"));
  }
}

TEST_CASE("a needed column that a brought table lacks is an error") {
  for (const BroughtKind& kind : kinds) {
    INFO(kind.name);
    const TemporaryFile file(
        "brought.csv",
        with_each_replaced(kind.columns, ",accelerator,", ",chip,") + '\n' + sound_rows(kind, ""));
    const Outcome outcome = validated(kind, file, "table");
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.errors, ContainsText(":1: missing column 'accelerator'; columns: "));
  }
}
