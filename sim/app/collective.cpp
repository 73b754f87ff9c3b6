#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/collective_answer.hpp"
#include "sim/answers/tuner_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/report/collective_report.hpp"
#include "sim/report/tuner_file.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace app {

namespace {

/// Reads a size with its unit, or in bytes without one, as nccl-tests' `-b` and `-e` take it. A
/// number below 1000 needs a unit, because MB may be meant.
Bytes payload_of(const std::string& text, const std::string& flag) {
  double bytes = 0;
  if (!parse_number(text, bytes)) return amount_of<Bytes>(text, flag);
  constexpr double least = 1000;
  if (bytes > 0 && bytes < least)
    throw InputError({}, flag,
                     fmt::format("is {0} B or {0} MB? only numbers from {1:g} on are bytes "
                                 "without a unit",
                                 shortened(text), least));
  return amount_of<Bytes>(text + " B", flag);
}

}  // namespace

namespace option {
constexpr OptionOf<Bytes> payload{
    {"size", "payload, as nccl-tests counts it: 25MiB, or 1048576 (bytes, from 1000 on)"},
    payload_of};
constexpr Text stride{
    {"stride", "every STRIDE-th rank of a job of N x STRIDE; the others run the same beside it"}};
constexpr AnyOption alone{
    "alone", "the job's other ranks are silent, and leave it the NICs and links", Takes::Nothing};
}  // namespace option

CommandOptions collective_rows() {
  constexpr Jobs both = collective_timed | collectives_checked;
  constexpr Jobs all = both | tuner_emitted;
  constexpr Jobs by_formula = collective_timed | tuner_emitted;
  return {{.option = &option::cluster, .acts_on = all, .words = 1},
          {.option = &option::ranks,
           .acts_on = all,
           .help = "ranks, spread evenly over as few nodes as hold them",
           .letter = 'N'},
          {&option::payload, collective_timed},
          {&option::stride, by_formula},
          {&option::alone, by_formula},
          {&option::collective, all,
           "all-reduce (the default), all-gather, reduce-scatter, all-to-all, ..."},
          {&option::calibration, collective_timed,
           "measured collectives: a name of configs/calibrations, a .yaml file, or none; those of "
           "the cluster that measured this unless stated"},
          {&option::logs_of_collectives, both},
          {&option::nodes, collectives_checked, "nodes of the log, with --check"},
          {&option::training, collectives_checked},
          {&option::stack, collectives_checked, "stack of --training, a name of `tofn list stacks`",
           default_stack},
          {&option::emit, tuner_emitted,
           "nccl-tuner: a file for NCCL's example tuner plugin, with the algorithms and protocols "
           "that are faster than NCCL's choice; of all collectives, or of --collective"},
          what_if_row()};
}

CommandLine collective_command_line() {
  return {
      "collective --cluster CLUSTER --ranks N --size SIZE [OPTIONS]\n"
      "       tofn collective CLUSTER --ranks N --emit nccl-tuner [-o FILE]\n"
      "       tofn collective --check LOG... [--cluster CLUSTER] [OPTIONS]",
      "  tofn collective --cluster dgx-h100 --ranks 64 --size 25MiB\n"
      "  tofn collective --cluster dgx-h100 --ranks 8 --size 1GiB --collective "
      "all-gather\n"
      "  tofn collective --cluster dgx-h100 --ranks 8 --stride 8 --alone --size "
      "25MiB\n"
      "  tofn collective --cluster dgx-h100 --ranks 64 --size 1GiB --times "
      "network.nic_bandwidth=2\n"
      "  tofn collective dgx-h100 -N 64 --emit nccl-tuner -o tuner.csv\n"
      "  tofn collective --check all_reduce.txt --cluster dgx-h100\n",
      collective_rows()};
}

namespace {

RanksOfJob ranks_of(const options::variables_map& values) {
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

/// Throws InputError if an option is missing without which there is no answer.
void require_options(const options::variables_map& values,
                     std::initializer_list<const AnyOption*> all, std::string_view example) {
  for (const AnyOption* needed : all)
    if (!needed->is_given(values))
      throw InputError({}, needed->flag(), fmt::format("is needed, e.g. `{}`", example));
}

CommandAnswer emitted_tuner(const options::variables_map& values, Library& library) {
  const std::vector<std::string> formats{"nccl-tuner"};
  if (const std::string format = option::emit.value(values); format != formats.front())
    throw InputError({}, option::emit.flag(), unknown_name("value", format, formats));
  if (option::format.is_given(values))
    throw InputError({}, option::format.flag(),
                     fmt::format("changes nothing with {}: the file is as NCCL's plugin reads it",
                                 option::emit.flag()));
  require_options(values, {&option::cluster, &option::ranks},
                  "tofn collective dgx-h100 -N 64 --emit nccl-tuner");
  const std::string name = option::cluster.value(values);
  const Cluster cluster = with_requested_figures(values, library.cluster(name));
  if (cluster.accelerator.vendor != "NVIDIA")
    throw InputError({}, option::emit.flag(),
                     fmt::format("{} has accelerators of {}: only NVIDIA's run NCCL, whose plugin "
                                 "reads the file",
                                 name, cluster.accelerator.vendor));
  const TunerAnswer answer = tuner_answer({.cluster = name,
                                           .communicator = ranks_of(values).on(cluster),
                                           .kind = option::collective.of(values)});
  return {.text = tuner_file(answer), .is_exact = true};
}

/// InputError if the cluster is the name of a collective, which other programs take as a word.
void refuse_collective_as_cluster(const options::variables_map& values) {
  const std::string name = option::cluster.of(values).value_or("");
  for (const auto& [kind, value] : collective_kinds)
    if (name == kind)
      throw InputError({}, option::cluster.flag(),
                       fmt::format("'{0}' is a collective: state it as {1} {0}", name,
                                   option::collective.flag()));
}

CollectiveAnswer timed_collective(const options::variables_map& values, Library& library,
                                  const std::filesystem::path& configs) {
  require_options(values, {&option::cluster, &option::ranks, &option::payload},
                  "tofn collective --cluster dgx-h100 --ranks 64 --size 25MiB");
  CollectiveRequest request;
  request.kind = option::collective.of(values).value_or(request.kind);
  request.size = option::payload.value(values);
  const RanksOfJob ranks = ranks_of(values);
  const std::string name = option::cluster.value(values);
  const Cluster& unchanged = library.cluster(name);
  const Knowledge knowledge = knowledge_of(library, configs, {});
  auto calibration = option::calibration.of(values);
  // Shipped calibrations describe the shipped clusters, not a user's file of the same name.
  if (!calibration && !is_file_name(name) && ranks.set.stride == 1)
    calibration = calibration_of(knowledge, unchanged, request.kind, ranks.set.count, request.size);
  const bool has_measured = calibration && !calibration->empty() && calibration != "none";
  const Cluster cluster = with_requested_figures(
      values,
      has_measured ? measured_cluster(unchanged, library, configs, *calibration) : unchanged);
  if (cluster.measured) request.calibration = cluster.measured->name;
  if (cluster.measured && cluster.measured->on)
    request.measured_on = cluster.measured->on->name == cluster.name
                              ? cluster.name + " without " + option::times.flag()
                              : cluster.measured->on->name;
  const bool is_shipped =
      !is_file_name(name) && calibration != "none" && !option::times.is_given(values);
  const LinkFit fit(link_tables(knowledge), shipped_spreads());
  return collective_answer_on(cluster, ranks, request, fit, is_shipped);
}

}  // namespace

CommandAnswer run_collective(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const bool checks = option::logs_of_collectives.is_given(values);
  const bool emits = option::emit.is_given(values);
  refuse_collective_as_cluster(values);
  refuse_idle_options(values, collective_rows(),
                      checks  ? collectives_checked
                      : emits ? tuner_emitted
                              : collective_timed);
  if (checks) return check_collectives(values, common);
  Library library = Library::load(common.configs);
  if (emits) return emitted_tuner(values, library);
  const CollectiveAnswer answer = timed_collective(values, library, common.configs);
  return command_answer(collective_text(answer), collective_records(answer));
}

}  // namespace app
}  // namespace tofn
