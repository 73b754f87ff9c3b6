#include <string>
#include <vector>

#include "sim/answers/collective_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/what_if.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/config/named_file.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/knowledge.hpp"
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
                       "  tofn collective --cluster dgx-h100 --ranks 64 --size 1GiB --times "
                       "network.nic_bandwidth=2\n"
                       "  tofn collective --check all_reduce.txt --cluster dgx-h100\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("cluster", options::value<std::string>(),
       "a name of `tofn list clusters`, or a file (.yaml)")                               //
      ("ranks,N", options::value<std::string>(), "ranks, which fill the nodes in order")  //
      ("size", options::value<std::string>(),
       "payload, as nccl-tests counts it: 25MiB, or 1048576 (bytes)")  //
      ("stride", options::value<std::string>(),
       "every STRIDE-th rank of a job of N x STRIDE; the others run the same beside it")  //
      ("alone", "the job's other ranks are silent, and leave it the NICs and links")      //
      ("collective", options::value<std::string>(),
       "all-reduce (the default), all-gather, reduce-scatter, all-to-all, ...")  //
      ("calibration", options::value<std::string>(),
       "measured collectives: a name of configs/calibrations, a .yaml file, or none; those of the "
       "cluster that measured this unless stated")  //
      ("check", options::value<std::vector<std::string>>()->multitoken(),
       "logs of benchmarks, files of NCCL Inspector, records of tofn-bench, calibrations: are they "
       "normal? Exit code 0: all are, 1: one is not, 2: one cannot be judged (of too few rows, or "
       "refused). A log that does not say its cluster, ranks or nodes is judged on each that it "
       "allows, and counts as judged where they agree; --cluster, --ranks, --nodes and "
       "--collective settle it")                                                  //
      ("nodes", options::value<std::string>(), "with --check: nodes of the log")  //
      ("training", options::value<std::string>(),
       "with --check, a name of `tofn list models`: how much longer a step of it takes than on "
       "healthy links")  //
      ("stack", options::value<std::string>()->default_value("unknown"),
       "with --training, a name of `tofn list stacks`: what runs it");
  add_what_if_option(line.description);
  return line;
}

namespace {

/// Ranks of a job that communicate.
struct AskedRanks {
  RankSet set;
  Concurrency concurrency = Concurrency::AllSets;

  Communicator on(const Cluster& cluster) const {
    return place(set, cluster, set.stride * set.count, concurrency);
  }
};

AskedRanks ranks_of(const options::variables_map& values) {
  const int ranks = *count_option(values, "ranks");
  if (ranks < 2) throw InputError({}, "--ranks", "a collective needs at least 2 ranks");
  const int stride = count_option(values, "stride", 1'000'000 / ranks).value_or(1);
  const bool is_alone = values.count("alone") > 0;
  if (stride == 1 && is_alone)
    throw InputError({}, "--alone", "changes nothing without --stride: the job has no other ranks");
  return {.set = {.stride = stride, .count = ranks},
          .concurrency = is_alone ? Concurrency::OneSet : Concurrency::AllSets};
}

/// With its unit, or in bytes without one, as nccl-tests' `-b` and `-e` take it. A number below a
/// KiB has lost its unit.
Bytes payload_of(const std::string& text) {
  long long bytes = 0;
  const bool is_of_bytes = parse_integer(text, bytes) && bytes >= 1024;
  return amount_of<Bytes>(is_of_bytes ? text + " B" : text, "--size");
}

CollectiveAnswer timed_collective(const options::variables_map& values, Library& library,
                                  const std::filesystem::path& configs) {
  for (const char* name : {"cluster", "ranks", "size"})
    if (values.count(name) == 0)
      throw InputError({}, std::string("--") + name,
                       "is needed, e.g. `tofn collective --cluster dgx-h100 --ranks 64 --size "
                       "25MiB`");
  CollectiveRequest asked;
  asked.kind = choice_option(values, "collective", collective_kinds).value_or(asked.kind);
  asked.size = payload_of(values["size"].as<std::string>());
  const AskedRanks ranks = ranks_of(values);
  const std::string name = values["cluster"].as<std::string>();
  const Cluster cluster = with_asked_figures(values, library.cluster(name));
  const Knowledge knowledge = knowledge_of(library, configs, {});
  auto calibration = text_option(values, "calibration");
  // Shipped calibrations describe shipped clusters as they are, not a file of the user's with the
  // same name.
  const bool is_shipped =
      !is_file_name(name) && calibration != "none" && values.count("times") == 0;
  if (!calibration && is_shipped && ranks.set.stride == 1)
    calibration = calibration_of(knowledge, cluster, asked.kind, ranks.set.count, asked.size);
  const bool has_measured = calibration && !calibration->empty() && calibration != "none";
  const Cluster on =
      has_measured ? measured_cluster(cluster, library, configs, *calibration) : cluster;
  if (on.measured) asked.calibration = on.measured->name;
  asked.communicator = ranks.on(on);
  return collective_answer(asked, learnt_time(LinkFit(link_tables(knowledge), shipped_spreads()),
                                              cluster, ranks.on(with_nominal_links(cluster)),
                                              asked.kind, asked.size, is_shipped));
}

}  // namespace

CommandAnswer run_collective(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  if (values.count("check") > 0) return check_collectives(values, common);
  refuse_idle_options(values, collective_timed);
  Library library = Library::load(common.configs);
  const CollectiveAnswer answer = timed_collective(values, library, common.configs);
  const AnswerText text = collective_text(answer);
  return {.text = text.screen, .details = text.details, .records = collective_records(answer)};
}

}  // namespace app
}  // namespace tofn
