#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>
#include <vector>

#include "sim/config/load_record.hpp"
#include "tests/program.hpp"
#include "tests/temporary_folder.hpp"

namespace tofn::test {

/// `mpirun -np RANKS`, with permission to run as root and more ranks than processors.
inline std::string mpirun(int ranks) {
  return "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
         "OMPI_MCA_rmaps_base_oversubscribe=1 '" TOFN_MPIRUN "' -np " +
         std::to_string(ranks);
}

inline std::string tofn_bench(const std::string& arguments) {
  return " '" TOFN_BENCH_BINARY "' " + arguments;
}

inline Outcome run_ranks(int ranks, const std::string& arguments) {
  return run_command(mpirun(ranks) + tofn_bench(arguments));
}

/// Lines of tofn-bench, without those that mpirun adds.
inline std::vector<std::string> own_lines(const std::string& errors) {
  std::vector<std::string> lines;
  std::istringstream text(errors);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("tofn-bench: ")) lines.push_back(line);
  return lines;
}

inline int count_complete(const Record& record) {
  int complete = 0;
  for (const RecordPoint& point : record.points) complete += point.is_complete ? 1 : 0;
  return complete;
}

/// The message `N finished points are in FILE` for the points of a file.
inline std::string holdings(const std::string& file) {
  const int complete = count_complete(load_record(file));
  return std::to_string(complete) +
         (complete == 1 ? " finished point is in " : " finished points are in ") + file;
}

/// A job of several ranks that runs while the test interferes with it.
class Job {
 public:
  /// Starts a job whose record is `record.json` of the folder. Each rank's shell runs `settings`
  /// first.
  Job(const TemporaryFolder& folder, int ranks, const std::string& arguments,
      const std::string& settings = "")
      : folder_(folder) {
    // Each rank writes its process number to a file. It ignores SIGXFSZ, so that tofn-bench itself
    // must handle a file that cannot grow.
    std::ofstream(folder.file("rank.sh"))
        << "echo $$ > '" << folder.file("rank.") << "'$OMPI_COMM_WORLD_RANK.new\n"
        << "mv '" << folder.file("rank.") << "'$OMPI_COMM_WORLD_RANK.new '" << folder.file("rank.")
        << "'$OMPI_COMM_WORLD_RANK\n"
        << "trap '' XFSZ\n"
        << settings << "\nexec \"$@\"\n";
    const std::string command = "exec " + mpirun(ranks) + " sh '" + folder.file("rank.sh") + "'" +
                                tofn_bench(arguments) + " -o '" + record_file() + "' >'" +
                                folder.file("out") + "' 2>'" + folder.file("err") + "'";
    process_ = ::fork();
    if (process_ == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      std::_Exit(127);
    }
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() {
    if (process_ > 0) {
      ::kill(process_, SIGTERM);
      finish();
    }
  }

  std::string record_file() const { return folder_.file("record.json"); }
  pid_t process() const { return process_; }
  pid_t rank(int number) const {
    pid_t process = 0;
    std::ifstream(folder_.file("rank." + std::to_string(number))) >> process;
    return process;
  }

  /// Waits until the record has `wanted` complete points, reading it while the job writes it.
  /// Returns false if the job ends before, or after 5 minutes, because others may keep the
  /// processors.
  bool wait_for_points(int wanted) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    while (std::chrono::steady_clock::now() < end && is_running()) {
      if (std::filesystem::exists(record_file()) &&
          count_complete(load_record(record_file())) >= wanted)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
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
  /// True until the process ends. Leaves its status for finish() to collect.
  bool is_running() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
  }

  const TemporaryFolder& folder_;
  pid_t process_ = 0;
};

}  // namespace tofn::test
