#pragma once

#include "sim/model/layer_work.hpp"

namespace tofn {

/// What a rank of a plan sees of one micro-batch.
struct RankShape {
  double element = 2;        ///< bytes of an activation or weight
  double tensor = 1;         ///< ranks that share a layer's products
  double context = 1;        ///< ranks that share a sequence
  double samples = 1;        ///< of the micro-batch
  double sequence = 0;       ///< tokens of a whole sample
  double tokens = 0;         ///< of the micro-batch, on this rank
  double stream_tokens = 0;  ///< of them those whose norms and residuals it computes
};
RankShape rank_shape(const Model&, const Plan&);

}  // namespace tofn
