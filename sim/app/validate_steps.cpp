#include "sim/answers/steps_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {

int validate_steps(const CommonOptions& common, const std::vector<std::filesystem::path>& tables,
                   const std::string& protocol) {
  const StepProtocol asked = [&] {
    std::vector<std::string> valid;
    for (const auto& [name, value] : step_protocols) {
      if (name == protocol) return value;
      valid.emplace_back(name);
    }
    throw InputError({}, "--protocol", unknown_name("protocol", protocol, valid));
  }();
  const auto steps = steps_answer(common.configs, tables, asked);
  write_answer(common, steps_text(steps, asked), steps_records(steps));
  return 0;
}

}  // namespace app
}  // namespace tofn
