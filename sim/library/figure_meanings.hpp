#pragma once

#include <string>

namespace tofn {

struct FigureMeaning {
  std::string unit{};
  std::string meaning{};
};
/// Meaning of a figure from `tofn list figures`; empty if the figure is not listed.
const FigureMeaning& meaning_of_figure(const std::string& name);

}  // namespace tofn
