#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/calibration/fit_engine.hpp"
#include "sim/calibration/fit_rl.hpp"
#include "sim/config/library.hpp"

namespace tofn {
inline namespace evidence {

/// A row of a table of measured RL steps, like configs/measured/rl-steps.csv.
struct RlRow {
  std::string id;
  std::string model;  ///< as the table names it
  std::string chip;
  int accelerators = 0;
  std::string trust;       ///< A, B or C
  std::string recipe{};    ///< what an on-policy and an off-policy row of one job share
  std::string left_out{};  ///< why its step is not fitted; empty: it is
  std::optional<RlObservation> seen{};  ///< absent if a needed figure is unknown
};

/// Reads a table of RL steps and simulates the training side of each row. InputError if it is no
/// table; a row that cannot be predicted says why in `left_out`.
std::vector<RlRow> read_rl_rows(const std::filesystem::path& table,
                                const std::filesystem::path& configs, Library&);

/// A row of a table of generation rates, like configs/measured/decode-rates.csv.
struct DecodeRow {
  std::string id;
  std::string engine;
  std::string model;
  std::string chip;
  int accelerators = 0;
  std::string left_out{};
  std::optional<DecodeObservation> seen{};
};

std::vector<DecodeRow> read_decode_rows(const std::filesystem::path& table,
                                        const std::filesystem::path& configs, Library&);

}  // namespace evidence
}  // namespace tofn
