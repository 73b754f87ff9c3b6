// OSU Micro-Benchmarks: collective latency tests of MPI and of NCCL, with or without `-f`.
#include <algorithm>
#include <array>

#include "sim/formats/collective_logs/log_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct Title {
  std::string_view words;  ///< between `# OSU MPI[-CUDA] `, or `NCCL`, and ` Test`
  CollectiveKind kind;
  /// True for osu_allgather.c and osu_alltoall.c, which count what a rank sends to each other;
  /// osu_reduce_scatter.c divides its size by the ranks (OSU Micro-Benchmarks 7.5,
  /// c/mpi/collective/blocking).
  bool size_is_per_rank;
  bool is_between_two = false;  ///< two ranks: osu_latency, osu_bw
  bool is_bandwidth = false;    ///< in MB/s (10^6) with 64 messages in flight
  std::string_view remark{};    ///< remark on such a table
};
constexpr std::array titles{
    Title{"Allreduce Latency", CollectiveKind::AllReduce, false},
    Title{"Allgather Latency", CollectiveKind::AllGather, true},
    Title{"Reduce_scatter Latency", CollectiveKind::ReduceScatter, false},
    Title{"Broadcast Latency", CollectiveKind::Broadcast, false},
    Title{.words = "Reduce Latency",
          .kind = CollectiveKind::Broadcast,
          .size_is_per_rank = false,
          .remark = "a reduce goes the way of a broadcast backwards: it is read as one"},
    Title{"All-to-All Personalized Exchange Latency", CollectiveKind::AllToAll, true},
    Title{"Latency", CollectiveKind::SendReceive, false, true},
    Title{"Bandwidth", CollectiveKind::SendReceive, false, true, true,
          "a bandwidth is of many messages in flight: one alone takes longer"}};

constexpr std::string_view title_start = "# OSU ";

bool is_of_nccl(const LogLine& line) {
  return trimmed(line.text).substr(title_start.size()).starts_with("NCCL");
}
bool is_title(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  return text.starts_with(title_start) &&
         (text.substr(title_start.size()).starts_with("MPI") || is_of_nccl(line));
}

/// Returns the row for `All-to-All Personalized Exchange Latency` of `# OSU MPI-CUDA ... Latency
/// Test v5.9`; nullptr for a test that is not read.
const Title* title_of(const LogLine& line) {
  std::string_view text = trimmed(line.text);
  text.remove_prefix(std::min(text.find(' ', title_start.size()), text.size()));
  text = trimmed(text.substr(0, text.find(" Test")));
  const auto* const title = std::ranges::find(titles, text, &Title::words);
  return title == titles.end() ? nullptr : title;
}

[[noreturn]] void refuse_titles(const LogText& log) {
  std::string known;
  for (const Title& each : titles) known += (known.empty() ? "" : ", ") + std::string(each.words);
  const auto first = std::ranges::find_if(log.lines, is_title);
  throw InputError(log.location(*first), "OSU MPI", "reads the tests of: " + known);
}

LoggedTable titled_table(const LogLine& line, const Title& title) {
  return {.tool = is_of_nccl(line) ? "osu-nccl" : "osu",
          .collective = title.kind,
          .ranks = title.is_between_two ? std::optional(2) : std::nullopt,
          .size_is_per_rank = title.size_is_per_rank,
          .line = line};
}

/// Returns the time of one message when many are in flight.
std::optional<Seconds> time_at(const LogText& log, const LogLine& line, const LogWord& word,
                               double size) {
  constexpr double mega = 1e6;
  const double rate = number_at(log, line, word, "Bandwidth") * mega;
  if (!(rate > 0)) return {};
  return Seconds{size / rate};
}

/// Reads `4   39.20   35.38   42.80   1000`: size, average over ranks, and with -f more.
LoggedRow row_of(const LogText& log, const LogLine& line, const std::vector<LogWord>& words,
                 const Title& title) {
  if (words.size() < 2)
    throw InputError(log.location(line), {}, "a row needs a size and an average latency");
  LoggedRow row{.size = number_at(log, line, words[0], "Size"), .line = line};
  row.out_of_place = title.is_bandwidth ? time_at(log, line, words[1], row.size)
                                        : microseconds_at(log, line, words[1]);
  return row;
}

std::size_t decimals_of(std::string_view number) {
  return number.size() - std::min(number.size(), number.find('.'));
}

/// True for the last row of a job that is printing or was killed: it is shorter than the row above.
/// OSU prints the same decimals in each row.
bool is_cut(const LogText& log, const LogLine& line, const std::vector<LogWord>& words,
            const std::vector<LogWord>& above) {
  if (!log.lacks_end(line)) return false;
  if (words.size() < 2 || words.size() < above.size()) return true;
  return !above.empty() && decimals_of(words.back().text) < decimals_of(above.back().text);
}

/// Reads OSU 7's `# Datatype: MPI_CHAR.`
void take_type(const std::vector<LogWord>& words, LoggedTable& table) {
  if (words.size() != 2 || words[0].text != "Datatype:") return;
  table.type = words[1].text.substr(0, words[1].text.find_last_not_of('.') + 1);
}

}  // namespace

bool is_osu(const LogText& log) { return std::ranges::any_of(log.lines, is_title); }

LoggedTables read_osu(const LogText& log) {
  LoggedTables read;
  const Title* title = nullptr;
  std::vector<LogWord> above;  // previous row
  for (const LogLine& line : log.lines) {
    if (is_title(line)) {
      title = title_of(line);
      if (title == nullptr) {
        read.remarks.push_back(log.remark(line, "left out: a test that is not read"));
        continue;
      }
      read.tables.push_back(titled_table(line, *title));
      if (!title->remark.empty())
        read.remarks.push_back(log.remark(line, std::string(title->remark)));
    }
    if (title == nullptr) continue;
    const std::vector<LogWord> words = line.words();
    if (line.is_comment())
      take_type(words, read.tables.back());
    else if (!words.empty() && is_whole_number(words[0].text)) {
      if (is_cut(log, line, words, above)) {
        read.remarks.push_back(log.remark(line, "left out: the last row is cut"));
        continue;
      }
      read.tables.back().rows.push_back(row_of(log, line, words, *title));
      above = words;
    }
  }
  if (read.tables.empty()) refuse_titles(log);
  return read;
}

}  // namespace formats
}  // namespace tofn
