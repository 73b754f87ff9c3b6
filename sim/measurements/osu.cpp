// OSU Micro-Benchmarks: collective latency tests, with or without `-f`.
#include <algorithm>
#include <array>

#include "sim/measurements/log_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

struct Title {
  std::string_view words;  ///< between `# OSU MPI[-CUDA] ` and ` Latency Test`
  CollectiveKind kind;
  /// osu_allgather.c and osu_alltoall.c count what a rank sends to each; osu_reduce_scatter.c
  /// divides its size by the ranks (OSU Micro-Benchmarks 7.5, c/mpi/collective/blocking).
  bool size_is_per_rank;
};
constexpr std::array titles{
    Title{"Allreduce", CollectiveKind::AllReduce, false},
    Title{"Allgather", CollectiveKind::AllGather, true},
    Title{"Reduce_scatter", CollectiveKind::ReduceScatter, false},
    Title{"Broadcast", CollectiveKind::Broadcast, false},
    Title{"All-to-All Personalized Exchange", CollectiveKind::AllToAll, true}};

constexpr std::string_view title_start = "# OSU MPI";

bool is_title(const LogLine& line) { return trimmed(line.text).starts_with(title_start); }

LoggedTable titled_table(const LogText& log, const LogLine& line) {
  std::string_view text = trimmed(line.text);
  text.remove_prefix(std::min(text.find(' ', title_start.size()), text.size()));
  text = trimmed(text.substr(0, text.find(" Latency Test")));
  const auto* const title = std::find_if(titles.begin(), titles.end(),
                                         [&](const Title& each) { return each.words == text; });
  if (title == titles.end()) {
    std::string known;
    for (const Title& each : titles) known += (known.empty() ? "" : ", ") + std::string(each.words);
    throw InputError(log.location(line), "OSU MPI", "reads the latency tests of: " + known);
  }
  LoggedTable table{.tool = "osu", .collective = title->kind, .line = line};
  table.size_is_per_rank = title->size_is_per_rank;
  return table;
}

/// `4   39.20   35.38   42.80   1000`: size, average over ranks, and with -f more.
LoggedRow row_of(const LogText& log, const LogLine& line, const std::vector<LogWord>& words) {
  if (words.size() < 2)
    throw InputError(log.location(line), {}, "a row needs a size and an average latency");
  LoggedRow row{.size = number_at(log, line, words[0], "Size"), .line = line};
  row.out_of_place = microseconds_at(log, line, words[1]);
  return row;
}

/// `# Datatype: MPI_CHAR.` of OSU 7
void take_type(const std::vector<LogWord>& words, LoggedTable& table) {
  if (words.size() != 2 || words[0].text != "Datatype:") return;
  table.type = words[1].text.substr(0, words[1].text.find_last_not_of('.') + 1);
}

}  // namespace

bool is_osu(const LogText& log) {
  return std::any_of(log.lines.begin(), log.lines.end(), is_title);
}

LoggedTables read_osu(const LogText& log) {
  LoggedTables read;
  for (const LogLine& line : log.lines) {
    if (is_title(line)) read.tables.push_back(titled_table(log, line));
    if (read.tables.empty()) continue;
    const std::vector<LogWord> words = line.words();
    if (line.is_comment())
      take_type(words, read.tables.back());
    else if (!words.empty() && is_whole_number(words[0].text))
      read.tables.back().rows.push_back(row_of(log, line, words));
  }
  return read;
}

}  // namespace measurements
}  // namespace tofn
