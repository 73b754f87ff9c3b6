#include <string>
#include <vector>

#include "sim/answers/collective_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/report/collective_report.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace app {

namespace {

/// Reads a size with its unit, or in bytes without one, as nccl-tests' `-b` and `-e` take it. A
/// number below 1024 needs a unit, because it was probably left out.
Bytes payload_of(const std::string& text, const std::string& flag) {
  long long bytes = 0;
  const bool is_of_bytes = parse_integer(text, bytes) && bytes >= 1024;
  return amount_of<Bytes>(is_of_bytes ? text + " B" : text, flag);
}

}  // namespace

namespace option {
constexpr OptionOf<Bytes> payload{
    {"size", "payload, as nccl-tests counts it: 25MiB, or 1048576 (bytes)"}, payload_of};
constexpr Text stride{
    {"stride", "every STRIDE-th rank of a job of N x STRIDE; the others run the same beside it"}};
constexpr AnyOption alone{
    "alone", "the job's other ranks are silent, and leave it the NICs and links", Takes::Nothing};
}  // namespace option

CommandOptions collective_rows() {
  constexpr Jobs both = collective_timed | collectives_checked;
  return {{&option::cluster, both},
          {.option = &option::ranks,
           .acts_on = both,
           .help = "ranks, which fill the nodes in order",
           .letter = 'N'},
          {&option::payload, collective_timed},
          {&option::stride, collective_timed},
          {&option::alone, collective_timed},
          {&option::collective, both,
           "all-reduce (the default), all-gather, reduce-scatter, all-to-all, ..."},
          {&option::calibration, collective_timed,
           "measured collectives: a name of configs/calibrations, a .yaml file, or none; those of "
           "the cluster that measured this unless stated"},
          {&option::logs_of_collectives, both},
          {&option::nodes, collectives_checked, "with --check: nodes of the log"},
          {&option::training, collectives_checked},
          {&option::stack, collectives_checked,
           "with --training, a name of `tofn list stacks`: what runs it", default_stack},
          what_if_row()};
}

CommandLine collective_command_line() {
  return command_line(
      "collective --cluster CLUSTER --ranks N --size SIZE [OPTIONS]\n"
      "       tofn collective --check LOG... [--cluster CLUSTER] [OPTIONS]",
      "  tofn collective --cluster dgx-h100 --ranks 64 --size 25MiB\n"
      "  tofn collective --cluster dgx-h100 --ranks 8 --size 1GiB --collective "
      "all-gather\n"
      "  tofn collective --cluster dgx-h100 --ranks 8 --stride 8 --alone --size "
      "25MiB\n"
      "  tofn collective --cluster dgx-h100 --ranks 64 --size 1GiB --times "
      "network.nic_bandwidth=2\n"
      "  tofn collective --check all_reduce.txt --cluster dgx-h100\n",
      collective_rows());
}

namespace {

/// Ranks of a job that communicate, and whether its other ranks do so at the same time.
struct RequestedRanks {
  RankSet set;
  Concurrency concurrency = Concurrency::AllSets;

  Communicator on(const Cluster& cluster) const {
    return place(set, cluster, set.stride * set.count, concurrency);
  }
};

RequestedRanks ranks_of(const options::variables_map& values) {
  const int ranks = option::ranks.value(values);
  if (ranks < 2) throw InputError({}, option::ranks.flag(), "a collective needs at least 2 ranks");
  const int stride = whole_number(option::stride.of(values).value_or("1"), option::stride.flag(),
                                  1'000'000 / ranks);
  const bool is_alone = option::alone.is_given(values);
  if (stride == 1 && is_alone)
    throw InputError({}, option::alone.flag(),
                     "changes nothing without --stride: the job has no other ranks");
  return {.set = {.stride = stride, .count = ranks},
          .concurrency = is_alone ? Concurrency::OneSet : Concurrency::AllSets};
}

CollectiveAnswer timed_collective(const options::variables_map& values, Library& library,
                                  const std::filesystem::path& configs) {
  for (const AnyOption* needed :
       std::initializer_list<const AnyOption*>{&option::cluster, &option::ranks, &option::payload})
    if (!needed->is_given(values))
      throw InputError({}, needed->flag(),
                       "is needed, e.g. `tofn collective --cluster dgx-h100 --ranks 64 --size "
                       "25MiB`");
  CollectiveRequest request;
  request.kind = option::collective.of(values).value_or(request.kind);
  request.size = option::payload.value(values);
  const RequestedRanks ranks = ranks_of(values);
  const std::string name = option::cluster.value(values);
  const Cluster cluster = with_requested_figures(values, library.cluster(name));
  const Knowledge knowledge = knowledge_of(library, configs, {});
  auto calibration = option::calibration.of(values);
  // Shipped calibrations describe the unchanged shipped clusters, not a user's file of the same
  // name.
  const bool is_shipped =
      !is_file_name(name) && calibration != "none" && !option::times.is_given(values);
  if (!calibration && is_shipped && ranks.set.stride == 1)
    calibration = calibration_of(knowledge, cluster, request.kind, ranks.set.count, request.size);
  const bool has_measured = calibration && !calibration->empty() && calibration != "none";
  const Cluster on =
      has_measured ? measured_cluster(cluster, library, configs, *calibration) : cluster;
  if (on.measured) request.calibration = on.measured->name;
  request.communicator = ranks.on(on);
  return collective_answer(request, learnt_time(LinkFit(link_tables(knowledge), shipped_spreads()),
                                                cluster, ranks.on(with_nominal_links(cluster)),
                                                request.kind, request.size, is_shipped));
}

}  // namespace

CommandAnswer run_collective(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const bool checks = option::logs_of_collectives.is_given(values);
  refuse_idle_options(values, collective_rows(), checks ? collectives_checked : collective_timed);
  if (checks) return check_collectives(values, common);
  Library library = Library::load(common.configs);
  const CollectiveAnswer answer = timed_collective(values, library, common.configs);
  const AnswerText text = collective_text(answer);
  return {.text = text.screen, .details = text.details, .records = collective_records(answer)};
}

}  // namespace app
}  // namespace tofn
