// Library to preload into a program. It makes one call fail, as if memory ran out or the disk were
// full. Calls count from the start of main().
//   TOFN_FAIL=allocation:N | read:N | write:N | thread:N
//                                                 the N-th call fails; N+: all later ones too
//   TOFN_FAIL=clock:N                             the date is a day early from the N-th reading on
//   TOFN_FAIL=killed:N                            the program is killed at its N-th write
//   TOFN_FAIL_COUNT=FILE                          file for the counts, in lines such as `write 3`
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum Kind { allocation, read_call, write_call, thread_call, clock_call, killed, kinds };
constexpr const char* names[] = {"allocation", "read", "write", "thread", "clock", "killed"};

std::atomic<long> counts[kinds];
long failing[kinds] = {};  // number of the call to fail; 0: none
bool stays = false;
std::atomic<bool> is_counting = false;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool fails(Kind kind) {
  if (!is_counting.load(std::memory_order_relaxed)) return false;
  const long turn = ++counts[kind];
  return turn == failing[kind] || (stays && failing[kind] > 0 && turn > failing[kind]);
}

void read_settings() {
  const char* set = std::getenv("TOFN_FAIL");
  if (set == nullptr) return;
  for (const Kind kind : {allocation, read_call, write_call, thread_call, clock_call, killed}) {
    const std::size_t length = std::strlen(names[kind]);
    if (std::strncmp(set, names[kind], length) != 0 || set[length] != ':') continue;
    failing[kind] = std::atol(set + length + 1);
    stays = set[std::strlen(set) - 1] == '+';
  }
}

void write_counts() {
  is_counting = false;
  const char* file = std::getenv("TOFN_FAIL_COUNT");
  if (file == nullptr) return;
  char text[200];
  int length = 0;
  for (int kind = 0; kind < kinds; ++kind)
    length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length),
                            "%s %ld\n", names[kind], counts[kind].load());
  const int out = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out < 0 || next<ssize_t(int, const void*, std::size_t)>("write")(
                     out, text, static_cast<std::size_t>(length)) != length)
    std::abort();
  ::close(out);
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  read_settings();
  std::atexit(write_counts);
  is_counting = true;
  return real_main(argc, argv, environment);
}

template <class Call>
auto unless(Kind kind, int error, decltype(std::declval<Call>()()) failure, Call call) {
  if (kind == write_call && fails(killed)) ::raise(SIGKILL);
  if (!fails(kind)) return call();
  errno = error;
  return failure;
}

/// Seconds by which this reading of the date is too early.
std::time_t jump() {
  if (!is_counting.load(std::memory_order_relaxed)) return 0;
  const long turn = ++counts[clock_call];
  return failing[clock_call] > 0 && turn >= failing[clock_call] ? 24 * 60 * 60 : 0;
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                          stack_end);
}

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  return unless(allocation, ENOMEM, nullptr, [&] { return __libc_malloc(bytes); });
}
void* calloc(std::size_t count, std::size_t bytes) {
  return unless(allocation, ENOMEM, nullptr, [&] { return __libc_calloc(count, bytes); });
}
void* realloc(void* memory, std::size_t bytes) {
  return unless(allocation, ENOMEM, nullptr, [&] { return __libc_realloc(memory, bytes); });
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return unless(allocation, ENOMEM, nullptr, [&] { return __libc_memalign(alignment, bytes); });
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const int result = next<int(clockid_t, timespec*)>("clock_gettime")(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec -= jump();
  return result;
}
std::time_t time(std::time_t* at) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != nullptr) *at = now.tv_sec;
  return now.tv_sec;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* of) noexcept {
  const auto call = [&] {
    return next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(
        thread, attributes, work, of);
  };
  return unless(thread_call, EAGAIN, EAGAIN, call);
}

ssize_t read(int file, void* to, std::size_t bytes) {
  return unless(read_call, EIO, ssize_t{-1},
                [&] { return next<ssize_t(int, void*, std::size_t)>("read")(file, to, bytes); });
}

// Writes to standard error never fail, because tests check them.
ssize_t write(int file, const void* from, std::size_t bytes) {
  const auto call = [&] {
    return next<ssize_t(int, const void*, std::size_t)>("write")(file, from, bytes);
  };
  return file == STDERR_FILENO ? call() : unless(write_call, ENOSPC, ssize_t{-1}, call);
}
ssize_t writev(int file, const iovec* parts, int count) {
  const auto call = [&] {
    return next<ssize_t(int, const iovec*, int)>("writev")(file, parts, count);
  };
  return file == STDERR_FILENO ? call() : unless(write_call, ENOSPC, ssize_t{-1}, call);
}
std::size_t fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
  const auto call = [&] {
    return next<std::size_t(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite")(
        from, size, count, file);
  };
  return file == stderr ? call() : unless(write_call, ENOSPC, std::size_t{0}, call);
}
int fflush(std::FILE* file) {
  const auto call = [&] { return next<int(std::FILE*)>("fflush")(file); };
  return file == stderr ? call() : unless(write_call, ENOSPC, EOF, call);
}
int ftruncate(int file, off_t length) noexcept {
  return unless(write_call, EIO, -1,
                [&] { return next<int(int, off_t)>("ftruncate")(file, length); });
}
int rename(const char* from, const char* to) noexcept {
  return unless(write_call, EIO, -1,
                [&] { return next<int(const char*, const char*)>("rename")(from, to); });
}

}  // extern "C"
