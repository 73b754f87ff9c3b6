#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tofn::standin {

/// Call that a message belongs to. Sender and receiver must agree on it.
struct Signature {
  int call = 0;  ///< all-reduce, send, ...
  int type = 0;
  int root = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Signature&) const = default;
};

/// Bytes from this rank to another, or from there to this one.
struct Transfer {
  bool is_send = false;
  int peer = 0;
  std::byte* bytes = nullptr;
  std::size_t size = 0;
  Signature signature;
  std::size_t moved = 0;
  bool is_done = false;
};

/// Messages between the ranks of a communicator, which are threads or processes: a box for each
/// pair of ranks, in shared memory that the unique id names.
class Post {
 public:
  static constexpr std::size_t id_bytes = 128;
  /// Creates the shared memory and writes its id, which the other ranks need.
  static void found(char (&id)[id_bytes]);
  /// Waits for all ranks as long as `goes_on` returns true.
  Post(const char (&id)[id_bytes], int rank, int ranks, const std::function<bool()>& goes_on);
  ~Post();
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  /// Moves all transfers, those with one peer in the order of the list. Returns false if `goes_on`
  /// returned false, or if another rank's message belongs to another call, which `problem` then
  /// names.
  bool exchange(std::vector<Transfer>&, const std::function<bool()>& goes_on, std::string& problem);

 private:
  struct Box;
  struct Head;
  Box& box(int from, int to) const;
  bool advance(Transfer&, std::string& problem);

  int rank_;
  int ranks_;
  std::size_t size_;
  std::byte* memory_;
};

}  // namespace tofn::standin
