#include "sim/answers/link_families_answer.hpp"

#include <algorithm>
#include <cmath>

#include "sim/evidence/knowledge.hpp"

namespace tofn {
inline namespace answers {

std::vector<LinkFamily> relearned_families(const std::filesystem::path& configs) {
  Library library = Library::load(configs);
  const Knowledge knowledge = knowledge_of(library, configs, {});
  const LinkFit fit(link_tables(knowledge), shipped_spreads());
  std::vector<LinkFamily> families(library.link_families().begin(), library.link_families().end());
  for (LinkFamily& family : families) {
    const bool is_inside = family.tier == LinkTier::ScaleUp;
    const LinkEffects effects =
        fit.of_families(is_inside ? family.name : "", is_inside ? "" : family.name,
                        [](const LinkTable&) { return true; })
            .of_links();
    const auto factor = [&](LinkEffect inside, LinkEffect between) {
      return std::exp(effects[static_cast<std::size_t>(is_inside ? inside : between)]);
    };
    family.latency_factor = factor(LinkEffect::ScaleUpLatency, LinkEffect::NetworkLatency);
    family.bandwidth_factor = factor(LinkEffect::ScaleUpBandwidth, LinkEffect::NetworkBandwidth);
    family.filling_factor = factor(LinkEffect::ScaleUpFilling, LinkEffect::NetworkFilling);
    const auto taught = std::ranges::count_if(fit.tables(), [&](const LinkTable& table) {
      return is_inside ? table.scale_up == family.name
                       : table.network == family.name && !table.nominal.one_domain();
    });
    family.tables = static_cast<int>(taught);
  }
  return families;
}

}  // namespace answers
}  // namespace tofn
