#include "sim/blocks/ranks.hpp"

#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"

#ifdef TOFN_HAS_MPI

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <list>
#include <stdexcept>
#include <thread>
#include <utility>

#include <mpi.h>

namespace tofn {
inline namespace blocks {
namespace {

constexpr int tag = 0;

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw std::runtime_error(std::string(call) + ": " +
                           std::string(text.data(), static_cast<std::size_t>(length)));
}

/// Bytes on their way; a list keeps them where MPI reads them.
struct Sending {
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

}  // namespace

struct Ranks::State {
  int rank = 0;
  int size = 1;
  std::list<Sending> sending;
  bool is_abandoned = false;
};

std::unique_ptr<Ranks> Ranks::join() {
  if (!launcher()) return nullptr;
  int provided = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_FUNNELED)
    throw std::runtime_error("MPI_Init_thread: this MPI cannot be used beside threads");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  auto state = std::make_unique<State>();
  check(MPI_Comm_rank(MPI_COMM_WORLD, &state->rank), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &state->size), "MPI_Comm_size");
  return std::unique_ptr<Ranks>(new Ranks(std::move(state)));
}

Ranks::Ranks(std::unique_ptr<State> state) : state_(std::move(state)) {}

Ranks::~Ranks() {
  if (state_->is_abandoned) return;
  try {
    while (!has_sent()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    MPI_Finalize();
  } catch (const std::exception&) {
    abandon();  // what is left cannot be sent
  }
}

int Ranks::rank() const { return state_->rank; }
int Ranks::size() const { return state_->size; }
void Ranks::abandon() { state_->is_abandoned = true; }

void Ranks::send(int to, std::string bytes) {
  Sending& sending = state_->sending.emplace_back();
  sending.bytes = std::move(bytes);
  check(MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, tag,
                  MPI_COMM_WORLD, &sending.request),
        "MPI_Isend");
}

bool Ranks::has_sent() {
  std::erase_if(state_->sending, [](Sending& sending) {
    int is_done = 0;
    check(MPI_Test(&sending.request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
    return is_done != 0;
  });
  return state_->sending.empty();
}

std::optional<Ranks::Message> Ranks::receive() {
  int is_there = 0;
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status{};
  check(MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &handle, &status),
        "MPI_Improbe");
  if (is_there == 0) return {};
  int size = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
  Message message{.from = status.MPI_SOURCE,
                  .bytes = std::string(static_cast<std::size_t>(size), '\0')};
  check(MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE), "MPI_Mrecv");
  return message;
}

}  // namespace blocks
}  // namespace tofn

#else

namespace tofn {
inline namespace blocks {

struct Ranks::State {};

std::unique_ptr<Ranks> Ranks::join() {
  if (const auto name = launcher())
    throw InputError("started by " + *name +
                     ", but this tofn was built without MPI: configure with -DTOFN_MPI=ON, or "
                     "start it alone");
  return nullptr;
}

// Nothing can have joined.
Ranks::Ranks(std::unique_ptr<State>) {}
Ranks::~Ranks() = default;
int Ranks::rank() const { return 0; }
int Ranks::size() const { return 1; }
void Ranks::send(int, std::string) {}
bool Ranks::has_sent() { return true; }
std::optional<Ranks::Message> Ranks::receive() { return {}; }
void Ranks::abandon() {}

}  // namespace blocks
}  // namespace tofn

#endif
