#pragma once

#include "sim/model/layer_work.hpp"

namespace tofn {

/// What one rank needs for a moment while it runs a layer backward: the buffer of its largest
/// exchange that does not work in place (sequence parallelism gathers whole activations), all that
/// the layer computes again, and the largest gradient of an activation.
Bytes workspace_of(const LayerWork&);

}  // namespace tofn
