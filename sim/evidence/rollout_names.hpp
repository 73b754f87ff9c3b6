#pragma once

#include <string>

#include "sim/config/library.hpp"
#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace evidence {

/// Name of the model's file in configs/models, from its name in reports of inference and RL:
/// `Llama-3.1-8B-Instruct` is `llama3-8b`. Releases that share their dimensions share a file.
std::string model_file_name(const std::string& reported);

/// Cluster of a row that states only its `chip`: the vendor's own (dgx), else a reference design
/// (hgx), else the first by name. InputError at the cell if no cluster has it.
const Cluster& cluster_of_chip(const CsvRow&, const Library&);

}  // namespace evidence
}  // namespace tofn
