// Experts of a model from the keys of its file, and the layers that have none.
#include <algorithm>

#include <fmt/format.h>

#include "sim/config/hugging_face/hugging_face_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr std::string_view idle_without_experts =
    "num_experts_per_tok num_experts_per_token experts_per_token top_k_experts moe_top_k moe_k "
    "moe_intermediate_size "
    "n_shared_experts num_shared_experts moe_num_shared_experts shared_expert_intermediate_size "
    "moe_shared_expert_intermediate_size moe_latent_size n_group topk_group first_k_dense_replace "
    "moe_layer_start_index decoder_sparse_step moe_layer_freq interleave_moe_layer_step "
    "moe_layer_interval mlp_only_layers";

}  // namespace

void HuggingFaceReader::read_expert_groups() {
  const int groups = keys_.count({"n_group", "num_expert_group"}, 1);
  const int chosen = keys_.count({"topk_group"}, groups);
  if (groups <= 1) return;
  if (layers_.experts % groups != 0 || chosen < 1 || chosen > groups ||
      layers_.experts / groups * chosen < layers_.experts_per_token)
    keys_.fail(fmt::format("{} experts a token in {} of {} groups of {} experts",
                           layers_.experts_per_token, chosen, groups, layers_.experts));
  layers_.expert_groups = groups;
  layers_.groups_per_token = chosen;
}

void HuggingFaceReader::read_experts() {
  const HuggingFaceKeys::Names names{"num_local_experts", "num_experts", "n_routed_experts",
                                     "moe_num_experts"};
  if (of_.needs_experts) keys_.dimension(names);
  if (keys_.count(names) == 0) return keys_.pass_over(idle_without_experts);
  layers_.experts = keys_.dimension(names);
  layers_.experts_per_token =
      keys_.dimension({"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                       "top_k_experts", "moe_top_k", "moe_k"});
  if (layers_.experts_per_token > layers_.experts)
    keys_.fail(fmt::format("{} experts a token of {}", layers_.experts_per_token, layers_.experts));
  read_expert_groups();
  layers_.feed_forward =
      keys_.optional_dimension({"moe_intermediate_size"}).value_or(layers_.feed_forward);
  const int shared = keys_.count(
      {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, of_.shared_experts);
  if (1.0 * shared * layers_.feed_forward > 1e9)
    keys_.fail(fmt::format("{} shared experts are too wide", shared));
  const HuggingFaceKeys::Names widths{"shared_expert_intermediate_size",
                                      "moe_shared_expert_intermediate_size",
                                      "shared_intermediate_size"};
  layers_.shared_feed_forward =
      keys_.count(widths) > 0 ? keys_.dimension(widths) : shared * layers_.feed_forward;
  if (of_.dense_beside_experts) layers_.shared_feed_forward = dense_width_;
  layers_.expert_latent = keys_.optional_dimension({"moe_latent_size"}).value_or(0);
}

/// Number of layers without experts from a list of 0 or 1 for each layer.
int HuggingFaceReader::listed_dense_layers(const YamlNode& list) {
  std::vector<int> has;
  list.read(has);
  if (has.size() != static_cast<std::size_t>(layers_.count))
    list.fail(fmt::format("names {} layers of {}", has.size(), layers_.count));
  const auto dense = std::ranges::count(has, 0);
  if (std::any_of(has.begin(), has.begin() + dense, [](int one) { return one != 0; }))
    say("the {} layers without experts are taken to come first", dense);
  return static_cast<int>(dense);
}

/// Number of layers without experts in a mixture: the first ones, all but every n-th, or listed
/// ones.
int HuggingFaceReader::dense_layers() {
  if (layers_.experts == 1) return 0;
  if (const auto list = keys_.find({"moe_layer_freq"}); list && list->is_list())
    return listed_dense_layers(*list);
  const int first = keys_.count({"first_k_dense_replace", "moe_layer_start_index"});
  const int every = keys_
                        .optional_dimension({"decoder_sparse_step", "moe_layer_freq",
                                             "interleave_moe_layer_step", "moe_layer_interval"})
                        .value_or(1);
  std::vector<int> named;
  if (const auto node = keys_.find({"mlp_only_layers"})) node->read(named);
  int dense = 0;
  for (int i = 0; i < layers_.count; ++i) {
    const bool is_named = std::ranges::find(named, i) != named.end();
    const bool is_skipped = (of_.has_latent ? i : i + 1) % every != 0;
    if (i < first || is_named || is_skipped) ++dense;
  }
  if (dense > first) say("the {} layers without experts are taken to come first", dense);
  return dense;
}

}  // namespace config
}  // namespace tofn
