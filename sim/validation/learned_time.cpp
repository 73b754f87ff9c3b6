#include "sim/validation/learned_time.hpp"

#include <algorithm>
#include <cmath>

#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace validation {
namespace {

/// Family name that no table has.
const std::string no_family = "of no family";

std::string named(const LinkFamily& family) {
  return family.name.empty() ? no_family : family.name;
}

}  // namespace

Interval LearnedTime::around(Seconds centre) const {
  const Seconds possible = std::min(least, centre);
  return {std::max(centre * std::exp(-reach), possible).base(), centre.base() * std::exp(reach)};
}

LearnedTime learned_time(const LinkFit& fit, const Cluster& machine, const Communicator& nominal,
                         CollectiveKind kind, Bytes size, bool system_is_known) {
  CollectiveTable table;
  table.collective = kind;
  const LinkTable request{.table = &table,
                          .nominal = nominal,
                          .scale_up = named(machine.scale_up.family),
                          .network = machine.network ? named(machine.network->family) : "",
                          .system = machine.machine};
  const LinkPosterior posterior =
      fit.posterior(request, system_is_known, [](const LinkTable&) { return true; });
  const auto is_own = [&](const LinkTable& each) {
    return system_is_known && are_related(each, request);
  };
  const auto own = std::ranges::count_if(fit.tables(), is_own);
  return {.time = Seconds(std::exp(log_time(kind, size, nominal, posterior.mean))),
          .reach = reach_of(request, posterior, size),
          .tables = static_cast<int>(own),
          .machine = machine.machine};
}

}  // namespace validation
}  // namespace tofn
