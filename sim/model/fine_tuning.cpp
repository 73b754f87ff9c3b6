#include "sim/model/fine_tuning.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Pairs of targets that overlap, because the second is part of the first's product.
constexpr std::array<std::pair<LoraTarget, LoraTarget>, 5> overlapping{
    {{LoraTarget::QueryKeyValue, LoraTarget::Query},
     {LoraTarget::QueryKeyValue, LoraTarget::Key},
     {LoraTarget::QueryKeyValue, LoraTarget::Value},
     {LoraTarget::GateUp, LoraTarget::Gate},
     {LoraTarget::GateUp, LoraTarget::Up}}};

bool has(const std::vector<LoraTarget>& targets, LoraTarget wanted) {
  return std::ranges::find(targets, wanted) != targets.end();
}

/// Pointer to the part's `frozen` member; null if the part can only train as a whole.
bool* frozen_of(ModelPart& part) {
  return std::visit(
      [](auto& shape) -> bool* {
        if constexpr (requires { shape.frozen; })
          return &shape.frozen;
        else
          return nullptr;
      },
      part.shape);
}

/// Calls `act` on the part's shape if its products may have adapters.
template <class Part, class Act>
void with_adapters(Part& part, const Act& act) {
  std::visit(
      [&](auto& shape) {
        if constexpr (requires { shape.lora_rank; }) act(shape);
      },
      part.shape);
}

void add_adapters(Model& model, const FineTuning& request) {
  bool has_layers = false;
  for (ModelPart& part : model.parts) {
    bool* frozen = frozen_of(part);
    if (frozen == nullptr)
      throw InputError({}, "--lora-rank", "is of texts: image transformers train whole");
    *frozen = true;
    with_adapters(part, [&](auto& layers) {
      has_layers = true;
      layers.lora_rank = request.lora_rank;
      if (!request.lora_targets.empty()) layers.lora_targets = request.lora_targets;
      if (const std::string clash = clash_of(layers); !clash.empty())
        throw InputError({}, "--lora-targets", clash);
    });
  }
  if (!has_layers)
    throw InputError({}, "--lora-rank",
                     fmt::format("needs transformer layers, which {} lacks", model.name));
}

/// Splits `transformer:16` into a part's name and a number of layers; 0 layers: all.
std::pair<std::string, int> requested_part(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, 0};
  long long count = 0;
  if (!parse_integer(text.substr(colon + 1), count) || count < 1 || count > 100'000)
    throw InputError({}, "--freeze",
                     fmt::format("expected PART or PART:LAYERS, e.g. vocabulary or transformer:16, "
                                 "got '{}'",
                                 shortened(text)));
  return {text.substr(0, colon), static_cast<int>(count)};
}

void set_layers(ModelPart& part, int count) {
  std::visit(
      [&](auto& shape) {
        if constexpr (requires { shape.count; }) shape.count = count;
      },
      part.shape);
}

/// Leaves `count` of the part's layers in it and moves the rest to a new part behind it.
void split_layers(Model& model, std::size_t index, int count) {
  ModelPart rest = model.parts[index];
  set_layers(rest, rest.traits().layers - count);
  set_layers(model.parts[index], count);
  model.parts.insert(model.parts.begin() + static_cast<std::ptrdiff_t>(index) + 1, rest);
}

/// Freezes the named parts, or their first layers if the text has a number (`transformer:16`).
void freeze_named(Model& model, const std::string& text) {
  const auto [name, count] = requested_part(text);
  std::vector<std::string> names;
  bool is_found = false;
  int frozen = 0;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const std::string& own = model.parts[i].name;
    if (std::ranges::find(names, own) == names.end()) names.push_back(own);
    if (own != name || (is_found && frozen == count && count > 0)) continue;
    is_found = true;
    if (frozen_of(model.parts[i]) == nullptr)
      throw InputError({}, "--freeze", fmt::format("'{}' cannot: it trains whole", name));
    const int layers = model.parts[i].traits().layers;
    if (count > 0 && layers == 0)
      throw InputError({}, "--freeze", fmt::format("'{}' has no layers to count", text));
    const int most = count - frozen;
    if (count > 0 && most < layers) split_layers(model, i, most);
    frozen += model.parts[i].traits().layers;
    *frozen_of(model.parts[i]) = true;
  }
  if (!is_found) throw InputError({}, "--freeze", unknown_name("part", name, names));
  if (frozen < count)
    throw InputError({}, "--freeze", fmt::format("'{}': there are {}", text, frozen));
}

std::string words_of(const Model& model, const FineTuning& request) {
  std::vector<std::string> words;
  if (request.lora_rank > 0) {
    std::vector<std::string_view> targets;
    for (const ModelPart& part : model.parts)
      with_adapters(part, [&](const auto& layers) {
        if (targets.empty())
          for (const LoraTarget target : layers.lora_targets) targets.push_back(name_of(target));
      });
    words.push_back(fmt::format("adapters of rank {} beside {}, all else frozen", request.lora_rank,
                                fmt::join(targets, ", ")));
  }
  if (!request.freeze.empty())
    words.push_back(fmt::format("{} frozen", fmt::join(request.freeze, ", ")));
  if (request.packed_length > 0)
    words.push_back(fmt::format("samples of {:g} tokens pack texts of {} each",
                                model.sequence_length, request.packed_length));
  const double all = parameters(model);
  const double trained = trainable_parameters(model);
  return fmt::format("fine-tuned, {}: {} of {} parameters train{}", fmt::join(words, ", "),
                     count_text(trained, 4), count_text(all, 4),
                     trained < all ? "; a frozen one takes 4 or 2 FLOPs a token, and not 6" : "");
}

}  // namespace

std::string clash_of(const TransformerLayers& layers) {
  for (const LoraTarget target : layers.lora_targets)
    if (std::ranges::count(layers.lora_targets, target) > 1)
      return fmt::format("names {} twice", name_of(target));
  for (const auto& [whole, part] : overlapping)
    if (has(layers.lora_targets, whole) && has(layers.lora_targets, part))
      return fmt::format("{} holds {}: leave one out", name_of(whole), name_of(part));
  if (!layers.gated && has(layers.lora_targets, LoraTarget::Gate))
    return "gate_proj is of gated layers, which these are not";
  const auto is_of_attention = [](LoraTarget target) {
    return target != LoraTarget::GateUp && target != LoraTarget::Gate && target != LoraTarget::Up &&
           target != LoraTarget::Down;
  };
  const bool adapts_attention = std::ranges::any_of(layers.lora_targets, is_of_attention);
  if (layers.latent && adapts_attention)
    return "adapters of latent attention are not modelled: name products of the MLP";
  return {};
}

Model fine_tuned(Model model, const FineTuning& request) {
  if (request == FineTuning{}) return model;
  if (!request.lora_targets.empty() && request.lora_rank == 0)
    throw InputError({}, "--lora-targets", "needs --lora-rank");
  if (request.lora_rank > 0 && !request.freeze.empty())
    throw InputError({}, "--freeze", "changes nothing beside --lora-rank, which freezes all else");
  if (request.packed_length > model.sequence_length)
    throw InputError(
        {}, "--packed-length",
        fmt::format("must be at most the {:g} tokens of a sample", model.sequence_length));
  if (request.lora_rank > 0) add_adapters(model, request);
  for (const std::string& part : request.freeze) freeze_named(model, part);
  if (request.packed_length > 0) model.packed_length = request.packed_length;
  if (trainable_parameters(model) == 0) throw InputError({}, "--freeze", "leaves nothing to train");
  model.substitutions.push_back(words_of(model, request));
  return model;
}

}  // namespace model
}  // namespace tofn
