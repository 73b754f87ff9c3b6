#pragma once

#include <memory>
#include <type_traits>

namespace tofn::bench {

template <auto destroy>
struct Destroy {
  template <class Opaque>
  void operator()(Opaque* handle) const {
    destroy(handle);  // nobody could handle a failure here
  }
};

/// Owns an opaque pointer of a C library: `Handle<cudaStream_t, cudaStreamDestroy>`.
template <class Pointer, auto destroy>
using Handle = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy<destroy>>;

}  // namespace tofn::bench
