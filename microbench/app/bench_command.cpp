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

CommandOptions common_rows() {
  static constexpr auto options = std::to_array<AnyOption>(
      {{.name = "output", .help = "the record: a JSON file that tofn reads", .letter = 'o'},
       {.name = "resume",
        .help = "go on with that record: leave out its finished points",
        .takes = Takes::Nothing},
       {.name = "overwrite", .help = "replace that record", .takes = Takes::Nothing},
       {.name = "precision",
        .help = "a point is done when the 95 % interval of its median is within this, in %",
        .default_text = "2"},
       {.name = "max-time", .help = "or after sampling this long", .default_text = "2 s"},
       {.name = "visit-time",
        .help = "points are sampled in turn, this long at a time",
        .default_text = "50 ms"},
       {.name = "timeout",
        .help = "end the job when nothing moves for this long",
        .default_text = "60 s"},
       {.name = "ranks-per-node",
        .help = "take so many neighbouring ranks for a node (default: by host name)"},
       {.name = "gpus", .help = "GPUs to use when started without mpirun (default: all)"},
       {.name = "help", .help = "show this", .takes = Takes::Nothing, .letter = 'h'}});
  return rows_for(options);
}

BenchOptions read_common(const options::variables_map& values) {
  BenchOptions common;
  common.output = text_option(values, "output").value_or("");
  common.resumes = is_given(values, "resume");
  common.overwrites = is_given(values, "overwrite");
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
