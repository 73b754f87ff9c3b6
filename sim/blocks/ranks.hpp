#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {

/// From the first rank to another: Begin, whose text is a journal of the job and of what is done,
/// and Stop, without a text. From another to the first: Rows of its next blocks, and once End,
/// whose text is a failure or empty.
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

/// The processes that mpirun started, joined by MPI; one thread of each may use this. No call waits
/// for another rank, but for joining and leaving. Errors of MPI are std::runtime_errors that name
/// the function.
class Ranks {
 public:
  /// Absent when this process was started alone: MPI is then not touched. InputError where a
  /// launcher started it and this program was built without MPI.
  static std::unique_ptr<Ranks> join();
  Ranks() = default;
  /// Leaves the job once all that was sent has been received.
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, MessageKind, std::string text) = 0;
  void send_to_others(MessageKind, const std::string& text);
  /// Whether all that was sent has been received; what has not needs this or another call to go on.
  virtual bool has_sent() = 0;
  /// The next message of that rank, or of any.
  virtual std::optional<Message> receive(std::optional<int> from = {}) = 0;
  /// After an error that the other ranks cannot be told of: leaves them to the launcher, which ends
  /// them.
  virtual void abandon() = 0;
};

}  // namespace blocks
}  // namespace tofn
