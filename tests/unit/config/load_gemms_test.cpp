#include <fmt/format.h>

#include "sim/config/load.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Workload with one layer of 2.4 MFLOP; `gemms` starts on line 17.
std::string workload_text(const std::string& gemms) {
  return "name: tiny\ntitle: Tiny\nsample: one word\ntarget: loss 1\nparameters: 1000\n"
         "trainable_parameters: 1000\nlayers:\n"
         "  - name: body\n    count: 1\n    parameters: 1000\n    trainable_parameters: 1000\n"
         "    arithmetic: matmul\n    forward: 2.4 MFLOP\n    backward: 4.8 MFLOP\n"
         "    forward_operators: 1\n    backward_operators: 2\n" +
         gemms +
         "precision: bf16\n"
         "gradients:\n  bytes_per_parameter: 2\n  bucket: 25 MB\n  synchronisation: []\n"
         "optimizer:\n  bytes_per_parameter: 16\n  sharded_over: none\n"
         "evaluation:\n  mode: inline\n  samples: 100\n  interval: 1000\n  skipped: 0\n"
         "convergence:\n"
         "  - {batch: 8, samples: 10000, standard_deviation: 100, runs: 10}\n"
         "  - {batch: 16, samples: 12000, standard_deviation: 100, runs: 10}\n";
}

std::vector<Gemm> gemms_of(const std::string& gemms) {
  const TemporaryFile file("workload.yaml", workload_text(gemms));
  return load_workload(file.path(), configs).layers.at(0).gemms;
}

/// Message that refuses the file, without its name.
std::string refusal_of_gemms(const std::string& gemms) {
  const TemporaryFile file("workload.yaml", workload_text(gemms));
  const std::string whole = refusal([&] { load_workload(file.path(), configs); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}
std::string refusal_of_one(const std::string& gemm) {
  return refusal_of_gemms(fmt::format("    gemms:\n      - {{{}}}\n", gemm));
}

}  // namespace

TEST_CASE("a layer's GEMMs are read in order, one product each unless stated") {
  const auto gemms = gemms_of(
      "    gemms:\n      - {rows: 10, inputs: 200, outputs: 300}\n"
      "      - {rows: 20, inputs: 5, outputs: 60, count: 100}\n");
  REQUIRE(gemms.size() == 2);
  CHECK(gemms[0].rows == 10);
  CHECK(gemms[0].inputs == 200);
  CHECK(gemms[0].outputs == 300);
  CHECK(gemms[0].count == 1);
  CHECK(gemms[1].rows == 20);
  CHECK(gemms[1].inputs == 5);
  CHECK(gemms[1].outputs == 60);
  CHECK(gemms[1].count == 100);
}

TEST_CASE("a layer need not state its GEMMs") { CHECK(gemms_of("").empty()); }

TEST_CASE("GEMMs may differ from the layer's work by rounding alone") {
  CHECK(refusal_of_one("rows: 10, inputs: 298, outputs: 400") == "accepted");
  CHECK(refusal_of_one("rows: 10, inputs: 302, outputs: 400") == "accepted");
  CHECK(refusal_of_one("rows: 10, inputs: 296, outputs: 400") ==
        ":18:7: layers.gemms: the GEMMs have 2.368 MFLOP, 'forward' says 2.4 MFLOP");
  CHECK(refusal_of_one("rows: 10, inputs: 304, outputs: 400") ==
        ":18:7: layers.gemms: the GEMMs have 2.432 MFLOP, 'forward' says 2.4 MFLOP");
  CHECK(refusal_of_gemms("    gemms: []\n") ==
        ":17:12: layers.gemms: the GEMMs have 0 FLOP, 'forward' says 2.4 MFLOP");
}

TEST_CASE("mistakes in a GEMM name their place") {
  CHECK(refusal_of_one("rows: 0, inputs: 300, outputs: 400") ==
        ":18:16: layers.gemms.rows: must be at least 1");
  CHECK(refusal_of_one("rows: 10, inputs: -300, outputs: 400") ==
        ":18:28: layers.gemms.inputs: must be at least 1");
  CHECK(refusal_of_one("rows: 10, inputs: 300, outputs: 0") ==
        ":18:42: layers.gemms.outputs: must be at least 1");
  CHECK(refusal_of_one("rows: 10, inputs: 300, outputs: 400, count: 0") ==
        ":18:54: layers.gemms.count: must be at least 1");
  CHECK(refusal_of_one("rows: 9.5, inputs: 300, outputs: 400") ==
        ":18:16: layers.gemms.rows: expected a whole number, got '9.5'");
  CHECK(refusal_of_one("rows: 10, inputs: 300") == ":18:9: layers.gemms: missing key 'outputs'");
  CHECK(refusal_of_one("rows: 10, inputs: 300, output: 400, outputs: 400") ==
        ":18:33: layers.gemms: unknown key 'output', did you mean 'outputs'? valid keys: rows, "
        "inputs, outputs, count");
  CHECK(refusal_of_gemms("    gemms:\n      rows: 10\n") ==
        ":18:7: layers.gemms: expected a list, got a map");
}
