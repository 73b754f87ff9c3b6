#pragma once

#include <string>

namespace tofn {

struct FigureMeaning {
  std::string unit{};
  std::string meaning{};
};
/// As `tofn list figures` has it; empty of a column that is not there.
const FigureMeaning& meaning_of_figure(const std::string& name);

}  // namespace tofn
