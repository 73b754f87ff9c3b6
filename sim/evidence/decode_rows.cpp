#include <fmt/format.h>

#include "sim/cluster/precision_words.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/evidence/rl_rows.hpp"
#include "sim/evidence/rollout_names.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Share of the memory that engines take under a load that never ends
/// (`free_gpu_memory_fraction` of TensorRT-LLM's benchmarks, 0.90 to 0.95 of what is free).
constexpr double loaded_memory_share = 0.95;

Precision precision_in(const CsvRow& cells, std::string_view column, Precision typical) {
  const auto named = precision_of(cells, column);
  return named ? named->precision : typical;
}

DecodeObservation observation(const CsvRow& cells, const std::filesystem::path& configs,
                              Library& library) {
  DecodeObservation seen;
  seen.model = model_file_name(cells.needed_text("model"));
  seen.decoder = decoder_of(find_model(configs, seen.model));
  seen.cluster = cluster_of_chip(cells, library);
  seen.layout.ranks = cells.needed_count("gpus");
  if (cells.text("ep_dp").starts_with("DEP")) seen.layout.attention = EngineAttention::DataParallel;
  seen.layout.weights = precision_in(cells, "weight_precision", Precision::Bf16);
  // Checkpoints in 8 and 4 bits have caches in 8 bits where nothing else is stated.
  seen.layout.cache = precision_in(
      cells, "kv_precision", width_of(seen.layout.weights) <= 1 ? Precision::Fp8 : Precision::Bf16);
  seen.layout.memory_share = loaded_memory_share;
  seen.prompt = cells.needed_positive("input_len");
  seen.response = cells.needed_positive("output_len");
  seen.sequences = cells.positive("concurrency").value_or(0);
  seen.requests = cells.positive("num_prompts").value_or(seen.sequences);
  if (seen.requests <= 0) cells.fail("num_prompts", "is empty, and so is concurrency");
  if (const auto latency = cells.positive("tpot_ms")) {
    seen.is_latency = true;
    seen.measured = *latency / 1e3;
  } else if (const auto total = cells.positive("latency_s"); total && seen.sequences > 0) {
    seen.is_latency = true;
    seen.measured = *total / seen.response;
  } else {
    seen.measured = cells.needed_positive("out_tok_per_s_per_gpu");
  }
  return seen;
}

}  // namespace

std::vector<DecodeRow> read_decode_rows(const std::filesystem::path& file,
                                        const std::filesystem::path& configs, Library& library) {
  const CsvTable table = CsvTable::read(file);
  std::vector<DecodeRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const CsvRow cells(table, i);
    DecodeRow row{.id = cells.needed_text("id"),
                  .engine = cells.text("engine"),
                  .model = cells.text("model"),
                  .chip = cells.text("chip")};
    try {
      row.accelerators = cells.needed_count("gpus");
      row.seen = observation(cells, configs, library);
      if (Engine(row.seen->decoder, row.seen->cluster, row.seen->layout, {})
              .sequences(row.seen->prompt) < 1)
        row.left_out = "the memory as computed holds no sequence";
    } catch (const InputError& error) {
      row.left_out = error.what();
    }
    if (!row.left_out.empty()) row.seen.reset();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace evidence
}  // namespace tofn
