#pragma once

#include <string>
#include <string_view>

namespace tofn {
inline namespace formats {

struct LogText;

/// End of a job, by the words of its log.
struct JobEnd {
  std::string words{};  ///< empty if the log does not say that the job ended
  bool is_failure = false;
  int line = 0;  ///< number of the line with these words

  bool is_known() const { return !words.empty(); }
};

/// Finds out how a job ended that printed its last result on line `last_result`, by the lines from
/// there on: rows in job_end.cpp.
JobEnd end_of_job(const LogText&, int last_result);

/// Text such as `run.log:61: the job FAILED after its last step: torch.OutOfMemoryError`. `result`
/// names what the job printed last.
std::string failure_remark(const LogText&, const JobEnd&, std::string_view result);

}  // namespace formats
}  // namespace tofn
