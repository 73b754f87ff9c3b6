#pragma once

#include <vector>

#include "sim/model/layer_work.hpp"

// Hand-made layers with round figures, for the tests of memory.
namespace tofn::test {

/// `count` layers that any stage may take, with 1000 parameters and 64 bytes of activations each.
inline LayerWork plain_layer(int count) {
  LayerWork layer;
  layer.name = "layer";
  layer.count = count;
  layer.parameters = 1000;
  layer.activations = Bytes{64};
  return layer;
}

inline Kernel attention_kernel() {
  Kernel kernel;
  kernel.arithmetic = Arithmetic::Attention;
  return kernel;
}

/// Product C[m,n] of `batch` pairs of matrices.
inline Kernel product(double m, double n, double batch = 1) {
  Kernel kernel;
  kernel.m = m;
  kernel.n = n;
  kernel.k = 5;
  kernel.batch = batch;
  return kernel;
}

/// An embedding of 500 parameters, `count` plain layers, and an output of 300 parameters that keeps
/// 4096 bytes.
inline std::vector<LayerWork> plain_layers(int count) {
  LayerWork first;
  first.name = "embedding";
  first.place = StagePlace::First;
  first.parameters = 500;
  LayerWork last;
  last.name = "vocabulary";
  last.place = StagePlace::Last;
  last.parameters = 300;
  last.activations = Bytes{4096};
  return {first, plain_layer(count), last};
}

}  // namespace tofn::test
