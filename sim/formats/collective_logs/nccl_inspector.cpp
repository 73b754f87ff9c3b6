// Output of NCCL's profiler plugin `inspector` for a production job: one object per line and
// collective. Keys and their meaning: NVIDIA/nccl@5067397 (2.30.7), plugins/profiler/inspector,
// inspector_json.cc and README.md; a header for many lines (v4.3):
// github.com/NVIDIA/nccl/pull/2359.
#include "sim/formats/collective_logs/nccl_inspector.hpp"

#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/names.hpp"
#include "sim/formats/text/json_members.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

using InspectorJson = nlohmann::json;

/// The plugin's name of a collective, and whether its bytes are one rank's share of what nccl-tests
/// counts.
struct InspectorKind {
  std::string_view name;
  CollectiveKind kind;
  bool size_is_per_rank = false;
};
constexpr std::array inspector_kinds{
    InspectorKind{"AllReduce", CollectiveKind::AllReduce},
    InspectorKind{"AllGather", CollectiveKind::AllGather, true},
    InspectorKind{"ReduceScatter", CollectiveKind::ReduceScatter, true},
    InspectorKind{"Broadcast", CollectiveKind::Broadcast},
    InspectorKind{"All2All", CollectiveKind::AllToAll, true},
    InspectorKind{"AlltoAll", CollectiveKind::AllToAll, true}};

const InspectorKind* inspector_kind(const std::string& name) {
  for (const InspectorKind& each : inspector_kinds)
    if (each.name == name) return &each;
  return nullptr;
}

/// Reads one line after the other; in v4.3 a header applies until the next one.
class InspectorReader {
 public:
  explicit InspectorReader(const LogText& log) : log_(log) {}

  InspectorReading read() {
    for (const LogLine& line : log_.lines)
      if (!trimmed(line.text).empty()) take(line);
    remark_left_out();
    return std::move(read_);
  }

 private:
  struct Header {
    std::string communicator{};
    std::optional<int> ranks{}, nodes{};
    std::optional<double> dumped_at{};
  };

  void take(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    const InspectorJson object = InspectorJson::parse(text, nullptr, false);
    if (object.is_discarded() || !object.is_object()) {
      const bool is_being_written = line.number == log_.lines.back().number &&
                                    !log_.whole.empty() && log_.whole.back() != '\n';
      if (!is_being_written)
        throw InputError(Location{log_.file, line.number, line.column}, {},
                         "is no JSON object, as the lines of NCCL Inspector are: '" +
                             shortened(std::string(text)) + "'");
      ++left_out_["a last line that is still being written"];
      return;
    }
    if (object.contains("header")) take_header(object["header"], line);
    if (object.contains("metadata")) take_metadata(object["metadata"]);
    if (object.contains("coll_perf")) take_collective(object["coll_perf"], line);
    if (object.contains("p2p_perf")) ++left_out_["Send and Recv, which are no collectives"];
  }

  void take_header(const InspectorJson& stated, const LogLine& line) {
    header_ = Header{.communicator = json_text_at(stated, "id")};
    header_->ranks = count_at(stated, "n_ranks", "header", line);
    header_->nodes = count_at(stated, "nnodes", "header", line);
  }

  void take_metadata(const InspectorJson& stated) {
    constexpr double micro = 1e-6;
    if (!header_) return;
    if (const auto stamp = json_number_at(stated, "dump_timestamp_us"))
      header_->dumped_at = *stamp * micro;
  }

  void take_collective(const InspectorJson& stated, const LogLine& line) {
    if (!header_ || !header_->ranks)
      throw InputError(log_.location(line), "header.n_ranks",
                       "is missing: no line before states how many ranks took part");
    const std::string name = json_text_at(stated, "coll");
    const InspectorKind* kind = inspector_kind(name);
    if (kind == nullptr) {
      ++left_out_[name.empty() ? "collectives without a name" : name + ", which is not predicted"];
      return;
    }
    if (*header_->ranks == 1) {
      ++left_out_["communicators of one rank, which exchange nothing"];
      return;
    }
    const double bytes = figure_at(stated, "coll_msg_size_bytes", line);
    const double microseconds = figure_at(stated, "coll_exec_time_us", line);
    if (!(bytes > 0 && microseconds > 0)) {
      ++left_out_["less than 1 us, which the plugin rounds to nothing"];
      return;
    }
    constexpr double micro = 1e-6;
    read_.collectives.push_back(
        {.communicator = header_->communicator,
         .collective = kind->kind,
         .ranks = *header_->ranks,
         .nodes = header_->nodes,
         .size = Bytes{bytes * (kind->size_is_per_rank ? *header_->ranks : 1)},
         .time = Seconds{microseconds * micro},
         .number = json_number_at(stated, "coll_sn").value_or(0),
         .dumped_at = header_->dumped_at,
         .line = line.number});
    check_bandwidth(stated, read_.collectives.back(), line);
  }

  /// InputError unless the printed bandwidth follows from size, time and ranks, which would show an
  /// error in any of them.
  void check_bandwidth(const InspectorJson& stated, const InspectedCollective& ran,
                       const LogLine& line) const {
    constexpr double rounding = 0.02;
    constexpr double giga = 1e9;
    const auto printed = json_number_at(stated, "coll_busbw_gbs");
    const double own = ran.bus_bandwidth().base() / giga;
    if (!printed || !(*printed > 0) || std::abs(*printed / own - 1) < rounding) return;
    throw InputError(
        log_.location(line), "coll_busbw_gbs",
        fmt::format("says {:g}, but size, time and ranks of the line make {:.4g}", *printed, own));
  }

  double figure_at(const InspectorJson& stated, const char* key, const LogLine& line) const {
    constexpr double most = 1e18;
    const auto value = json_number_at(stated, key);
    if (!value || !(*value >= 0 && *value <= most))
      throw InputError(log_.location(line), std::string("coll_perf.") + key,
                       "must be a number of at least 0");
    return *value;
  }

  std::optional<int> count_at(const InspectorJson& stated, const char* key, const char* where,
                              const LogLine& line) const {
    constexpr double most = 1e7;
    if (!stated.contains(key)) return {};
    const double count = json_number_at(stated, key).value_or(0);
    if (!(count >= 1 && count <= most) || count != std::floor(count))
      throw InputError(log_.location(line), fmt::format("{}.{}", where, key),
                       "must be a whole number from 1");
    return static_cast<int>(count);
  }

  void remark_left_out() {
    for (const auto& [what, count] : left_out_)
      read_.remarks.push_back(
          log_.remark(log_.lines.front(), fmt::format("{} left out: {}", count, what)));
  }

  const LogText& log_;
  InspectorReading read_;
  std::optional<Header> header_;
  std::map<std::string, int> left_out_;
};

}  // namespace

BytesPerSecond InspectedCollective::bus_bandwidth() const {
  return size * bus_factor_of(collective, ranks) / time;
}

bool is_inspector_text(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos || text[start] != '{') return false;
  const std::string_view first = text.substr(start, text.find('\n', start) - start);
  return first.find("\"coll_perf\"") != first.npos || first.find("\"p2p_perf\"") != first.npos ||
         first.find("\"inspector_output_format_version\"") != first.npos;
}

InspectorReading read_inspector(const LogText& log) { return InspectorReader(log).read(); }

}  // namespace formats
}  // namespace tofn
