#include "sim/answers/tuner_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr double least_gain = 0.1;  // that is worth a measurement

/// An algorithm that tables of all-reduces measured beside rings, on that many scale-up domains.
struct BesideRings {
  std::string_view name;
  int domains;
};
/// Algorithms in tests/validation/data/collective_algorithms.csv.
constexpr std::array beside_rings{BesideRings{"ring", 1}, BesideRings{"tree", 1},
                                  BesideRings{"tree", 2}, BesideRings{"in-switch", 1},
                                  BesideRings{"in-switch tree", 2}};

/// True if a table measured both algorithms on as many domains.
bool are_measured(const Algorithm& one, const Algorithm& other, const Communicator& c) {
  if (one.collective != CollectiveKind::AllReduce) return false;
  if (one.name != "ring" && other.name != "ring") return false;
  const std::string_view beside = one.name == "ring" ? other.name : one.name;
  return std::ranges::any_of(beside_rings, [&](const BesideRings& each) {
    return each.name == beside && each.domains == c.domains;
  });
}

/// Fastest of the algorithms that NCCL may run, by formulas with these ramps.
const Algorithm& fastest_of_nccl(CollectiveKind kind, Bytes payload, const Communicator& c,
                                 const Ramps& ramps) {
  Communicator unforced = c;
  unforced.all_reduce = {};
  return chosen_algorithm(kind, payload, unforced, false, ramps);
}

/// Row of the sizes from one sample up to the next one, with the algorithms of the first.
TunerRow row_at(CollectiveKind kind, Bytes size, Bytes next, const Communicator& c) {
  const Algorithm& best = fastest_of_nccl(kind, size, c, fitted_ramps());
  const Algorithm& choice = tuner_choice(kind, size, c);
  const TunerGain gain = gain_over(best, choice, size, c);
  return {kind, size, next - Bytes{1}, &best, &choice, gain, gain};
}

bool continues(const TunerRow& row, const TunerRow& next) {
  return row.kind == next.kind && row.algorithm == next.algorithm && row.choice == next.choice &&
         next.from == row.to + Bytes{1};
}

/// Adds the row of the next size, to the last row if that has the same algorithms.
void add_size(std::vector<TunerRow>& rows, const TunerRow& next) {
  if (rows.empty() || !continues(rows.back(), next)) {
    rows.push_back(next);
    return;
  }
  TunerRow& row = rows.back();
  row.to = next.to;
  if (next.least.expected < row.least.expected) row.least = next.least;
  if (next.most.expected > row.most.expected) row.most = next.most;
}

void add_kind(TunerAnswer& answer, CollectiveKind kind) {
  constexpr int steps_of_octave = 16;
  constexpr int octaves = 31;  // from 8 B to 16 GiB
  const auto sample = [](int i) {
    return Bytes{std::round(8 * std::exp2(1.0 * i / steps_of_octave))};
  };
  for (int i = 0; i <= octaves * steps_of_octave; ++i) {
    if (sample(i) == sample(i + 1)) continue;  // so few bytes
    const TunerRow row = row_at(kind, sample(i), sample(i + 1), answer.request.communicator);
    if (row.least.expected >= least_gain)
      add_size(row.least.is_sure() ? answer.sure : answer.unsure, row);
  }
}

}  // namespace

TunerGain gain_over(const Algorithm& one, const Algorithm& other, Bytes payload,
                    const Communicator& c) {
  const double ratio =
      other.time(payload, c, fitted_ramps()) / one.time(payload, c, fitted_ramps());
  TunerGain gain{.expected = ratio - 1};
  const double reach = std::exp(ninety_percent_deviations * tuner_deviation);
  if (are_measured(one, other, c)) gain.range = {ratio / reach - 1, ratio * reach - 1};
  return gain;
}

const Algorithm& tuner_choice(CollectiveKind kind, Bytes payload, const Communicator& c) {
  return fastest_of_nccl(kind, payload, c, Ramps{});
}

TunerAnswer tuner_answer(const TunerRequest& request) {
  if (request.communicator.library != CollectiveLibrary::Nccl)
    throw InputError(
        {}, "--emit",
        "nccl-tuner is for clusters that run NCCL, which " + request.cluster + " does not");
  TunerAnswer answer{.request = request, .sure = {}, .unsure = {}};
  std::vector<std::string> names;
  for (const CollectiveKind kind : {CollectiveKind::AllReduce, CollectiveKind::AllGather,
                                    CollectiveKind::ReduceScatter, CollectiveKind::Broadcast}) {
    names.emplace_back(name_of(kind));
    if (!request.kind || *request.kind == kind) add_kind(answer, kind);
  }
  if (request.kind && std::ranges::find(names, name_of(*request.kind)) == names.end())
    throw InputError({}, "--collective",
                     fmt::format("NCCL has no choice of algorithm for {}, which --emit nccl-tuner "
                                 "needs: expected {}",
                                 name_of(*request.kind), list_text(names, "or")));
  return answer;
}

}  // namespace answers
}  // namespace tofn
