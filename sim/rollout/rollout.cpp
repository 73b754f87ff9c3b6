#include "sim/rollout/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/normal_share.hpp"
#include "sim/core/statistics.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace rollout {
namespace {

/// Mean of min(X, cap) for a log-normal X whose logarithm has this mean:
/// exp(m + s^2/2) F((ln cap - m - s^2) / s) + cap (1 - F((ln cap - m) / s)).
double cut_mean(double log_mean, double spread, double cap) {
  const double at = std::log(cap) - log_mean;
  return std::exp(log_mean + spread * spread / 2) *
             normal_share_below((at - spread * spread) / spread) +
         cap * (1 - normal_share_below(at / spread));
}

/// Mean of the logarithm that gives the mean after the cut, by bisection: `cut_mean` grows with it.
double log_mean_of(const ResponseLengths& lengths) {
  double low = std::log(lengths.mean) - lengths.spread * lengths.spread;
  double high = std::log(lengths.cap) + 20 * lengths.spread;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (cut_mean(middle, lengths.spread, lengths.cap) < lengths.mean ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Tokens of a cache that a live sequence holds on average: the prompt and half the response,
/// where sequences that live long weigh more.
double mean_live_tokens(const RolloutRequest& request) {
  constexpr double share = 0.6;
  return request.prompt + share * request.lengths.mean;
}

int held_at_once(const Engine& engine, const RolloutRequest& request) {
  const double tokens = mean_live_tokens(request);
  const double in_memory = engine.sequences(tokens);
  if (in_memory < 1) {
    const auto fewest = engine.fewest_ranks(tokens);
    throw InputError(fmt::format(
        "an engine of {} holds no sequence: weights take {:.0f} GB of each accelerator, and the "
        "engine may use {:.0f} % of its memory{}",
        counted(engine.layout().ranks, "accelerator"), engine.weights().base() / 1e9,
        100 * engine.layout().memory_share,
        fewest ? fmt::format("; an engine of {} would", counted(*fewest, "accelerator")) : ""));
  }
  return static_cast<int>(
      std::min(in_memory, 1.0 * request.most_sequences * engine.layout().sequence_ranks()));
}

/// Lengths in an order without a trend: steps through the ascending ones by the golden ratio.
std::deque<double> mixed_order(const std::vector<double>& ascending) {
  std::vector<std::pair<double, double>> keyed;
  constexpr double golden = 0.6180339887498949;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const double at = golden * static_cast<double>(i);
    keyed.emplace_back(at - std::floor(at), ascending[i]);
  }
  std::ranges::sort(keyed);
  std::deque<double> mixed;
  for (const auto& [key, length] : keyed) mixed.push_back(length);
  return mixed;
}

/// Live sequences of an engine. Ends are counted in iterations from the start.
class LiveSequences {
 public:
  bool empty() const { return ends_.empty(); }
  double count() const { return static_cast<double>(ends_.size()); }
  double next_end() const { return ends_.top(); }
  double mean_age(double now) const { return now - starts_ / count(); }
  void start(double now, double length) {
    ends_.push(now + length);
    lengths_.emplace(now + length, now);
    starts_ += now;
  }
  void end_first() {
    starts_ -= lengths_.top().second;
    lengths_.pop();
    ends_.pop();
  }

 private:
  using Ending = std::pair<double, double>;  ///< end and start
  std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> lengths_;
  double starts_ = 0;  ///< sum
};

/// Activity in one iteration; reading weights and caches counts as computing.
Activity activity_of(const IterationTimes& times) {
  return {.computing = times.weights + times.attention,
          .launching = times.overhead,
          .communicating = times.exchange,
          .idle = {}};
}

}  // namespace

std::vector<double> ResponseLengths::quantiles(int count, double drawn) const {
  constexpr double equal = 1e-3;  // closer to the cap than this, all are as long as it
  if (mean >= cap * (1 - equal) || spread <= 0)
    return std::vector<double>(static_cast<std::size_t>(count), mean);
  const double log_mean = log_mean_of(*this);
  std::vector<double> lengths;
  for (int i = 0; i < count; ++i) {
    double share = (i + 0.5) / count;
    if (i == count - 1) share = std::max(share, 1 - 0.5 / drawn);
    lengths.push_back(std::min(cap, std::exp(log_mean + spread * normal_quantile(share))));
  }
  // The quantile of a few draws is below their mean, which is the expectation of one.
  lengths.back() = std::max(lengths.back(), mean);
  return lengths;
}

RolloutTimes rollout_times(const Engine& engine, const RolloutRequest& request) {
  const int each = std::max(1, static_cast<int>(std::ceil(request.responses / request.engines)));
  const int most = held_at_once(engine, request);
  const int held = std::min(each, most);
  const std::vector<double> lengths = request.lengths.quantiles(each, request.responses);
  std::deque<double> waiting = mixed_order(lengths);
  RolloutTimes times;
  times.held = held;
  times.waves = 1.0 * each / held;
  times.longest = lengths.back();
  times.prefill = each * engine.prefill(request.prompt);
  times.activity.computing = times.prefill;
  LiveSequences live;
  double now = 0;
  const auto fill = [&] {
    while (!waiting.empty() && live.count() < held) {
      live.start(now, waiting.front());
      waiting.pop_front();
    }
  };
  fill();
  while (!live.empty()) {
    const double until = live.next_end();
    const double context = request.prompt + live.mean_age(now) + (until - now) / 2;
    const IterationTimes iteration = engine.iteration(live.count(), context);
    const Seconds spent = (until - now) * iteration.total();
    times.decode += spent;
    times.activity = times.activity + (until - now) * activity_of(iteration);
    constexpr double few = 0.1;
    if (live.count() < few * held) times.tail += spent;
    now = until;
    while (!live.empty() && live.next_end() <= now) live.end_first();
    fill();
  }
  const double full = std::min(1.0 * most, 1.0 * each * request.batches_in_flight);
  const double context = request.prompt + request.lengths.mean / 2;
  times.busy =
      times.prefill + each * request.lengths.mean / full * engine.iteration(full, context).total();
  return times;
}

}  // namespace rollout
}  // namespace tofn
