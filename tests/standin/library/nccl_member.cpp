#include "tests/standin/library/nccl_member.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <unistd.h>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/sum_of_elements.hpp"

namespace tofn::standin {
namespace {

/// Ends the work if the communicator was aborted or its ranks disagree.
struct Ended {};

Signature signature_of(const NcclWork& work) {
  const bool is_message = work.kind == CallKind::Send || work.kind == CallKind::Receive;
  return {.call = static_cast<int>(is_message ? CallKind::Send : work.kind),
          .type = static_cast<int>(work.type),
          .root = work.kind == CallKind::Broadcast ? work.peer : 0,
          .bytes = work.count * element_bytes(work.type)};
}

}  // namespace

NcclHandle& handle_of(ncclComm_t comm) { return *reinterpret_cast<NcclHandle*>(comm); }

NcclMember::NcclMember(const ncclUniqueId& id, int rank, int ranks, Gpu& device)
    : rank_(rank),
      ranks_(ranks),
      gpu_(device),
      post_(id.internal, rank, ranks, [] { return true; }) {}

void NcclMember::perform(const std::vector<NcclWork>& works) {
  try {
    if (meets_fault(works)) return;
    std::vector<Transfer> messages;
    for (const NcclWork& work : works) {
      switch (work.kind) {
        case CallKind::AllReduce:
        case CallKind::ReduceScatter:
          reduce(work);
          break;
        case CallKind::AllGather:
          gather(work);
          break;
        case CallKind::Broadcast:
          broadcast(work);
          break;
        case CallKind::Send:
        case CallKind::Receive:
          add_message(messages, work);
          break;
      }
    }
    move(messages);
  } catch (const Ended&) {
  }
}

void NcclMember::move(std::vector<Transfer>& transfers) {
  std::string problem;
  for (Transfer& each : transfers) each.is_done = each.size == 0;
  if (post_.exchange(
          transfers, [this] { return !is_aborted_; }, problem))
    return;
  // NCCL itself does not compare, and would hang or mix up the bytes.
  if (!problem.empty()) fail(ncclInvalidUsage, problem);
  stall();
  throw Ended{};
}

void NcclMember::add_message(std::vector<Transfer>& messages, const NcclWork& work) {
  const bool is_send = work.kind == CallKind::Send;
  const std::size_t bytes = work.count * element_bytes(work.type);
  messages.push_back({.is_send = is_send,
                      .peer = work.peer,
                      .bytes = gpu_.at(is_send ? work.send : work.receive, bytes),
                      .size = bytes,
                      .signature = signature_of(work)});
}

/// Sums all elements for an all-reduce, or this rank's chunk of them for a reduce-scatter.
void NcclMember::reduce(const NcclWork& work) {
  const bool is_scatter = work.kind == CallKind::ReduceScatter;
  const std::size_t size = element_bytes(work.type);
  const std::size_t bytes = work.count * size;
  const auto ranks = static_cast<std::size_t>(ranks_);
  std::byte* from = gpu_.at(work.send, is_scatter ? ranks * bytes : bytes);
  std::byte* to = gpu_.at(work.receive, bytes);
  constexpr std::size_t piece = 1 << 20;  // divisible by every element size
  for (std::size_t start = 0; start < bytes; start += piece) {
    const std::size_t length = std::min(piece, bytes - start);
    std::vector<std::vector<std::byte>> parts(ranks, std::vector<std::byte>(length));
    std::vector<Transfer> transfers;
    for (int peer = 0; peer < ranks_; ++peer) {
      const auto index = static_cast<std::size_t>(peer);
      std::byte* theirs = from + (is_scatter ? index * bytes : 0) + start;
      if (peer == rank_) {
        std::memcpy(parts[index].data(), theirs, length);
        continue;
      }
      transfers.push_back({true, peer, theirs, length, signature_of(work)});
      transfers.push_back({false, peer, parts[index].data(), length, signature_of(work)});
    }
    move(transfers);
    for (std::size_t peer = 1; peer < ranks; ++peer)
      add_elements(work.type, parts[peer].data(), parts[0].data(), length / size);
    std::memcpy(to + start, parts[0].data(), length);
  }
}

void NcclMember::gather(const NcclWork& work) {
  const std::size_t bytes = work.count * element_bytes(work.type);
  std::byte* from = gpu_.at(work.send, bytes);
  std::byte* to = gpu_.at(work.receive, bytes * static_cast<std::size_t>(ranks_));
  std::vector<Transfer> transfers;
  for (int peer = 0; peer < ranks_; ++peer) {
    std::byte* place = to + static_cast<std::size_t>(peer) * bytes;
    if (peer == rank_) {
      std::memmove(place, from, bytes);
      continue;
    }
    transfers.push_back({true, peer, from, bytes, signature_of(work)});
    transfers.push_back({false, peer, place, bytes, signature_of(work)});
  }
  move(transfers);
}

void NcclMember::broadcast(const NcclWork& work) {
  const std::size_t bytes = work.count * element_bytes(work.type);
  std::byte* to = gpu_.at(work.receive, bytes);
  std::vector<Transfer> transfers;
  if (rank_ != work.peer) {
    transfers.push_back({false, work.peer, to, bytes, signature_of(work)});
  } else {
    std::byte* from = gpu_.at(work.send, bytes);
    std::memmove(to, from, bytes);
    for (int peer = 0; peer < ranks_; ++peer)
      if (peer != rank_) transfers.push_back({true, peer, from, bytes, signature_of(work)});
  }
  move(transfers);
}

/// Causes a requested fault; true if the work is then over.
bool NcclMember::meets_fault(const std::vector<NcclWork>& works) {
  if (strikes(Fault::DeadRank, gpu_.number())) ::kill(::getpid(), SIGKILL);
  if (strikes(Fault::Hang, gpu_.number())) {
    stall();
    return true;
  }
  if (strikes(Fault::FailingCollective, gpu_.number())) {
    fail(ncclRemoteError, "a fault that was asked for");
    stall();
    return true;
  }
  if (!strikes(Fault::WrongResult, gpu_.number())) return false;
  perform(works);
  for (const NcclWork& work : works)
    if (work.receive != nullptr && work.count > 0)
      *gpu_.at(work.receive, element_bytes(work.type)) ^= std::byte{1};
  return true;
}

/// Waits until someone aborts, as NCCL's kernels do.
void NcclMember::stall() const {
  while (!is_aborted_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void NcclMember::fail(ncclResult_t error, const std::string& why) {
  const std::lock_guard lock(mutex_);
  error_ = error;
  last_words_ = why;
}

ncclResult_t NcclMember::background_error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::string NcclMember::last_words() const {
  const std::lock_guard lock(mutex_);
  return last_words_;
}

}  // namespace tofn::standin
