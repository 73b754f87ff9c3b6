#include <chrono>
#include <iostream>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/published_data.hpp"
#include "sim/calibration/calibration.hpp"
#include "sim/sweep/rows.hpp"

namespace tofn {
namespace {

CommandLine command_line() {
  CommandLine line{.usage = "sweep FILE [OPTIONS]",
                   .examples = "  tofn sweep network-speed\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("file", options::value<std::string>(), "a sweep file");
  line.positional.add("file", 1);
  return line;
}

}  // namespace

int run_sweep(const std::vector<std::string>& words) {
  const auto values = parse(command_line(), words);
  if (!values) return 0;
  const CommonOptions common = read_common(*values);
  const Sweep sweep = load_sweep((*values)["file"].as<std::string>());
  Library library = Library::load(common.configs);
  std::optional<Calibration> calibration;
  Resolver resolver(library);
  if (!sweep.base.model)
    calibration.emplace(calibration_observations(shipped_rows(common.configs, resolver)));
  const SweepSources sources(sweep, common.configs, library, calibration ? &*calibration : nullptr);
  const RowLayout layout = layout_of(sources);
  RowMaker maker(sources, layout);
  for (const auto& c : layout.columns()) std::cout << c.name << ',';
  std::cout << '\n';
  const auto start = std::chrono::steady_clock::now();
  std::string rows = maker.rows(0, sweep.points());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::cout << rows;
  std::cerr << fmt::format(
      "{} points, {:.3f} s, {:.0f}/s; refused {} ({}: {}), excluded {}\n", sweep.points(),
      time.count(), static_cast<double>(sweep.points()) / time.count(), maker.left_out().refused,
      maker.left_out().first_refused, maker.left_out().first_refusal, maker.left_out().excluded);
  return 0;
}

}  // namespace tofn
