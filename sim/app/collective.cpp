#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/app/collective_check.hpp"
#include "sim/app/command.hpp"
#include "sim/app/measured_cluster.hpp"
#include "sim/cluster/measured_group.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/config/library.hpp"
#include "sim/core/bus_factor.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
namespace {

CommandLine command_line() {
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
  line.description.add_options()                                                          //
      ("cluster", options::value<std::string>(), "a cluster's name, or its YAML file")    //
      ("ranks,N", options::value<std::string>(), "ranks, which fill the nodes in order")  //
      ("size", options::value<std::string>(), "payload, as nccl-tests counts it: 25MiB")  //
      ("stride", options::value<std::string>(),
       "every STRIDE-th rank of a job of N x STRIDE; the others run the same beside it")  //
      ("alone", "the job's other ranks are silent, and leave it the NICs and links")      //
      ("collective", options::value<std::string>(), "all-reduce unless said otherwise")   //
      ("calibration", options::value<std::string>(),
       "measured collectives: a name of configs/calibrations, or a .yaml file")  //
      ("check", options::value<std::vector<std::string>>()->multitoken(),
       "logs of benchmarks, records of tofn-bench, calibrations: are they normal? Exit code 0: all "
       "are, 1: one is not; --cluster, --collective, --ranks and --nodes say what they do not")  //
      ("nodes", options::value<std::string>(), "with --check");
  return line;
}

struct Question {
  CollectiveKind kind = CollectiveKind::AllReduce;
  std::string kind_name = "all-reduce";
  Bytes size;
  Communicator communicator;
  std::string calibration{};  ///< its name; empty without one
};

struct Candidate {
  const Algorithm* algorithm = nullptr;
  Seconds time;
};

std::string name_of(const Algorithm& algorithm) {
  if (!algorithm.protocol) return std::string(algorithm.name);
  return fmt::format("{} {}", algorithm.name, name_in(protocol_names, *algorithm.protocol));
}

/// Those that the cluster's library chooses from, or what other libraries have; fastest first.
/// Reduction in the network is left out: a run must ask for it. Nothing else runs on a torus.
std::vector<Candidate> candidates(const Question& asked, bool of_others) {
  const Communicator& c = asked.communicator;
  std::vector<Candidate> all;
  if (of_others && c.library == CollectiveLibrary::Xla) return all;
  for (const Algorithm& each : collective_algorithms())
    if (each.collective == asked.kind && (each.library != c.library) == of_others &&
        each.supports(c, false))
      all.push_back({&each, each.time(asked.size, c, fitted_ramps())});
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
  return all;
}

/// `ring LL below 1.2 MB, then in-switch Simple`, from 8 B to 16 GiB in steps of 1/16 octave.
std::string crossovers(const Question& asked) {
  constexpr int steps = 31 * 16;
  std::string text;
  const Algorithm* last = nullptr;
  for (int step = 0; step <= steps; ++step) {
    const Bytes size{8 * std::exp2(step / 16.0)};
    const Algorithm& now = chosen_algorithm(asked.kind, size, asked.communicator, false);
    if (last != nullptr && (last->name != now.name || last->protocol != now.protocol))
      text += fmt::format(" below {}, then {}", to_text(size), name_of(now));
    if (last == nullptr) text = name_of(now);
    last = &now;
  }
  return text;
}

Question question_of(const options::variables_map& values, Library& library,
                     const std::filesystem::path& configs) {
  for (const char* name : {"cluster", "ranks", "size"})
    if (values.count(name) == 0)
      throw InputError({}, std::string("--") + name,
                       "is needed, e.g. `tofn collective --cluster dgx-h100 --ranks 64 --size "
                       "25MiB`");
  Question asked;
  asked.kind = choice_option(values, "collective", collective_kinds).value_or(asked.kind);
  for (const auto& [name, kind] : collective_kinds)
    if (kind == asked.kind) asked.kind_name = name;
  asked.size = *quantity_option<Bytes>(values, "size");
  const int ranks = *count_option(values, "ranks");
  if (ranks < 2) throw InputError({}, "--ranks", "a collective needs at least 2 ranks");
  const int stride = count_option(values, "stride", 1'000'000 / ranks).value_or(1);
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

bool has_table(const Question& asked) {
  const Communicator& c = asked.communicator;
  return c.measured != nullptr && c.measured->find(asked.kind) != nullptr;
}

/// What the calibration says of it; empty without one.
std::string measured_text(const Question& asked) {
  const Communicator& c = asked.communicator;
  if (asked.calibration.empty()) return {};
  if (!has_table(asked))
    return fmt::format("calibration {} holds no table for {} over {} ranks: formulas alone\n",
                       asked.calibration, asked.kind_name, c.ranks);
  const Cost cost = collective_cost(asked.kind, asked.size, c, false);
  const MeasuredGroup::Measured& measured = *c.measured->find(asked.kind);
  const CurveAnswer curve = measured.curve.at(asked.size);
  const double us = cost.time.base() * 1e6;
  const std::string how =
      measured.on ? fmt::format("carried over by formula from {} ranks", measured.on->ranks)
                  : fmt::format("90 % interval {:.1f}-{:.1f}", us * (curve.low / curve.time),
                                us * (curve.high / curve.time));
  return fmt::format("by the calibration {:.1f} us, {} ({})\n", us, how, to_text(cost.basis));
}

/// What the ramps are fitted to (a test holds it), and where it ends.
constexpr double most_nodes = 10;
constexpr Bytes largest_size{0x1p34};

/// `, 12.8 x more nodes than the formulas were fitted to`; empty up to four times as many.
std::string extrapolation_text(const Question& asked) {
  const double nodes = asked.communicator.domains / most_nodes;
  const double sizes = asked.size / largest_size;
  std::string text;
  if (nodes > far_beyond)
    text += fmt::format(", {:.3g} x more nodes than the formulas were fitted to", nodes);
  if (sizes > far_beyond)
    text += fmt::format(", {:.3g} x larger than the formulas were fitted to", sizes);
  return text;
}

/// Beside the chosen one, whose time it takes `over` times.
struct ComparedCandidate : Candidate {
  double over = 1;
};

std::string library_of(const ComparedCandidate& each) {
  return std::string(name_in(library_names, each.algorithm->library));
}
std::string protocol_of(const ComparedCandidate& each) {
  const auto& protocol = each.algorithm->protocol;
  return protocol ? std::string(name_in(protocol_names, *protocol)) : "";
}
double microseconds(const ComparedCandidate& each) { return each.time.base() * 1e6; }
double bus_of(const ComparedCandidate& each, const Question& asked) {
  return (asked.size / each.time).base() / 1e9 *
         bus_factor(asked.kind_name, asked.communicator.ranks).value_or(1);
}

struct Answer {
  TextTable table{
      {{"algorithm", Align::Left}, {"protocol", Align::Left}, {"us"}, {"bus GB/s"}, {"forced"}}};
  TextTable others{
      {{"algorithm", Align::Left}, {"library", Align::Left}, {"us"}, {"bus GB/s"}, {"factor"}}};
  bool has_others = false;
  std::vector<ComparedCandidate> candidates;
};

void add(const ComparedCandidate& each, const Question& asked, Answer& answer) {
  const bool is_other = each.algorithm->library != asked.communicator.library;
  const std::string factor =
      each.over == 1 && !is_other ? "chosen" : fmt::format("{:.2f} x", each.over);
  (is_other ? answer.others : answer.table)
      .add({std::string(each.algorithm->name), is_other ? library_of(each) : protocol_of(each),
            fmt::format("{:.1f}", microseconds(each)), fmt::format("{:.2f}", bus_of(each, asked)),
            factor});
  answer.has_others = answer.has_others || is_other;
  answer.candidates.push_back(each);
}

Answer answer_to(const Question& asked) {
  Answer answer;
  const auto own = candidates(asked, false);
  for (const bool others : {false, true})
    for (const Candidate& each : others ? candidates(asked, true) : own)
      add({each, each.time / own.front().time}, asked, answer);
  return answer;
}

Records records_of(const Answer& answer, const Question& asked) {
  using Row = ComparedCandidate;
  const Communicator& c = asked.communicator;
  const Columns<Row> columns{
      {"algorithm", of_its(&Row::algorithm, &Algorithm::name)},
      {"protocol", protocol_of},
      {"library", library_of},
      {"time_us", microseconds},
      {"bus_bandwidth_gb_s", [&](const Row& r) { return bus_of(r, asked); }},
      {"over_fastest", &Row::over},
      {"basis", [&](const Row&) { return c.basis; }},
      {"calibration", [&](const Row&) { return known(asked.calibration); }},
      {"calibrated_us", [&](const Row&) {
         return has_table(asked)
                    ? std::optional(collective_cost(asked.kind, asked.size, c, false).time.base() *
                                    1e6)
                    : std::nullopt;
       }}};
  return records_of(columns, answer.candidates);
}

std::string text_of(const Answer& answer, const Question& asked) {
  const Communicator& c = asked.communicator;
  std::string text = fmt::format(
      "{} of {} over {} ranks in {} scale-up domain{} ({}{})\n{}{}by size: {}\n", asked.kind_name,
      to_text(asked.size), c.ranks, c.domains, c.domains == 1 ? "" : "s", to_text(c.basis),
      extrapolation_text(asked), answer.table.render(), measured_text(asked), crossovers(asked));
  if (answer.has_others)
    text += fmt::format("\nwhat another library could do, by hops and bytes alone\n{}",
                        answer.others.render());
  return text;
}

}  // namespace

int run_collective(const std::vector<std::string>& words) {
  const auto values = parse(command_line(), words);
  if (!values) return 0;
  const CommonOptions common = read_common(*values);
  if (values->count("check") > 0) return check_collectives(*values, common);
  Library library = Library::load(common.configs);
  const Question asked = question_of(*values, library, common.configs);
  const Answer answer = answer_to(asked);
  write_answer(common, text_of(answer, asked), records_of(answer, asked));
  return 0;
}

}  // namespace tofn
