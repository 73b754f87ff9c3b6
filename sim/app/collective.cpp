#include <string>
#include <vector>

#include "sim/answers/collective_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/collective_report.hpp"

namespace tofn {
inline namespace app {

CommandLine collective_command_line() {
  CommandLine line{.usage =
                       "collective --cluster CLUSTER --ranks N --size SIZE [OPTIONS]\n"
                       "       tofn collective --check LOG... [--cluster CLUSTER] [OPTIONS]",
                   .examples =
                       "  tofn collective --cluster dgx-h100 --ranks 64 --size 25MiB\n"
                       "  tofn collective --cluster dgx-h100 --ranks 8 --size 1GiB --collective "
                       "all-gather\n"
                       "  tofn collective --cluster dgx-h100 --ranks 8 --stride 8 --alone --size "
                       "25MiB\n"
                       "  tofn collective --check all_reduce.txt --cluster dgx-h100\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("cluster", options::value<std::string>(),
       "a name of `tofn list clusters`, or a file (.yaml)")                               //
      ("ranks,N", options::value<std::string>(), "ranks, which fill the nodes in order")  //
      ("size", options::value<std::string>(), "payload, as nccl-tests counts it: 25MiB")  //
      ("stride", options::value<std::string>(),
       "every STRIDE-th rank of a job of N x STRIDE; the others run the same beside it")  //
      ("alone", "the job's other ranks are silent, and leave it the NICs and links")      //
      ("collective", options::value<std::string>(), "all-reduce unless said otherwise")   //
      ("calibration", options::value<std::string>(),
       "measured collectives: a name of configs/calibrations, or a .yaml file")  //
      ("check", options::value<std::vector<std::string>>()->multitoken(),
       "logs of benchmarks, files of NCCL Inspector, records of tofn-bench, calibrations: are they "
       "normal? Exit code 0: all are, 1: one is not; --cluster, --collective, --ranks and --nodes "
       "say what they do not")                                  //
      ("nodes", options::value<std::string>(), "with --check")  //
      ("training", options::value<std::string>(),
       "with --check, a name of `tofn list models`: how much longer a step of it takes than on "
       "healthy links")  //
      ("stack", options::value<std::string>()->default_value("unknown"),
       "with --training, a name of `tofn list stacks`: what runs it");
  return line;
}

namespace {

CollectiveRequest request_of(const options::variables_map& values, Library& library,
                             const std::filesystem::path& configs) {
  for (const char* name : {"cluster", "ranks", "size"})
    if (values.count(name) == 0)
      throw InputError({}, std::string("--") + name,
                       "is needed, e.g. `tofn collective --cluster dgx-h100 --ranks 64 --size "
                       "25MiB`");
  CollectiveRequest asked;
  asked.kind = choice_option(values, "collective", collective_kinds).value_or(asked.kind);
  asked.size = *quantity_option<Bytes>(values, "size");
  const int ranks = *count_option(values, "ranks");
  if (ranks < 2) throw InputError({}, "--ranks", "a collective needs at least 2 ranks");
  const int stride = count_option(values, "stride", 1'000'000 / ranks).value_or(1);
  if (stride == 1 && values.count("alone") > 0)
    throw InputError({}, "--alone", "changes nothing without --stride: the job has no other ranks");
  const Cluster& cluster = library.cluster(values["cluster"].as<std::string>());
  const auto calibration = text_option(values, "calibration");
  const Cluster on =
      calibration ? measured_cluster(cluster, library, configs, *calibration) : cluster;
  if (on.measured) asked.calibration = on.measured->name;
  asked.communicator =
      place({.stride = stride, .count = ranks}, on, ranks * stride,
            values.count("alone") > 0 ? Concurrency::OneSet : Concurrency::AllSets);
  return asked;
}

}  // namespace

CommandAnswer run_collective(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  if (values.count("check") > 0) return check_collectives(values, common);
  refuse_idle_options(values, collective_timed);
  Library library = Library::load(common.configs);
  const CollectiveAnswer answer = collective_answer(request_of(values, library, common.configs));
  return {.text = collective_text(answer), .records = collective_records(answer)};
}

}  // namespace app
}  // namespace tofn
