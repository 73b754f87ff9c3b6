// All-reduce, reduce-scatter and all-gather by loads from, and stores to, the memory of all ranks.
#include "microbench/nccl/device_kernels.hpp"

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <algorithm>
#include <stdexcept>
#include <string>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/nccl/pack_split.hpp"

namespace tofn::bench {
namespace {

constexpr std::size_t threads = 512;
constexpr int batch = 8;  // concurrent loads of a thread

/// Elements that a thread moves at once.
template <class Of, std::size_t size>
struct alignas(size * sizeof(Of)) Pack {
  using Element = Of;
  static constexpr std::size_t count = size;
  Element elements[size];
};

/// Type of sums; sums of 16-bit types are rounded once, at their end.
template <class Element>
struct SumType {
  using Type = float;
};
template <>
struct SumType<int> {
  using Type = int;
};

/// Start of this rank's chunk in a buffer of all chunks.
template <class Element>
__host__ __device__ WindowPlace own_chunk(const ncclDevComm& comm, WindowPlace whole,
                                          std::size_t chunk) {
  return {whole.window, whole.offset + comm.lsaRank * chunk * sizeof(Element)};
}

template <class Element>
PackSplit split_for(WindowPlace send, WindowPlace receive, std::size_t elements) {
  return pack_split(send.offset, receive.offset, elements, sizeof(Element));
}

/// Number of threads that share the elements of a call, and this thread's index among them.
struct Threads {
  std::size_t index;
  std::size_t count;
};

__device__ Threads threads_of_this_rank() {
  return {static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x,
          static_cast<std::size_t>(gridDim.x) * blockDim.x};
}

__device__ Threads threads_of_all_ranks(const ncclDevComm& comm) {
  const auto [index, count] = threads_of_this_rank();
  return {comm.lsaRank * count + index, comm.lsaSize * count};
}

/// Calls `move` with a value of the type to move and its offset in bytes: first the packs, then the
/// single elements around them.
template <class Element, class Move>
__device__ void for_each_pack(Threads among, const PackSplit& split, Move move) {
  using Widest = Pack<Element, pack_bytes / sizeof(Element)>;
  for (std::size_t i = among.index; i < split.packs; i += among.count)
    move(Widest{}, split.head * sizeof(Element) + i * pack_bytes);
  const std::size_t packed = split.packs * Widest::count;
  for (std::size_t i = among.index; i < split.elements - packed; i += among.count)
    move(Pack<Element, 1>{}, (i < split.head ? i : i + packed) * sizeof(Element));
}

template <class Value>
__device__ Value& at(WindowPlace place, std::size_t byte, int rank) {
  return *static_cast<Value*>(ncclGetLsaPointer(place.window, place.offset + byte, rank));
}

/// The rank `steps` after this one. Each rank begins with a different one, so that no GPU is
/// accessed by all at once.
__device__ int rank_after(const ncclDevComm& comm, int steps) {
  const int rank = comm.lsaRank + steps;
  return rank < comm.lsaSize ? rank : rank - comm.lsaSize;
}

template <class Value>
__device__ Value sum_over_ranks(const ncclDevComm& comm, WindowPlace place, std::size_t byte) {
  using Sum = typename SumType<typename Value::Element>::Type;
  Sum sums[Value::count] = {};
  for (int first = 0; first < comm.lsaSize; first += batch) {
    Value values[batch];
    const int count = min(batch, comm.lsaSize - first);
#pragma unroll
    for (int i = 0; i < batch; ++i)
      if (i < count) values[i] = at<Value>(place, byte, rank_after(comm, first + i));
#pragma unroll
    for (int i = 0; i < batch; ++i)
      for (std::size_t j = 0; i < count && j < Value::count; ++j)
        sums[j] += static_cast<Sum>(values[i].elements[j]);
  }
  Value sum;
  for (std::size_t j = 0; j < Value::count; ++j)
    sum.elements[j] = static_cast<typename Value::Element>(sums[j]);
  return sum;
}

template <class Value>
__device__ void write_to_ranks(const ncclDevComm& comm, WindowPlace place, std::size_t byte,
                               const Value& value) {
  for (int i = 0; i < comm.lsaSize; ++i) at<Value>(place, byte, rank_after(comm, i)) = value;
}

/// Runs `work` between barriers of blocks with equal index. After the first barrier, all ranks'
/// streams have reached this kernel, so their earlier work is done. After the second, all writes of
/// others to this rank are done, because each block has met theirs.
template <class Work>
__device__ void between_barriers(const ncclDevComm& comm, Work work) {
  ncclLsaBarrierSession<ncclCoopCta> barrier(ncclCoopCta(), comm, ncclTeamTagLsa(), blockIdx.x);
  barrier.sync(ncclCoopCta(), cuda::memory_order_acq_rel);
  work();
  barrier.sync(ncclCoopCta(), cuda::memory_order_acq_rel);
}

// No thread of an in-place call reads an element that another one writes: on all ranks an element
// has one reader, which writes it afterwards.

template <class Element>
__global__ void __launch_bounds__(threads)
    all_reduce(const __grid_constant__ ncclDevComm comm, WindowPlace send, WindowPlace receive,
               PackSplit split) {
  between_barriers(comm, [&] {
    for_each_pack<Element>(threads_of_all_ranks(comm), split, [&](auto like, std::size_t byte) {
      const auto sum = sum_over_ranks<decltype(like)>(comm, send, byte);
      write_to_ranks(comm, receive, byte, sum);
    });
  });
}

template <class Element>
__global__ void __launch_bounds__(threads)
    reduce_scatter(const __grid_constant__ ncclDevComm comm, WindowPlace send, WindowPlace receive,
                   PackSplit split) {
  send = own_chunk<Element>(comm, send, split.elements);
  between_barriers(comm, [&] {
    for_each_pack<Element>(threads_of_this_rank(), split, [&](auto like, std::size_t byte) {
      using Value = decltype(like);
      at<Value>(receive, byte, comm.lsaRank) = sum_over_ranks<Value>(comm, send, byte);
    });
  });
}

template <class Element>
__global__ void __launch_bounds__(threads)
    all_gather(const __grid_constant__ ncclDevComm comm, WindowPlace send, WindowPlace receive,
               PackSplit split) {
  receive = own_chunk<Element>(comm, receive, split.elements);
  between_barriers(comm, [&] {
    for_each_pack<Element>(threads_of_this_rank(), split, [&](auto like, std::size_t byte) {
      const auto sent = at<decltype(like)>(send, byte, comm.lsaRank);
      write_to_ranks(comm, receive, byte, sent);
    });
  });
}

/// Number of blocks, the same on every rank, because blocks meet.
unsigned blocks_for(std::size_t elements_of_rank, std::size_t element_bytes) {
  const std::size_t packs = elements_of_rank * element_bytes / pack_bytes;
  return static_cast<unsigned>(std::min<std::size_t>(packs / threads + 1, most_blocks));
}

/// Calls `launch` with an element of the type.
template <class Launch>
void launch_for(ncclDataType_t type, const char* kernel, Launch launch) {
  if (type == ncclFloat32)
    launch(float{});
  else if (type == ncclFloat16)
    launch(__half{});
  else if (type == ncclBfloat16)
    launch(__nv_bfloat16{});
  else if (type == ncclInt32)
    launch(int{});
  else
    throw std::logic_error(std::string(kernel) + ": no such type");  // the backend refuses such
                                                                     // types
  check_cuda(cudaGetLastError(), kernel);
}

}  // namespace

void enqueue_all_reduce(const DeviceCall& call) {
  launch_for(call.type, "all-reduce kernel", [&](auto like) {
    using Element = decltype(like);
    const auto ranks = static_cast<std::size_t>(call.comm.lsaSize);
    all_reduce<Element>
        <<<blocks_for(call.chunk / ranks, sizeof(Element)), threads, 0, call.stream>>>(
            call.comm, call.send, call.receive,
            split_for<Element>(call.send, call.receive, call.chunk));
  });
}

void enqueue_reduce_scatter(const DeviceCall& call) {
  launch_for(call.type, "reduce-scatter kernel", [&](auto like) {
    using Element = decltype(like);
    reduce_scatter<Element><<<blocks_for(call.chunk, sizeof(Element)), threads, 0, call.stream>>>(
        call.comm, call.send, call.receive,
        split_for<Element>(own_chunk<Element>(call.comm, call.send, call.chunk), call.receive,
                           call.chunk));
  });
}

void enqueue_all_gather(const DeviceCall& call) {
  launch_for(call.type, "all-gather kernel", [&](auto like) {
    using Element = decltype(like);
    all_gather<Element><<<blocks_for(call.chunk, sizeof(Element)), threads, 0, call.stream>>>(
        call.comm, call.send, call.receive,
        split_for<Element>(call.send, own_chunk<Element>(call.comm, call.receive, call.chunk),
                           call.chunk));
  });
}

}  // namespace tofn::bench
#endif
