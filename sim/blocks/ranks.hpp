#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {

/// The first rank sends Begin, whose text is a journal of the job and of finished blocks, and Stop,
/// without a text. Another rank sends Rows of its next blocks, and once End, whose text is a
/// failure or empty.
enum class MessageKind { Begin, Stop, Rows, End };

struct Message {
  int from = 0;
  MessageKind kind = MessageKind::Begin;
  std::string text;
};

std::string text_of(const std::deque<std::string>& blocks);
std::string text_of(const Failure&);
std::deque<std::string> blocks_of(std::string_view text);
Failure failure_of(std::string_view text);

/// The processes that mpirun started, connected by MPI; one thread of each may use it. Only joining
/// and leaving wait for other ranks. Errors of MPI are std::runtime_errors that name the function.
class Ranks {
 public:
  /// Null if this process was started alone, which leaves MPI untouched. InputError if a launcher
  /// started it and this program was built without MPI.
  static std::unique_ptr<Ranks> join();
  Ranks() = default;
  /// Leaves the job once all sent messages have been received.
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, MessageKind, std::string text) = 0;
  void send_to_others(MessageKind, const std::string& text);
  /// True if all sent messages have been received; the others proceed only in this or another call.
  virtual bool has_sent() = 0;
  /// The next message of a rank, or of any.
  virtual std::optional<Message> receive(std::optional<int> from = {}) = 0;
  /// Leaves the other ranks to the launcher, which ends them; for errors that cannot be sent to
  /// them.
  virtual void abandon() = 0;
};

}  // namespace blocks
}  // namespace tofn
