// Tests that the text of an answer has the same figures as its records.
#include <regex>
#include <sstream>

#include "sim/app/answered.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct PartRow {
  std::string title;
  double milliseconds = 0;
  double percent = 0;
  double low = 0;
  double high = 0;
};

/// Parses rows such as `compute   57.081  71.8 51.564 to 62.640 extrapolated`.
std::vector<PartRow> part_rows(const std::string& text) {
  static const std::regex row(R"(^(\S.*?) +([\d.]+) +([\d.]+) +([\d.]+) to ([\d.]+) [a-z]+$)");
  std::vector<PartRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("communication ") != std::string::npos) break;
    std::smatch match;
    if (std::regex_match(line, match, row))
      rows.push_back({match[1], std::stod(match[2]), std::stod(match[3]), std::stod(match[4]),
                      std::stod(match[5])});
  }
  return rows;
}

}  // namespace

TEST_CASE("the parts of a step that are printed make it up, and none of them is nothing") {
  for (const char* workload : {"bert", "retinanet", "llama2_70b_lora"}) {
    INFO(workload);
    const auto rows = part_rows(answered({.command = "predict",
                                          .arguments = {workload, "dgx-h100"},
                                          .options = {{"accelerators", 64}}})
                                    .answer.details);
    REQUIRE(rows.size() >= 4);
    CHECK(rows.back().title == "step");
    CHECK(rows.back().percent == 100);
    double milliseconds = 0;
    double percent = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      CHECK(rows[i].milliseconds > 0);
      CHECK(rows[i].low <= rows[i].milliseconds);
      CHECK(rows[i].milliseconds <= rows[i].high);
      milliseconds += rows[i].milliseconds;
      percent += rows[i].percent;
    }
    CHECK_THAT(milliseconds, WithinRel(rows.back().milliseconds, 1e-4));
    CHECK_THAT(percent, WithinAbs(100, 0.4));
  }
}

TEST_CASE("a workload's sizes begin with one node, be it of one accelerator") {
  for (const auto& [cluster, node] : {std::pair("dgx-spark", 1LL), std::pair("dgx-h100", 8LL)}) {
    const Records records =
        answered({.command = "scale", .arguments = {"bert", cluster}}).answer.records;
    const auto at = std::find(records.columns.begin(), records.columns.end(), "accelerators");
    REQUIRE(at != records.columns.end());
    CHECK(records.rows.at(0).at(static_cast<std::size_t>(at - records.columns.begin())) ==
          Value{node});
  }
}

TEST_CASE("an option outranks the stack's habit, which holds where no option is given") {
  const auto step = [](Options options) {
    options.emplace_back("accelerators", 64);
    options.emplace_back("batch", 64);
    options.emplace_back("tp", 1);
    options.emplace_back("pp", 1);
    options.emplace_back("stack", "nemo");  // overlaps gradients with passes
    return answered({.command = "step", .arguments = {"llama3-8b", "dgx-h100"}, .options = options})
        .answer.records.rows;
  };
  CHECK(step({}) == step({{"data-overlap", "on"}}));
  CHECK(step({}) != step({{"data-overlap", "off"}}));
}

TEST_CASE("a step whose batch nobody states has some four million tokens, and says so") {
  const CommandAnswer answer =
      answered({.command = "step", .arguments = {"llama3-8b", "dgx-h100"}}).answer;
  CHECK_THAT(answer.text, ContainsText("the batch (--batch, --replica-batch)"));
  CHECK_THAT(answer.text, ContainsText("batch         512 x 8192 = 4.19M tokens"));  // 4e6 / 8192
  const std::string stated =
      answered(
          {.command = "step", .arguments = {"llama3-8b", "dgx-h100"}, .options = {{"batch", 512}}})
          .answer.text;
  CHECK_THAT(stated, !ContainsText("the batch (--batch"));
}

TEST_CASE("passes tell how long they compute, spans their layer") {
  const auto has = [](const char* table, const char* column) {
    const auto columns =
        answered({.command = "predict",
                  .arguments = {"llama3-8b", "dgx-h100"},
                  .options = {{"accelerators", 16}, {"batch", 64}, {"pp", 2}, {"table", table}}})
            .answer.records.columns;
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  };
  CHECK(has("passes", "busy_s"));
  CHECK_FALSE(has("passes", "layer"));
  CHECK(has("spans", "layer"));
}

TEST_CASE("a run of several phases has no batch of its own") {
  const auto text = [](const char* run, Options options) {
    options.emplace_back("accelerators", 1536);
    options.emplace_back("tp", 8);
    options.emplace_back("pp", 8);
    return answered({.command = "predict", .arguments = {run, "dgx-h100"}, .options = options})
        .answer.text;
  };
  CHECK_THAT(text("llama3-70b", {{"tokens", "1T"}}), ContainsText("\nbatch "));
  CHECK_THAT(text("nemotron4-340b-pretraining", {}), !ContainsText("\nbatch "));
}

TEST_CASE("deadlines of published runs are told with how many they rest on") {
  const std::string text = answered({.command = "validate", .arguments = {"runs"}}).answer.text;
  const auto at = text.find("deadlines met, of a chance of");
  REQUIRE(at != std::string::npos);
  for (const char* name : {"all", "whose hours are of the run alone", "without the overrun"}) {
    INFO(name);
    const std::regex row(fmt::format(R"(\n{} +(\d{{2}}) +([\d.]+) +([\d.]+) +([\d.]+)\n)", name));
    std::smatch match;
    const std::string rest = text.substr(at);
    REQUIRE(std::regex_search(rest, match, row));
    const std::vector<double> kept{std::stod(match[2]), std::stod(match[3]), std::stod(match[4])};
    CHECK(std::is_sorted(kept.begin(), kept.end()));
    CHECK(kept.front() > 0);
    CHECK(kept.back() <= 100);
  }
}

TEST_CASE("each figure lies within its interval") {
  const std::vector<Question> request{
      {"predict", {"bert", "dgx-h100"}, {{"accelerators", 64}}},
      {"predict", {"llama3-8b", "dgx-h100"}, {{"accelerators", 64}, {"tokens", "1T"}}},
      {"step", {"llama3-8b", "dgx-h100"}, {{"accelerators", 16}, {"batch", 64}}},
      {"scale", {"bert", "dgx-h100"}, {{"accelerators", "8..64"}}},
      {"plan", {"llama3-8b", "dgx-h100:64"}, {{"tokens", "1T"}, {"deadline", "30d"}}}};
  for (const Question& question : request) {
    const Records records = answered(question).answer.records;
    const auto number = [&](const std::vector<Value>& row,
                            const std::string& name) -> std::optional<double> {
      const auto at = std::find(records.columns.begin(), records.columns.end(), name);
      if (at == records.columns.end()) return {};
      const Value& value = row[static_cast<std::size_t>(at - records.columns.begin())];
      if (const auto* whole = std::get_if<long long>(&value)) return static_cast<double>(*whole);
      if (const auto* real = std::get_if<double>(&value)) return *real;
      return {};
    };
    int held = 0;
    for (const auto& row : records.rows)
      for (const std::string& name : records.columns) {
        const auto value = number(row, name);
        const auto low = number(row, name + "_low90");
        const auto high = number(row, name + "_high90");
        if (!value || !low || !high) continue;
        INFO(question.command << " " << question.arguments.front() << ": " << name);
        CHECK(*low <= *value * (1 + 1e-9));
        CHECK(*value <= *high * (1 + 1e-9));
        ++held;
      }
    CHECK(held > 0);
  }
}

TEST_CASE("an observed step without its batch has that of the run, in proportion") {
  const auto rows = [](const std::string& observed) {
    const Question question{
        "predict",
        {"llama3-8b", "dgx-h100"},
        {{"accelerators", 64}, {"tokens", "1T"}, {"batch", 256}, {"observed", observed}}};
    return answered(question).answer.records.rows;
  };
  CHECK(rows("8: 4 s") == rows("8,32: 4 s"));
  CHECK_FALSE(rows("8: 4 s") == rows("8,64: 4 s"));
}

TEST_CASE("the grid that is assumed is told, and one that was stated is none of the assumptions") {
  const auto text = [](Options options) {
    options.emplace_back("accelerators", 64);
    options.emplace_back("tokens", "1T");
    return answered(
               {.command = "predict", .arguments = {"llama3-8b", "dgx-h100"}, .options = options})
        .answer.details;
  };
  CHECK_THAT(text({}), ContainsText("g CO2e/kWh (the world's mean, --grid)"));
  CHECK_THAT(text({{"grid", 30}}), !ContainsText("the world's mean"));
}

namespace {

/// Cells of a column.
std::vector<Value> column_of(const Records& records, const std::string& name) {
  const auto at = std::find(records.columns.begin(), records.columns.end(), name);
  REQUIRE(at != records.columns.end());
  std::vector<Value> cells;
  for (const auto& row : records.rows)
    cells.push_back(row[static_cast<std::size_t>(at - records.columns.begin())]);
  return cells;
}

}  // namespace

TEST_CASE("tokens of what has none stay empty, and are no 0") {
  const auto tokens = [](const char* workload) {
    const Question question{"predict", {workload, "dgx-h100"}, {{"accelerators", 64}}};
    return column_of(answered(question).answer.records, "tokens").at(0);
  };
  CHECK(tokens("retinanet") == Value{});
  CHECK(std::get<double>(tokens("gpt3")) > 1e6);
}

TEST_CASE("memory that is not counted fits as little as it does not") {
  const auto answer = [](const char* workload) {
    return answered({.command = "predict",
                     .arguments = {workload, "dgx-h100"},
                     .options = {{"accelerators", 8}}})
        .answer;
  };
  const CommandAnswer observed = answer("llama2_70b_lora");
  CHECK(column_of(observed.records, "fits").at(0) == Value{});
  CHECK_THAT(observed.details, ContainsText("memory        not counted"));
  const CommandAnswer simulated = answer("llama31_8b");
  CHECK(column_of(simulated.records, "fits").at(0) == Value{1LL});
  CHECK_THAT(simulated.details, !ContainsText("not counted"));
}

TEST_CASE("the error of the memory is no 90 % interval, and no interval of nothing") {
  const Question question{
      "predict", {"llama3-8b", "dgx-h100"}, {{"accelerators", 64}, {"tokens", "1T"}}};
  const Records records = answered(question).answer.records;
  CHECK(std::get<double>(column_of(records, "memory_gb").at(0)) > 1);
  for (const char* end : {"memory_gb_low90", "memory_gb_high90"})
    CHECK(column_of(records, end).at(0) == Value{});
}

TEST_CASE("each phase has a fit of its own, and a plan that would fit says of which phase it is") {
  const auto answer = [](Options more) {
    more.emplace_back("accelerators", 16384);
    return answered({.command = "predict",
                     .arguments = {"llama3-405b-pretraining", "dgx-h100"},
                     .options = more})
        .answer;
  };
  const Records phases = answer({{"table", "phases"}}).records;
  const auto fits = column_of(phases, "fits");
  const auto held = column_of(phases, "memory_gb");
  const auto memory = column_of(phases, "memory_of_accelerator_gb");
  REQUIRE(fits.size() == 4);
  for (std::size_t i = 0; i < fits.size(); ++i)
    CHECK(fits[i] == Value{std::get<double>(held[i]) <= std::get<double>(memory[i]) ? 1LL : 0LL});
  CHECK(std::count(fits.begin(), fits.end(), fits.front()) < 4);
  CHECK_THAT(answer({}).text,
             ContainsText("would fit     phase 8k tokens on 8192 accelerators: tp 8"));
}

TEST_CASE("chunks and micro-batches of a step's spans count from 1") {
  const Question question{"predict",
                          {"llama3-70b", "dgx-h100"},
                          {{"accelerators", 64},
                           {"tokens", "1T"},
                           {"batch", 64},
                           {"tp", 8},
                           {"pp", 4},
                           {"table", "spans"}}};
  const Records records = answered(question).answer.records;
  for (const char* name : {"stage", "chunk", "micro_batch"}) {
    INFO(name);
    const auto cells = column_of(records, name);
    long long least = 1000;
    for (const Value& cell : cells)
      if (const auto* whole = std::get_if<long long>(&cell)) least = std::min(least, *whole);
    CHECK(least == 1);
  }
}

TEST_CASE("a table of sizes gives times with their intervals") {
  const Question benchmark{"scale", {"bert", "dgx-h100"}, {{"accelerators", "8..32"}}};
  const Question model{
      "scale", {"llama3-8b", "dgx-h100"}, {{"accelerators", "8..32"}, {"tokens", "1T"}}};
  for (const Question& question : {benchmark, model}) {
    const std::string text = answered(question).answer.text;
    CHECK(
        std::regex_search(text, std::regex(R"(\n *N [^\n]*(min|days|hours)[^\n]* 90 % speedup)")));
    CHECK(std::regex_search(text, std::regex(R"(\n *16 [^\n]* [\d.]+ to [\d.]+ )")));
  }
}

TEST_CASE("passes lie on the critical path where one of their layers does") {
  const Question question{"predict",
                          {"llama3-70b", "dgx-h100"},
                          {{"accelerators", 64},
                           {"tokens", "1T"},
                           {"batch", 64},
                           {"tp", 8},
                           {"pp", 4},
                           {"table", "passes"}}};
  const auto cells = column_of(answered(question).answer.records, "is_critical");
  const auto critical = std::count(cells.begin(), cells.end(), Value{1LL});
  CHECK(critical > 30);
  CHECK(critical < static_cast<std::ptrdiff_t>(cells.size()));
}

TEST_CASE("a plan's runner-up loses by the share of their figures") {
  const Question question{"plan", {"llama3-8b", "dgx-h100:64", "dgx-h200:64"}, {{"tokens", "1T"}}};
  const std::string text = answered(question).answer.text;
  std::smatch match;
  REQUIRE(std::regex_search(text, match, std::regex(R"(([\d.]+) %\s+more\s+cost; behind)")));
  CHECK(std::stod(match[1]) < 50);
}

TEST_CASE("a count of none is refused") {
  for (const char* tokens : {"0", "-1", "none"})
    CHECK_THAT(refusal([&] {
                 const Question question{"predict",
                                         {"llama3-8b", "dgx-h100"},
                                         {{"accelerators", 8}, {"tokens", tokens}}};
                 answered(question);
               }),
               ContainsText("--tokens: expected a number above 0 such as 2T"));
}

TEST_CASE("a sentence on steps says how much faster more accelerators are") {
  const Question question{
      "step", {"llama3-8b", "dgx-h100"}, {{"accelerators", "8,64"}, {"batch", 512}}};
  const std::string text = answered(question).answer.text;
  const std::regex sentence(R"(takes ([\d.]+) s on 8, ([\d.]+) s on 64 accelerators: ([\d.]+) x )"
                            R"(the samples a second at (\d+) % efficiency)");
  std::smatch match;
  REQUIRE(std::regex_search(text, match, sentence));
  const double faster = std::stod(match[1]) / std::stod(match[2]);
  CHECK_THAT(std::stod(match[3]), WithinRel(faster, 0.002));
  CHECK_THAT(std::stod(match[4]), WithinAbs(100 * faster / 8, 0.6));
}

TEST_CASE("a gain of nothing and a cost of no weight are gains and weights") {
  for (const char* option : {"gain", "cost-weight"}) {
    INFO(option);
    const Answered none = answered({.command = "scale",
                                    .arguments = {"bert", "dgx-h100"},
                                    .options = {{"accelerators", "8,16"}, {option, "0"}}});
    CHECK(none.answer.exit_code == 0);
  }
}

TEST_CASE("rows of a run say the precision of its products, as those of its step do") {
  for (const char* precision : {"bf16", "fp8"})
    for (const char* command : {"step", "predict"}) {
      INFO(precision << ' ' << command);
      const Question question{command,
                              {"llama3-8b", "dgx-h100"},
                              {{"accelerators", 8}, {"batch", 64}, {"precision", precision}}};
      CHECK(column_of(answered(question).answer.records, "precision") ==
            std::vector<Value>{precision});
    }
  const Question benchmark{"predict", {"bert", "dgx-h100"}, {{"accelerators", 64}}};
  CHECK(column_of(answered(benchmark).answer.records, "precision").at(0) != Value{});
}

TEST_CASE("the screen of a workload names the precision that its MFU is of") {
  for (const auto& [workload, cluster] :
       {std::pair("bert", "dgx-h100"), std::pair("llama31_8b", "dgx-b200"),
        std::pair("llama31_8b", "gb200-nvl72")}) {
    INFO(workload << ' ' << cluster);
    const CommandAnswer answer = answered({.command = "predict",
                                           .arguments = {workload, cluster},
                                           .options = {{"accelerators", 64}}})
                                     .answer;
    const auto precision = std::get<std::string>(column_of(answer.records, "precision").at(0));
    CHECK_THAT(answer.text, ContainsText(" % of " + precision + ", a step of"));
  }
}

TEST_CASE("a stage's wait for other stages is no column of the step's wait for all") {
  const auto columns = [](Options more) {
    more.insert(more.end(), {{"accelerators", 16}, {"batch", 64}, {"pp", 2}});
    return answered({.command = "predict", .arguments = {"llama3-8b", "dgx-h100"}, .options = more})
        .answer.records;
  };
  const Records run = columns({});
  const Records stages = columns({{"table", "stages"}});
  const double noise = std::get<double>(column_of(run, "step_s").at(0)) -
                       std::get<double>(column_of(stages, "stage_step_s").at(0));
  CHECK(noise > 0);  // imbalance of eight replicas
  for (const char* name : {"step_s", "imbalance_s"})
    CHECK(std::count(stages.columns.begin(), stages.columns.end(), name) == 0);
  double imbalance = 1e9;  // 0 on the busiest stage
  for (const Value& cell : column_of(stages, "stage_imbalance_s"))
    imbalance = std::min(imbalance, std::get<double>(cell));
  CHECK(imbalance == 0);
  CHECK_THAT(std::get<double>(column_of(run, "imbalance_s").at(0)), WithinRel(noise, 1e-6));
}

TEST_CASE("a run that may never end has no upper ends of what that lengthens, in no row") {
  const auto records = [](const char* command, const char* sizes) {
    const Question question{command,
                            {"llama3-8b", "dgx-h100"},
                            {{"accelerators", sizes},
                             {"tokens", "1T"},
                             {"batch", 800000},
                             {"failure-every", "10000h"}}};
    return answered(question).answer.records;
  };
  const Records run = records("predict", "100000");
  for (const char* figure : {"lost_s", "time_s", "days", "cost_usd", "energy_kwh", "co2_t"}) {
    INFO(figure);
    CHECK(std::get<double>(column_of(run, figure).at(0)) < 1e12);
    CHECK(column_of(run, std::string(figure) + "_high90") == std::vector<Value>{{}});
  }
  CHECK(column_of(run, "step_s_high90").at(0) != Value{});
  const auto ends = column_of(records("scale", "8,100000"), "time_to_train_min_high90");
  CHECK(ends.at(0) != Value{});
  CHECK(ends.at(1) == Value{});
}

TEST_CASE("the energy of a sample is a step's, however long the run starts and restarts") {
  const auto figure = [](const char* command, const char* name, Options more) {
    more.insert(more.end(), {{"accelerators", 64},
                             {"batch", 512},
                             {"plan", "gpt3-175b-megatron"},
                             {"facility-factor", 1.5}});
    const Question question{command, {"gpt3-175b", "dgx-a100"}, std::move(more)};
    return std::get<double>(column_of(answered(question).answer.records, name).at(0));
  };
  const Options run{{"tokens", "1T"}, {"failure-every", "1000h"}, {"start-up", "10h"}};
  for (const char* name : {"energy_per_sample_j", "accelerator_utilisation"}) {
    INFO(name);
    CHECK_THAT(figure("predict", name, run), WithinRel(figure("step", name, {}), 1e-9));
  }
}
