#include <algorithm>

#include "sim/config/library.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/evidence/step_rows.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

TEST_CASE("no measured step is shorter than the bound of its chip's best product") {
  const Library library = Library::load(configs);
  double nearest = 0;
  int steps = 0;
  for (const auto& table : tables_of_steps(configs))
    for (const StepCaseRow& row : read_step_cases(table, library).rows) {
      if (!row.step.measured) continue;
      const SimulatedStep step{.model = row.step.model,
                               .plan = row.step.plan,
                               .cluster = row.step.cluster,
                               .work = {},
                               .times = {},
                               .seconds = {},
                               .memory = {}};
      INFO(row.location.file << ":" << row.location.line << ", " << row.source);
      const double reached = step.shortest() / *row.step.measured;
      // Products have 14 TFLOP, whereas the largest measured on these chips have 2.
      const bool is_beyond_products = row.accelerator.starts_with("GB") &&
                                      row.step.model.precision == Precision::Fp8 &&
                                      row.step.model.name.find("405B") != std::string::npos;
      CHECK(reached <= (is_beyond_products ? 1.07 : 1.0));
      nearest = std::max(nearest, reached);
      ++steps;
    }
  CHECK(steps > 500);
  CHECK(nearest > 0.8);  // a bound that no step comes near would be useless
}
