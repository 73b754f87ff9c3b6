#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/run_rows.hpp"
#include "sim/cluster/precision_words.hpp"
#include "sim/core/count_text.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Typical values of language models, for tables that do not state them.
constexpr int head_size = 128;
constexpr double default_vocabulary = 50304;
constexpr double default_sequence = 2048;

/// Layers of 12 h^2 parameters each, for a model with as many heads of 128 as layers, which is the
/// shape of most models.
int default_layers(double parameters) {
  return std::max(
      1, static_cast<int>(std::lround(std::cbrt(parameters / 12 / (head_size * head_size)))));
}

}  // namespace

double RunsRow::needed(std::string_view column) const {
  if (const auto number = positive(column)) return *number;
  throw InputError(fmt::format("{} is not stated", column));
}

double RunsRow::assume(std::string_view column, double value) {
  if (const auto number = positive(column)) return *number;
  assumed_.push_back(fmt::format("{} {}", column, count_text(value, 4)));
  return value;
}

Model model_of_run(RunsRow& row) {
  const double all = row.needed("parameters_total");
  const int layers = static_cast<int>(row.assume("layers", default_layers(all)));
  const int hidden = static_cast<int>(
      row.assume("hidden", head_size * std::round(std::sqrt(all / 12 / layers) / head_size)));
  const int heads = static_cast<int>(row.assume("heads", std::max(1, hidden / head_size)));
  const bool gated = row.text("gated_mlp") == "1";
  TransformerLayers shape{
      .count = layers,
      .hidden = hidden,
      .feed_forward = static_cast<int>(
          row.assume("feed_forward", std::round((gated ? 8.0 / 3 : 4.0) * hidden))),
      .heads = heads,
      .key_value_heads = static_cast<int>(row.positive("kv_heads").value_or(heads)),
      .head_size = static_cast<int>(row.positive("head_dim").value_or(hidden / heads)),
      .gated = gated,
      .biases = false,
      .rotary = true};
  Model model;
  model.name = row.text("run");
  model.sequence_length = row.assume("sequence_length", default_sequence);
  model.precision = precision_of(row).value_or(NamedPrecision{}).precision;
  model.parts = {
      {.name = "vocabulary",
       .shape = Vocabulary{.size = static_cast<int>(row.assume("vocabulary", default_vocabulary)),
                           .hidden = hidden,
                           .tied = row.text("tied_embeddings") == "1",
                           .biases = false}},
      {.name = "layer", .shape = shape}};
  return model;
}

void check_parameters(const CsvTable& table, std::size_t index) {
  constexpr double most =
      1.5;  // GPT-2 124M, not said to tie its embeddings, makes 1.31 times its stated number
  std::vector<std::string> assumed;
  RunsRow row(table, index, assumed);
  const auto stated = row.positive("parameters_total");
  const auto layers = row.positive("layers");
  const auto hidden = row.positive("hidden");
  if (!stated || !layers || !hidden) return;
  const double made = parameters(model_of_run(row));
  if (made <= most * *stated && *stated <= most * made) return;
  row.fail("parameters_total",
           fmt::format("is {}, but {:g} layers of {:g} make {}", count_text(*stated, 4), *layers,
                       *hidden, count_text(made, 4)));
}

}  // namespace answers
}  // namespace tofn
