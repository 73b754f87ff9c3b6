#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/page/page.hpp"

namespace tofn {
inline namespace page {

/// A table from a CSV, JSON or JSON Lines file, or a step's trace. InputError with file and reason
/// where it is none, or has nothing to draw.
PageTable read_page_table(const std::filesystem::path&);

/// The first kind whose columns it has; a trace as few spans as a page can show. `name` is for
/// messages.
PageTable page_table(Records, const std::string& name);

/// Tables of one kind and the same columns become one, where the kind allows it.
std::vector<PageTable> joined(std::vector<PageTable>);

/// The spans of a step from the events of its trace: stage, stream, part, pass, chunk, micro-batch,
/// start and length in ms, and of how many events each is made. Neighbours on a stream that are of
/// one part, pass, chunk and micro-batch become one; while more than `most` are left, the gaps that
/// are closed grow and the differences that are kept apart become fewer; at last parts are
/// `several`.
Records spans_of(const Records& trace, std::size_t most);

}  // namespace page
}  // namespace tofn
