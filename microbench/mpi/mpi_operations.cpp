#include "microbench/mpi/mpi_operations.hpp"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include "microbench/mpi/mpi_call.hpp"

namespace tofn::bench {
namespace {

constexpr int tag = 0;

/// Send buffer of a call; MPI needs a special address if the buffers are equal or overlap.
const void* send_of(const MpiCall& call, bool is_in_place) {
  return is_in_place ? MPI_IN_PLACE : call.call.send;
}

void all_reduce(const MpiCall& call) {
  check_mpi(MPI_Allreduce(send_of(call, call.call.send == call.call.receive), call.call.receive,
                          call.count, call.type, MPI_SUM, call.group),
            "MPI_Allreduce");
}

void reduce_scatter(const MpiCall& call) {
  check_mpi(MPI_Reduce_scatter_block(call.call.send, call.call.receive, call.count, call.type,
                                     MPI_SUM, call.group),
            "MPI_Reduce_scatter_block");
}

void all_gather(const MpiCall& call) {
  const auto offset = static_cast<std::size_t>(call.member.rank) * call.call.chunk *
                      static_cast<std::size_t>(call.call.type->bytes);
  const bool is_in_place = call.call.send == static_cast<std::byte*>(call.call.receive) + offset;
  check_mpi(MPI_Allgather(send_of(call, is_in_place), call.count, call.type, call.call.receive,
                          call.count, call.type, call.group),
            "MPI_Allgather");
}

void broadcast(const MpiCall& call) {
  const int root = (call.call.root + call.turn) % call.member.size;
  check_mpi(MPI_Bcast(call.call.receive, call.count, call.type, root, call.group), "MPI_Bcast");
}

void all_to_all(const MpiCall& call) {
  check_mpi(MPI_Alltoall(call.call.send, call.count, call.type, call.call.receive, call.count,
                         call.type, call.group),
            "MPI_Alltoall");
}

void ring(const MpiCall& call) {
  const int right = (call.member.rank + 1) % call.member.size;
  const int left = (call.member.rank + call.member.size - 1) % call.member.size;
  check_mpi(MPI_Sendrecv(call.call.send, call.count, call.type, right, tag, call.call.receive,
                         call.count, call.type, left, tag, call.group, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
}

void ping_pong(const MpiCall& call) {
  const int partner = call.partner;
  const bool is_lower = call.member.rank < partner;
  const bool goes_up = call.turn % 2 == 0;
  if (is_lower == goes_up) {
    check_mpi(MPI_Send(call.call.send, call.count, call.type, partner, tag, call.group),
              "MPI_Send");
  } else {
    check_mpi(MPI_Recv(call.call.receive, call.count, call.type, partner, tag, call.group,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
  }
}

constexpr std::array<std::pair<std::string_view, MpiFunction>, 7> functions{
    {{"all-reduce", all_reduce},
     {"reduce-scatter", reduce_scatter},
     {"all-gather", all_gather},
     {"broadcast", broadcast},
     {"all-to-all", all_to_all},
     {"send-receive-ring", ring},
     {"send-receive-pairs", ping_pong}}};

/// A type of the same size, for operations that only move data.
MPI_Datatype opaque_type(int bytes) {
  switch (bytes) {
    case 1:
      return MPI_UINT8_T;
    case 2:
      return MPI_UINT16_T;
    default:
      return MPI_UINT32_T;
  }
}

}  // namespace

MpiFunction mpi_function(const Operation& operation) {
  for (const auto& [name, function] : functions)
    if (name == operation.name) return function;
  assert(false);
  return nullptr;
}

MPI_Datatype mpi_type(const ElementType& type, const Operation& operation) {
  if (type.name == "fp32") return MPI_FLOAT;
  if (type.name == "int32") return MPI_INT32_T;
  return operation.reduces ? MPI_DATATYPE_NULL : opaque_type(type.bytes);
}

}  // namespace tofn::bench
