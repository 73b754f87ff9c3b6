#include "sim/published/published_table.hpp"

#include <fstream>
#include <string>

#include <unistd.h>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string needed_header = "benchmark,org,system,accelerator,accelerators,global_batch_size";
const std::string needed_cells = "bert,Org,box,H100,8,448";

/// A file that the destructor removes.
class TableFile {
 public:
  explicit TableFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("tofn_table_test_" + std::to_string(::getpid()) + ".csv")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  ~TableFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<PublishedRow> rows_of(const std::string& text) {
  const TableFile file(text);
  return read_published_table(file.path());
}

/// The only row of a table with these additional columns.
PublishedRow row_with(const std::string& columns, const std::string& cells) {
  return rows_of(needed_header + ',' + columns + '\n' + needed_cells + ',' + cells + '\n').at(0);
}

/// Message that refuses a table, without the file's name.
std::string refusal_of_table(const std::string& text) {
  const TableFile file(text);
  try {
    static_cast<void>(read_published_table(file.path()));
  } catch (const InputError& error) {
    const std::string stated = error.what();
    const std::string name = file.path().string();
    return stated.starts_with(name) ? stated.substr(name.size()) : "without its file: " + stated;
  }
  return "accepted";
}
std::string refusal_of_table(const std::string& column, const std::string& cell) {
  return refusal_of_table(needed_header + ',' + column + '\n' + needed_cells + ',' + cell + '\n');
}
std::string refusal_of_needed(const std::string& cells) {
  return refusal_of_table(needed_header + '\n' + cells + '\n');
}

}  // namespace

TEST_CASE("a table needs six columns, the others may be missing") {
  const PublishedRow row = rows_of(needed_header + '\n' + needed_cells + '\n').at(0);
  CHECK(row.inputs.benchmark == "bert");
  CHECK(row.full_name() == "Org/box");
  CHECK(row.inputs.accelerator == "H100");
  CHECK(row.inputs.accelerators == 8);
  CHECK(row.inputs.global_batch == 448);
  CHECK_FALSE(row.inputs.nodes);
  CHECK_FALSE(row.inputs.tensor_parallel_size);
  CHECK_FALSE(row.inputs.runs);
  CHECK_FALSE(row.inputs.settings.precision);
  CHECK_FALSE(row.inputs.settings.tensor_overlap);
  CHECK(row.inputs.settings.software_release.empty());
  CHECK_FALSE(row.outcome.official_minutes);
  CHECK_FALSE(row.outcome.samples);
  CHECK_FALSE(row.outcome.step_ms);
}

TEST_CASE("a column that nobody knows is named, with those that are known") {
  CHECK(refusal_of_table("colour", "red")
            .starts_with(":1:65: unknown column 'colour'; valid columns: round, org, system, "));
  CHECK(
      refusal_of_table("n_evals", "4")
          .starts_with(":1:65: unknown column 'n_evals', did you mean 'n_eval'? valid columns: "));
  CHECK(row_with("notes,packing", "\"x, y\",yes").inputs.global_batch == 448);
}

TEST_CASE("columns are found by name, wherever they stand") {
  const PublishedRow row = rows_of(
                               "global_batch_size,system,accelerators,org,accelerator,benchmark\n"
                               "64,box,16,Org,H200,retinanet\n")
                               .at(0);
  CHECK(row.inputs.benchmark == "retinanet");
  CHECK(row.inputs.accelerators == 16);
  CHECK(row.inputs.global_batch == 64);
}

TEST_CASE("settings and outcomes land in their places") {
  const PublishedRow row = row_with(
      "nodes,accelerators_per_node,runs,grad_accum,tp,pp,cp,precision,fp8_attention,"
      "tp_comm_overlap,cuda_graphs,overlap_gradient_reduction,sharp,skip_evals,"
      "evaluation_interval,nics_per_node,nic_gbps",
      "2,4,10,3,4,1,2,fp8,true,False,layer,1,0,3,384,8,400");
  CHECK(row.inputs.nodes == 2);
  CHECK(row.inputs.accelerators_per_node == 4);
  CHECK(row.inputs.runs == 10);
  CHECK(row.inputs.gradient_accumulation == 3);
  CHECK(row.inputs.tensor_parallel_size == 4);
  CHECK(row.inputs.pipeline_parallel_size == 1);
  CHECK(row.inputs.context_parallel_size == 2);
  CHECK(row.inputs.settings.precision == Precision::Fp8);
  CHECK(row.inputs.settings.fp8_attention == true);
  CHECK(row.inputs.settings.tensor_overlap == false);
  CHECK(row.inputs.settings.cuda_graphs == CudaGraphs::Layer);
  CHECK(row.inputs.settings.overlap_gradient_reduction == true);
  CHECK(row.inputs.settings.in_network_reduction == false);
  CHECK(row.inputs.settings.skipped_evaluations == 3);
  CHECK(row.inputs.settings.evaluation_interval == 384);
  CHECK(row.inputs.nics_per_node == 8);
  CHECK(row.inputs.nic_gbps == 400);

  const RowOutcome outcome =
      row_with(
          "time_to_train_min,olympic_mean_unscaled_min,samples_to_converge,samples_stdev,"
          "steady_step_ms,startup_s,eval_exposed_min,n_eval",
          "5.5,5.25,2492635.625,176181.7,88.8,-2.02,0.31,16.6")
          .outcome;
  CHECK(outcome.official_minutes == 5.5);
  CHECK(outcome.unscaled_minutes == 5.25);
  CHECK(outcome.samples == 2492635.625);
  CHECK(outcome.samples_deviation == 176181.7);
  CHECK(outcome.step_ms == 88.8);
  CHECK(outcome.startup_seconds == -2.02);
  CHECK(outcome.evaluation_exposed_minutes == 0.31);
  CHECK(outcome.evaluations == 16.6);
}

TEST_CASE("the release is the stated one, else the one in the system's name") {
  const auto release = [](const std::string& system, const std::string& stated) {
    return rows_of(needed_header + ",software_release\nbert,NVIDIA," + system + ",H100,8,448," +
                   stated + '\n')
        .at(0)
        .inputs.settings.software_release;
  };
  CHECK(release("eos_ngc23.04_pytorch", "") == "23.04");
  CHECK(release("eos_ngc23.04_pytorch", "24.09") == "24.09");
  CHECK(release("box", "24.09") == "24.09");
  CHECK(release("box", "").empty());
  CHECK(release("eos_ngc_pytorch", "").empty());
  CHECK(release("ngc24", "").empty());
}

TEST_CASE("a bad cell is refused where it stands") {
  CHECK(refusal_of_table("nodes", "two") ==
        ":2:25: nodes: expected a whole number from 1 to 100000000, got 'two'");
  CHECK(refusal_of_table("nodes", "2.5") ==
        ":2:25: nodes: expected a whole number from 1 to 100000000, got '2.5'");
  CHECK(refusal_of_table("nodes", "0") ==
        ":2:25: nodes: expected a whole number from 1 to 100000000, got '0'");
  CHECK(refusal_of_table("tp", "-4") ==
        ":2:25: tp: expected a whole number from 1 to 100000000, got '-4'");
  CHECK(refusal_of_table("nic_gbps", "nan") ==
        ":2:25: nic_gbps: expected a number above 0, got 'nan'");
  CHECK(refusal_of_table("runs", "10 runs") ==
        ":2:25: runs: expected a whole number from 1 to 100000000, got '10 runs'");
  CHECK(refusal_of_table("steady_step_ms", "0") ==
        ":2:25: steady_step_ms: expected a number above 0, got '0'");
  CHECK(refusal_of_table("sharp", "on") == ":2:25: sharp: expected true or false, got 'on'");
  CHECK(refusal_of_table("cuda_graphs", "always") ==
        ":2:25: cuda_graphs: unknown value 'always'; "
        "valid values: none, segmented, layer, full_iteration");
}

TEST_CASE("a precision is what its cell begins with, and an unknown one no end of the table") {
  CHECK(row_with("precision", "fp8:delayed").inputs.settings.precision == Precision::Fp8);
  CHECK(row_with("precision", "fp8 (a recipe)").inputs.unknown.empty());
  const RowInputs other = row_with("precision", "int8 (AQT)").inputs;
  CHECK_FALSE(other.settings.precision);
  CHECK(other.unknown == "unknown precision 'int8 (AQT)'");
}

TEST_CASE("steps and evaluations that outlast a row's clock contradict it") {
  // 448 x 100 samples in steps of 600 ms take 1 min.
  const std::string columns =
      "samples_to_converge,steady_step_ms,eval_exposed_min,"
      "olympic_mean_unscaled_min";
  CHECK(row_with(columns, "44800,600,0.5,1.5").contradiction().empty());
  CHECK(row_with(columns, "44800,600,0.5,1.48").contradiction().empty());  // within its digits
  CHECK(row_with(columns, "44800,600,0.5,1.4").contradiction() ==
        "its numbers contradict each other: 100 steps of 600 ms and 0.5 min of evaluations are "
        "1.5 min, its time is 1.4");
  CHECK(row_with("samples_to_converge,steady_step_ms", "44800,600").contradiction().empty());
}

TEST_CASE("a needed cell that is empty is refused") {
  CHECK(refusal_of_needed(",Org,box,H100,8,448") == ":2:1: benchmark: is empty, but needed");
  CHECK(refusal_of_needed("bert,,box,H100,8,448") == ":2:6: org: is empty, but needed");
  CHECK(refusal_of_needed("bert,Org,,H100,8,448") == ":2:10: system: is empty, but needed");
  CHECK(refusal_of_needed("bert,Org,box,,8,448") == ":2:14: accelerator: is empty, but needed");
  CHECK(refusal_of_needed("bert,Org,box,H100,8,x") ==
        ":2:21: global_batch_size: expected a number of at least 0, got 'x'");
}

TEST_CASE("a row without accelerators or batch is noted, and the table is read") {
  const auto rows = rows_of(needed_header +
                            "\nbert,Org,box,H100,0,448\nbert,Org,box,H100,,448\n"
                            "bert,Org,box,H100,8,\n" +
                            needed_cells + '\n');
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].inputs.unknown == "no accelerators");
  CHECK(rows[1].inputs.unknown == "unknown accelerators");
  CHECK(rows[2].inputs.unknown == "unknown global_batch_size");
  CHECK(rows[3].inputs.unknown.empty());
}

TEST_CASE("a table without rows or without a needed column is refused") {
  CHECK(refusal_of_table(needed_header + '\n') == ": has a header but no rows");
  CHECK(refusal_of_table(
            "benchmark,org,system,accelerators,global_batch_size\nbert,Org,box,8,448\n") ==
        ":1: missing column 'accelerator'; "
        "columns: benchmark, org, system, accelerators, global_batch_size");
}

TEST_CASE("rows that repeat an outcome to every digit are the same runs") {
  const auto row = [](const std::string& system, const std::string& minutes,
                      const std::string& samples) {
    return rows_of(needed_header + ",olympic_mean_unscaled_min,samples_to_converge\nbert,Org," +
                   system + ",H100,8,448," + minutes + ',' + samples + '\n')
        .at(0);
  };
  CHECK(same_runs(row("a", "5.03457", "3168"), row("a-POWER", "5.03457", "3168")));
  CHECK_FALSE(same_runs(row("a", "5.03457", "3168"), row("b", "5.03458", "3168")));
  CHECK_FALSE(same_runs(row("a", "5.03457", "3168"), row("b", "5.03457", "3169")));
  CHECK_FALSE(same_runs(row("a", "", "3168"), row("a", "", "3168")));
  PublishedRow other = row("a", "5.03457", "3168");
  other.inputs.benchmark = "retinanet";
  CHECK_FALSE(same_runs(row("a", "5.03457", "3168"), other));
  other = row("a", "5.03457", "3168");
  other.inputs.accelerators = 16;
  CHECK_FALSE(same_runs(row("a", "5.03457", "3168"), other));
}

TEST_CASE("a row's round is a version") {
  CHECK(row_with("round", "v4.1").inputs.round == 4.1);
  CHECK_FALSE(row_with("round", "").inputs.round);
  CHECK_THAT(refusal_of_table("round", "2024"),
             ContainsText("round: expected a round like v4.1, got '2024'"));
  CHECK_THAT(refusal_of_table("round", "v0"), ContainsText("expected a round like v4.1"));
}

TEST_CASE("nodes that hold another number of accelerators than a row states are refused") {
  CHECK(refusal_of_table("nodes,accelerators_per_node", "2,8") ==
        ":2:19: accelerators: is 8, but nodes and accelerators_per_node make 2 x 8");
  CHECK(row_with("nodes,accelerators_per_node", "2,4").inputs.accelerators == 8);
  CHECK(row_with("nodes,accelerators_per_node", ",4").inputs.accelerators == 8);
  CHECK(row_with("nodes,accelerators_per_node", "2,").inputs.accelerators == 8);
}
