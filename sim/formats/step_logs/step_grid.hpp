#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// A cell of a table of steps, at its place in the file.
struct StepCell {
  std::string text;
  LogLine line;
  int column = 0;
};

/// A table with any separator. Every row has as many cells as the header.
struct StepGrid {
  std::vector<std::string> names;
  LogLine header;
  std::vector<std::vector<StepCell>> rows;
  std::vector<std::string> remarks{};
};

/// First line that is neither blank nor a comment; absent if there is none.
std::optional<LogLine> table_header(const LogText&);

/// True if commas separate the columns of that header, otherwise blanks.
bool has_commas(const LogLine& header);

/// Cells of the table below `header`. A cut last row is left out with a remark. InputError if
/// another row has not as many cells as the header.
StepGrid step_grid(const LogText&, const LogLine& header);

/// Leaves out the last line of a run that is still printing, because a figure may be cut.
void leave_out_half_written(const LogText&, StepGrid&);

}  // namespace formats
}  // namespace tofn
