#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// Parts of a layer whose forward pass selective recomputation runs again, by the names of
/// Megatron-LM's `--recompute-modules` (megatron/core/transformer/moe/README.md): the attention
/// core, the products from latent rows to heads, norms, the MLP of dense layers, all of a layer's
/// experts with their exchanges, the activation function of experts, and shared experts.
enum class RecomputeModule {
  CoreAttention,
  LatentUpProjection,
  LayerNorm,
  Mlp,
  Experts,
  ExpertActivation,
  SharedExperts
};
inline constexpr std::array<std::pair<std::string_view, RecomputeModule>, 7> recompute_module_names{
    {{"core_attn", RecomputeModule::CoreAttention},
     {"mla_up_proj", RecomputeModule::LatentUpProjection},
     {"layernorm", RecomputeModule::LayerNorm},
     {"mlp", RecomputeModule::Mlp},
     {"moe", RecomputeModule::Experts},
     {"moe_act", RecomputeModule::ExpertActivation},
     {"shared_experts", RecomputeModule::SharedExperts}}};
constexpr const auto& names_of(RecomputeModule) { return recompute_module_names; }

/// A set of modules; empty: the stack's default.
class RecomputeModules {
 public:
  constexpr RecomputeModules() = default;
  constexpr RecomputeModules(std::initializer_list<RecomputeModule> modules) {
    for (const RecomputeModule each : modules) insert(each);
  }

  constexpr void insert(RecomputeModule module) { bits_ |= 1U << static_cast<unsigned>(module); }
  constexpr bool has(RecomputeModule module) const {
    return (bits_ >> static_cast<unsigned>(module)) % 2 == 1;
  }
  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr unsigned bits() const { return bits_; }
  friend constexpr bool operator==(const RecomputeModules&, const RecomputeModules&) = default;

 private:
  unsigned bits_ = 0;
};

/// Text such as `layernorm,moe_act`.
std::string to_text(RecomputeModules);

/// Reads a set from names with commas or blanks between them. InputError with the valid names if
/// one is unknown.
RecomputeModules recompute_modules(std::string_view text);

}  // namespace parallelism
}  // namespace tofn
