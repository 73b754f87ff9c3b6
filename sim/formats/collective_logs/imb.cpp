// Intel MPI Benchmarks: collectives and Sendrecv of IMB-MPI1. Also oneCCL's `benchmark`, which
// prints the same table under `# Benchmarking: allreduce`.
#include <algorithm>
#include <array>

#include "sim/formats/collective_logs/log_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct Benchmark {
  std::string_view name;
  CollectiveKind kind;
  /// True if IMB counts what a rank sends to each other rank (Intel MPI Benchmarks User Guide,
  /// "Collective Benchmarks": Allgather and Alltoall send X bytes per process; Reduce_scatter
  /// splits X).
  bool size_is_per_rank;
};
constexpr std::array benchmarks{Benchmark{"Allreduce", CollectiveKind::AllReduce, false},
                                Benchmark{"Allgather", CollectiveKind::AllGather, true},
                                Benchmark{"Bcast", CollectiveKind::Broadcast, false},
                                Benchmark{"Alltoall", CollectiveKind::AllToAll, true},
                                Benchmark{"Reduce_scatter", CollectiveKind::ReduceScatter, false},
                                Benchmark{"Sendrecv", CollectiveKind::SendReceive, false},
                                // oneCCL's, those whose size has only one meaning.
                                Benchmark{"allreduce", CollectiveKind::AllReduce, false},
                                Benchmark{"bcast", CollectiveKind::Broadcast, false}};

class ImbReader {
 public:
  explicit ImbReader(const LogText& log) : log_(log) {}

  LoggedTables read() {
    for (const LogLine& line : log_.lines) {
      const std::vector<LogWord> words = line.words();
      if (words.empty()) continue;
      if (is_named(words[0], "Benchmarking"))
        begin(line, words);
      else if (is_named(words[0], "#processes") || words[0].text == "#bytes")
        take_header(line, words);
      else if (is_read_ && is_whole_number(words[0].text))
        take_row(line, words);
    }
    for (LoggedTable& table : read_.tables) table.job_ranks = job_ranks_;
    return std::move(read_);
  }

 private:
  static bool is_named(const LogWord& word, std::string_view name) {
    return word.text.starts_with(name) &&
           (word.text.size() == name.size() || word.text.substr(name.size()) == ":");
  }

  void begin(const LogLine& line, const std::vector<LogWord>& words) {
    const auto* const found = std::ranges::find_if(benchmarks, [&](const Benchmark& each) {
      return words.size() >= 2 && each.name == words[1].text;
    });
    is_read_ = found != benchmarks.end();
    if (!is_read_) {
      read_.remarks.push_back(log_.remark(line, "left out: a benchmark that is not read"));
      return;
    }
    const bool is_of_oneccl = words[0].text.ends_with(':');
    read_.tables.push_back({.tool = is_of_oneccl ? "oneccl" : "imb",
                            .collective = found->kind,
                            .size_is_per_rank = found->size_is_per_rank,
                            .line = line});
    time_column_ = 0;
  }

  /// Reads `# #processes = 16`, or `#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]`.
  void take_header(const LogLine& line, const std::vector<LogWord>& words) {
    if (!is_read_) return;
    if (words[0].text != "#bytes") {
      read_.tables.back().ranks = words.size() >= 2 ? parse_count(words.back().text) : std::nullopt;
      if (!read_.tables.back().ranks)
        throw InputError(log_.location(line), "#processes", "must be a whole number");
      job_ranks_ = std::max(job_ranks_, *read_.tables.back().ranks);
      return;
    }
    // A training step continues when the slowest rank is done, so t_max is the relevant time. The
    // average of a broadcast includes ranks that leave early.
    const auto time = std::ranges::find(words, "t_max[usec]", &LogWord::text);
    if (time == words.end())
      throw InputError(log_.location(line), "t_max[usec]", "is no column of this table");
    time_column_ = static_cast<std::size_t>(time - words.begin());
    columns_ = words.size();
  }

  void take_row(const LogLine& line, const std::vector<LogWord>& words) {
    if (log_.lacks_end(line) && words.size() < columns_) {
      read_.remarks.push_back(log_.remark(line, "left out: the last row is cut"));
      return;
    }
    if (words.size() > 1 && words[1].text.starts_with("out-of-mem")) {
      read_.remarks.push_back(log_.remark(line, "left out: a size that IMB had no memory for"));
      return;
    }
    if (time_column_ == 0 || words.size() <= time_column_)
      throw InputError(log_.location(line), {}, "the row has no t_max[usec]");
    LoggedRow row{.size = number_at(log_, line, words[0], "#bytes"), .line = line};
    if (row.size == 0) return;  // every table of IMB starts with an empty message
    row.out_of_place = microseconds_at(log_, line, words[time_column_]);
    read_.tables.back().rows.push_back(row);
  }

  const LogText& log_;
  LoggedTables read_;
  bool is_read_ = false;
  std::size_t time_column_ = 0;
  std::size_t columns_ = 0;
  int job_ranks_ = 0;
};

}  // namespace

bool is_imb(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    return text.starts_with("# Benchmarking ") || text.starts_with("# Benchmarking: ");
  });
}

LoggedTables read_imb(const LogText& log) { return ImbReader(log).read(); }

}  // namespace formats
}  // namespace tofn
