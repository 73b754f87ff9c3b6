// Compares the sentences of answers with their figures.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sim/app/answered.hpp"
#include "sim/core/csv_row.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::vector<Value> cells_of(const Records& records, const std::string& name) {
  const auto found = std::find(records.columns.begin(), records.columns.end(), name);
  REQUIRE(found != records.columns.end());
  std::vector<Value> cells;
  for (const auto& row : records.rows)
    cells.push_back(row[static_cast<std::size_t>(found - records.columns.begin())]);
  return cells;
}

double only_number(const Records& records, const std::string& name) {
  const auto cells = cells_of(records, name);
  REQUIRE(cells.size() == 1);
  return std::get<double>(cells.front());
}

/// Match of a pattern in a text, whose lines may break at any space.
std::smatch found_in(std::string& text, const std::string& pattern) {
  text = std::regex_replace(text, std::regex(R"(\s+)"), " ");
  std::smatch match;
  REQUIRE(std::regex_search(text, match, std::regex(pattern)));
  return match;
}

Answered predicted_on_64(const std::string& subject, Options options) {
  options.emplace_back("accelerators", 64);
  return tofn::answered(Question{
      .command = "predict", .arguments = {subject, "dgx-h100"}, .options = std::move(options)});
}

}  // namespace

TEST_CASE("a study's sentence has the sizes of its workloads' largest systems") {
  CommandAnswer study =
      tofn::answered(Question{.command = "study", .arguments = {}, .options = {}}).answer;
  const auto workloads = cells_of(study.records, "benchmark");
  const auto sizes = cells_of(study.records, "accelerators");
  std::map<std::string, long long> largest;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    long long& most = largest[std::get<std::string>(workloads[i])];
    most = std::max(most, std::get<long long>(sizes[i]));
  }
  std::set<long long> ends;
  for (const auto& [workload, most] : largest) ends.insert(most);
  const auto match =
      found_in(study.text, R"(the largest systems, (\d+) to (\d+) accelerators, keep)");
  CHECK(std::stoll(match[1]) == *ends.begin());
  CHECK(std::stoll(match[2]) == *ends.rbegin());
}

TEST_CASE("a study says how many rows the printed one counts fewer, and of what") {
  const CommandAnswer study =
      tofn::answered(Question{.command = "study", .arguments = {}, .options = {}}).answer;
  std::string text = study.text + study.details;
  const auto begin = text.find("the study's table rows printed");
  REQUIRE(begin != std::string::npos);
  const std::string table = text.substr(begin);
  const std::regex row(R"(\n(\w+) +(\d+) +(\d+) +\d+\.\d+ +\d+\.\d+ )");
  int fewer = 0;
  std::string of;
  for (std::sregex_iterator each(table.begin(), table.end(), row), end; each != end; ++each) {
    const int missing = std::stoi((*each)[2]) - std::stoi((*each)[3]);
    fewer += missing;
    if (missing != 0) of += (of.empty() ? "" : ", ") + (*each)[1].str();
  }
  const auto match = found_in(text, R"(the study counts (\d+) rows? fewer of (.*?) and )");
  CHECK(std::stoi(match[1]) == fewer);
  CHECK(match[2] == of);
}

TEST_CASE("the loss of a larger batch is told of a larger batch alone") {
  CHECK_THAT(predicted_on_64("llama3-8b", {{"batch", 64}, {"tokens", "1T"}}).answer.text,
             !ContainsText("the loss of"));
}

TEST_CASE("a precision other than bf16 is told, and of one that may cost loss what is assumed") {
  const auto text = [](const char* precision) {
    return predicted_on_64("llama3-8b", {{"tokens", "1T"}, {"precision", precision}}).answer.text;
  };
  CHECK_THAT(text("bf16"), !ContainsText("\nprecision "));
  CHECK_THAT(text("tf32"), ContainsText("\nprecision     tf32\n"));
  CHECK_THAT(text("fp8"), ContainsText("\nprecision     fp8, assumed to reach the same loss"));
}

TEST_CASE("a workload's goodput is the share of its time that trains") {
  const Records records = predicted_on_64("bert", {}).answer.records;
  CHECK_THAT(only_number(records, "goodput"),
             WithinRel(only_number(records, "training_s") / only_number(records, "time_s"), 1e-6));
}

TEST_CASE("interruptions of a short run hardly lengthen it") {
  std::string text = predicted_on_64("bert", {}).answer.details;
  const auto match = found_in(text, R"(interruptions one in .*? accelerators: ([\d.]+) % longer)");
  CHECK(std::stod(match[1]) < 1);
}

TEST_CASE("a batch that splits badly is told with what the next takes of a sample") {
  const auto seconds_of_a_sample = [](int batch) {
    return only_number(
               predicted_on_64("llama3-8b", {{"batch", batch}, {"tokens", "1T"}}).answer.records,
               "step_s") /
           batch;
  };
  std::string text = predicted_on_64("llama3-8b", {{"batch", 63}, {"tokens", "1T"}}).answer.text;
  const auto match =
      found_in(text, R"(batch 63 splits badly on 64: with 64 a sample takes ([\d.]+) % less time)");
  CHECK_THAT(std::stod(match[1]),
             WithinAbs(100 * (1 - seconds_of_a_sample(64) / seconds_of_a_sample(63)), 0.51));
}

TEST_CASE("a factor of one slows no node") {
  const auto step = [](Options options) {
    options.insert(options.end(), {{"accelerators", 64}, {"batch", 64}});
    return only_number(tofn::answered(Question{.command = "step",
                                               .arguments = {"llama3-8b", "dgx-h100"},
                                               .options = std::move(options)})
                           .answer.records,
                       "step_s");
  };
  CHECK(step({{"slow-node", "1"}}) == step({}));
}

TEST_CASE("the stage of a slow node counts from one, as it is asked for") {
  const Records records = tofn::answered(Question{.command = "step",
                                                  .arguments = {"llama3-70b", "dgx-h100"},
                                                  .options = {{"accelerators", 64},
                                                              {"batch", 64},
                                                              {"tp", 8},
                                                              {"pp", 4},
                                                              {"slow-node", "1.2"},
                                                              {"slow-stage", 4}}})
                              .answer.records;
  CHECK(cells_of(records, "slow_stage").front() == Value{4LL});
}

TEST_CASE("strong scaling ends where each replica has one sample") {
  std::string text =
      tofn::answered(Question{.command = "scale",
                              .arguments = {"llama3-70b", "dgx-h100"},
                              .options = {{"tp", 8}, {"pp", 1}, {"batch", 1024}, {"tokens", "1T"}}})
          .answer.text;
  // 1024 replicas of 8 ranks
  CHECK(found_in(text, R"(one sample a replica at N = (\d+))")[1] == "8192");
}

TEST_CASE("of figures that matter most the sensitivity has a table") {
  const std::string text =
      predicted_on_64("llama3-8b", {{"tokens", "1T"}, {"sensitivity", true}}).answer.text;
  CHECK_THAT(text, ContainsText("\naccelerator.peak.bf16 "));
  CHECK_THAT(text, ContainsText(" more figures act, less (--format csv)"));
}

TEST_CASE("measurements that narrow the range by nothing that is printed are not named") {
  const Records records =
      predicted_on_64("llama3-8b", {{"tokens", "1T"}, {"next-measurement", true}}).answer.records;
  const auto widths = cells_of(records, "half_width_after_percent");
  REQUIRE(widths.size() >= 2);  // a step, and hours of runs
  const auto commands = cells_of(records, "command");
  for (const Value& command : commands)
    CHECK(std::get<std::string>(command) != "tofn-bench collective");
}

TEST_CASE("sizes that train one batch have no column of it") {
  const Question question{"predict",
                          {"llama3-8b", "dgx-h100"},
                          {{"tokens", "1T"}, {"accelerators", "8,16"}, {"batch", 64}}};
  CHECK_THAT(answered(question).answer.text, ContainsText("\n N days "));
}

TEST_CASE("a metered run takes the minutes of its table") {
  const Records records =
      tofn::answered(Question{.command = "validate", .arguments = {"energy"}}).answer.records;
  const CsvTable table = CsvTable::read(configs / "measured/mlperf-power.csv");
  std::multiset<double> reported;
  std::multiset<double> stated;
  for (const Value& cell : cells_of(records, "time_min")) reported.insert(std::get<double>(cell));
  for (std::size_t row = 0; row < table.rows(); ++row)
    stated.insert(*CsvRow(table, row).positive("run_min"));
  REQUIRE(reported.size() == stated.size());
  CHECK(std::equal(reported.begin(), reported.end(), stated.begin(),
                   [](double a, double b) { return std::abs(a / b - 1) < 1e-6; }));
}

TEST_CASE("times of benchmarks in a sweep are not told as simulated") {
  const auto text = [](const char* sweep) {
    return answered(Question{.command = "sweep", .arguments = {sweep}, .options = {}}).answer.text;
  };
  CHECK_THAT(text("accelerator-generations"), !ContainsText("simulated"));
  CHECK_THAT(text("days-and-dollars"), ContainsText("simulated"));
}

TEST_CASE("a sweep tells how many points it makes in a second") {
  std::string text = tofn::answered(Question{.command = "sweep",
                                             .arguments = {"network-speed"},
                                             .options = {{"dry-run", true}}})
                         .answer.text;
  const auto match = found_in(text, R"(200 points, .*? on \d+ threads? \(([\d,]+)/s\))");
  CHECK(match[1] != "0");
}

TEST_CASE("sizes that a prediction offers next are no more than can be requested") {
  const auto offered = [](int accelerators) {
    return tofn::answered(Question{.command = "predict",
                                   .arguments = {"llama3-8b", "dgx-h100"},
                                   .options = {{"accelerators", accelerators},
                                               {"tokens", "15T"},
                                               {"batch", accelerators},
                                               {"tp", 1},
                                               {"pp", 1},
                                               {"cp", 1},
                                               {"sharded", "parameters"}}})
        .answer.text;
  };
  CHECK_THAT(offered(64), ContainsText("-N 32..512,"));
  CHECK_THAT(offered(262144), ContainsText("-N 131072..1048576,"));
}

TEST_CASE("what a prediction offers next is of its length, and of sizes that its job takes") {
  const auto text = [](const char* subject, const char* cluster, Options options) {
    return tofn::answered(Question{.command = "predict",
                                   .arguments = {subject, cluster},
                                   .options = std::move(options)})
        .answer.text;
  };
  // 64 replicas share the largest batch of known convergence, 64.
  CHECK_THAT(text("gpt_oss_20b", "dgx-b200", {{"accelerators", 64}}), ContainsText("-N 32..64,"));
  // A replica of the workload's own plan has 128.
  CHECK_THAT(text("llama31_405b", "dgx-h100", {{"accelerators", 128}}),
             ContainsText("-N 128..1024,"));
  for (const char* tokens : {"1B", "1T"}) {
    INFO(tokens);
    std::string run =
        text("llama3-8b", "dgx-h100", {{"accelerators", 64}, {"batch", 64}, {"tokens", tokens}});
    const auto match =
        found_in(run, R"(: ([\d.]+) (m|h|d)\w+ expected.* --deadline ([\d.]+)(m|h|d))");
    CHECK(match[2] == match[4]);
    CHECK(std::stod(match[3]) >= std::stod(match[1]));
    CHECK(std::stod(match[3]) <= 1.5 * std::stod(match[1]));
  }
}

TEST_CASE("interruptions of one accelerator are those of one") {
  const auto details = [](int accelerators) {
    return tofn::answered(Question{.command = "predict",
                                   .arguments = {"bert", "dgx-h100"},
                                   .options = {{"accelerators", accelerators}}})
        .answer.details;
  };
  CHECK_THAT(details(1), ContainsText(" on 1 accelerator: "));
  CHECK_THAT(details(8), ContainsText(" on 8 accelerators: "));
}

TEST_CASE("a run of which steps take little says what takes the rest") {
  const auto run_of = [](const std::string& cluster) {
    return tofn::answered({.command = "predict",
                           .arguments = {"bert", cluster},
                           .options = {{"accelerators", 64}}})
        .answer;
  };
  const auto answer = run_of("mi300x");
  const auto figure = [&](const char* name) { return only_number(answer.records, name); };
  const double all = figure("time_s");
  CHECK_THAT(answer.text, ContainsText(fmt::format(
                              "\nrun           steps {:.0f} % of the time, start-up {:.0f} %, ",
                              100 * figure("training_s") / all, 100 * figure("start_up_s") / all)));
  CHECK_THAT(run_of("dgx-h100").text, !ContainsText("% of the time, start-up"));
}
