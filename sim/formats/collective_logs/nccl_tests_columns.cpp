#include "sim/formats/collective_logs/nccl_tests_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/names.hpp"

namespace tofn {
inline namespace formats {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Appends time, algbw, busbw and check of one place.
void append_place(std::vector<std::string>& names, std::string_view time, std::string_view check) {
  for (const std::string_view name :
       {time, std::string_view("algbw"), std::string_view("busbw"), check})
    names.emplace_back(name);
}

/// Returns `tavg` for `tavg(usec)`, if the unit is that of nccl-tests; otherwise the word.
std::string column_name(std::string_view word) {
  constexpr std::array<std::string_view, 4> units{"(B)", "(us)", "(usec)", "(GB/s)"};
  for (const std::string_view unit : units)
    if (word.ends_with(unit)) word.remove_suffix(unit.size());
  return std::string(word);
}

bool is_time(std::string_view name) {
  return name == "time" || name == "cputime" || name == "tavg";
}

struct Place {
  std::optional<Seconds> time;
  LogWord algorithm{.text = "0"};
  LogWord bus{.text = "0"};
};

/// InputError if the printed time and bandwidth of a row are not of one message.
void check_agreement(const LogText& log, const LogLine& line, double size, const Place& place) {
  const auto printed = printed_bandwidths(place.algorithm.text, place.bus.text);
  if (!printed || !place.time || *place.time <= Seconds{}) return;
  constexpr double giga = 1e9;
  constexpr double share = 0.05;  // assumed: programs average the two differently
  const double by_time = size / place.time->base() / giga;
  const double stated = printed->algorithm;
  if (std::abs(by_time - stated) <= 2 * printed->algorithm_step + share * std::max(by_time, stated))
    return;
  throw InputError(log.location(line), "algbw",
                   fmt::format("{:g} B in {} are {:.3g} GB/s, but the row says {:.3g}", size,
                               to_text(*place.time), by_time, stated));
}

void keep(NcclTestsRow& read, const Place& place, bool is_in_place) {
  (is_in_place ? read.row.in_place : read.row.out_of_place) = place.time;
  const auto printed = printed_bandwidths(place.algorithm.text, place.bus.text);
  if (printed && (!read.row.bandwidths || printed->bus > read.row.bandwidths->bus))
    read.row.bandwidths = printed;
}

/// hypercube_perf leaves the reduction's column empty.
NcclTestsColumns without_empty_operation(NcclTestsColumns columns,
                                         const std::vector<LogWord>& words) {
  const auto operation = std::ranges::find(columns.names, "redop");
  const auto at = static_cast<std::size_t>(operation - columns.names.begin());
  if (words.size() + 1 == columns.names.size() && at < words.size() &&
      !is_letter(words[at].text.front()))
    columns.names.erase(operation);
  return columns;
}

void check_results(const LogText& log, const LogLine& line, const LogWord& word,
                   NcclTestsRow& read) {
  if (word.text == "N/A" || number_at(log, line, word, "#wrong") == 0) return;
  if (read.flaw.empty()) read.flaw = fmt::format("{} wrong values", shortened(word.text));
}

}  // namespace

bool is_whole_size(std::string_view text) {
  constexpr std::size_t group = 3;
  std::size_t comma = text.find(',');
  bool is_first = true;
  while (comma != std::string_view::npos) {
    const bool is_full = is_first ? comma <= group : comma == group;
    if (!is_full || !is_whole_number(text.substr(0, comma))) return false;
    text.remove_prefix(comma + 1);
    comma = text.find(',');
    is_first = false;
  }
  return is_whole_number(text) && (is_first || text.size() == group);
}

bool looks_like_row(const std::vector<LogWord>& words, const NcclTestsColumns* columns) {
  static const NcclTestsColumns typical{.names = {"size", "count", "type"}};
  if (columns == nullptr) columns = &typical;
  constexpr std::size_t telling = 3;
  if (words.size() < telling) return false;
  for (std::size_t i = 0; i < telling; ++i) {
    const std::string& name = columns->names[i];
    const bool fits = name == "type"                      ? is_letter(words[i].text.front())
                      : name == "size" || name == "count" ? is_whole_size(words[i].text)
                                                          : true;
    if (!fits) return false;
  }
  return true;
}

std::optional<NcclTestsColumns> columns_of_header(const LogLine& line) {
  NcclTestsColumns columns;
  for (const LogWord& word : line.words()) columns.names.push_back(column_name(word.text));
  const std::vector<std::string>& names = columns.names;
  const bool begins = names.size() >= 3 && names[0] == "size" &&
                      (names[1] == "count" || (names[1] == "type" && line.is_comment()));
  const bool is_measured = std::ranges::any_of(
      names, [](const std::string& name) { return is_time(name) || name == "busbw"; });
  if (!begins || !is_measured) return std::nullopt;
  return columns;
}

std::optional<NcclTestsColumns> columns_of_row(const std::vector<LogWord>& words) {
  if (!looks_like_row(words)) return std::nullopt;
  NcclTestsColumns columns{.names = {"size", "count", "type"}};
  // 11 words: gather and scatter before 2021; 12: reducing operations; 13: all since then, with
  // root.
  if (words.size() < 11 || words.size() > 13) return std::nullopt;
  if (words.size() >= 12) columns.names.emplace_back("redop");
  if (words.size() == 13) columns.names.emplace_back("root");
  const std::string_view check = words.size() == 13 ? "#wrong" : "error";
  append_place(columns.names, "time", check);
  append_place(columns.names, "time", check);
  return columns;
}

NcclTestsRow read_row(const LogText& log, const LogLine& line, const std::vector<LogWord>& words,
                      const NcclTestsColumns& header) {
  const NcclTestsColumns columns = without_empty_operation(header, words);
  if (words.size() != columns.names.size())
    throw InputError(log.location(line), {},
                     fmt::format("the row has {} words, its table has {} columns", words.size(),
                                 columns.names.size()));
  NcclTestsRow read{.row = {.line = line}, .type = {}, .flaw = {}};
  std::string size(words[0].text);
  std::erase(size, ',');
  read.row.size = number_at(log, line, {size, words[0].column}, "size");
  bool is_in_place = columns.only_in_place;
  Place place;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& name = columns.names[i];
    if (name == "type") read.type = words[i].text;
    if (is_time(name)) place.time = microseconds_at(log, line, words[i]);
    if (name == "algbw") place.algorithm = words[i];
    if (name == "#wrong") check_results(log, line, words[i], read);
    if (name != "busbw") continue;
    place.bus = words[i];
    check_agreement(log, line, read.row.size, place);
    keep(read, place, is_in_place);
    place = {};
    is_in_place = true;
  }
  if (place.time) keep(read, place, is_in_place);
  const bool has_time = read.row.out_of_place || read.row.in_place;
  if (!has_time && !read.row.bandwidths) read.flaw = "no time";
  return read;
}

}  // namespace formats
}  // namespace tofn
