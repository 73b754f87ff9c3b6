#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

// Tests of files that are well formed but contradict physics or other files.
using namespace tofn::test;

TEST_CASE("what no known machine has is said, with its place") {
  const Outcome outcome = run_program(filled_in("check '{cases}/nic-in-gigabytes.yaml'"));
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output,
             ContainsText(filled_in("{cases}/nic-in-gigabytes.yaml: ok (cluster)\n  "
                                    "{cases}/nic-in-gigabytes.yaml:25:18: network.nic_bandwidth: "
                                    "bandwidth of a NIC is 3200 Gb/s; known machines have 25 to "
                                    "800 Gb/s: GB/s for Gb/s?\n")));
}

TEST_CASE("a log beyond its cluster's links calibrates nothing") {
  const Outcome outcome = run_program(
      filled_in("calibrate '{cases}/beyond-links.log' -o '{cases}/never-written.yaml' --ranks 8 "
                "--nodes 1 --cluster dgx-h100 --collective all-reduce"));
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.errors,
             ContainsText("beyond-links.log: line 4: 1.07 GB took 2 ms, but the least"));
  CHECK_THAT(outcome.errors, ContainsText("no table was read; nothing is written"));
}

TEST_CASE("collectives that are not normal have an exit code of their own") {
  const auto exit_code = [](const std::string& arguments) {
    return run_program(filled_in("collective --check " + arguments)).exit_code;
  };
  CHECK(exit_code("{cases}/../../../configs/calibrations/h100-dgx-1x8.yaml") == 0);
  CHECK(exit_code("{cases}/../../../configs/calibrations/h100-quietbox-1x4.yaml") == 1);
  CHECK(exit_code("'{cases}/beyond-links.log' --ranks 8 --nodes 1 --cluster dgx-h100") == 1);
  const Outcome unplaced =
      run_program(filled_in("collective --check '{cases}/beyond-links.log' --cluster dgx-h100"));
  CHECK(unplaced.exit_code == 1);
  CHECK_THAT(unplaced.output, ContainsText("beyond-links.log: faster than the links allow"));
  const Outcome nowhere =
      run_program(filled_in("collective --check '{cases}/beyond-links.log' --ranks 8 --nodes 1"));
  CHECK(nowhere.exit_code == 2);
  CHECK_THAT(nowhere.output, ContainsText("nothing in the log names its accelerator"));
  CHECK_THAT(nowhere.output, ContainsText("faster than the links allow"));
}

TEST_CASE("a log that says no cluster is told those of its accelerator") {
  const TemporaryFile log(
      "gh.log",
      "# Collective test starting: all_reduce_perf\n"
      "#  Rank  0 Group  0 Pid 1 on n1 device  0 [0009:01:00] NVIDIA GH200 120GB\n"
      "#  Rank  1 Group  0 Pid 2 on n1 device  1 [0019:01:00] NVIDIA GH200 120GB\n"
      "#       size  count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
      "  1048576  262144 float sum -1 30.00 34.95 34.95 0 30.00 34.95 34.95 0\n");
  const Outcome outcome = run_program("collective --check '" + log.path().string() + "'");
  CHECK(outcome.exit_code == 2);  // its one row is too few
  CHECK_THAT(outcome.output, ContainsText("gh.log: too few rows on each of 2 candidates"));
  CHECK_THAT(outcome.output,
             ContainsText("one with the accelerator of its rank lines ('NVIDIA GH200 120GB')"));
  CHECK_THAT(outcome.output, ContainsText("such as --cluster jupiter-booster"));
}

namespace {

/// Log of two ranks on devices with this name.
std::string log_on(const std::string& device) {
  return "# Collective test starting: all_reduce_perf\n"
         "#  Rank  0 Group  0 Pid 1 on n1 device  0 [0x1b] " +
         device + "\n#  Rank  1 Group  0 Pid 2 on n1 device  1 [0x2b] " + device +
         "\n#       size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
         "  1048576  262144 float sum -1 30.00 34.95 34.95 0 30.00 34.95 34.95 0\n";
}

Outcome check_of(const TemporaryFile& log, const std::string& options = "") {
  return run_program("collective --check '" + log.path().string() + "'" + options);
}

}  // namespace

TEST_CASE("a cluster of another die than the log's rank lines name is refused") {
  const TemporaryFile h100("h100.log", log_on("NVIDIA H100 80GB HBM3"));
  const std::string refused =
      "tofn: --cluster: dgx-a100 has A100 SXM 80GB, but the log's rank lines say 'NVIDIA H100 80GB "
      "HBM3'\n";
  CHECK(check_of(h100, " --nodes 1 --cluster dgx-a100").exit_code == 2);
  CHECK_THAT(check_of(h100, " --nodes 1 --cluster dgx-a100").errors, ContainsText(refused));
  const Outcome same_die = check_of(h100, " --nodes 1 --cluster dgx-h200");
  CHECK(same_die.exit_code == 2);  // its one row is too few
  CHECK_THAT(same_die.output,
             ContainsText(": too few rows to judge: it has 1, and a verdict needs 4\n"));
  const TemporaryFile written("own.yaml", "");
  CHECK_THAT(run_program("calibrate '" + h100.path().string() +
                         "' --nodes 1 --cluster dgx-a100 -o '" + written.path().string() + "'")
                 .errors,
             ContainsText(refused));
}

TEST_CASE("two logs of one collective on as many ranks and nodes are no calibration") {
  const TemporaryFile one("one.txt", log_on("NVIDIA H100 80GB HBM3"));
  const TemporaryFile other("other.txt", log_on("NVIDIA H100 80GB HBM3"));
  const TemporaryFile written("twice.yaml", "");
  const Outcome outcome =
      run_program("calibrate '" + one.path().string() + "' '" + other.path().string() +
                  "' --nodes 1 -o '" + written.path().string() + "'");
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.errors,
             ContainsText(" on 1 node is measured twice, in " + one.path().filename().string() +
                          " and " + other.path().filename().string() +
                          ": a calibration holds it once, leave one of them out\n"));
  CHECK(std::filesystem::file_size(written.path()) == 0);
}

TEST_CASE("a log's machine follows from its rank lines, whatever its file is called") {
  for (const char* name : {"x.txt", "all_reduce_h200.txt", "a100.log", "gh200-h20.txt"}) {
    INFO(name);
    const Outcome h200 = check_of({name, log_on("NVIDIA H200")});
    CHECK(h200.exit_code == 2);
    CHECK_THAT(h200.output, ContainsText("of its rank lines ('NVIDIA H200')"));
    const std::string rows = check_of({name, log_on("NVIDIA H200")}, " --format csv").output;
    CHECK_THAT(rows, ContainsText(",dgx-h200,"));
    CHECK(rows.find("hgx-h20,") == std::string::npos);
    const std::string small =
        check_of({name, log_on("NVIDIA A100-SXM4-80GB")}, " --format csv").output;
    CHECK_THAT(small, ContainsText(",dgx-a100,"));
    CHECK(small.find("abci-a") == std::string::npos);
    const Outcome one = check_of({name, log_on("NVIDIA H20")});
    CHECK_THAT(one.output, ContainsText("of hgx-h20 (its rank lines ('NVIDIA H20'))"));
    const Outcome unknown = check_of({name, log_on("NVIDIA RTX 9999X")});
    CHECK_THAT(unknown.errors, ContainsText("no cluster has the accelerator of its rank lines"));
  }
}

namespace {

/// All-reduces of 16 ranks on two nodes, four times slower than a single port of 25 Gb/s.
std::string slow_log() {
  std::string log = "# Collective test starting: all_reduce_perf\n";
  for (int rank = 0; rank < 16; ++rank)
    log += "#  Rank " + std::to_string(rank) + " Group 0 Pid 1 on n" + std::to_string(rank / 8) +
           " device " + std::to_string(rank % 8) + " [0x1b] NVIDIA H100 80GB HBM3\n";
  log += "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n";
  for (long long size = 1024; size <= (1LL << 33); size *= 4) {
    const double us = 60 + static_cast<double>(size) / 0.5e3;
    const double algorithm = static_cast<double>(size) / us / 1e3;
    const std::string times = std::to_string(us) + ' ' + std::to_string(algorithm) + ' ' +
                              std::to_string(algorithm * 1.875) + " 0 ";
    log += std::to_string(size) + ' ' + std::to_string(size / 4) + " float sum -1 " + times +
           times + '\n';
  }
  return log;
}

/// Verdict of each cluster, from the rows that a check prints in CSV.
std::map<std::string, std::string> verdicts_in(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::map<std::string, std::string> verdicts;
  const auto place = [head = ',' + line](const std::string& column) {
    return std::count(head.begin(),
                      head.begin() + static_cast<std::ptrdiff_t>(head.find(',' + column + ',')),
                      ',');
  };
  const auto cluster = place("cluster");
  const auto verdict = place("verdict");
  while (std::getline(lines, line)) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (const char each : line) {
      if (each == '"') is_quoted = !is_quoted;
      if (each == ',' && !is_quoted)
        cells.emplace_back();
      else
        cells.back() += each;
    }
    verdicts[cells.at(static_cast<std::size_t>(cluster))] =
        cells.at(static_cast<std::size_t>(verdict));
  }
  return verdicts;
}

}  // namespace

TEST_CASE("a log of an open machine has the verdict of each, the same as with --cluster") {
  const std::string request =
      "collective --check '" TOFN_SOURCE_DIR "/tests/measurements/stas00-1x8-allreduce.txt'";
  const Outcome screen = run_program(request);
  INFO(screen.output << screen.errors);
  CHECK_THAT(screen.output, ContainsText("--cluster "));
  CHECK_THAT(screen.output, ContainsText("settled by"));
  const auto verdicts = verdicts_in(run_program(request + " --format csv").output);
  REQUIRE(verdicts.size() > 3);
  for (const char* cluster : {"dgx-a100", "abci-a", "gcp-a2-ultra"}) {
    INFO(cluster);
    REQUIRE(verdicts.count(cluster) == 1);
    CHECK(verdicts_in(run_program(request + " --format csv --cluster " + cluster).output)
              .at(cluster) == verdicts.at(cluster));
  }
  const bool agree = std::all_of(verdicts.begin(), verdicts.end(), [&](const auto& each) {
    return each.second == verdicts.begin()->second;
  });
  CHECK((screen.exit_code == 2) == !agree);
}

TEST_CASE("slow on every machine that it can be is slow") {
  const TemporaryFile log("slow.txt", slow_log());
  const Outcome open = check_of(log);
  INFO(open.output << open.errors);
  CHECK(open.exit_code == 1);
  CHECK_THAT(open.output, ContainsText("slow.txt: slow on each of "));
  const Outcome trained = check_of(log, " --training llama3-8b");
  CHECK(trained.exit_code == 2);
  CHECK_THAT(trained.errors, ContainsText("slow.txt: --training: needs one machine and placement: "
                                          "give --cluster\n"));
}

namespace {

/// Seconds printed before `mark` in `... 11.1 s for ...` or `...: 880.2 ms a step`.
double seconds_before(const std::string& text, const std::string& mark) {
  const std::size_t unit = text.rfind(' ', text.find(mark) - 1);
  const std::size_t number = text.rfind(' ', unit - 1);
  const double figure = std::stod(text.substr(number + 1));
  return text.compare(unit + 1, 2, "ms") == 0 ? figure / 1000 : figure;
}

}  // namespace

TEST_CASE("a check's step of training is that of calibrate and step") {
  const TemporaryFile log("slow.txt", slow_log());
  const Outcome checked = check_of(log, " --cluster dgx-h100 --training llama3-8b");
  INFO(checked.output << checked.errors);
  REQUIRE(checked.exit_code == 1);
  CHECK_THAT(checked.output, ContainsText("dp 16, 1 micro-batch of 1, gradients sharded, "
                                          "parameters overlapped"));
  const std::string reported = checked.output.substr(checked.output.find(": a step of llama3-8b"));
  const TemporaryFile calibration("slow.yaml", "");
  REQUIRE(run_program("calibrate '" + log.path().string() + "' --cluster dgx-h100 -o '" +
                      calibration.path().string() + "'")
              .exit_code == 0);
  const std::string step =
      "step llama3-8b dgx-h100 -N 16 --batch 16 --plan data-parallel --micro-batch 1 "
      "--sharded gradients --parameter-overlap on";
  const double healthy = seconds_before(run_program(step).output, " a step");
  const double here = seconds_before(
      run_program(step + " --calibration '" + calibration.path().string() + "'").output, " a step");
  CHECK(std::abs(seconds_before(reported, " rather than") / here - 1) < 0.01);
  const double factor = std::stod(reported.substr(reported.find("takes ") + 6));
  CHECK(std::abs(here / healthy - factor) < 0.02 * here / healthy);  // three digits each
  // The times are the last fields of the row, before the empty `refused`.
  const std::string rows =
      check_of(log, " --cluster dgx-h100 --training llama3-8b --format csv").output;
  CHECK_THAT(rows, ContainsText(",step_s,healthy_step_s,refused\n"));
  const std::size_t second = rows.rfind(',', rows.size() - 3);
  const std::size_t first = rows.rfind(',', second - 1);
  CHECK(std::abs(std::stod(rows.substr(first + 1)) / here - 1) < 0.01);
  CHECK(std::abs(std::stod(rows.substr(second + 1)) / healthy - 1) < 0.01);
}

namespace {

/// Collectives over two nodes with one rank each; large ones take `us_a_kilobyte` microseconds per
/// kB.
std::string one_rank_a_node(double us_a_kilobyte, const std::string& program = "all_reduce_perf",
                            double bus_factor = 1) {
  std::string log = "# Collective test starting: " + program + '\n';
  for (const char* rank : {"0", "1"})
    log += std::string("#  Rank ") + rank + " Group 0 Pid 1 on n" + rank +
           " device 0 [0x1b] NVIDIA L40S\n";
  log += "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n";
  for (long long size = 1024; size <= (1LL << 33); size *= 4) {
    const double us = 30 + static_cast<double>(size) / 1e3 * us_a_kilobyte;
    const double bandwidth = static_cast<double>(size) / us / 1e3;
    const std::string times = std::to_string(us) + ' ' + std::to_string(bandwidth) + ' ' +
                              std::to_string(bandwidth * bus_factor) + " 0 ";
    log += std::to_string(size) + ' ' + std::to_string(size / 4) + " float sum -1 " + times +
           times + '\n';
  }
  return log;
}

double factor_of(const Outcome& checked) {
  const std::size_t at = checked.output.find("takes ");
  return at == std::string::npos ? 0 : std::stod(checked.output.substr(at + 6));
}

}  // namespace

TEST_CASE("a step of training is placed on the nodes of the log, and slows with its links") {
  const std::string request = " --cluster nvidia-l40s --training llama3-8b";
  const Outcome slow = check_of({"slow.txt", one_rank_a_node(1)}, request);
  INFO(slow.output << slow.errors);
  CHECK(slow.exit_code == 1);
  CHECK_THAT(slow.output, ContainsText("1 of each domain"));
  CHECK_THAT(slow.output, ContainsText("a step of llama3-8b DOES NOT FIT, "));
  const double factor = factor_of(slow);
  CHECK(factor > 2);
  CHECK(factor_of(check_of({"slow.txt", one_rank_a_node(10)}, request)) > 3 * factor);
}

TEST_CASE("a log that answers no message of the step tells nothing of it") {
  const Outcome outcome = check_of({"exchange.txt", one_rank_a_node(1, "alltoall_perf", 0.5)},
                                   " --cluster nvidia-l40s --training llama3-8b");
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.output, ContainsText("bandwidth     "));
  CHECK_THAT(outcome.errors, ContainsText("exchange.txt: --training: all-to-all of 2 ranks on 2 "
                                          "nodes answers no message of a step of llama3-8b"));
}

TEST_CASE("a check of a log with one step says once that it holds the warm-up") {
  const TemporaryFile log(
      "one.log",
      " iteration 1/ 1000 | elapsed time per iteration (ms): 60000.0 | global batch size: 256 |\n");
  const std::string name = log.path().string();
  const Outcome checked =
      run_program("step llama3-8b --check '" + name +
                  "' --cluster dgx-h100 -N 64 --tp 4 --pp 2 --cp 1 --micro-batch 1 --stack "
                  "megatron-core");
  CHECK(checked.exit_code == 2);
  CHECK_THAT(checked.errors,
             ContainsText("tofn: " + name + ": step: the only step, of 1 min, holds the warm-up"));
}

TEST_CASE("a log of two regimes is never averaged") {
  std::string text;
  for (int i = 1; i <= 50; ++i)
    text += " iteration " + std::to_string(i) +
            "/ 1000 | elapsed time per iteration (ms): " + (i <= 30 ? "9600.0" : "12950.0") +
            " | global batch size: 256 |\n";
  const TemporaryFile log("train.log", text);
  const std::string job =
      "--cluster dgx-h100 -N 256 --tp 8 --pp 4 --cp 1 --micro-batch 1 --sharded optimizer "
      "--sequence-parallel on --stack megatron-core";
  const std::string both =
      "9.6 s in iterations 1 to 30 (29 steps), then 12.95 s in iterations 31 to 50 (20 steps)";
  const Outcome checked =
      run_program("step llama3-70b --check '" + log.path().string() + "' " + job);
  CHECK(checked.exit_code == 1);
  CHECK_THAT(checked.output, ContainsText("measured      13.0 s         median of 20"));
  CHECK_THAT(checked.output, ContainsText("steps turned  " + both + ": the last is checked\n"));
  const TemporaryFile steps("own.yaml", "");
  for (const auto& [regime, milliseconds] :
       {std::pair{"", " 9600.000 "}, std::pair{" --regime last", " 12950.000 "}}) {
    const Outcome learned =
        run_program("calibrate --steps '" + log.path().string() + "' --model llama3-70b " + job +
                    regime + " -o '" + steps.path().string() + "'");
    CHECK(learned.exit_code == 0);
    CHECK_THAT(learned.output, ContainsText(milliseconds));
    CHECK_THAT(learned.errors, ContainsText(":31: WARNING: the steps turned: " + both + "; the "));
  }
}

TEST_CASE("a length that no one states is told, since the time of a step scales with it") {
  std::string text;
  for (int i = 1; i <= 20; ++i)
    text += " iteration " + std::to_string(i) +
            "/ 1000 | elapsed time per iteration (ms): 9600.0 | global batch size: 256 |\n";
  const TemporaryFile log("train.log", text);
  const TemporaryFile steps("own.yaml", "");
  const std::string request =
      "calibrate --steps '" + log.path().string() +
      "' --model llama3-70b --cluster dgx-h100 -N 256 --tp 8 --pp 4 --cp 1 --micro-batch 1 "
      "--sharded optimizer --sequence-parallel on --stack megatron-core -o '" +
      steps.path().string() + "'";
  const std::string told =
      "the log does not say --sequence-length: that of llama3-70b, 8192, is taken\n";
  CHECK_THAT(run_program(request).errors, ContainsText(told));
  CHECK_THAT(run_program(request + " --sequence-length 8192").errors, !ContainsText(told));
}

TEST_CASE("the output of nccom-test is said not to be read") {
  const TemporaryFile log("trn.txt", "size(B) count(elems) type time:avg(us) algbw busbw\n");
  CHECK_THAT(check_of(log).errors, ContainsText("nccom-test (AWS Neuron), which is not read"));
}

TEST_CASE("one log that cannot be judged takes no verdict away") {
  const TemporaryFile good("good.txt", log_on("NVIDIA H20"));
  const TemporaryFile bad("bad.txt", "nothing of the kind\n");
  const std::string both =
      "collective --check '" + bad.path().string() + "' '" + good.path().string() + "'";
  const Outcome text = run_program(both);
  CHECK(text.exit_code == 2);
  CHECK_THAT(text.output, ContainsText("bandwidth     "));
  CHECK_THAT(text.errors, ContainsText("bad.txt"));
  const Outcome csv = run_program(both + " --format csv");
  CHECK(csv.exit_code == 2);
  CHECK_THAT(csv.output, ContainsText(",cluster,cluster_by,verdict,"));
  CHECK_THAT(csv.output, ContainsText("hgx-h20"));
  CHECK_THAT(csv.output, ContainsText("refused"));
}

TEST_CASE("a check says what NCCL's own lines in the log say") {
  const TemporaryFile log(
      "job.log",
      "a:7:9 [0] NCCL INFO Using network Socket\n"
      "a:7:9 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
      "     1048576        262144     float     sum      -1    600.0    1.75    3.28      0\n"
      "  1073741824     268435456     float     sum      -1   220000    4.88    9.15      0\n");
  const Outcome checked = run_program("collective --check '" + log.path().string() +
                                      "' --ranks 16 --nodes 2 --cluster dgx-h100");
  INFO(checked.errors);
  CHECK_THAT(checked.output,
             ContainsText("over Socket, 16 ranks, 2 nodes: kernel sockets, no RDMA"));
}

TEST_CASE("validate by halves needs no file of configs/") {
  const std::string log = "{cases}/../../../configs/calibrations/h100-dgx-1x8.yaml";
  CHECK(run_program(filled_in("validate collectives " + log + " --configs nowhere")).exit_code ==
        0);
  CHECK(run_program(
            filled_in("validate collectives " + log + " --configs nowhere --protocol formula"))
            .exit_code == 2);
}
