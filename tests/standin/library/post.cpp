#include "tests/standin/library/post.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/standin/library/refusal_by_name.hpp"

namespace tofn::standin {

/// A box for one message at a time.
struct Post::Box {
  static constexpr std::size_t capacity = 256 << 10;
  std::atomic<std::uint32_t> is_full;
  std::uint32_t size;
  Signature signature;
  std::byte bytes[capacity];
};

struct Post::Head {
  std::atomic<int> joined;
};

namespace {

constexpr std::size_t page = 4096;

/// Yields at first and later sleeps, because there may be fewer processors than ranks.
class Patience {
 public:
  void wait() {
    if (++times_ < 50)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(times_ < 500 ? 20 : 500));
  }
  void reset() { times_ = 0; }

 private:
  int times_ = 0;
};

}  // namespace

void Post::found(char (&id)[id_bytes]) {
  const int file = ::memfd_create("tofn-standin-post", MFD_CLOEXEC);
  if (file < 0) refuse("ncclGetUniqueId", std::string("memfd_create: ") + std::strerror(errno));
  std::memset(id, 0, sizeof id);
  // The file stays open for the life of the process, and the system then frees it.
  std::snprintf(id, sizeof id, "/proc/%d/fd/%d", static_cast<int>(::getpid()), file);
}

Post::Post(const char (&id)[id_bytes], int rank, int ranks, const std::function<bool()>& goes_on)
    : rank_(rank),
      ranks_(ranks),
      size_(page +
            sizeof(Box) * static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {
  const int file = ::open(id, O_RDWR | O_CLOEXEC);
  if (file < 0) refuse("ncclCommInitRank", std::string(id) + ": " + std::strerror(errno));
  struct stat status {};
  if (::fstat(file, &status) != 0 || (static_cast<std::size_t>(status.st_size) < size_ &&
                                      ::ftruncate(file, static_cast<off_t>(size_)) != 0))
    refuse("ncclCommInitRank", std::string("ftruncate: ") + std::strerror(errno));
  void* place = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (place == MAP_FAILED) refuse("ncclCommInitRank", std::string("mmap: ") + std::strerror(errno));
  memory_ = static_cast<std::byte*>(place);
  auto& joined = reinterpret_cast<Head*>(memory_)->joined;
  ++joined;
  for (Patience patience; joined < ranks && goes_on();) patience.wait();
}

Post::~Post() { ::munmap(memory_, size_); }

Post::Box& Post::box(int from, int to) const {
  const auto index = static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) +
                     static_cast<std::size_t>(to);
  return *reinterpret_cast<Box*>(memory_ + page + index * sizeof(Box));
}

/// Moves what fits of a transfer now; true if something moved. Writes a mismatch to `problem`.
bool Post::advance(Transfer& transfer, std::string& problem) {
  Box& letter = transfer.is_send ? box(rank_, transfer.peer) : box(transfer.peer, rank_);
  const bool is_full = letter.is_full.load(std::memory_order_acquire) != 0;
  if (is_full == transfer.is_send) return false;
  std::byte* place = transfer.bytes + transfer.moved;
  if (transfer.is_send) {
    letter.size =
        static_cast<std::uint32_t>(std::min(Box::capacity, transfer.size - transfer.moved));
    letter.signature = transfer.signature;
    if (letter.size > 0) std::memcpy(letter.bytes, place, letter.size);
  } else {
    if (letter.signature != transfer.signature) {
      problem = "rank " + std::to_string(transfer.peer) + " is in call " +
                std::to_string(letter.signature.call) + " with " +
                std::to_string(letter.signature.bytes) + " bytes, this one in call " +
                std::to_string(transfer.signature.call) + " with " +
                std::to_string(transfer.signature.bytes);
      return false;
    }
    if (letter.size > 0) std::memcpy(place, letter.bytes, letter.size);
  }
  transfer.moved += letter.size;
  transfer.is_done = transfer.moved == transfer.size;
  letter.is_full.store(transfer.is_send ? 1 : 0, std::memory_order_release);
  return true;
}

bool Post::exchange(std::vector<Transfer>& transfers, const std::function<bool()>& goes_on,
                    std::string& problem) {
  Patience patience;
  while (true) {
    bool is_done = true;
    bool has_moved = false;
    // Only the first unfinished transfer of each peer and direction may move.
    std::vector<char> is_blocked(2 * static_cast<std::size_t>(ranks_), 0);
    for (Transfer& each : transfers) {
      if (each.is_done) continue;
      is_done = false;
      char& blocked = is_blocked[2 * static_cast<std::size_t>(each.peer) + (each.is_send ? 1 : 0)];
      if (blocked != 0) continue;
      blocked = 1;
      if (advance(each, problem)) has_moved = true;
      if (!problem.empty()) return false;
    }
    if (is_done) return true;
    if (!goes_on()) return false;
    if (has_moved)
      patience.reset();
    else
      patience.wait();
  }
}

}  // namespace tofn::standin
