#include "microbench/app/session.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "microbench/app/interruption_watch.hpp"
#include "microbench/app/provenance.hpp"
#include "microbench/harness/machine.hpp"
#include "sim/core/error.hpp"

namespace tofn::bench {
namespace {

void say(const std::string& text) { std::cerr << "tofn-bench: " + text + '\n' << std::flush; }

std::string with_holdings(const std::string& text, const Recorder& recorder) {
  const std::string holdings = recorder.holdings();
  return holdings.empty() ? text : text + "; " + holdings;
}

/// Waits so that only one rank reports a common failure. The first rank reports at once, and its
/// end ends the others. If it is gone, the next has its turn, after at most `most` seconds.
void wait_for_turn(const Team& team, double most = std::numeric_limits<double>::infinity()) {
  if (team.rank() == 0) return;
  const double turn = 3 + 0.1 * std::min(team.rank(), 100);
  std::this_thread::sleep_for(std::chrono::duration<double>(std::min(turn, most)));
}

/// Ends this process if it makes no progress for long; `recorder` is null until there is one.
Watchdog::OnStall stall_handler(const Team& team, const std::string& who,
                                const std::atomic<const Recorder*>& recorder) {
  return [&team, who, &recorder](const std::string& what, double seconds) {
    wait_for_turn(team);
    std::string text = fmt::format(
        "{}: {}: nothing has moved for {:.0f} s (--timeout): another rank or the network has "
        "stalled",
        who, what, seconds);
    if (const Recorder* kept = recorder) {
      const auto lock = kept->paused();
      text = with_holdings(text, *kept);
    }
    say(text);
    std::_Exit(failure_of_the_job);
  };
}

/// True if all ranks have a monitor, because figures over some of them would mislead.
bool all_have(Team& team, const Monitor* monitor) {
  double is_missing = monitor == nullptr ? 1 : 0;
  team.maximum({&is_missing, 1});
  return is_missing == 0;
}

/// Runs the task, and ends the job on a failure that only this rank may know: the others may wait
/// for it in a collective. `timeout` in seconds.
void run_or_abort(Task& task, Lab& lab, Rig& rig, double timeout) try {
  task.run(lab, rig);
  lab.watchdog.stop();
} catch (const SharedFailure& failure) {
  throw SharedFailure(with_holdings(failure.what(), lab.recorder), failure.exit_code());
} catch (const InputError&) {
  throw;
} catch (const std::exception& error) {
  lab.watchdog.stop();
  wait_for_turn(lab.team, timeout / 3);
  say(with_holdings(fmt::format("{}: {}: {}", lab.who, lab.watchdog.current(), error.what()),
                    lab.recorder));
  lab.team.abort(failure_of_the_job);
}

void run_task(Team& team, Task& task, const BenchOptions& options, const std::string& who) {
  std::optional<Recorder> recorder;
  std::atomic<const Recorder*> kept = nullptr;
  Watchdog watchdog(options.timeout, stall_handler(team, who, kept));
  watchdog.start("the start");
  const auto hosts = team.gather(host_name());
  Placement placement;
  std::unique_ptr<Rig> rig;
  agree_on(team, who, [&] {
    placement = place(hosts, options.ranks_per_node);
    const Placement physical = place(hosts, {});
    const auto rank = static_cast<std::size_t>(team.rank());
    rig = std::make_unique<Rig>(task.uses_gpus(), physical.local[rank],
                                physical.ranks_on(physical.node[rank]));
  });
  Record record = provenance(team, *rig, hosts, options);
  agree_on(team, who, [&] {
    if (team.rank() == 0) continue_record(options, record);
  });
  recorder.emplace(team, options.output, std::move(record));
  kept = &*recorder;
  std::optional<InterruptionWatch> interruption;
  if (team.rank() == 0) interruption.emplace(who, watchdog, *recorder);
  Progress progress(team.rank() == 0, task.most_points());
  Lab lab{.team = team,
          .placement = placement,
          .rule = options.rule,
          .watchdog = watchdog,
          .recorder = *recorder,
          .progress = progress,
          .monitor = all_have(team, rig->monitor()) ? rig->monitor() : nullptr,
          .who = who};
  run_or_abort(task, lab, *rig, options.timeout);
  if (const std::string holdings = recorder->holdings(); !holdings.empty())
    progress.print(holdings + '\n');
}

}  // namespace

int run_session(Team& team, Task& task, const BenchOptions& options) {
  const std::string who = fmt::format("host {}, rank {}", host_name(), team.rank());
  try {
    run_task(team, task, options, who);
    return 0;
  } catch (const SharedFailure& failure) {
    if (team.rank() == 0) say(failure.what());
    return failure.exit_code();
  } catch (const InputError& error) {  // thrown on all ranks
    if (team.rank() == 0) say(error.what());
    return mistake_of_the_user;
  }
}

}  // namespace tofn::bench
