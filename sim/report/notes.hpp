#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/disclosures.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace report {

/// A labelled line, which the terminal breaks: `plan          tp 2, pp 4`.
std::string note(std::string_view label, std::string_view text);

/// The same of items between separators: `a, b, c`.
std::string listed_note(std::string_view label, const std::vector<std::string>& items,
                        std::string_view separator = ",");

/// `placement     64 of each 72 accelerators of a domain`, where a job leaves some unused.
std::string placement_text(const Plan&, const Cluster&);

/// The plan of each number of accelerators in words, a line each.
std::string plans_table(const std::vector<std::pair<int, const Plan*>>&);

/// `assumed       A100 SXM 80GB has no fp8: products run in bf16`, a line each.
std::string substitutions_text(const std::vector<std::string>& sentences);

/// Which rows of the scorecard a disclosure tells of: `steps unknown-stack, nemo`.
std::string rows_of(const Disclosure&);
/// Every disclosure, below the rows that it tells of.
std::string all_disclosures_text();

/// `in-sample     nemo: WHAT WAS CHOSEN`: what a score led somebody to choose (`disclosures`).
/// `rows`: those of them that are shown; empty: all.
std::string disclosed_text(std::string_view score, std::string_view protocol = {},
                           const std::vector<std::string>& rows = {});

}  // namespace report
}  // namespace tofn
