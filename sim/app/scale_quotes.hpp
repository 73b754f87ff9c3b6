#pragma once

#include <filesystem>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/report/quote_report.hpp"

namespace tofn {

/// Simulates each quote on as many whole replicas and micro-batches as are nearest to it.
/// InputError where a quote names what the configs lack, or where its plan does not fit the model.
std::vector<SimulatedQuote> simulate_quotes(const std::vector<Quote>&, Library&,
                                            const std::filesystem::path& configs,
                                            const KernelProfile&);

}  // namespace tofn
