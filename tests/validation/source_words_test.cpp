#include <array>
#include <regex>
#include <string>

#include "sim/core/csv.hpp"
#include "sim/evidence/known_steps.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Words in a source, the column that they decide, and the cells that agree. `$1` stands for the
/// text that the words capture.
struct SourceWords {
  const char* words;
  const char* column;
  const char* cells;
};

constexpr std::array source_words{
    // torchtitan's asynchronous tensor parallelism runs under torch.compile.
    SourceWords{R"((FSDP2 eager(?!; async TP)|no compile))", "compile", "off"},
    SourceWords{R"(torch\.compile)", "compile", "on"},
    SourceWords{"CUDA graphs", "cuda_graphs", "segmented|layer|full_iteration"},
    SourceWords{"DeepEP", "expert_dispatch", "deepep"},
    SourceWords{"HybridEP", "expert_dispatch", "hybridep"},
    SourceWords{"all-to-all dispatcher", "expert_dispatch", "all-to-all"},
    SourceWords{"forced balance|balanced routing", "routing", "balanced"},
    SourceWords{"natural routing", "routing", "natural"},
    SourceWords{"async TP", "tensor_overlap", "yes"},
    SourceWords{"vanilla TP", "tensor_overlap", "no"},
    SourceWords{"full recomput", "recompute", "full"},
    SourceWords{"no recompute;|no recomputation", "recompute", "none"},
    SourceWords{"recomputes (core_attn|mlp|layernorm)", "recompute_modules", ".*$1.*"},
    SourceWords{"recompute_modules ([a-z]+)", "recompute_modules", ".*$1.*"},
    SourceWords{"MTP layer", "further_tokens", "1"},
    SourceWords{"ZeRO communication not overlapped", "data_overlap", "no"},
    SourceWords{"ZeRO communication overlapped", "data_overlap", "yes"},
    SourceWords{"no EP overlap|EP overlap off", "expert_overlap", "no"},
    SourceWords{"EP overlap on|1F1B overlap of all-to-all", "expert_overlap", "yes"},
    SourceWords{"expert TP [2-9]", "whole_experts", "no"},
    SourceWords{"ZeRO-([123])", "sharding", "zero$1"},
    SourceWords{"Megatron-FSDP", "sharding", "fsdp"},
    SourceWords{"fp32 gradient accumulation", "kept_gradients", "fp32"},
    SourceWords{"no interleaving;", "interleaved_stages", "1"},
    SourceWords{R"([ _](?:TP|tp)(\d+)\b)", "tensor_parallel", "$1"},
    SourceWords{R"([ _](?:PP|pp)(\d+)\b)", "pipeline_parallel", "$1"},
    SourceWords{R"([ ,](?:MXFP8|FP8 current scaling|float8))", "precision", "fp8"},
    SourceWords{R"(, bf16[,;])", "precision", "bf16"},
};

void check_row(const CsvTable& table, std::size_t row) {
  const std::string& source = table.at(row, "source");
  for (const SourceWords& each : source_words) {
    std::smatch found;
    if (!std::regex_search(source, found, std::regex(each.words))) continue;
    CAPTURE(source, each.words, each.column);
    REQUIRE(table.has_column(each.column));
    const std::string& cell = table.at(row, each.column);
    CAPTURE(cell);
    CHECK(std::regex_match(cell, std::regex(found.format(each.cells))));
  }
}

}  // namespace

TEST_CASE("rows of measured steps state what their sources do") {
  auto files = tables_of_steps(configs);
  files.push_back(configs / "measured/memory-2026.csv");
  for (const auto& file : files) {
    const CsvTable table = CsvTable::read(file);
    for (std::size_t row = 0; row < table.rows(); ++row) check_row(table, row);
  }
}

// Groups have 128 ranks from 512 accelerators on; below, there is one group.
TEST_CASE("MaxText's shards stand in groups of as many ranks as their source says") {
  const CsvTable table = CsvTable::read(configs / "measured/steps-more.csv");
  int grouped = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.at(row, "source").find("FSDP group 128 GPUs from 512 GPUs on") == std::string::npos)
      continue;
    const bool is_grouped = std::stoi(table.at(row, "gpus")) >= 512;
    CHECK(table.at(row, "shard_ranks") == (is_grouped ? "128" : ""));
    CHECK(table.at(row, "sharding") == (is_grouped ? "hsdp" : "fsdp"));
    grouped += is_grouped;
  }
  CHECK(grouped == 6);
}
