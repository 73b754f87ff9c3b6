#include "microbench/harness/thread_team.hpp"

#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

using Texts = std::vector<std::string>;

/// Results of `work` on each of four ranks, which run on threads. Checks belong after the call.
template <class Result, class Work>
std::vector<Result> on_four_ranks(Work work) {
  std::vector<Result> results(4);
  run_threads(4, [&](Team& team) {
    results[static_cast<std::size_t>(team.rank())] = work(team);
    return 0;
  });
  return results;
}

/// Ending of a rank in agree(): `code: text`, or `agreed`.
template <class Work>
std::string ending(Work work) {
  try {
    work();
  } catch (const SharedFailure& failure) {
    return std::to_string(failure.exit_code()) + ": " + failure.what();
  }
  return "agreed";
}

}  // namespace

TEST_CASE("threads are ranks of one team") {
  std::vector<std::thread::id> threads(4);
  const int exit_code = run_threads(4, [&](Team& team) {
    threads[static_cast<std::size_t>(team.rank())] = std::this_thread::get_id();
    return team.size() == 4 ? 5 - std::abs(team.rank() - 2) : 100;
  });
  CHECK(exit_code == 5);  // the largest code
  CHECK(threads[0] == std::this_thread::get_id());
  CHECK(threads[1] != threads[2]);
  CHECK(run_threads(1, [](Team& team) { return team.rank() + team.size(); }) == 1);
}

TEST_CASE("nobody passes a barrier before all have come") {
  std::atomic<int> arrived = 0;
  const auto early = on_four_ranks<int>([&](Team& team) {
    int wrong = 0;
    for (int round = 1; round <= 200; ++round) {
      ++arrived;
      team.barrier();
      if (arrived != 4 * round) ++wrong;
      team.barrier();
    }
    return wrong;
  });
  CHECK(early == std::vector<int>(4, 0));
}

TEST_CASE("every rank learns the largest of each value") {
  const auto wrong = on_four_ranks<int>([](Team& team) {
    int misses = 0;
    for (int round = 0; round < 200; ++round) {
      std::vector<double> values{1.0 * team.rank(), -1.0 * team.rank() - 5,
                                 team.rank() == round % 4 ? 7.5 + round : 0};
      team.maximum(values);
      if (values != std::vector<double>{3, -5, 7.5 + round}) ++misses;
    }
    return misses;
  });
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("every rank learns what each gave, whatever the bytes") {
  const Texts given{"first", "", std::string("\0\n\xff", 3), "last"};
  const auto wrong = on_four_ranks<int>([&](Team& team) {
    int misses = 0;
    for (std::size_t round = 0; round < 200; ++round) {
      const auto all = team.gather(given[(static_cast<std::size_t>(team.rank()) + round) % 4]);
      for (std::size_t rank = 0; rank < 4; ++rank)
        if (all[rank] != given[(rank + round) % 4]) ++misses;
    }
    return misses;
  });
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("the first rank's problem becomes everyone's, with its exit code") {
  const auto endings = on_four_ranks<std::string>([](Team& team) {
    return ending([&] {
      if (team.rank() == 2) agree(team, {.text = "two", .exit_code = mistake_of_the_user});
      if (team.rank() == 3) agree(team, {.text = "three", .exit_code = failure_of_the_job});
      if (team.rank() < 2) agree(team, {});
    });
  });
  CHECK(endings == Texts(4, "2: two"));
}

TEST_CASE("an empty problem is a problem") {
  const auto endings = on_four_ranks<std::string>([](Team& team) {
    return ending([&] {
      agree(team, {.text = team.rank() == 1 ? std::optional<std::string>("") : std::nullopt,
                   .exit_code = failure_of_the_job});
    });
  });
  CHECK(endings == Texts(4, "1: "));
}

TEST_CASE("where nobody has a problem all go on") {
  CHECK(on_four_ranks<std::string>([](Team& team) { return ending([&] { agree(team, {}); }); }) ==
        Texts(4, "agreed"));
}

TEST_CASE("what one rank throws ends all: a mistake of the user names itself") {
  const auto failing_on_one = [](const std::function<void()>& fail) {
    return on_four_ranks<std::string>([&](Team& team) {
      return ending([&] {
        agree_on(team, "host h, rank " + std::to_string(team.rank()), [&] {
          if (team.rank() == 1) fail();
        });
      });
    });
  };
  CHECK(failing_on_one([] { throw std::runtime_error("out of memory"); }) ==
        Texts(4, "1: host h, rank 1: out of memory"));
  CHECK(failing_on_one([] { throw InputError({}, "--gpus", "too many"); }) ==
        Texts(4, "2: --gpus: too many"));
  CHECK(failing_on_one([] {}) == Texts(4, "agreed"));
}
