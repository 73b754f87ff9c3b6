#pragma once

#include <optional>
#include <vector>

#include "sim/config/load_run.hpp"

// The batch of a run whose batch nobody said.

namespace tofn {
inline namespace answers {

/// Tokens of a step where nobody says how much is trained: what most models of 7 to 200 billion
/// parameters took (assumed of others).
inline constexpr double default_batch_tokens = 4e6;

/// What a run takes for a loss by its critical batch: stated, else by the law of language models;
/// absent: it is not known.
std::optional<Amount> critical_batch(const RunFile&);

/// What runs of so many tokens are usually trained at: the largest power of two samples that are no
/// more than a tenth of the critical batch, so that its price is up to 9 %. Published: 3.2M tokens
/// of 28M (GPT-3, arXiv 2005.14165), 2M of 22M (OPT-175B, arXiv 2205.01068), 4M of 69M (Llama 2,
/// arXiv 2307.09288), 16M of 182M (Llama 3.1 405B, arXiv 2407.21783), 63M of 178M (DeepSeek-V3,
/// arXiv 2412.19437). Of texts whose critical batch is known; else `default_batch_tokens`.
double default_batch(const RunFile&);

/// The critical batch in samples; absent: it is not known.
std::optional<double> critical_samples(const RunFile&);

/// Multiples of `accelerators`, of half of them, ..., the first that are near a batch: replicas
/// share them evenly. The nearest, then the one whose shares halve most often where that is
/// another: more micro-batches and fewer replicas divide it.
std::vector<double> even_batches(double batch, int accelerators);

/// The run at another batch than its own.
RunFile at_batch(RunFile, double batch);
/// With the samples that reach the loss of its own at its usual batch; never fewer. Tokens (where
/// samples are no texts: these) are rounded to four digits, as they are printed.
RunFile to_same_loss(RunFile, double batch);

}  // namespace answers
}  // namespace tofn
