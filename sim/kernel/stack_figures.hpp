#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "sim/kernel/kernel_profile.hpp"

// The figures of a software stack that are fitted to measured steps, a row each: files, fits and
// intervals walk these.

namespace tofn {
inline namespace kernel {

/// A figure with its prior, before any step is known: the default value, and standard deviations of
/// its logarithm: of the mean of all stacks about the default, of families of stacks about that
/// mean, and of stacks about their family.
struct StackFigure {
  std::string_view key;
  double typical;
  double all;
  double family;
  double stack;
  double most;  ///< upper bound of a stack's figure; a fit may pass it on its way
  double (*value)(const KernelProfile&);
  void (*set)(KernelProfile&, double value);
  /// Factors on one architecture: the architecture, and the index of the figure that they multiply.
  std::optional<Architecture> on{};
  std::size_t of = 0;
  bool is_time = false;      ///< in seconds; the others are shares and factors
  bool of_mixtures = false;  ///< fitted only to steps of models with experts
  bool of_some = false;      ///< acts on kernels that many steps lack, whose time it leaves alone
};

constexpr StackFigure of_mixtures(StackFigure figure) {
  figure.of_mixtures = true;
  return figure;
}
constexpr StackFigure of_some(StackFigure figure) {
  figure.of_some = true;
  return figure;
}

template <auto member>
double stack_figure_value(const KernelProfile& profile) {
  const auto& value = (profile.*member).value;
  if constexpr (requires { value.base(); })
    return value.base();
  else
    return value;
}

template <auto member>
void set_stack_figure(KernelProfile& profile, double value) {
  auto& figure = profile.*member;
  // A step can lose at most all that is overlapped; other bounds are those of the fit.
  if constexpr (requires { requires member == &KernelProfile::overlap_slowdown; })
    figure.value = std::min(1.0, value);
  else
    figure.value = decltype(figure.value){value};
}

template <auto member>
constexpr StackFigure stack_figure(std::string_view key, double typical, double all, double family,
                                   double stack,
                                   double most = std::numeric_limits<double>::infinity()) {
  StackFigure figure{key,
                     typical,
                     all,
                     family,
                     stack,
                     most,
                     &stack_figure_value<member>,
                     &set_stack_figure<member>};
  figure.is_time = requires(KernelProfile & profile) { (profile.*member).value.base(); };
  return figure;
}

/// Indices in `stack_figures` of the figures that have factors by architecture.
inline constexpr std::size_t products_figure = 0;
inline constexpr std::size_t attention_figure = 6;
/// Index of the loss in narrow formats.
inline constexpr std::size_t fp8_figure = 1;

template <auto factors, Architecture on>
constexpr StackFigure figure_on(std::string_view key, std::size_t of, double all, double stack) {
  constexpr auto index = static_cast<std::size_t>(on);
  return {key,
          1,
          all,
          0,
          stack,
          std::numeric_limits<double>::infinity(),
          [](const KernelProfile& profile) { return (profile.*factors)[index]; },
          [](KernelProfile& profile, double value) { (profile.*factors)[index] = value; },
          on,
          of};
}
template <Architecture on>
constexpr StackFigure products_on(std::string_view key, double all, double stack) {
  return figure_on<&KernelProfile::product_factors, on>(key, products_figure, all, stack);
}
template <Architecture on>
constexpr StackFigure attention_on(std::string_view key, double all, double stack) {
  return figure_on<&KernelProfile::attention_factors, on>(key, attention_figure, all, stack);
}

/// Default values are assumed, with two exceptions. That of products is what other chips' best
/// products reach of a datasheet's rate. That of unaligned linear layers is from nanoGPT, whose
/// steps took a fifth less with a vocabulary of 50304 instead of 50257 (its author, A. Karpathy, 3
/// February 2023: "~25 % speedup"), so that its output layer was 2.9 times as fast. The mean of all
/// stacks stays near that; one stack may be twice as slow or fast (assumed). Experts: grouped
/// products of 1,024 rows an expert reach 617 of H100's 989 TFLOP/s
/// (github.com/ai-dynamo/aiconfigurator@095f58a, systems/data, moe: 16,384 tokens of 4096, 32
/// experts of 1536, 2.005 ms), about as much as dense ones. The other deviations were chosen by
/// cross-validation inside the shipped steps. Ampere is the reference of the other architectures.
inline constexpr std::array stack_figures{
    stack_figure<&KernelProfile::gemm_efficiency>("gemm_efficiency", 0.84, 0.15, 0.11, 0.07, 1),
    of_some(stack_figure<&KernelProfile::fp8_efficiency>("fp8_efficiency", 0.92, 0.30, 0.15, 0.15)),
    of_some(
        stack_figure<&KernelProfile::misaligned_factor>("misaligned_factor", 1.3, 0.15, 0, 0.05)),
    of_some(stack_figure<&KernelProfile::unaligned_factor>("unaligned_factor", 2.9, 0.12, 0, 0.80)),
    of_some(stack_figure<&KernelProfile::unaligned_heads_factor>("unaligned_heads_factor", 2, 0.60,
                                                                 0.10, 0.07)),
    of_mixtures(
        stack_figure<&KernelProfile::mixture_factor>("mixture_factor", 1.1, 0.12, 0.15, 0.25)),
    stack_figure<&KernelProfile::fused_attention_efficiency>("fused_attention_efficiency", 0.65,
                                                             0.30, 0.20, 0.20, 1),
    stack_figure<&KernelProfile::traffic_factor>("traffic_factor", 1, 0.30, 0.25, 0.20),
    stack_figure<&KernelProfile::kernel_start>("kernel_start", 8e-6, 0.30, 0.60, 0.60),
    stack_figure<&KernelProfile::overlap_slowdown>("overlap_slowdown", 0.10, 0.70, 0.40, 0.40, 1),
    of_some(stack_figure<&KernelProfile::quantise_bytes>("quantise_bytes", 5, 0.30, 0.20, 0.30)),
    stack_figure<&KernelProfile::host_per_kernel>("host_per_kernel", 14e-6, 0.20, 0.40, 0.60),
    of_mixtures(
        stack_figure<&KernelProfile::mixture_launches>("mixture_launches", 2.5, 0.6, 0.4, 0.5)),
    of_mixtures(stack_figure<&KernelProfile::expert_exchange_factor>("expert_exchange_factor", 1,
                                                                     0.4, 0.25, 0.25)),
    of_some(stack_figure<&KernelProfile::eager_factor>("eager_factor", 2, 0.30, 0.10, 0.10)),
    products_on<Architecture::Other>("other_products", 0.12, 0.05),
    products_on<Architecture::Volta>("volta_products", 0.12, 0.05),
    products_on<Architecture::Hopper>("hopper_products", 0.05, 0.05),
    products_on<Architecture::Blackwell>("blackwell_products", 0.12, 0.05),
    products_on<Architecture::Tpu>("tpu_products", 0.12, 0.05),
    attention_on<Architecture::Other>("other_attention", 0.30, 0.10),
    attention_on<Architecture::Hopper>("hopper_attention", 0.20, 0.20),
    attention_on<Architecture::Blackwell>("blackwell_attention", 0.20, 0.20),
    attention_on<Architecture::Tpu>("tpu_attention", 0.30, 0.10)};
static_assert(stack_figures[products_figure].key == "gemm_efficiency" &&
              stack_figures[fp8_figure].key == "fp8_efficiency" &&
              stack_figures[attention_figure].key == "fused_attention_efficiency");

/// Standard deviation of the logarithm of a figure, by its place in `stack_figures`; absent if no
/// step was used in the stack's fit.
inline std::optional<double> deviation_of(const KernelProfile& stack, std::size_t figure) {
  const auto& covariance = stack.uncertainty.covariance;
  if (covariance.empty()) return {};
  return std::sqrt(std::max(0.0, covariance[figure * (stack_figures.size() + 1)]));
}

/// Standard deviations of the logarithm of a step's time, beside all figures: of a chip with any
/// software, and of a stack on a chip.
inline constexpr double chip_deviation = 0.04;
inline constexpr double stack_on_die_deviation = 0.053;
inline constexpr double stack_on_chip_deviation = 0.053;
/// Deviations of chip and stack for models with experts, whose hosts, graphs and kernel releases
/// differ by chip.
inline constexpr double mixture_chip_deviation = 0.15;
inline constexpr double mixture_on_chip_deviation = 0.25;

}  // namespace kernel
}  // namespace tofn
