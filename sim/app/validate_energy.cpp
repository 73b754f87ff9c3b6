#include "sim/answers/energy_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/report/energy_report.hpp"

namespace tofn {
inline namespace app {

int validate_energy(const CommonOptions& common, const std::filesystem::path& table) {
  const auto runs = energy_answer(common.configs, table);
  write_answer(common, energy_text(runs), energy_records(runs));
  return 0;
}

}  // namespace app
}  // namespace tofn
