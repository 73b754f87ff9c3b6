#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tofn {
inline namespace blocks {

/// The processes that mpirun started, joined by MPI; one thread of each may use this. No call waits
/// for another rank, but for joining and leaving. Errors of MPI are std::runtime_errors that name
/// the function.
class Ranks {
 public:
  /// Absent when this process was started alone: MPI is then not touched. InputError where a
  /// launcher started it and this program was built without MPI.
  static std::unique_ptr<Ranks> join();
  /// Leaves the job once all that was sent has gone.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const;
  int size() const;
  void send(int to, std::string bytes);
  /// Whether all that was sent has gone; what has not needs this or another call to go on.
  bool has_sent();

  struct Message {
    int from = 0;
    std::string bytes;
  };
  static std::optional<Message> receive();

  /// After an error that the other ranks cannot be told of: leaves them to the launcher, which ends
  /// them.
  void abandon();

 private:
  struct State;
  explicit Ranks(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace blocks
}  // namespace tofn
