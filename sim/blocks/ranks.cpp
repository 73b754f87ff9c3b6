#include "sim/blocks/ranks.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"

#ifdef TOFN_HAS_MPI
#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include <mpi.h>
#endif

namespace tofn {
inline namespace blocks {
namespace {

/// Removes the number and the colon that `text` begins with, and returns the number.
std::size_t take_number(std::string_view& text) {
  const std::size_t colon = text.find(':');
  const std::size_t number = std::stoull(std::string(text.substr(0, colon)));
  text.remove_prefix(colon + 1);
  return number;
}

#ifdef TOFN_HAS_MPI

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw std::runtime_error(std::string(call) + ": " +
                           std::string(text.data(), static_cast<std::size_t>(length)));
}

/// A text that is being sent; MPI reads it in place.
struct Sending {
  std::string text;
  MPI_Request request = MPI_REQUEST_NULL;
};

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    if (provided < MPI_THREAD_FUNNELED)
      throw std::runtime_error("MPI_Init_thread: this MPI cannot be used beside threads");
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  }

  ~MpiRanks() override {
    if (is_abandoned_) return;
    try {
      while (!has_sent()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      MPI_Finalize();
    } catch (const std::exception&) {  // messages that remain cannot be sent
    }
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void abandon() override { is_abandoned_ = true; }

  /// Sends synchronously, so that a text counts as sent only once the other rank receives it.
  void send(int to, MessageKind kind, std::string text) override {
    Sending& sending = sending_.emplace_back();
    sending.text = std::move(text);
    check(MPI_Issend(sending.text.data(), static_cast<int>(sending.text.size()), MPI_BYTE, to,
                     static_cast<int>(kind), MPI_COMM_WORLD, &sending.request),
          "MPI_Issend");
  }

  bool has_sent() override {
    for (; !sending_.empty(); sending_.pop_front()) {
      int is_done = 0;
      check(MPI_Test(&sending_.front().request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
      if (is_done == 0) return false;
    }
    return true;
  }

  /// Never blocks, because messages of a rank that died cannot be received.
  std::optional<Message> receive(std::optional<int> from) override {
    if (receiving_ == MPI_REQUEST_NULL) {
      int is_there = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status{};
      check(MPI_Improbe(from.value_or(MPI_ANY_SOURCE), MPI_ANY_TAG, MPI_COMM_WORLD, &is_there,
                        &handle, &status),
            "MPI_Improbe");
      if (is_there == 0) return {};
      int size = 0;
      check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
      received_ = {.from = status.MPI_SOURCE,
                   .kind = static_cast<MessageKind>(status.MPI_TAG),
                   .text = std::string(static_cast<std::size_t>(size), '\0')};
      check(MPI_Imrecv(received_.text.data(), size, MPI_BYTE, &handle, &receiving_), "MPI_Imrecv");
    }
    int is_done = 0;
    check(MPI_Test(&receiving_, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
    if (is_done == 0) return {};
    return std::move(received_);
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  std::deque<Sending> sending_;
  Message received_;
  MPI_Request receiving_ = MPI_REQUEST_NULL;  ///< completes `received_`
  bool is_abandoned_ = false;
};

#endif

}  // namespace

std::unique_ptr<Ranks> Ranks::join() {
  const auto name = launcher();
  if (!name) return nullptr;
#ifdef TOFN_HAS_MPI
  return std::make_unique<MpiRanks>();
#else
  throw InputError("started by " + *name +
                   ", but this tofn was built without MPI: configure with "
                   "-DTOFN_MPI=ON, or start "
                   "it alone");
#endif
}

void Ranks::send_to_others(MessageKind kind, const std::string& text) {
  for (int rank = 0; rank < size(); ++rank)
    if (rank != this->rank()) send(rank, kind, text);
}

std::string text_of(const std::deque<std::string>& blocks) {
  std::string text;
  for (const std::string& rows : blocks) text += fmt::format("{}:{}", rows.size(), rows);
  return text;
}

std::string text_of(const Failure& failure) {
  return fmt::format("{}:{}", failure.exit_code, failure.text);
}

std::deque<std::string> blocks_of(std::string_view text) {
  std::deque<std::string> blocks;
  while (!text.empty()) {
    const std::size_t size = take_number(text);
    blocks.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return blocks;
}

Failure failure_of(std::string_view text) {
  const auto exit_code = static_cast<int>(take_number(text));
  return {.exit_code = exit_code, .text = std::string(text)};
}

}  // namespace blocks
}  // namespace tofn
