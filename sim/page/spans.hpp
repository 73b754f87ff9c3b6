#pragma once

#include <cstddef>

#include "sim/core/rows.hpp"

namespace tofn {

/// The spans of a step from the events of its trace: stage, stream, part, pass, chunk, micro-batch,
/// start and length in ms, and of how many events each is made. Neighbours on a stream that are of
/// one part, pass, chunk and micro-batch become one; while more than `most` are left, the gaps that
/// are closed grow and the differences that are kept apart become fewer; at last parts are
/// `several`.
Records spans_of(const Records& trace, std::size_t most);

}  // namespace tofn
