#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// `8.03 B`, `25.56 M`
std::string short_count(double count) {
  return count >= 1e9 ? fmt::format("{:.4g} B", count / 1e9) : fmt::format("{:.4g} M", count / 1e6);
}

Columns<Model> model_columns() {
  return {{"name", &Model::name},
          {"title", &Model::title},
          {"parameters", [](const Model& m) { return static_cast<long long>(parameters(m)); }},
          {"trainable_parameters",
           [](const Model& m) { return static_cast<long long>(trainable_parameters(m)); }},
          {"tokens",
           [](const Model& m) {
             const bool has_tokens = m.sequence_length > 0;
             return has_tokens ? std::optional(static_cast<long long>(m.sequence_length))
                               : std::nullopt;
           }},
          {"precision", &Model::precision},
          {"flops_per_sample", [](const Model& m) { return model_flops(m).base(); }},
          {"source", &Model::source}};
}

}  // namespace

Listing list_models(std::span<const Model> models) {
  TextTable table({{"model", Align::Left},
                   {"parameters"},
                   {"trainable"},
                   {"tokens"},
                   {"FLOP a sample"},
                   {"precision"}});
  for (const Model& model : models)
    table.add({model.name, short_count(parameters(model)), short_count(trainable_parameters(model)),
               model.sequence_length > 0 ? fmt::format("{}", model.sequence_length) : "-",
               to_text(model_flops(model)), std::string(to_text(model.precision))});
  return {.text = table.render(), .records = records_of(model_columns(), models)};
}

}  // namespace report
}  // namespace tofn
