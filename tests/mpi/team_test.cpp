#include "microbench/mpi/mpi_team.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

using namespace tofn::bench;
using namespace tofn::test;

TEST_CASE("the ranks of an MPI job agree") {
  const std::string this_program = std::filesystem::read_symlink("/proc/self/exe").string();
  const Outcome outcome = run_command(mpirun(3) + " '" + this_program + "' '[.each-rank]'");
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  std::size_t passed = 0;
  for (std::size_t at = outcome.output.find("All tests passed"); at != std::string::npos;
       at = outcome.output.find("All tests passed", at + 1))
    ++passed;
  CHECK(passed == 3);
}

TEST_CASE("what each rank of an MPI job sees", "[.each-rank]") {
  run_mpi(0, nullptr, [](Team& team) {
    const int last = team.size() - 1;
    std::vector<double> values{1.0 * team.rank(), -1.0 * team.rank() - 5};
    team.maximum(values);
    CHECK(values == std::vector<double>{1.0 * last, -5});

    // Texts may have any bytes and any length, even none.
    const auto gathered =
        team.gather(std::string(static_cast<std::size_t>(2 * team.rank()), '\0') + "\n");
    REQUIRE(gathered.size() == static_cast<std::size_t>(team.size()));
    for (std::size_t rank = 0; rank < gathered.size(); ++rank)
      CHECK(gathered[rank] == std::string(2 * rank, '\0') + "\n");
    CHECK(team.gather("") == std::vector<std::string>(gathered.size()));

    try {
      agree(team, {.text = team.rank() == last ? std::optional<std::string>("the last one's")
                                               : std::nullopt,
                   .exit_code = mistake_of_the_user});
      FAIL("nobody was told");
    } catch (const SharedFailure& failure) {
      CHECK(failure.what() == std::string("the last one's"));
      CHECK(failure.exit_code() == mistake_of_the_user);
    }
    return 0;
  });
}
