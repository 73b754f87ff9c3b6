#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/date.hpp"
#include "sim/training/run_estimate.hpp"
#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Text after a heading, joined over all its lines.
std::string stated_after(const std::string& heading, const std::string& text) {
  std::istringstream lines(text);
  std::string stated;
  for (std::string line; std::getline(lines, line);) {
    if (stated.empty() ? line.starts_with(heading + " ") : line.starts_with("              "))
      stated += (stated.empty() ? "" : " ") + line.substr(14);
    else if (!stated.empty())
      break;
  }
  return stated;
}

nlohmann::json rows_of(const std::string& arguments) {
  const Outcome outcome = run_program(arguments + " --format json");
  INFO(arguments << "\n" << outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  return nlohmann::json::parse(outcome.output).at("rows");
}

}  // namespace

TEST_CASE("a limit that no plan keeps is said once, with the nearest") {
  const Outcome none =
      run_program("plan llama3-8b dgx-h100 --tokens 200B -N 64..128 --budget 1000");
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.output, ContainsText("NO PLAN KEEPS THAT. The nearest is "));
  CHECK_THAT(none.output, !ContainsText("limited by    the budget"));
  const Outcome one = run_program("plan llama3-8b dgx-h100 --tokens 200B -N 64 --precision bf16");
  CHECK_THAT(stated_after("plan", one.output), ContainsText("; 1 candidate, "));
}

TEST_CASE("predict exits with 1 where no size is likely to keep the limits") {
  const std::string run = "predict llama3-8b dgx-h100 --tokens 200B ";
  CHECK(run_program(run + "-N 64 --deadline 2d").exit_code == 1);
  CHECK(run_program(run + "-N 64 --deadline 90d").exit_code == 0);
  CHECK(run_program(run + "-N 64,512 --deadline 4d").exit_code == 0);  // 512 keep it
}

TEST_CASE(
    "to the same loss a faster network never takes longer, whatever batch it makes the best") {
  const std::string request = "predict llama3-70b dgx-b200 -N 1024 --tokens 500B";
  const auto days = [&](const std::string& more, const std::string& factor) {
    return rows_of(request + more + " --times network.nic_bandwidth=" + factor)[0]
        .at("days")
        .get<double>();
  };
  double before = 1e9;
  for (const char* factor : {"0.25", "0.5", "1", "2"}) {
    const double now = days(" --same-loss", factor);
    CHECK(now < before);
    before = now;
  }
}

TEST_CASE("a chip of half the peak takes nearly twice as long, and what moves with it is told") {
  const std::string request = "predict llama3-70b dgx-h100 -N 512 --tokens 1T --batch 1024 ";
  const auto days = [&](const std::string& more) {
    return rows_of(request + more)[0].at("days").get<double>();
  };
  const double half = days("--times accelerator.peak.bf16=0.5") / days("");
  CHECK(half > 1.6);
  CHECK(half < 2);
  const Outcome reported = run_program(request + "--times accelerator.peak.bf16=0.5");
  CHECK_THAT(reported.errors, ContainsText("taken times 0.5, and so is accelerator.best_product"));
  // Measured products end at the peak: 989.4 over 758 TFLOP/s is a factor of 1.30528.
  CHECK_THAT(run_program(request + "--times accelerator.best_product=20").errors,
             ContainsText("is 758 TFLOP/s, taken times 1.30528, as far as 20 goes"));
}

TEST_CASE("the command that a plan ends with predicts the plan") {
  const TemporaryFile prices("my prices.yaml",
                             "format: 2\nname: quotes\ndate: 2026-11-20\n"
                             "clusters:\n  dgx-h100:\n    on_demand: 3 USD/h [assumed]\n"
                             "    spot: 1 USD/h [assumed]\n    preemption_every: 20 h [assumed]\n");
  const std::string list = " --prices '" + prices.path().string() + "'";
  for (const std::string& request :
       {std::string("llama3-8b dgx-h100 --tokens 300B -N 8..64 --deadline 60d"),
        std::string("llama3-8b dgx-h100 dgx-a100 --tokens=300B -N 64,2048 --by time --energy 9G"),
        "llama3-8b dgx-h100 --tokens 300B -N 16 --price-term on_demand,spot" + list,
        std::string("llama3-8b dgx-h100 --samples 100k -N 24 --batch 240 --tp 2 --search usual "
                    "--memory-margin 20% --stack megatron-core --precision bf16"),
        std::string("bloom-176b-training dgx-a100 -N 384 --by energy")}) {
    INFO(request);
    const Outcome planned = run_program("plan " + request);
    REQUIRE(planned.exit_code == 0);
    const std::string command = stated_after("repeat", planned.output);
    INFO(command);
    REQUIRE(command.starts_with("tofn predict "));
    const auto predicted = rows_of(command.substr(5)).at(0);
    bool is_found = false;
    for (const auto& row : rows_of("plan " + request)) {
      if (row.at("is_best").get<int>() == 0) continue;
      is_found = true;
      CHECK(row.at("plan") == predicted.at("plan"));
      for (const char* figure : {"days", "cost_usd", "energy_kwh", "tokens", "lost_s"})
        CHECK_THAT(predicted.at(figure).get<double>(),
                   WithinRel(row.at(figure).get<double>(), 1e-9));
    }
    CHECK(is_found);
  }
}

TEST_CASE("a margin of memory is left free by the plan that is chosen") {
  const auto gigabytes = [&](const std::string& more) {
    return rows_of("predict llama3-8b dgx-h100 -N 16 --tokens 1T" + more)[0]
        .at("memory_gb")
        .get<double>();
  };
  CHECK(gigabytes("") > 64);
  CHECK(gigabytes(" --memory-margin 20%") <= 64);  // of 80 GB
}

TEST_CASE("Ctrl-C ends a search with the best so far") {
  const auto stopped = [&](const std::string& request) {
    const Outcome outcome =
        run_command("env TOFN_CONFIGS='" + configs_folder() +
                    "' timeout --preserve-status -s INT 2 '" TOFN_BINARY "' plan " + request);
    CHECK(outcome.exit_code == 130);
    CHECK_THAT(outcome.output, ContainsText("candidates or more not tried. The best so far:"));
    return outcome.output;
  };
  CHECK_THAT(stopped("llama3-70b --tokens 15T -N 64..131072"), ContainsText("\nrepeat "));
  CHECK_THAT(stopped("llama3-70b -N 64..131072 --rl grpo --prompts 4096 --generations 32 "
                     "--response-length 1060 --max-length 4096 --rl-steps 400"),
             ContainsText("\nnext "));
}

TEST_CASE("what a run's file says of RL is not repeated in the command that comes next") {
  const Outcome outcome = run_program("plan qwen3.5-397b-a17b-grpo gb300-nvl72 -N 256 --price 6");
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("predict qwen3.5-397b-a17b-grpo gb300-nvl72 -N 256"));
  CHECK_THAT(outcome.output, !ContainsText("--steps-off"));
}

TEST_CASE("a cluster named twice is tried once, and that is said") {
  const std::string request = " --tokens 300B -N 16 --format csv";
  const Outcome once = run_program("plan llama3-8b dgx-h100" + request);
  const Outcome twice = run_program("plan llama3-8b dgx-h100 dgx-h100" + request);
  CHECK(twice.output == once.output);
  CHECK_THAT(twice.errors, ContainsText("dgx-h100 is named twice: it is tried once"));
}

TEST_CASE("limits are read as people write them") {
  const auto head = [](const std::string& limits) {
    const Outcome outcome =
        run_program("plan llama3-8b dgx-h100 --tokens 300B -N 16 --overrun none " + limits);
    INFO(limits << outcome.errors);
    REQUIRE(outcome.exit_code <= 1);
    CHECK_THAT(outcome.output, !ContainsText("STOPPED"));
    return outcome.output.substr(0, outcome.output.find('\n'));
  };
  const std::string three_weeks = head("--deadline 21d --budget 500k");
  CHECK(three_weeks == head("--deadline 3weeks --budget '$500k'"));
  CHECK(three_weeks == head("--deadline '3 weeks' --budget '500k USD'"));
  CHECK(three_weeks == head("--deadline 3w --budget '$0.5 M USD'"));
  CHECK(three_weeks == head("--deadline 504h --budget '0.5M USD' --confidence 90%"));
  CHECK(head("--energy 2GWh") == head("--energy 2M"));
  CHECK(head("--carbon '5 t' --memory-margin 5%") == head("--carbon 5 --memory-margin 0.05"));
}

TEST_CASE("a deadline may be a date, which counts from today") {
  const auto request = [](std::chrono::sys_days day, const char* more) {
    return run_program("plan llama3-8b dgx-h100 --tokens 300B -N 16 --overrun none --deadline " +
                       date_text(day) + more);
  };
  const auto now = today();
  const Outcome by_date = request(now + std::chrono::days(60), "");
  const std::string dates = date_text(now) + " to " + date_text(now + std::chrono::days(60));
  CHECK_THAT(by_date.output, ContainsText("within 60.0 days (" + dates + "), with"));
  for (const int days : {0, -1}) {
    const Outcome past = request(now + std::chrono::days(days), "");
    CHECK(past.errors == "tofn: --deadline: must be after today, " + date_text(now) + ", got '" +
                             date_text(now + std::chrono::days(days)) + "'\n");
    CHECK(past.exit_code == 2);
  }
}

TEST_CASE("terms that there are prices of are named where the usual one has none") {
  const TemporaryFile prices("reserved.yaml",
                             "format: 2\nname: quotes\ndate: 2026-11-20\n"
                             "clusters:\n  dgx-h100:\n    reserved_1y: 3 USD/h [assumed]\n");
  const std::string request =
      " llama3-8b dgx-h100 --tokens 300B -N 16 --prices '" + prices.path().string() + "'";
  const std::string why =
      "no on_demand price is known, only reserved_1y: state one with --price, or --price-term "
      "reserved_1y";
  CHECK_THAT(run_program("plan" + request).errors, ContainsText(why));
  CHECK_THAT(run_program("predict" + request).output, ContainsText("dgx-h100: " + why));
  const Outcome checked = run_program("check '" + prices.path().string() + "'");
  CHECK(checked.exit_code == 0);
  CHECK_THAT(checked.output, ContainsText("ok (price list, of 1 cluster and 0 accelerators)"));
}

TEST_CASE("a run's days are those that plans are held against, in every command") {
  const std::string job = " llama3-8b dgx-h100 --tokens 300B -N 16 --batch 512";
  for (const char* excess : {"published", "none"}) {
    const std::string request = job + " --search usual --precision bf16 --overrun " + excess;
    const auto planned = rows_of("plan" + request).at(0);
    const auto predicted = rows_of("predict" + request).at(0);
    for (const char* figure : {"days", "days_as_runs_went", "days_low90", "days_high90",
                               "cost_usd_as_runs_went", "cost_usd_high90", "energy_kwh_high90"})
      CHECK_THAT(predicted.at(figure).get<double>(),
                 WithinRel(planned.at(figure).get<double>(), 1e-9));
    const auto scaled = rows_of("scale" + job + " --precision bf16 --overrun " + excess).at(0);
    CHECK_THAT(
        scaled.at("time_to_train_min_high90").get<double>() /
            scaled.at("time_to_train_min").get<double>(),
        WithinRel(predicted.at("days_high90").get<double>() / predicted.at("days").get<double>(),
                  1e-3));
  }
  const TemporaryFile sweep("days.yaml",
                            "format: 2\nname: days\ntitle: of one run\nbase:\n"
                            "  model: llama3-8b\n  cluster: dgx-h100\n  accelerators: 16\n"
                            "  batch: 512\n  tokens: 300B\n  plan: fsdp\n"
                            "axes:\n  - micro_batch: [1]\ncolumns: [days, days_as_runs_went, "
                            "days_low90, days_high90]\n");
  for (const char* excess : {"published", "none"}) {
    const std::string request = std::string(" --overrun ") + excess;
    const auto swept = rows_of("sweep '" + sweep.path().string() + "'" + request).at(0);
    const auto predicted =
        rows_of("predict" + job + " --plan fsdp --micro-batch 1" + request).at(0);
    for (const char* figure : {"days", "days_as_runs_went", "days_low90", "days_high90"})
      CHECK_THAT(predicted.at(figure).get<double>(),
                 WithinRel(swept.at(figure).get<double>(), 1e-5));
  }
  const Outcome shown = run_program("predict" + job + " --details");
  CHECK_THAT(shown.output, ContainsText(" expected, "));
  CHECK_THAT(shown.output,
             ContainsText(fmt::format("it holds {} of {} published", published_coverage.inside,
                                      published_coverage.runs)));
}

TEST_CASE("goodput is in doubt, and a run that loses most of its time is warned of") {
  const std::string job = "predict llama3-8b dgx-h100 --tokens 15T --batch 65536 -N ";
  const auto typical = rows_of(job + "16384").at(0);
  CHECK(typical.at("goodput_high90").get<double>() - typical.at("goodput_low90").get<double>() >
        0.3);
  CHECK(typical.at("warning").is_null());
  const std::string slow = job + "16384 --restart 12h";
  CHECK_THAT(rows_of(slow).at(0).at("warning").get<std::string>(),
             ContainsText("of the time is lost: something fails every 3.1 h and restarts all "
                          "16384 accelerators, 12 h each time"));
  CHECK_THAT(run_program(slow).output, ContainsText("WARNING"));
  // 64 accelerators fail once a month. Of every 601 s, one is spent on steps and 600 on a
  // checkpoint.
  CHECK_THAT(rows_of(job + "64 --checkpoint-every 1s --checkpoint-cost 10min")
                 .at(0)
                 .at("warning")
                 .get<std::string>(),
             ContainsText("99.8 % of the time is lost: a checkpoint every 1 s holds the job up for "
                          "10 min; days rest on that (--checkpoint-every, --checkpoint-cost)"));
  // Checkpoints take one hour of three. Failures, 12 h each 3.1 h, lose more than all three.
  const auto failing = rows_of(slow + " --checkpoint-every 1h --checkpoint-cost 30min").at(0);
  CHECK(failing.at("checkpoint_every_min") == 60);
  CHECK_THAT(failing.at("warning").get<std::string>(),
             ContainsText("of the time is lost: something fails every 3.1 h"));
  const auto stated = rows_of(job +
                              "16384 --restart 15min --failure-every 50700h "
                              "--checkpoint-cost 15s")
                          .at(0);
  CHECK(stated.at("goodput_high90").get<double>() - stated.at("goodput_low90").get<double>() <
        0.05);
  CHECK(stated.at("days_high90").get<double>() < typical.at("days_high90").get<double>());
}

TEST_CASE("a plan leaves out terms whose price is unknown, unless none is known") {
  const std::string question = "plan llama3-8b dgx-h100 --tokens 100B -N 16 --price-term ";
  const TemporaryFile prices("prices.yaml",
                             "format: 2\nname: quotes\ndate: 2026-11-20\n"
                             "clusters:\n  dgx-h100:\n    on_demand: 3 USD/h [assumed]\n");
  const std::string list = " --prices '" + prices.path().string() + "'";
  const Outcome some = run_program(question + "on_demand,reserved_1y" + list);
  CHECK(some.exit_code == 0);
  CHECK_THAT(some.errors,
             ContainsText("left out, since no such price is known: dgx-h100 (reserved_1y)"));
  const Outcome none = run_program(question + "reserved_1y" + list);
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.errors, ContainsText("no reserved_1y price of dgx-h100 is known"));
}

TEST_CASE("a stock beyond the default sizes is searched up to its end") {
  const auto rows = rows_of("plan llama3-8b dgx-h100:1536 --tokens 1T --by time");
  int largest = 0;
  for (const auto& row : rows) largest = std::max(largest, row.at("accelerators").get<int>());
  CHECK(largest == 1536);
}
