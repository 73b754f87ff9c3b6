#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/page/page.hpp"

namespace tofn {

/// A table from a CSV, JSON or JSON Lines file, or a step's trace. InputError with file and reason
/// where it is none, or has nothing to draw.
PageTable read_page_table(const std::filesystem::path&);

/// The first kind whose columns it has; a trace as few spans as a page can show. `name` is for
/// messages.
PageTable page_table(Records, const std::string& name);

/// Tables of one kind and the same columns become one, where the kind allows it.
std::vector<PageTable> joined(std::vector<PageTable>);

}  // namespace tofn
