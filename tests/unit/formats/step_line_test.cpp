#include "sim/formats/step_logs/step_line.hpp"

#include <algorithm>
#include <string>

#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("llm.c in Python, build-nanogpt and nanochat say the time of a step and their rate") {
  struct Line {
    std::string text;
    double seconds;
    double sequence;  // tokens, if the batch is 256
    std::string program;
  };
  const auto nanochat =
      "step 00010/21400 (0.05%) | loss: 7.5 | grad norm: 1.2 | lrm: 1.00 | dt: 1500.12ms | "
      "tok/sec: 349,525 | mfu: 48.20 | total time: 0.25m\n";
  for (const Line& line :
       {Line{nanochat, 1.50012, 2048, "nanochat"},
        Line{"step     9 | loss: 7.5 | lr 6.0e-4 | norm: 1.2 | dt: 330.12ms | tok/sec: "
             "1588175.20\n",
             0.33012, 2048, "build-nanogpt"},
        Line{"step    9/100 | train loss 7.5 | norm 1.2 | lr 3.00e-04 | (330.12 ms | 1588175 "
             "tok/s)\n",
             0.33012, 2048, "llm.c"},
        Line{"step    9/100 | train loss 7.5 | norm 1.2 | lr 3.00e-04 | 330.12 ms | 48.7% A100 "
             "fp16 MFU | 1588175 tok/s\n",
             0.33012, 2048, "llm.c"}}) {
    INFO(line.text);
    const MeasuredStep step = read_step_log(line.text, "run.log",
                                            {.accelerators = 8,
                                             .global_batch = 256,
                                             .tensor_parallel_size = 1,
                                             .context_parallel_size = 1,
                                             .gradient_accumulation = 1})
                                  .steps.front();
    CHECK_THAT(step.step.base(), WithinRel(line.seconds, 1e-9));
    CHECK(step.sequence_length == line.sequence);
    CHECK(survey_step_log(line.text, "run.log").runs.front().format == line.program);
  }
  CHECK(survey_step_log(nanochat, "run.log").runs.front().iterations == 21400);
}

TEST_CASE("KempnerForge's rate stands behind its words, and llm.c's before them") {
  const std::string text =
      "[step 10] loss=4.010 | lr=3.00e-04 | tok/s=524,288 | mfu=41.3% | mem=61.2/79.1GB | "
      "step_time=0.50s\n";
  const StepHints sizes{.accelerators = 8,
                        .global_batch = 64,
                        .tensor_parallel_size = 1,
                        .context_parallel_size = 1,
                        .gradient_accumulation = 1};
  const MeasuredStep step = read_step_log(text, "run.log", sizes).steps.front();
  CHECK(step.step == Seconds{0.5});
  CHECK(step.sequence_length == 4096);
  CHECK(survey_step_log(text, "run.log").runs.front().format == "KempnerForge");
  CHECK(!is_step_log("step 10 | loss 4.01 | tok/s=524288\n"));
}

TEST_CASE("a rate of the job without a time asks for the samples and tokens of a step") {
  const auto unknown = [](const char* line) {
    return survey_step_log(line, "run.log").runs.front().unknown;
  };
  CHECK(unknown("[step 10] loss=4.010 | tok/s=524,288 | mfu=41.3%\n") ==
        "its lines say 524288 tokens/s and no time of a step, which follows from the samples and "
        "tokens of a step: state --batch, --sequence-length");
  CHECK(unknown("global_step=10, CurrSamplesPerSec=32.5\n") ==
        "its lines say 32.5 samples/s and no time of a step, which follows from its samples: state "
        "--batch");
}

TEST_CASE("a program that prints a line a step is a row: its name, its mark, its line with units") {
  constexpr StepDialect row{"a new program", "| pace",
                            "update {step}  pace {ms}  {tokens/s} tok/s  of the peak {%peak}"};
  const std::string text =
      "[0] update 11/500 | pace: 250.5 | 1,024 tok/s | of the peak 41.5 %\n"
      "[0] update 12/500 | pace: 0.25 s | 1.2K tok/s | of the peak 41.5 %\n";
  const LoggedRuns read = printed_runs(cut_into_lines(text, "run.log"), row);
  REQUIRE(read.runs.size() == 1);
  CHECK(read.format == "a new program");
  const auto& steps = read.runs.front().steps;
  REQUIRE(steps.size() == 2);
  CHECK_THAT(steps[0].seconds, WithinRel(0.2505, 1e-9));
  CHECK(steps[1].seconds == 0.25);
  CHECK(steps[0].figures.iterations == 500);
  CHECK(steps[0].figures.tokens_rate == 1024);
  CHECK(steps[1].figures.tokens_rate == 1200);
  CHECK_THAT(steps[1].figures.utilisation.value(), WithinRel(0.415, 1e-9));
}

TEST_CASE("each row of programs begins with the iteration, and has a time or a rate of a step") {
  for (const StepDialect& row : step_dialects()) {
    INFO(row.name);
    CHECK(row.figures().front().figure == &StepLine::iteration);
    CHECK(std::any_of(row.figures().begin(), row.figures().end(), [](const LineFigure& each) {
      return each.figure == &StepLine::seconds || each.figure == &StepLine::steps_rate ||
             each.figure == &StepLine::samples_rate || each.figure == &StepLine::tokens_rate ||
             each.figure == &StepLine::tokens_rate_each;
    }));
  }
}

TEST_CASE("an object with a time that is none is no log of steps, and others may read it") {
  CHECK_FALSE(is_step_log("{\"step_time\": 0.0}\n"));
  CHECK(is_step_log("{\"step_time\": 0.0}\n{\"step_time\": 2.0}\n"));
}

TEST_CASE("a bar around the line of any program tells how long its run is") {
  const std::string bar = " 12%|#2        | 12/100 [00:31<04:02, 2.5s/it] ";
  for (const std::string line : {"global_step: 12 | train_step_timing in s: 2.5\n",
                                 "step 12 | loss: 7.5 | dt: 2500.0ms | tok/sec: 1588175.20\n"}) {
    INFO(line);
    CHECK(survey_step_log(bar + line, "run.log").runs.front().iterations == 100);
  }
}

TEST_CASE("a unit printed behind a time goes above the one that the program usually has") {
  const std::string dt = "step 9 | loss: 7.5 | lr 6.0e-4 | norm: 1.2 | dt: ";
  for (const auto& [text, seconds] : std::initializer_list<std::pair<std::string, double>>{
           {"iter 29: loss 3.2, time 5.62s, mfu 33.5%\n", 5.62},
           {"iter 29: loss 3.2, time 5.62ms, mfu 33.5%\n", 5.62e-3},
           {"iter 29: loss 3.2, time 5.62 s, mfu 33.5%\n", 5.62},
           {"iter 29: loss 3.2, time 5.62, mfu 33.5%\n", 5.62e-3},
           {dt + "0.33s | tok/sec: 1588175.20\n", 0.33},
           {dt + "330us | tok/sec: 1588175.20\n", 330e-6},
           {"step:9/100 train_time:25000ms step_avg:2.50s\n", 2.5}}) {
    INFO(text);
    CHECK_THAT(survey_step_log(text, "run.log").runs.front().seconds.front(),
               WithinRel(seconds, 1e-9));
  }
}

TEST_CASE("nanoGPT's share of the peak before it is known is none") {
  const std::string text = "iter 0: loss 10.9, time 5621.00ms, mfu -100.00%\n";
  const LogText log = cut_into_lines(text, "run.log");
  const StepDialect* dialect = step_dialect_of(log);
  REQUIRE(dialect != nullptr);
  StepLine figures, rounding;
  take_figures(log, log.lines.front(), *dialect, figures, rounding);
  CHECK_FALSE(figures.utilisation.has_value());
  CHECK(figures.iteration == 0);
}

TEST_CASE("a figure that a line says twice is the first") {
  const std::string text = "iter 29: loss 3.2, time 562.00ms, mfu 33.50%, mfu 12.00%\n";
  const LogText log = cut_into_lines(text, "run.log");
  StepLine figures{.utilisation = 0.4}, rounding;
  take_figures(log, log.lines.front(), *step_dialect_of(log), figures, rounding);
  CHECK(figures.utilisation == 0.4);
}

TEST_CASE("half a unit of a figure's last digit is known") {
  const auto rounding_of_batch = [](const std::string& batch) {
    const std::string text =
        "iteration: 7 / 9 | time_per_iteration_ms: 1.5 | global_batch_size: " + batch + " |\n";
    const LogText log = cut_into_lines(text, "run.log");
    StepLine figures, rounding;
    take_figures(log, log.lines.front(), *step_dialect_of(log), figures, rounding);
    CHECK_THAT(rounding.seconds.value(), WithinRel(0.05e-3, 1e-9));
    return rounding.global_batch.value();
  };
  CHECK(rounding_of_batch("408") == 0.5);
  CHECK_THAT(rounding_of_batch("1.02K"), WithinRel(5.0, 1e-9));
  CHECK_THAT(rounding_of_batch("2K"), WithinRel(5.0, 1e-9));  // nanotron's 2.00K
  CHECK_THAT(rounding_of_batch("20.5K"), WithinRel(50.0, 1e-9));
  CHECK_THAT(rounding_of_batch("1.25e2"), WithinRel(0.5, 1e-9));
}
