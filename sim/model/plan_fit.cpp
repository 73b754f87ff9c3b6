#include "sim/model/plan_fit.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/model/part_work.hpp"

namespace tofn {
inline namespace model {

void require(bool holds, const Model& model, std::string_view rule) {
  if (!holds) throw InputError(fmt::format("model {}: {}", model.name, rule));
}

void require_divides(std::string_view size_name, double size, std::string_view name, double whole,
                     const Model& model) {
  if (std::fmod(whole, size) == 0) return;  // a search calls this often
  require(
      false, model,
      fmt::format("{} must divide the {}: {} does not divide {}", size_name, name, size, whole));
}

namespace {

void check_image_model(const Model& model, const Plan& plan) {
  const auto require_one = [&](std::string_view name, int size) {
    require(size == 1, model,
            fmt::format("{} must be 1: convolutions and image transformers are whole on each rank",
                        name));
  };
  require_one("tp", plan.tensor_parallel_size);
  require_one("cp", plan.context_parallel_size);
  require_one("ep", plan.expert_parallel_size);
  require(plan.pipeline_parallel_size == 1, model,
          "pp must be 1: skip connections of image models would cross stages");
}

}  // namespace

void check_plan_fits(const Model& model, const Plan& plan) {
  bool splits = false;
  bool has_experts = false;
  bool attends = false;
  for (const ModelPart& part : model.parts) {
    std::visit([&](const auto& shape) { check_fit(shape, model, plan); }, part.shape);
    const PartTraits traits = part.traits();
    splits = splits || traits.splits();
    has_experts = has_experts || traits.experts > 1;
    attends = attends || traits.attends;
  }
  if (!splits) check_image_model(model, plan);
  require(!splits || has_experts || plan.expert_parallel_size == 1, model,
          "ep > 1 needs a mixture of experts");
  require(has_experts || !plan.whole_experts, model, "whole experts need a mixture of experts");
  const bool is_of_core = recomputes(plan, RecomputeModule::CoreAttention);
  require(attends || !is_of_core, model,
          "selective recomputation is of attention, which the model lacks");
}

}  // namespace model
}  // namespace tofn
