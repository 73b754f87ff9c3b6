// Completes tables with facts that a log does not state, and checks that its facts agree.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/names.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/bus_ratio.hpp"
#include "sim/formats/collective_logs/logged_table.hpp"
#include "sim/formats/text/job_end.hpp"
#include "sim/formats/text/stated_command.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Statements about a log beside its tables: hints, source line, file name and commands.
struct Surroundings {
  const LogText& log;
  const LogHints& hints;
  StatedPlacement name;
  StatedPlacement sentence;
  std::vector<StatedCommand> commands;

  /// Returns the last command above the table; nullptr if there is none.
  const StatedCommand* command_of(const LoggedTable& table) const {
    const StatedCommand* last = nullptr;
    for (const StatedCommand& each : commands)
      if (each.line.number < table.line.number) last = &each;
    return last;
  }
};

/// Returns the text after `# source:`, of the first such line.
std::string source_line(const LogText& log) {
  constexpr std::string_view mark = "# source:";
  for (const LogLine& line : log.lines)
    if (trimmed(line.text).starts_with(mark))
      return std::string(trimmed(trimmed(line.text).substr(mark.size())));
  return {};
}

[[noreturn]] void refuse(const LogText& log, const LoggedTable& table, std::string_view key,
                         const std::string& problem) {
  throw InputError(log.location(table.line), key, problem);
}

void apply_count_hint(const LogText& log, const LoggedTable& table, std::optional<int> hint,
                      std::string_view key, std::optional<int>& count) {
  if (hint && count && *hint != *count && !table.is_abridged)
    refuse(log, table, key, fmt::format("the log says {}, --{} says {}", *count, key, *hint));
  if (hint) count = hint;
}

/// IMB measures the first 2, 4, 8, ... ranks of a job; `--ranks` and `--nodes` describe the whole
/// job.
void apply_job_hints(const Surroundings& around, LoggedTable& table) {
  const LogHints& hints = around.hints;
  if (hints.ranks && *hints.ranks != table.job_ranks)
    refuse(around.log, table, "ranks",
           fmt::format("the log's largest group has {}, --ranks says {}", table.job_ranks,
                       *hints.ranks));
  const StatedCommand* const command = around.command_of(table);
  const bool is_of_job = command != nullptr && command->placement.all_ranks() == table.job_ranks;
  const std::optional<int> nodes = hints.nodes ? hints.nodes
                                   : is_of_job ? command->placement.nodes
                                               : around.name.nodes;
  if (!nodes || table.nodes || *nodes > table.job_ranks || !table.ranks) return;
  const double share = static_cast<double>(*table.ranks) / table.job_ranks;
  table.nodes = static_cast<int>(std::ceil(share * *nodes));
}

void apply_hints(const Surroundings& around, LoggedTable& table) {
  const LogHints& hints = around.hints;
  if (hints.collective && table.collective && *hints.collective != *table.collective)
    refuse(around.log, table, "collective",
           fmt::format("the log says {}, --collective says {}", collective_name(*table.collective),
                       collective_name(*hints.collective)));
  if (hints.collective) table.collective = hints.collective;
  if (!hints.type.empty() && !table.type.empty() && hints.type != table.type)
    refuse(around.log, table, "type",
           fmt::format("the log says {}, --type says {}", table.type, hints.type));
  if (table.type.empty()) table.type = hints.type;
  if (table.job_ranks > 0) return apply_job_hints(around, table);
  apply_count_hint(around.log, table, hints.ranks, "ranks", table.ranks);
  apply_count_hint(around.log, table, hints.nodes, "nodes", table.nodes);
}

/// Fills ranks and nodes from `stated` if it agrees with what is known. Returns what it filled: `16
/// ranks`, `2 nodes`.
std::vector<std::string> fill_placement(LoggedTable& table, const StatedPlacement& stated) {
  const std::optional<int> all = stated.all_ranks();
  const bool agrees = (!table.ranks || !all || stated.nodes == 1 || table.ranks == all) &&
                      (!table.nodes || !stated.nodes || table.nodes == stated.nodes);
  if (!agrees) return {};
  std::vector<std::string> taken;
  if (!table.ranks && all) {
    table.ranks = all;
    taken.push_back(counted(*all, "rank"));
  }
  if (!table.nodes && stated.nodes) {
    table.nodes = stated.nodes;
    taken.push_back(counted(*stated.nodes, "node"));
  }
  return taken;
}

/// Returns the last communicator above the table, from a line such as `comm 0x1 rank 0 nRanks 16
/// nNodes 2 localRanks 8` of NCCL_DEBUG=INFO.
std::optional<StatedCommand> communicator_above(const LogText& log, const LoggedTable& table) {
  std::optional<StatedCommand> last;
  for (const LogLine& line : log.lines) {
    if (line.number >= table.line.number) break;
    if (line.text.find(" nNodes ") == std::string_view::npos) continue;
    const std::vector<LogWord> words = line.words();
    StatedPlacement placement;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i].text == "nRanks") placement.ranks = parse_count(words[i + 1].text);
      if (words[i].text == "nNodes") placement.nodes = parse_count(words[i + 1].text);
    }
    if (placement.ranks && placement.nodes) last = StatedCommand{line, std::move(placement)};
  }
  return last;
}

void remark_taken(const Surroundings& around, const LogLine& line,
                  const std::vector<std::string>& taken, std::string_view where,
                  std::vector<std::string>& remarks) {
  if (!taken.empty())
    remarks.push_back(
        around.log.remark(line, fmt::format("taken from {}: {}", where, fmt::join(taken, ", "))));
}

/// Fills from the command above the table, NCCL, the file's name, then the source line.
void fill_from_words(const Surroundings& around, LoggedTable& table,
                     std::vector<std::string>& remarks) {
  std::vector<std::string> taken;
  const StatedCommand* const command = around.command_of(table);
  if (table.job_ranks == 0 && command != nullptr)
    remark_taken(around, command->line, fill_placement(table, command->placement),
                 "the command `" + command->placement.stated + '`', remarks);
  if (const auto communicator = communicator_above(around.log, table);
      communicator && table.job_ranks == 0)
    remark_taken(around, communicator->line, fill_placement(table, communicator->placement),
                 "NCCL's own line", remarks);
  if (table.job_ranks == 0) taken = fill_placement(table, around.name);
  if (!table.collective && around.name.collective) {
    table.collective = around.name.collective;
    taken.emplace_back(collective_name(*table.collective));
  }
  remark_taken(around, table.line, taken, "the file's name", remarks);
  if (table.job_ranks == 0)
    remark_taken(around, table.line, fill_placement(table, around.sentence), "the source line",
                 remarks);
}

void fill_collective(const Surroundings& around, LoggedTable& table,
                     std::vector<std::string>& remarks) {
  if (table.collective) return;
  // Only all-reduce moves each byte more than once.
  const auto ratio = bus_ratio(table);
  if (!ratio || ratio->low <= 1) return;
  table.collective = CollectiveKind::AllReduce;
  remarks.push_back(around.log.remark(
      table.line, fmt::format("all-reduce is taken from busbw/algbw {:.4g}", ratio->value)));
}

/// Fills ranks from the ratio if nothing else states them; refuses a ratio that contradicts them.
void fill_and_check_ranks(const Surroundings& around, LoggedTable& table,
                          std::vector<std::string>& remarks) {
  if (!table.collective) return;
  const auto ratio = bus_ratio(table);
  const CollectiveKind kind = *table.collective;
  if (!table.ranks && ratio) {
    table.ranks = ranks_of(*ratio, kind);
    if (table.ranks)
      remarks.push_back(around.log.remark(
          table.line,
          fmt::format("{} ranks are taken from busbw/algbw {:.4g}", *table.ranks, ratio->value)));
  }
  if (!table.ranks) return;
  if (ratio && !ratio->allows(bus_factor_of(kind, *table.ranks)))
    refuse(around.log, table, "ranks",
           fmt::format("busbw/algbw is {:.4g}: {}, not {} over {}", ratio->value,
                       meaning(*ratio, kind), collective_name(kind), *table.ranks));
  if (!table.nodes && *table.ranks == 1) table.nodes = 1;
  if (*table.ranks == 1)
    refuse(
        around.log, table, "ranks",
        "one rank exchanges nothing: these are the times of copies, or of a job that was started "
        "with one rank by mistake");
  if (table.nodes && *table.nodes > *table.ranks)
    refuse(around.log, table, "nodes",
           fmt::format("{} nodes cannot hold {} ranks", *table.nodes, *table.ranks));
}

std::string unread_text(const std::string& program) {
  std::vector<std::string> kinds;
  for (const auto& [name, kind] : collective_kinds) kinds.emplace_back(name);
  return fmt::format("{} measures none that is read: {}", program, list_text(kinds, "or"));
}

/// Returns what the log leaves open; absent if the table is placed.
std::optional<OpenTable> open_table(const Surroundings& around, const LoggedTable& table) {
  const auto open_for = [&](std::string_view key, std::string_view unsaid) {
    OpenTable open{.collective = table.collective, .nodes = table.nodes};
    const std::string question = fmt::format("the log does not say {}: give --{}", unsaid, key);
    open.question = InputError(around.log.location(table.line), key, question).what();
    const auto ratio = bus_ratio(table);
    RankRange range;
    if (ratio && table.collective) range = ranks_allowed(*ratio, *table.collective);
    const int job = table.job_ranks;
    if (table.ranks) range = {job > 0 ? job : *table.ranks, job > 0 ? job : *table.ranks};
    open.least_ranks = range.least;
    open.most_ranks = range.most;
    return open;
  };
  if (!table.collective) return open_for("collective", "which");
  if (!table.ranks) return open_for("ranks", "how many");
  if (!table.nodes) return open_for("nodes", "how many");
  return {};
}

/// Fills collective, ranks and nodes from all sources.
void place(const Surroundings& around, LoggedTable& table, std::vector<std::string>& remarks) {
  apply_hints(around, table);
  fill_from_words(around, table, remarks);
  fill_collective(around, table, remarks);
  fill_and_check_ranks(around, table, remarks);
}

}  // namespace

LogReading completed(LoggedTables tables, const LogText& log, const LogHints& hints) {
  const std::string source = source_line(log);
  const Surroundings around{.log = log,
                            .hints = hints,
                            .name = placement_of_name(log.file),
                            .sentence = placement_of_sentence(source),
                            .commands = stated_commands(log)};
  LogReading reading{.tables = {}, .remarks = std::move(tables.remarks)};
  for (LoggedTable& table : tables.tables) {
    CollectiveTable done;
    if (!table.program.empty() && !hints.collective) {
      if (tables.tables.size() == 1)
        throw InputError(log.location(table.line), "collective", unread_text(table.program));
      reading.remarks.push_back(log.remark(table.line, "left out: " + unread_text(table.program)));
      continue;
    }
    if (!table.rows.empty()) {
      place(around, table, reading.remarks);
      if (auto open = open_table(around, table)) {
        if (!hints.leaves_open) throw InputError(open->question);
        reading.open.push_back(std::move(*open));
        continue;
      }
      done = completed_table(log, source, table, reading.remarks);
    }
    if (done.rows.empty())
      reading.remarks.push_back(log.remark(table.line, "left out: a table without rows"));
    else
      reading.tables.push_back(std::move(done));
  }
  const int last_table = tables.tables.empty() ? 1 : tables.tables.back().line.number;
  if (const JobEnd end = end_of_job(log, last_table); end.is_failure)
    reading.remarks.push_back(failure_remark(log, end, "row"));
  if (reading.tables.empty() && reading.open.empty()) {
    for (const LoggedTable& table : tables.tables)
      if (!table.wrong_results.empty())
        throw InputError(
            log.location(table.line), {},
            fmt::format("every row has wrong results, beginning with {}", table.wrong_results));
    throw InputError(Location{log.file, 1, 0}, {}, "holds no row of measurements");
  }
  return reading;
}

}  // namespace formats
}  // namespace tofn
