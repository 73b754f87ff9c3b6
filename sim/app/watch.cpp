#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/watch_answer.hpp"
#include "sim/answers/watch_collectives_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/waiting_line.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/joined_thread.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/report/watch_collectives_report.hpp"
#include "sim/report/watch_metrics.hpp"
#include "sim/report/watch_report.hpp"
#include "sim/serve/loopback_server.hpp"

namespace tofn {
inline namespace app {

namespace {

/// Where a command's metrics go: a file, or a port of 127.0.0.1.
struct MetricsTarget {
  std::filesystem::path file{};  ///< empty: a port
  int port = 0;

  bool is_port() const { return file.empty(); }
};

/// Reads a port, or the name of a file that ends in `.prom`, which is what the textfile collector
/// of Prometheus' node_exporter reads. InputError if it is neither.
MetricsTarget metrics_target(const std::string& text, const std::string& flag) {
  constexpr int last_port = 65535;
  if (text.find_first_not_of("0123456789") == text.npos)
    return {.port = whole_number(text, flag, last_port)};
  if (std::filesystem::path(text).extension() != ".prom")
    throw InputError({}, flag,
                     "needs a port, or a file whose name ends in .prom, as node_exporter's "
                     "textfile collector reads it; got '" +
                         shortened(text) + "'");
  return {.file = text};
}

}  // namespace

namespace option {
constexpr Text watched_log{{"log",
                            "the log of a running job, in any format of `calibrate --steps`, or a "
                            "file of NCCL Inspector"}};
constexpr OptionOf<Seconds> predicted_step{
    {"predicted", "time of a step that was predicted, e.g. 1.31s"}, amount_of<Seconds>};
constexpr OptionOf<int> iterations{
    {"iterations", "iterations of the whole run, if the log does not state them"},
    whole<1'000'000'000>};
constexpr OptionOf<Seconds> every{
    {.name = "every", .help = "interval at which the log is read again", .default_text = "10s"},
    amount_of<Seconds>};
constexpr AnyOption once{"once", "report once, and end", Takes::Nothing};
constexpr OptionOf<MetricsTarget> metrics{
    {.name = "metrics",
     .help = "gives the state to Prometheus whenever the log grows: FILE.prom for the textfile "
             "collector of node_exporter, or a port of 127.0.0.1 for /metrics, which serves until "
             "Ctrl-C",
     .is_for_pages = false,
     .writes_file = true},
    metrics_target};
}  // namespace option

namespace {

/// Gives metrics to Prometheus as long as it exists: as a file that is replaced atomically, or as
/// `/metrics` over HTTP.
class MetricsFeed {
 public:
  /// Opens the port. InputError if it is taken.
  explicit MetricsFeed(MetricsTarget target) : target_(std::move(target)) {
    if (target_.is_port()) serve();
  }
  ~MetricsFeed() { is_stopped_ = true; }
  MetricsFeed(const MetricsFeed&) = delete;
  MetricsFeed& operator=(const MetricsFeed&) = delete;

  /// Replaces the metrics. InputError or WriteError if the file cannot be written.
  void publish(std::string text) {
    if (!target_.is_port()) return write_text_file_atomically(target_.file, text);
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }

 private:
  void serve() {
    std::promise<void> opened;
    auto is_open = opened.get_future();
    server_.emplace([this, opened = std::move(opened)]() mutable {
      try {
        serve_on_loopback({.port = target_.port,
                           .option = option::metrics.flag(),
                           .metrics =
                               [this] {
                                 const std::lock_guard lock(mutex_);
                                 return text_;
                               },
                           .on_ready = [&](int) { opened.set_value(); },
                           .is_stopped = [this] { return is_stopped_.load(); }});
      } catch (const InputError&) {
        opened.set_exception(std::current_exception());
      }
    });
    is_open.get();
  }

  MetricsTarget target_;
  std::mutex mutex_{};
  std::string text_{};
  std::atomic<bool> is_stopped_ = false;
  std::optional<JoinedThread> server_{};
};

constexpr Jobs log_of_steps = 1U << 0U;
constexpr Jobs log_of_collectives = 1U << 1U;

CommandOptions watch_rows() {
  return {
      {.option = &option::watched_log, .words = 1},
      {&option::predicted_step, log_of_steps},
      {&option::iterations, log_of_steps},
      {&option::accelerators, log_of_steps,
       "accelerators of the job, where the log does not state them"},
      {&option::batch, log_of_steps, "global batch in samples, where the log does not state it"},
      {&option::sequence_length, log_of_steps,
       "tokens a sample, where the log does not state them"},
      {&option::cluster, log_of_collectives,
       "cluster of the job: what its links allow beside the bandwidth of each collective"},
      {&option::every},
      {&option::once},
      {&option::metrics}};
}

}  // namespace

CommandLine watch_command_line() {
  return {"watch LOG",
          "  tofn watch train.log\n"
          "  tofn watch train.log --predicted 1.31s\n"
          "  tofn watch train.log --once --format json\n"
          "  tofn watch train.log --metrics 9464\n",
          watch_rows()};
}

namespace {

WatchQuestion question_of(const options::variables_map& values) {
  const auto log = option::watched_log.of(values);
  if (!log) throw InputError("watch needs a log, e.g. `tofn watch train.log`");
  WatchQuestion question{.file = *log};
  if (const auto count = option::iterations.of(values)) question.iterations = *count;
  question.hints.accelerators = option::accelerators.as(values, whole<>);
  question.hints.global_batch = option::batch.of(values);
  question.hints.sequence_length = option::sequence_length.of(values);
  if (const auto step = option::predicted_step.of(values)) question.predicted = *step;
  return question;
}

/// State of a log at one moment: a line to print, and the answer.
struct Look {
  std::string line{};
  CommandAnswer answer{};
  std::string metrics{};
  bool is_over = false;
};

Look look_at_steps(const WatchQuestion& question) {
  const WatchAnswer now = watch(question);
  Look look{.line = watch_line(now), .is_over = now.is_over()};
  look.answer.text = watch_text(now);
  look.answer.records = watch_records(now);
  look.answer.exit_code = now.run.end.is_failure ? 1 : 0;
  look.metrics = watch_metrics(now, question.file);
  return look;
}

Look look_at_collectives(const options::variables_map& values, const WatchQuestion& question,
                         const std::string& text) {
  WatchedCollectives now = watch_collectives(text, question.file);
  if (const auto cluster = option::cluster.of(values)) {
    const auto configs = read_common(values).configs;
    Library library = Library::load(configs);
    set_expected(now, *cluster, library, configs);
  }
  Look look{.line = watch_collectives_line(now)};
  look.answer.text = watch_collectives_text(now);
  look.answer.records = watch_collectives_records(now);
  look.metrics = watch_metrics(now, question.file);
  return look;
}

/// Throws InputError if an option of one kind of log is given for the other kind.
void check_options(const options::variables_map& values, const WatchQuestion& question, Jobs log) {
  for (const CommandOption& row : watch_rows())
    if (row.option->is_given(values) && (row.acts_on & log) == 0)
      throw InputError(
          {}, row.option->flag(),
          "changes nothing: " + question.file +
              (log == log_of_steps ? " has steps, no collectives" : " has collectives, no steps"));
}

Look look_at(const options::variables_map& values, const WatchQuestion& question) {
  const ReadOnce one_answer;
  std::error_code is_no_file;
  if (std::filesystem::file_size(question.file, is_no_file) == 0 && !is_no_file)
    throw NoSteps({question.file}, "step", "no step has a time yet: the file is empty");
  const std::string text = read_text_file(question.file);
  const bool has_steps = !is_inspector_text(text);
  check_options(values, question, has_steps ? log_of_steps : log_of_collectives);
  return has_steps ? look_at_steps(question) : look_at_collectives(values, question, text);
}

/// Reads the log again, and prints a line. If the log has no step with a time, `now` stays as it
/// is, which is reported at the first look.
void look_again(const options::variables_map& values, const WatchQuestion& question, bool is_first,
                std::optional<MetricsFeed>& feed, std::optional<Look>& now) try {
  now = look_at(values, question);
  if (feed) feed->publish(now->metrics);
  WaitingLine::give_way();
  std::cout << now->line << std::endl;
} catch (const NoSteps& none) {
  if (is_first) say(fmt::format("{}; waiting for steps, Ctrl-C ends it", none.what()));
}

/// Prints a line whenever the log's size changes, until a signal comes or, unless a port is served,
/// until the job is done. Returns the last answer. InputError if the log cannot be read or never
/// has a step.
CommandAnswer follow(const options::variables_map& values, const WatchQuestion& question,
                     Seconds every) {
  using namespace std::chrono_literals;
  Interruption interruption;
  std::optional<MetricsFeed> feed;
  const auto target = option::metrics.of(values);
  if (target) feed.emplace(*target);
  std::optional<std::uintmax_t> size;
  auto next = std::chrono::steady_clock::now();
  std::optional<Look> now;
  while (interruption.signal() == 0) {
    if (std::chrono::steady_clock::now() >= next) {
      next += std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::duration<double>(every.base()));
      std::error_code error;
      const auto grown = std::filesystem::file_size(question.file, error);
      if (error) throw InputError({question.file}, "", "cannot be read: " + error.message());
      if (grown != size) look_again(values, question, !size, feed, now);
      size = grown;
      if (now && now->is_over && !(target && target->is_port())) break;
    }
    std::this_thread::sleep_for(50ms);
  }
  if (!now) throw NoSteps({question.file}, "step", "no step came while it was watched");
  now->answer.text.insert(0, 1, '\n');
  return now->answer;
}

}  // namespace

CommandAnswer run_watch(const options::variables_map& values) {
  const WatchQuestion question = question_of(values);
  if (option::once.is_given(values) && option::every.is_given(values))
    throw InputError({}, option::every.flag(),
                     fmt::format("changes nothing with {}", option::once.flag()));
  // A pipe is read to its end, after which there is nothing to wait for.
  if (!option::once.is_given(values) && !is_standard_input(question.file))
    return follow(values, question, option::every.value(values));
  const auto target = option::metrics.of(values);
  if (target && target->is_port())
    throw InputError({}, option::metrics.flag(),
                     "a port is served while a log is followed: name a file here");
  const Look now = look_at(values, question);
  if (target) MetricsFeed(*target).publish(now.metrics);
  return now.answer;
}

}  // namespace app
}  // namespace tofn
