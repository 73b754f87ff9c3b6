#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/config/resolve.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace answers {

/// The table that `compare` predicts unless told otherwise.
std::filesystem::path default_published_table(const std::filesystem::path& configs);

/// The tables that ship with tofn, the newest round first. Of an older round only what adds a
/// software release: one-domain rows of a workload, accelerator and release that a newer one has
/// are left out. Rounds after the table above are held out: they teach nothing but their own
/// comparison.
std::vector<ResolvedRow> shipped_rows(const std::filesystem::path& configs, Resolver&);

/// The same of all rounds, later ones too, but that table.
std::vector<ResolvedRow> rows_of_other_rounds(const std::filesystem::path& configs, Resolver&,
                                              const std::filesystem::path& table);

/// Every published table that ships, by name.
std::vector<std::filesystem::path> published_tables(const std::filesystem::path& configs);

/// `H100` stands for every H100, `H100 SXM` for that one.
bool names_accelerator(const std::string& wanted, const std::string& name);

}  // namespace answers
}  // namespace tofn
