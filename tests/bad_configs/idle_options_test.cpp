#include <string>
#include <utility>
#include <vector>

#include "tests/bad_configs/program.hpp"

// An option that changes nothing is refused, or the answer tells so.
using namespace tofn::test;

TEST_CASE("an option that is of another question is refused") {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"collective --check a.log --size 1MiB",
       "--size: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --stride 2",
       "--stride: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --alone",
       "--alone: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --calibration h100-dell-2x8",
       "--calibration: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --stack nemo", "--stack: changes nothing without --training"},
      {"collective --cluster dgx-h100 --ranks 8 --size 1MiB --alone",
       "--alone: changes nothing without --stride: the job has no other ranks"},
      {"calibrate a.log -o a.yaml --tp 2",
       "--tp: changes nothing for measured collectives: it is for steps of training (--steps)"},
      {"calibrate --steps a.log --workload bert --cluster dgx-h100 --ranks 8 -o a.yaml",
       "--ranks: changes nothing for steps of a workload: --workload, -N, --tp, --cp and "
       "--grad-accum say what ran"},
      {"calibrate --steps a.log --model llama3-8b --cluster dgx-h100 --stack nemo --ranks 8 -o "
       "a.yaml",
       "--ranks: changes nothing for steps of a model: --model, its plan and -N say what ran"},
  };
  for (const auto& [arguments, message] : refused) check_refused(arguments, message);
}
