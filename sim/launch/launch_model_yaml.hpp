#pragma once

#include <string>

#include "sim/model/model.hpp"

namespace tofn {
inline namespace launch {

/// A model of a vocabulary and transformer layers as a file of configs/models.
std::string launch_model_yaml(const Model&);

}  // namespace launch
}  // namespace tofn
