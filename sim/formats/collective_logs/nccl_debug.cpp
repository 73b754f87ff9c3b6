#include "sim/formats/collective_logs/nccl_debug.hpp"

#include <algorithm>

#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

using Words = std::vector<LogWord>;

/// Returns the word after `key`; absent if there is none.
std::optional<LogWord> after(const Words& words, std::string_view key) {
  const auto found = std::ranges::find(words, key, &LogWord::text);
  if (found == words.end() || found + 1 == words.end()) return std::nullopt;
  return *(found + 1);
}

void take_count(const Words& words, std::string_view key, std::optional<int>& count) {
  const auto word = after(words, key);
  if (word && !count) count = parse_count(word->text);
}

/// Reads `24 coll channels, 24 collnet channels, 16 nvls channels, ...`.
void take_channels(const Words& words, NcclFacts& facts) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (!words[i + 2].text.starts_with("channels")) continue;
    if (words[i + 1].text == "coll" && !facts.channels) facts.channels = parse_count(words[i].text);
    if (words[i + 1].text == "nvls" && !facts.nvls_channels)
      facts.nvls_channels = parse_count(words[i].text);
  }
}

/// Returns the number of channels in `channel{Lo..Hi}={0..23}`.
std::optional<int> channels_in(std::string_view text) {
  const std::size_t start = text.find("={");
  const std::size_t dots = text.rfind("..");
  if (start == std::string_view::npos || dots == std::string_view::npos || dots < start + 2 ||
      !text.ends_with('}'))
    return std::nullopt;
  const std::string_view low = text.substr(start + 2, dots - start - 2);
  const std::string_view high = text.substr(dots + 2, text.size() - dots - 3);
  const auto last = parse_count(high == "0" ? "1" : high);
  const auto first = parse_count(low == "0" ? "1" : low);
  if (!first || !last) return std::nullopt;
  const int low_channel = low == "0" ? 0 : *first;
  const int high_channel = high == "0" ? 0 : *last;
  if (high_channel < low_channel) return std::nullopt;
  return high_channel - low_channel + 1;
}

/// Reads `AllReduce: 1048576 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}`.
void take_choice(const LogText& log, const LogLine& line, const Words& words, NcclFacts& facts) {
  const auto algorithm = std::ranges::find(words, "Algo", &LogWord::text);
  const auto at = algorithm - words.begin();
  const bool is_choice = algorithm != words.end() && at >= 4 && words.end() - algorithm >= 5 &&
                         (algorithm - 2)->text == "Bytes" && (algorithm - 1)->text == "->";
  if (!is_choice) return;
  const auto channels = channels_in((algorithm + 4)->text);
  if (!channels)
    throw InputError(
        log.location(line, *(algorithm + 4)), "channel",
        "must be like channel{Lo..Hi}={0..23}, is '" + shortened((algorithm + 4)->text) + "'");
  std::string_view name = (algorithm - 4)->text;
  if (name.ends_with(':')) name.remove_suffix(1);
  NcclChoice choice{.collective = std::string(name),
                    .size = Bytes{number_at(log, line, *(algorithm - 3), "Bytes")},
                    .algorithm = std::string((algorithm + 1)->text),
                    .protocol = std::string((algorithm + 3)->text),
                    .channels = *channels};
  // Every rank prints the same line; only the first one counts.
  if (std::ranges::find(facts.choices, choice) == facts.choices.end())
    facts.choices.push_back(choice);
}

/// Returns the text after the words; empty if they are not in the line.
std::string_view text_after(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  return at == std::string_view::npos ? std::string_view{}
                                      : trimmed(line.substr(at + words.size()));
}

/// Reads `NET/OFI Selected provider is efa, fabric is efa-direct`, or `cxi` of aws-ofi-nccl until
/// 1.6.
void take_provider(const LogLine& line, NcclFacts& facts) {
  for (const std::string_view words : {"Selected Provider is ", "Selected provider is "}) {
    const std::string_view rest = text_after(line.text, words);
    if (facts.provider.empty()) facts.provider = rest.substr(0, rest.find_first_of(" ,;("));
  }
}

/// Reads `Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA`.
void take_transport(const LogLine& line, NcclFacts& facts) {
  const std::string_view transport = text_after(line.text, "via NET/");
  if (transport.empty()) return;
  if (facts.network.empty()) facts.network = transport.substr(0, transport.find('/'));
  facts.writes_to_devices |= transport.find("/GDRDMA") != std::string_view::npos;
}

/// Reads `NCCL version 2.28.9+cuda13.0`, `NCCL INFO Using network AWS Libfabric`.
void take_names(const LogLine& line, const Words& words, NcclFacts& facts) {
  const std::size_t version = line.text.find("NCCL version ");
  if (version != std::string_view::npos && facts.version.empty())
    if (const auto word = after(words, "version")) facts.version = word->text;
  if (const std::string_view name = text_after(line.text, "Using network "); facts.network.empty())
    facts.network = name;
}

}  // namespace

bool NcclFacts::has_rdma() const {
  const bool is_of_kernel =
      network == "Socket" || provider == "sockets" || provider.starts_with("tcp");
  return !is_of_kernel && (!network.empty() || !provider.empty());
}

NcclFacts read_nccl_debug(std::string_view text, const std::string& file) {
  check_text(text, file);
  const LogText log = cut_into_lines(text, file);
  NcclFacts facts;
  bool is_debug = false;
  for (const LogLine& line : log.lines) {
    if (line.text.find("NCCL ") == std::string_view::npos) continue;
    is_debug = true;
    const Words words = line.words();
    take_names(line, words, facts);
    take_provider(line, facts);
    take_transport(line, facts);
    take_channels(words, facts);
    take_choice(log, line, words, facts);
    take_count(words, "nRanks", facts.ranks);
    take_count(words, "nranks", facts.ranks);
    take_count(words, "nNodes", facts.nodes);
  }
  if (!is_debug)
    throw InputError(Location{file, 1, 1}, {}, "holds no line of NCCL: set NCCL_DEBUG=INFO");
  return facts;
}

}  // namespace formats
}  // namespace tofn
