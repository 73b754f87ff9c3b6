#include <fstream>

#include <fmt/format.h>

#include "sim/answers/check_log.hpp"
#include "sim/blocks/nsys_sqlite.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/statistics.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/kernel_trace.hpp"

namespace tofn {
inline namespace answers {
namespace {

bool is_database(const std::filesystem::path& path) {
  return path.extension() == ".sqlite" || path.extension() == ".nsys-sqlite";
}

std::string share_text(double seconds, double span) {
  return fmt::format("{} ({:.1f} %)", to_text(Seconds{seconds}), 100 * seconds / span);
}

}  // namespace

bool is_profile(const std::filesystem::path& path) {
  if (is_database(path)) return true;
  if (file_ending(path) != ".json") return false;
  if (is_standard_input(path)) return is_kineto(standard_input_text());
  constexpr std::size_t head = 4096;
  std::string start(head, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return is_kineto(start);
}

FileContent check_profile(const std::filesystem::path& path) {
  const KernelTrace trace =
      is_database(path) ? read_nsys_sqlite(path) : read_kineto(read_text_file(path), path.string());
  const TraceSummary summary = summary_of(trace);
  FileContent content{.kind = "profile", .summary = {}, .notes = {}};
  content.summary = fmt::format(
      ", {} kernels on {} in {}{}: busy {:.1f} %, of it exposed communication {:.1f} %",
      trace.kernels.size(), counted(summary.devices, "device"), to_text(Seconds{summary.span}),
      trace.steps.empty() ? ""
                          : fmt::format(", {} steps of {}", trace.steps.size(),
                                        to_text(Seconds{median(trace.steps)})),
      100 * summary.busy / summary.span, 100 * summary.exposed / summary.span);
  for (const KernelShare& each : summary.kinds)
    content.notes.push_back(fmt::format("{}: {}, {} kernels", each.kind,
                                        share_text(each.seconds, summary.span), each.kernels));
  content.notes.push_back("communication beside kernels: " +
                          share_text(summary.hidden, summary.span));
  content.notes.push_back("gaps, no kernel at all: " + share_text(summary.gaps, summary.span));
  return content;
}

}  // namespace answers
}  // namespace tofn
