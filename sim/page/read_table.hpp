#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/page/page.hpp"

namespace tofn {
inline namespace page {

/// A table from a CSV, JSON or JSON Lines file, or from a step's trace. InputError with file and
/// reason if the file is none of these or has nothing to draw.
PageTable read_page_table(const std::filesystem::path&);

/// A table of the first kind whose columns the records have; a trace becomes as few spans as a page
/// can show. `name` is for messages.
PageTable page_table(Records, const std::string& name);

/// Joins tables of one kind with the same columns, if the kind allows it.
std::vector<PageTable> joined(std::vector<PageTable>);

/// Spans of a step from the events of its trace: stage, stream, part, pass, chunk, micro-batch,
/// start and length in ms, and the number of events in each. Joins neighbours on a stream with
/// equal part, pass, chunk and micro-batch. While more than `most` are left, it closes wider gaps
/// and ignores more of these differences; a span of different parts has the part `several`.
Records spans_of(const Records& trace, std::size_t most);

}  // namespace page
}  // namespace tofn
