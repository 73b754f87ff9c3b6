#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/catch.hpp"
#include "tests/program.hpp"
#include "tests/temporary_folder.hpp"

namespace tofn::test {

inline const std::string job_name = "sweep_job: ";
inline const bool has_mpi = !std::string(TOFN_MPIRUN).empty();

/// Command line of the program that the tests run.
inline std::string sweep(const std::string& arguments) {
  return "'" TOFN_SWEEP_JOB "' " + arguments;
}

/// Words before a program that start it as this many ranks, with permission to run as root and more
/// ranks than processors.
inline std::string mpirun(int ranks) {
  return "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
         "OMPI_MCA_rmaps_base_oversubscribe=1 '" TOFN_MPIRUN "' -np " +
         std::to_string(ranks) + " ";
}

/// True, with a warning, if there is no MPI to start this many ranks (0: without MPI).
inline bool cannot_start(int ranks) {
  if (ranks == 0 || has_mpi) return false;
  WARN("built without MPI: not tested");
  return true;
}

inline std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return std::move(text).str();
}

/// The only line of tofn, or all of standard error if there is not just one. MPI adds its own
/// lines, and on a busy machine tofn's line may follow an unfinished one.
inline std::string own_line(const Outcome& outcome) {
  std::istringstream text(outcome.errors);
  std::string own;
  int count = 0;
  for (std::string line; std::getline(text, line);)
    if (const std::size_t at = line.find(job_name); at != std::string::npos) {
      own = line.substr(at + job_name.size());
      ++count;
    }
  return count == 1 ? own : "not one line: " + outcome.errors;
}

/// A program that runs while the test interferes with it.
class Running {
 public:
  Running(const TemporaryFolder& folder, const std::string& command) : folder_(folder) {
    const std::string whole =
        "exec " + command + " >'" + folder.file("out") + "' 2>'" + folder.file("err") + "'";
    process_ = ::fork();
    if (process_ == 0) {
      ::execl("/bin/sh", "sh", "-c", whole.c_str(), nullptr);
      std::_Exit(127);
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    finish();
  }

  pid_t process() const { return process_; }
  /// True once the process has ended. Leaves its status for finish() to collect.
  bool has_ended() const {
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid != 0;
  }

  Outcome finish() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .output = take_file(folder_.file("out")),
            .errors = take_file(folder_.file("err"))};
  }

 private:
  const TemporaryFolder& folder_;
  pid_t process_ = 0;
};

/// Words before a program that mpirun starts: each rank writes its process number to the folder.
inline std::string leaving_its_number(const TemporaryFolder& folder) {
  const std::string rank = folder.file("rank.");
  std::ofstream(folder.file("rank.sh"))
      << "echo $$ > '" << rank << "'$OMPI_COMM_WORLD_RANK.new\nmv '" << rank
      << "'$OMPI_COMM_WORLD_RANK.new '" << rank << "'$OMPI_COMM_WORLD_RANK\nexec \"$@\"\n";
  return "sh '" + folder.file("rank.sh") + "' ";
}

inline void kill_rank(const TemporaryFolder& folder, int rank, int signal) {
  const std::string file = folder.file("rank." + std::to_string(rank));
  const pid_t process = std::atoi(take_file(file).c_str());  // a later job writes its own number
  REQUIRE(process > 0);
  ::kill(process, signal);
}

/// Number of blocks that the journal of a file lists as written.
inline std::uint64_t kept_blocks(const std::string& file) {
  std::istringstream journal(content(file + ".journal"));
  std::uint64_t blocks = 0;
  for (std::string line; std::getline(journal, line);) {
    const std::size_t at = line.find(" done\t");
    if (at != std::string::npos) blocks = std::stoull(line.substr(at + 6));
  }
  return blocks;
}

/// Waits until the condition holds, for half a minute at most; false if it never did.
template <class Condition>
bool wait_until(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace tofn::test
