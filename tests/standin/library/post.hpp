#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tofn::standin {

/// What a message belongs to; sender and receiver must mean the same.
struct Signature {
  int call = 0;  ///< all-reduce, send, ...
  int type = 0;
  int root = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Signature&) const = default;
};

/// Bytes from this rank to another, or from there.
struct Transfer {
  bool is_send = false;
  int peer = 0;
  std::byte* bytes = nullptr;
  std::size_t size = 0;
  Signature signature;
  std::size_t moved = 0;
  bool is_done = false;
};

/// The post between the ranks of a communicator, be they threads or processes: a letter box for
/// each pair, in memory that they share. Where it lies the unique id says.
class Post {
 public:
  static constexpr std::size_t id_bytes = 128;
  /// A new place; its id goes to the other ranks.
  static void found(char (&id)[id_bytes]);
  /// Waits for all ranks, as long as `goes_on` says.
  Post(const char (&id)[id_bytes], int rank, int ranks, const std::function<bool()>& goes_on);
  ~Post();
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  /// Moves everything; transfers with one peer in the order of the list. False where `goes_on` said
  /// no, or another rank's message belongs to something else: then `problem` says what.
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
