#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {

Listing list_architectures(std::span<const HuggingFaceType> types) {
  const TableColumns<HuggingFaceType> columns{
      {"model_type", &HuggingFaceType::name, left("model_type"),
       "kind of model that a config.json states"},
      {"layers_of", &HuggingFaceType::of, left("layers of"), "model_type whose layers it has"}};
  return listing_of(columns, types,
                    "a config.json of another model_type is refused with a model file begun\n");
}

}  // namespace report
}  // namespace tofn
