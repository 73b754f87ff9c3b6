#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn::bench {

/// The ranks that measure together, and how they communicate for control, apart from the measured
/// traffic. Every function except rank(), size() and abort() is collective.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void barrier() = 0;
  /// Replaces each value by its largest over all ranks.
  virtual void maximum(std::span<double> values) = 0;
  /// Texts of all ranks, in rank order, on every rank. They may have any bytes.
  virtual std::vector<std::string> gather(std::string_view mine) = 0;
  /// Ends all ranks, even those that wait for one another.
  [[noreturn]] virtual void abort(int exit_code) noexcept = 0;
};

constexpr int failure_of_the_job = 1;
constexpr int mistake_of_the_user = 2;

/// A problem known to every rank: one of them reports it, and all end in order.
class SharedFailure : public std::runtime_error {
 public:
  SharedFailure(const std::string& problem, int exit_code)
      : std::runtime_error(problem), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// A problem on this rank, if it has one.
struct LocalProblem {
  std::optional<std::string> text;
  int exit_code = failure_of_the_job;
};

/// Throws the first rank's problem on all ranks as a SharedFailure; returns if no rank has one.
/// Collective.
void agree(Team&, const LocalProblem& mine);

/// Calls `work`, which must not communicate, on this rank. An exception on any rank is thrown on
/// all as a SharedFailure that starts with `whose: `. Collective.
template <class Work>
void agree_on(Team& team, const std::string& whose, Work work) {
  LocalProblem problem;
  try {
    work();
  } catch (const InputError& error) {  // a user's mistake needs no prefix
    problem = {.text = error.what(), .exit_code = mistake_of_the_user};
  } catch (const std::exception& error) {
    problem.text = whose + ": " + error.what();
  }
  agree(team, problem);
}

}  // namespace tofn::bench
