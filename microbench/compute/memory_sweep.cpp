#include "microbench/compute/memory_sweep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "microbench/compute/repeated.hpp"
#include "microbench/harness/rounds.hpp"
#include "microbench/harness/row_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

RecordPoint identity(const char* kind, const Lab& lab, const Processor& processor,
                     RecordParameters parameters) {
  RecordPoint point;
  point.kind = kind;
  point.parameters = {{"device", processor.device()}, {"model", processor.model()}};
  point.parameters.insert(point.parameters.end(), parameters.begin(), parameters.end());
  point.parameters.emplace_back("ranks", static_cast<long long>(lab.team.size()));
  return point;
}

/// Sizes whose buffers fit, rounded to whole floats in every buffer.
std::vector<std::size_t> part_sizes(Lab& lab, Processor& processor, std::string_view name,
                                    int parts, const std::vector<double>& sizes) {
  const double memory = processor.free_memory() / 2;
  std::vector<std::size_t> bytes;
  for (const double size : sizes) {
    double is_too_large = size > memory ? 1 : 0;
    lab.team.maximum({&is_too_large, 1});
    if (is_too_large > 0)
      lab.progress.print(fmt::format("# memory {}: left out: {}: no room in memory\n", name,
                                     to_text(Bytes(size), 4)));
    else
      bytes.push_back(std::max<std::size_t>(
          static_cast<std::size_t>(size / parts / sizeof(float)) * sizeof(float), sizeof(float)));
  }
  return bytes;
}

/// Measures a pattern; returns false if no size fits.
bool run_pattern(Lab& lab, Processor& processor, std::string_view name, MemoryPattern pattern,
                 const std::vector<double>& sizes) {
  const int parts = buffers_of(pattern);
  const auto part_bytes = part_sizes(lab, processor, name, parts, sizes);
  if (part_bytes.empty()) return false;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<Buffer*> views;
  std::vector<std::unique_ptr<Replayed>> kernels;
  lab.on_each_rank(fmt::format("memory {}", name), [&] {
    for (int i = 0; i < parts; ++i) {
      buffers.push_back(processor.allocate(part_bytes.back()));
      processor.randomize(*buffers.back(), "fp32");
      views.push_back(buffers.back().get());
    }
    for (const std::size_t bytes : part_bytes)
      kernels.push_back(
          std::make_unique<Replayed>(processor, processor.stream(pattern, views, bytes)));
  });
  std::vector<Case> cases;
  for (std::size_t i = 0; i < part_bytes.size(); ++i) {
    const auto bytes = static_cast<long long>(part_bytes[i]) * parts;
    cases.push_back(
        {.point = identity("memory", lab, processor,
                           {{"pattern", std::string(name)}, {"size_bytes", bytes}}),
         .title =
             fmt::format("memory {} of {}", name, to_text(Bytes(static_cast<double>(bytes)), 4)),
         .timed = kernels[i].get(),
         .prepare = {},
         .check = {},
         .figures = [bytes](double seconds) {
           return RecordFigures{{"bandwidth_gb_s", static_cast<double>(bytes) / seconds / 1e9}};
         }});
    if (processor.has_replays()) cases.back().point.parameters.emplace_back("cuda_graph", true);
  }
  std::string text = fmt::format("# memory {}, {}, {}\n", name, processor.model(),
                                 counted(lab.team.size(), "rank"));
  text += fmt::format("# {:>12} {} {:>10}  {}\n", "size", time_headings(), "bandwidth", "notes");
  text += fmt::format("# {:>12} {} {:>10}\n", "(B)", time_units(), "(GB/s)");
  for (const RecordPoint& point : measure_in_rounds(lab, cases))
    text +=
        fmt::format("{:>14} {} {:>10}  {}\n", std::get<long long>(*parameter(point, "size_bytes")),
                    time_columns(point), figure(point, "bandwidth_gb_s"), notes(point));
  lab.progress.print(text + '\n');
  return true;
}

}  // namespace

void run_memory(Lab& lab, Processor& processor, const std::vector<double>& sizes) {
  bool has_any = false;
  for (const auto& [name, pattern] : memory_patterns)
    if (run_pattern(lab, processor, name, pattern, sizes)) has_any = true;
  if (!has_any) throw InputError("no size of memory can be measured here; why stands above");
}

void run_launches(Lab& lab, Processor& processor) {
  std::vector<std::unique_ptr<Repeated>> kernels;
  std::vector<Case> cases;
  for (const auto& [name, mode] : launch_modes) {
    auto kernel = processor.empty(mode);
    if (!kernel) continue;
    const int launches = kernel->launches();
    kernels.push_back(std::make_unique<Repeated>(processor, std::move(kernel)));
    cases.push_back({.point = identity("launch", lab, processor,
                                       {{"mode", std::string(name)},
                                        {"kernels_per_call", static_cast<long long>(launches)}}),
                     .title = fmt::format("launch {}", name),
                     .timed = kernels.back().get(),
                     .prepare = {},
                     .check = {},
                     .figures = [launches](double seconds) {
                       return RecordFigures{{"us_per_kernel", 1e6 * seconds / launches}};
                     }});
  }
  if (cases.empty()) return;
  std::string text = fmt::format("# launch of an empty kernel, {}\n", processor.model());
  text += fmt::format("# {:>12} {} {:>10}  {}\n", "mode", time_headings(), "a kernel", "notes");
  text += fmt::format("# {:>12} {} {:>10}\n", "", time_units(), "(us)");
  for (const RecordPoint& point : measure_in_rounds(lab, cases))
    text += fmt::format("{:>14} {} {:>10}  {}\n", std::get<std::string>(*parameter(point, "mode")),
                        time_columns(point), figure(point, "us_per_kernel"), notes(point));
  lab.progress.print(text + '\n');
}

}  // namespace tofn::bench
