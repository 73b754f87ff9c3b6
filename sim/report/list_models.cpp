#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Count such as `8.03 B` or `25.56 M`.
std::string short_count(double count) {
  return count >= 1e9 ? fmt::format("{:.4g} B", count / 1e9) : fmt::format("{:.4g} M", count / 1e6);
}

}  // namespace

Listing list_models(std::span<const Model> models) {
  const TableColumns<Model> columns{
      {"name", &Model::name, left("model"), "name in files and options"},
      {"title", &Model::title, "a line for people"},
      {"parameters", [](const Model& m) { return static_cast<long long>(parameters(m)); },
       right("parameters", short_count), "parameters of the network"},
      {"trainable_parameters",
       [](const Model& m) { return static_cast<long long>(trainable_parameters(m)); },
       right("trainable", short_count), "parameters of the network that train"},
      {"tokens",
       [](const Model& m) {
         return m.sequence_length > 0 ? std::optional<long long>(m.sequence_length) : std::nullopt;
       },
       right("tokens")},
      {"precision", &Model::precision},
      {"flops_per_sample", [](const Model& m) { return model_flops(m).base(); },
       right("FLOP a sample", [](const Model& m) { return to_text(model_flops(m)); }),
       "FLOPs of a sample, forward and backward"},
      TableColumn<Model>(right("precision", [](const Model& m) { return to_text(m.precision); })),
      {"source", &Model::source, "source of the figure or of the row"}};
  return listing_of(columns, models);
}

}  // namespace report
}  // namespace tofn
