#include "sim/answers/published_data.hpp"

#include <algorithm>
#include <string>

#include "tests/catch.hpp"

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
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  Resolver resolver(library);
  const auto rows = shipped_rows(TOFN_SOURCE_DIR "/configs", resolver);
  CHECK(one_domain_rows(rows, "v4.1", "bert", "23.09") > 5);
  CHECK(one_domain_rows(rows, "v4.0", "bert", "23.09") == 0);
  CHECK(one_domain_rows(rows, "v4.0", "stable_diffusion", "24.04") == 4);
  CHECK(one_domain_rows(rows, "v4.1", "stable_diffusion", "24.04") == 0);
}

TEST_CASE("no row of a later round than v4.1 teaches anything by itself") {
  const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
  REQUIRE(std::filesystem::exists(configs / "published" / "mlperf-training-v5.0.csv"));
  const Library library = Library::load(configs);
  Resolver resolver(library);
  for (const ResolvedRow& row : shipped_rows(configs, resolver)) {
    const std::string& file = row.row.inputs.location.file;
    CHECK((file.ends_with("v4.0.csv") || file.ends_with("v4.1.csv") ||
           file.ends_with("mlperf-gpt3.csv")));
  }
}
