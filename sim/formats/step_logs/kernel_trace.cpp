#include "sim/formats/step_logs/kernel_trace.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/json_members.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

using TraceJson = nlohmann::json;

constexpr std::string_view communication = "communication";
/// Kinds of kernels, and parts of their names in lower case; the first match counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kinds_of_kernels{
    {{communication, "nccl rccl"},
     {"copies", "memcpy memset copy_kernel batchedcopy chunk_cat"},
     {"attention", "flash fmha attention cudnn::fusion"},  // cuDNN's in addition to its flash ones
     {"loss", "log_softmax logsoftmax nll_loss cross_entropy"},
     {"attention", "softmax"},
     {"convolutions", "conv dgrad wgrad"},
     {"optimizer", "adam multi_tensor"},  // also LAMB, norms and clipping
     {"products", "gemm cutlass cublas nvjet xmma cijk_"},
     {"norms", "norm"}}};

std::string_view kind_of(const std::string& name) {
  const std::string lower = lower_case(name);
  for (const auto& [kind, parts] : kinds_of_kernels) {
    bool has_part = false;
    each_part(parts, " ",
              [&](std::string_view part) { has_part |= lower.find(part) != std::string::npos; });
    if (has_part) return kind;
  }
  return "others";
}

using Span = std::pair<double, double>;

/// Returns the spans merged so that none overlap, in order.
std::vector<Span> joined(std::vector<Span> spans) {
  std::ranges::sort(spans);
  std::vector<Span> all;
  for (const Span& each : spans) {
    if (all.empty() || each.first > all.back().second)
      all.push_back(each);
    else
      all.back().second = std::max(all.back().second, each.second);
  }
  return all;
}

double length_of(const std::vector<Span>& spans) {
  double length = 0;
  for (const auto& [from, to] : spans) length += to - from;
  return length;
}

struct Device {
  std::vector<Span> communicating, computing;
};

void add(const Device& device, TraceSummary& summary) {
  std::vector<Span> all = device.communicating;
  all.insert(all.end(), device.computing.begin(), device.computing.end());
  const auto busy = joined(all);
  const double span = busy.back().second - busy.front().first;
  const double computing = length_of(joined(device.computing));
  const double communicating = length_of(joined(device.communicating));
  summary.span += span;
  summary.busy += length_of(busy);
  summary.gaps += span - length_of(busy);
  summary.exposed += length_of(busy) - computing;
  summary.hidden += communicating + computing - length_of(busy);
}

void take_event(const TraceJson& event, KernelTrace& trace) {
  constexpr double micro = 1e-6;
  if (!event.is_object() || json_text_at(event, "ph") != "X") return;
  const std::string category = json_text_at(event, "cat");
  const std::string name = json_text_at(event, "name");
  const double seconds = json_number_at(event, "dur").value_or(0) * micro;
  if (!(seconds >= 0)) return;
  if (category == "user_annotation" && name.starts_with("ProfilerStep#"))
    trace.steps.push_back(seconds);
  if (category != "kernel" && category != "gpu_memcpy" && category != "gpu_memset") return;
  const double device = json_number_at(json_at(event, "args"), "device").value_or(0);
  trace.kernels.push_back({.name = name,
                           .device = static_cast<int>(std::clamp(device, 0.0, 1e6)),
                           .start = json_number_at(event, "ts").value_or(0) * micro,
                           .seconds = seconds});
}

}  // namespace

bool is_kineto(std::string_view text) {
  constexpr std::size_t head = 4096;
  const std::string_view start = text.substr(0, head);
  return start.find("\"traceEvents\"") != std::string_view::npos ||
         (start.find("\"schemaVersion\"") != std::string_view::npos &&
          start.find("\"deviceProperties\"") != std::string_view::npos);
}

KernelTrace read_kineto(std::string_view text, const std::string& file) {
  KernelTrace trace;
  constexpr int event_depth = 2;
  // Events are read one by one and dropped, because a trace has hundreds of megabytes.
  const auto take = [&](int depth, TraceJson::parse_event_t what, TraceJson& parsed) {
    if (depth != event_depth || what != TraceJson::parse_event_t::object_end) return true;
    take_event(parsed, trace);
    return false;
  };
  if (TraceJson::parse(text, take, false).is_discarded())
    throw InputError({file}, "", "is no JSON: a trace that was cut off?");
  if (trace.kernels.empty())
    throw InputError({file}, "", "a trace without kernels: was ProfilerActivity.CUDA on?");
  return trace;
}

TraceSummary summary_of(const KernelTrace& trace) {
  assert(!trace.kernels.empty());
  std::map<int, Device> devices;
  std::map<std::string_view, KernelShare> kinds;
  for (const TracedKernel& each : trace.kernels) {
    Device& device = devices[each.device];
    const std::string_view kind = kind_of(each.name);
    (kind == communication ? device.communicating : device.computing)
        .emplace_back(each.start, each.start + each.seconds);
    KernelShare& share = kinds[kind];
    share.kind = kind;
    ++share.kernels;
    share.seconds += each.seconds;
  }
  TraceSummary summary{.devices = static_cast<int>(devices.size())};
  for (const auto& [number, device] : devices) add(device, summary);
  for (double* each :
       {&summary.span, &summary.busy, &summary.exposed, &summary.hidden, &summary.gaps})
    *each /= summary.devices;
  for (auto& [kind, share] : kinds) {
    share.seconds /= summary.devices;
    summary.kinds.push_back(share);
  }
  std::ranges::sort(summary.kinds,
                    [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return summary;
}

}  // namespace formats
}  // namespace tofn
