// Output of nccl-tests and rccl-tests, with other lines (NCCL_DEBUG) in between.
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/collective_logs/nccl_tests_columns.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Values of `ALGO=`, `PROTO=` and `GPUS=` for the rows below, or in the source line for all rows.
struct SettingColumn {
  std::string algorithm{};
  std::string protocol{};
  std::optional<int> ranks{};

  bool operator==(const SettingColumn&) const = default;
};

/// Reads `ALGO=Ring`, `NCCL_PROTO=LL`, `GPUS=4`; true if the word is one of them.
bool take_setting(std::string_view word, SettingColumn& setting) {
  constexpr std::string_view prefix = "NCCL_";
  if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = word.substr(0, equals);
  std::string_view value = word.substr(equals + 1);
  value = value.substr(0, value.find_first_of(",;)"));
  if (value.empty()) return false;
  if (key == "ALGO") setting.algorithm = value;
  if (key == "PROTO") setting.protocol = value;
  if (key == "GPUS" && parse_count(value)) setting.ranks = parse_count(value);
  return key == "ALGO" || key == "PROTO" || (key == "GPUS" && parse_count(value));
}

/// Removes labels that `srun -l` or another launcher put into words: `0[0]`, `[1]`, `0:`.
std::vector<LogWord> without_labels(const std::vector<LogWord>& words) {
  std::vector<LogWord> clean;
  for (LogWord word : words) {
    const std::size_t open = word.text.find('[');
    if (open != std::string_view::npos && word.text.ends_with(']') &&
        is_whole_number(word.text.substr(open + 1, word.text.size() - open - 2)))
      word.text = word.text.substr(0, open);
    const bool is_label =
        word.text.ends_with(':') && is_whole_number(word.text.substr(0, word.text.size() - 1));
    if (!word.text.empty() && !is_label) clean.push_back(word);
  }
  return clean;
}

/// Hosts and ranks from lines such as `#  Rank  0 Group  0 Pid 7 on HOST device 0 ...`.
struct Devices {
  std::map<int, std::string> host_of_rank;
  std::map<int, std::string> process_of_rank;  ///< `Pid 7 on HOST device 0`
  std::optional<int> first_of_others;          ///< least rank of another group of a split job

  /// Groups of every n-th rank (NCCL_TESTS_SPLIT="MOD n") have only the listed ranks.
  std::optional<int> ranks() const {
    if (host_of_rank.empty()) return std::nullopt;
    const int last = host_of_rank.rbegin()->first;
    return first_of_others.value_or(last) < last ? static_cast<int>(host_of_rank.size()) : last + 1;
  }
  /// True if a published list leaves out some ranks.
  bool are_abridged() const {
    return !host_of_rank.empty() && static_cast<int>(host_of_rank.size()) < *ranks();
  }
  std::optional<int> nodes() const {
    std::set<std::string> hosts;
    for (const auto& [rank, host] : host_of_rank) hosts.insert(host);
    if (hosts.empty()) return std::nullopt;
    return static_cast<int>(hosts.size());
  }
};

class NcclTestsReader {
 public:
  explicit NcclTestsReader(const LogText& log) : log_(log) {
    bool is_last = true;
    for (std::size_t i = log.lines.size(); i-- > 0;) {
      const LogLine& line = log.lines[i];
      const std::vector<LogWord> words = line.words();
      const bool begins_as_row = !words.empty() && is_whole_size(words[0].text);
      if (begins_as_row && is_last) last_rows_.insert(line.number);
      is_last = columns_of_header(line) || (is_last && !begins_as_row);
    }
  }

  LoggedTables read() {
    for (const LogLine& line : log_.lines) {
      const std::vector<LogWord> words = line.words();
      if (words.empty() || line.text.find(" NCCL ") != std::string_view::npos) continue;
      if (const auto columns = columns_of_header(line))
        begin_table(*columns);
      else if (line.is_comment())
        take_comment(line, words);
      else if (is_whole_size(words[0].text))
        take_row(line, without_labels(words));
      else if (!is_place_line(line))
        take_program(line, words);
    }
    return std::move(read_);
  }

 private:
  bool is_place_line(const LogLine& line) {
    const bool is_in = line.text.find("in-place") != std::string_view::npos;
    const bool is_out = line.text.find("out-of-place") != std::string_view::npos;
    if (is_in || is_out) only_in_place_ = is_in && !is_out;
    return is_in || is_out;
  }

  void take_comment(const LogLine& line, const std::vector<LogWord>& words) {
    if (trimmed(line.text).starts_with("# source:")) return take_source(words);
    if (is_place_line(line)) return;
    if (words[0].text == "Rank") return take_device(line, words);
    if (words[0].text == "nThread") return begin_run();
    if (trimmed(line.text).find("Out of bounds values") != std::string_view::npos)
      return take_count_of_wrong(words);
    if (trimmed(line.text).find("Collective test starting:") != std::string_view::npos ||
        words[0].text == "nccl-tests" || words[0].text == "rccl-tests")
      return take_program(line, words);
    SettingColumn setting = setting_;
    if (!take_setting(words[0].text, setting)) return;
    for (const LogWord& word : words) take_setting(word.text, setting);
    if (setting == setting_) return;
    setting_ = setting;
    in_table_ = false;
  }

  /// Takes the line `# Out of bounds values : 27 FAILED` below the rows.
  void take_count_of_wrong(const std::vector<LogWord>& words) {
    if (read_.tables.empty() || words.back().text != "FAILED" || words.size() < 2) return;
    LoggedTable& table = read_.tables.back();
    if (table.wrong_results.empty())
      table.wrong_results = fmt::format("values out of bounds: {}", words[words.size() - 2].text);
  }

  void take_source(const std::vector<LogWord>& words) {
    for (const LogWord& word : words) take_setting(word.text, setting_);
  }

  /// Starts a new program, whose ranks follow.
  void begin_run() {
    devices_ = {};
    in_table_ = false;
    columns_.reset();
  }

  void take_program(const LogLine& line, const std::vector<LogWord>& words) {
    if (trimmed(line.text).starts_with("# rccl-tests")) tool_ = "rccl-tests";
    for (const LogWord& word : words) {
      const std::string_view name = base_name(word.text);
      const std::size_t end = name.find("_perf");
      if (end == std::string_view::npos) continue;
      const auto kind = collective_named(name.substr(0, end));
      const bool is_unread =
          is_any_of(name, {"gather_perf", "scatter_perf", "reduce_perf", "hypercube_perf"});
      if (!kind && !is_unread) continue;
      collective_ = kind;
      program_ = is_unread ? name : std::string_view{};
    }
  }

  /// Takes the ranks of the first group of a split job, because each group is its own communicator.
  void take_device(const LogLine& line, const std::vector<LogWord>& words) {
    const auto on = std::ranges::find(words, "on", &LogWord::text);
    if (words.size() < 4 || !is_whole_number(words[1].text) || on == words.end() ||
        on + 1 == words.end())
      return;
    const double rank = number_at(log_, line, words[1], "Rank");
    constexpr double most = 1e7;
    const bool is_first_group = words[2].text != "Group" || words[3].text == "0";
    if (!(rank < most)) return;
    const int number = static_cast<int>(rank);
    if (!is_first_group) {
      devices_.first_of_others = std::min(devices_.first_of_others.value_or(number), number);
      return;
    }
    std::string process;
    for (const LogWord& word : std::span(words).subspan(2)) process += std::string(word.text) + ' ';
    const auto [known, is_new] = devices_.process_of_rank.emplace(number, process);
    if (!is_new && known->second != process)
      throw InputError(log_.location(line), "Rank",
                       fmt::format("rank {} is here twice: these are several jobs, not one of more "
                                   "ranks (is nccl-tests built with MPI=1?)",
                                   number));
    devices_.host_of_rank[number] = (on + 1)->text;
  }

  /// Checks that rows of one job ascend; they may restart at the first size.
  void check_order(const LogLine& line, double size) {
    const auto& rows = read_.tables.back().rows;
    if (rows.empty() || size >= rows.back().size || size == rows.front().size) return;
    constexpr int most_falls = 1;  // allows one in a page edited by hand
    if (++falls_ > most_falls)
      throw InputError(
          log_.location(line), "size",
          "rows of several jobs lie among each other: their sizes fall again and again");
  }

  void begin_table(NcclTestsColumns columns) {
    columns.only_in_place = only_in_place_ && std::ranges::count(columns.names, "busbw") == 1;
    columns_ = std::move(columns);
    in_table_ = false;
  }

  void open_table(const LogLine& line) {
    LoggedTable table{.tool = tool_,
                      .collective = collective_,
                      .program = program_,
                      .ranks = setting_.ranks ? setting_.ranks : devices_.ranks(),
                      .nodes = devices_.nodes(),
                      .is_abridged = !setting_.ranks && devices_.are_abridged(),
                      .algorithm = setting_.algorithm,
                      .protocol = setting_.protocol,
                      .line = line};
    read_.tables.push_back(std::move(table));
    in_table_ = true;
    falls_ = 0;
    if (read_.tables.back().is_abridged)
      read_.remarks.push_back(log_.remark(
          line, fmt::format("{} ranks: the list names {} of them, up to rank {}", *devices_.ranks(),
                            devices_.host_of_rank.size(), *devices_.ranks() - 1)));
  }

  /// True for the last row of a job that was killed while it printed; complete rows count.
  bool is_cut(const LogLine& line, const std::vector<LogWord>& words) const {
    if (!in_table_ || !columns_ || !last_rows_.contains(line.number)) return false;
    const bool is_unfinished =
        !log_.whole.ends_with('\n') && line.number == log_.lines.back().number;
    double value = 0;
    return words.size() != columns_->names.size() ||
           (is_unfinished && words.back().text != "N/A" && !parse_number(words.back().text, value));
  }

  void take_row(const LogLine& line, const std::vector<LogWord>& words) {
    if (is_cut(line, words)) {
      read_.remarks.push_back(
          log_.remark(line, fmt::format("left out: the last row is cut: it ends in '{}'",
                                        shortened(words.back().text))));
      return;
    }
    if (!looks_like_row(words, columns_ ? &*columns_ : nullptr)) return;
    const auto columns = columns_ ? columns_ : columns_of_row(words);
    if (!columns)
      throw InputError(log_.location(line), {},
                       "a row of nccl-tests has 11 to 13 words where no header names its columns");
    NcclTestsRow row = read_row(log_, line, words, *columns);
    if (!in_table_ || read_.tables.back().type != row.type) open_table(line);
    read_.tables.back().type = row.type;
    check_order(line, row.row.size);
    LoggedTable& table = read_.tables.back();
    if (row.flaw.empty()) {
      table.rows.push_back(row.row);
      return;
    }
    read_.remarks.push_back(log_.remark(line, "left out: " + row.flaw));
    if (table.wrong_results.empty())
      table.wrong_results = fmt::format("{} at {}", row.flaw, to_text(Bytes{row.row.size}));
  }

  const LogText& log_;
  LoggedTables read_;
  std::string tool_ = "nccl-tests";
  std::optional<CollectiveKind> collective_;
  std::string program_;  ///< name of a program for another collective
  Devices devices_;
  SettingColumn setting_;
  std::optional<NcclTestsColumns> columns_;
  std::set<int> last_rows_;  ///< line numbers of each table's last row
  bool only_in_place_ = false;
  bool in_table_ = false;
  int falls_ = 0;  ///< of sizes within the table
};

}  // namespace

bool is_nccl_tests(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return columns_of_header(line).has_value() ||
           (!line.is_comment() && columns_of_row(line.words()).has_value());
  });
}

LoggedTables read_nccl_tests(const LogText& log) { return NcclTestsReader(log).read(); }

}  // namespace formats
}  // namespace tofn
