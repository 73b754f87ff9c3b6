#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/disclosures.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace report {

/// Line with a label, which the terminal breaks: `plan          tp 2, pp 4`.
std::string note(std::string_view label, std::string_view text);

/// Line with a label and items with separators between them: `a, b, c`.
std::string listed_note(std::string_view label, const std::vector<std::string>& items,
                        std::string_view separator = ",");

/// Line such as `placement     64 of each 72 accelerators of a domain`; empty if a job leaves none
/// unused.
std::string placement_text(const Plan&, const Cluster&);

/// Table of the plan for each number of accelerators, one a line.
std::string plans_table(const std::vector<std::pair<int, const Plan*>>&);

/// Lines such as `assumed       A100 SXM 80GB has no fp8: products run in bf16`.
std::string substitutions_text(const std::vector<std::string>& sentences);

/// Names the rows of the scorecard that a disclosure applies to: `steps unknown-stack, nemo`.
std::string rows_of(const Disclosure&);
/// Text of every disclosure, under the rows that it applies to.
std::string all_disclosures_text();

/// Lines such as `in-sample     nemo: WHAT WAS CHOSEN`, one for each choice made with the score in
/// view (`disclosures`). `rows`: those to print; empty: all.
std::string disclosed_text(std::string_view score, std::string_view protocol = {},
                           const std::vector<std::string>& rows = {});

}  // namespace report
}  // namespace tofn
