#pragma once

#include <optional>
#include <vector>

#include "sim/config/load_run.hpp"

// Chooses the batch of a run that states none.

namespace tofn {
inline namespace answers {

/// Default tokens of a step if the amount of training is unknown: most models of 7 to 200 billion
/// parameters took about so many (assumed for others).
inline constexpr double default_batch_tokens = 4e6;

/// Critical batch of a run: the stated one, else by the law of language models; absent if unknown.
std::optional<Amount> critical_batch(const StatedRun&);

/// Default batch in samples: the largest power of two up to a tenth of the critical batch, so that
/// extra samples are at most 9 %. Published: 3.2M tokens of 28M (GPT-3, arXiv 2005.14165), 2M of
/// 22M (OPT-175B, arXiv 2205.01068), 4M of 69M (Llama 2, arXiv 2307.09288), 16M of 182M (Llama 3.1
/// 405B, arXiv 2407.21783), 63M of 178M (DeepSeek-V3, arXiv 2412.19437). It is
/// `default_batch_tokens` if the critical batch is unknown or the run is one step.
double default_batch(const StatedRun&);

/// Critical batch in samples; absent if unknown.
std::optional<double> critical_samples(const StatedRun&);

/// Batches near `batch` that replicas share evenly: multiples of `accelerators`, else of half of
/// them, and so on. The nearest comes first. A second one follows if another batch has shares that
/// halve more often, because it allows more micro-batches and fewer replicas.
std::vector<double> even_batches(double batch, int accelerators);

/// Batches near `target` that the accelerators share evenly and the stated micro-batches divide. If
/// all samples of a replica are stated, they are those of some number of replicas.
std::vector<double> batches_near(double target, const StatedPlan&, int accelerators);

/// Smallest batch from `target` on that is the odd part of the accelerators times a power of two,
/// so that it splits over any of their halvings. Absent if it is not below twice the target, or if
/// the plan states the samples of a pass.
std::optional<double> split_batch(double target, const StatedPlan&, int accelerators);

/// Returns the run with another batch.
StatedRun at_batch(StatedRun, double batch);
/// Returns the run at another batch, with the samples that reach the same loss as its own batch,
/// and never fewer. Tokens are rounded to four digits, as they are printed (samples, if they are
/// not texts).
StatedRun to_same_loss(StatedRun, double batch);

}  // namespace answers
}  // namespace tofn
