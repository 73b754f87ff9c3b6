#include "microbench/app/bench_command.hpp"

#include <array>

#include "microbench/app/option_lists.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {

std::span<const BenchCommand> commands() {
  static constexpr std::array table{
      BenchCommand{"collective", "collectives and point-to-point: latency and bandwidth over size",
                   collective_line, read_collective},
      BenchCommand{"compute",
                   "products, memory bandwidth, kernel launches, the slowdown beside a collective",
                   compute_line, read_compute},
      BenchCommand{"step",
                   "a real data-parallel training step on 1, 2, ... ranks, and what it overlaps",
                   step_line, read_step},
      BenchCommand{"suite", "what predictions need, the most useful first, within a stated time",
                   suite_line, read_suite},
  };
  return table;
}

options::options_description common_options() {
  options::options_description description("Common options");
  description.add_options()                                                                   //
      ("output,o", options::value<std::string>(), "the record: a JSON file that tofn reads")  //
      ("resume", options::bool_switch(),
       "go on with that record: leave out its finished points")     //
      ("overwrite", options::bool_switch(), "replace that record")  //
      ("precision", options::value<std::string>()->default_value("2"),
       "a point is done when the 95 % interval of its median is within this, in %")  //
      ("max-time", options::value<std::string>()->default_value("2 s"),
       "or after sampling this long")  //
      ("visit-time", options::value<std::string>()->default_value("50 ms"),
       "points are sampled in turn, this long at a time")  //
      ("timeout", options::value<std::string>()->default_value("60 s"),
       "end the job when nothing moves for this long")  //
      ("ranks-per-node", options::value<std::string>(),
       "take so many neighbouring ranks for a node (default: by host name)")  //
      ("gpus", options::value<std::string>(),
       "GPUs to use when started without mpirun (default: all)")  //
      ("help,h", "show this");
  return description;
}

BenchOptions read_common(const options::variables_map& values) {
  BenchOptions common;
  common.output = text_option(values, "output").value_or("");
  common.resumes = values["resume"].as<bool>();
  common.overwrites = values["overwrite"].as<bool>();
  if ((common.resumes || common.overwrites) && common.output.empty())
    throw InputError("--resume and --overwrite need a record: -o FILE");
  if (common.resumes && common.overwrites)
    throw InputError("--resume goes on with the record, --overwrite drops it: choose one");
  double percent = 0;
  const std::string precision = values["precision"].as<std::string>();
  if (!parse_number(precision, percent) || percent <= 0 || percent > 100)
    throw InputError({}, "--precision",
                     "expected a number above 0 and up to 100 (in %), got '" + precision + "'");
  common.rule.share = percent / 100;
  common.rule.most_time = quantity_option<Seconds>(values, "max-time")->base();
  common.rule.visit_time = quantity_option<Seconds>(values, "visit-time")->base();
  common.timeout = quantity_option<Seconds>(values, "timeout")->base();
  common.ranks_per_node = count_option(values, "ranks-per-node");
  common.gpus = count_option(values, "gpus", 1024);
  return common;
}

}  // namespace tofn::bench
