#include "sim/evidence/shipped.hpp"

#include <algorithm>
#include <string>

#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

std::ptrdiff_t one_domain_rows(const std::vector<ResolvedRow>& rows, const std::string& round,
                               const std::string& workload, const std::string& release) {
  return std::count_if(rows.begin(), rows.end(), [&](const ResolvedRow& row) {
    return row.run && is_in_one_domain(*row.run) && row.run->workload->name == workload &&
           row.run->cluster->accelerator.name == "H100 SXM" &&
           row.run->settings.software_release == release &&
           row.row.inputs.location.file.find(round) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("an older round adds its one-domain rows only where it adds a release") {
  Shipped shipped(configs);
  const auto& rows = shipped.rows();
  CHECK(one_domain_rows(rows, "v4.1", "bert", "23.09") > 5);
  CHECK(one_domain_rows(rows, "v4.0", "bert", "23.09") == 0);
  CHECK(one_domain_rows(rows, "v4.0", "stable_diffusion", "24.04") == 4);
  CHECK(one_domain_rows(rows, "v4.1", "stable_diffusion", "24.04") == 0);
}

TEST_CASE("of later rounds than v4.1 only workloads whose steps are simulated teach") {
  REQUIRE(std::filesystem::exists(configs / "published" / "mlperf-training-v5.0.csv"));
  Shipped shipped(configs);
  for (const ResolvedRow& row : shipped.rows()) {
    const std::string& file = row.row.inputs.location.file;
    const bool is_early = file.ends_with("v4.0.csv") || file.ends_with("v4.1.csv") ||
                          file.ends_with("mlperf-gpt3.csv");
    CHECK((is_early || row.run->workload->simulated.has_value()));
  }
}

TEST_CASE("what ships is read once, and a round learns from the others where it must") {
  Shipped shipped(configs);
  CHECK(&shipped.rows() == &shipped.rows());
  CHECK(&shipped.calibration() == &shipped.calibration());
  CHECK(shipped.observations().size() == calibration_observations(shipped.rows()).size());
  const auto table = default_published_table(configs);
  const auto is_of_table = [&](const ResolvedRow& row) {
    return row.row.inputs.location.file == table.string();
  };
  const auto all = shipped.rows_beside(table, CalibrationRule::OneNode);
  CHECK(all.size() == shipped.rows().size());
  CHECK(std::any_of(all.begin(), all.end(), is_of_table));
  const auto others = shipped.rows_beside(table, CalibrationRule::OtherRounds);
  CHECK_FALSE(others.empty());
  CHECK(std::none_of(others.begin(), others.end(), is_of_table));
}
