#include "sim/answers/collective_check_answer.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const SlownessCause& cause_named(std::string_view name) {
  return *std::find_if(causes().begin(), causes().end(),
                       [&](const SlownessCause& each) { return each.name == name; });
}

/// Names of the causes that remain of three, given a log with this text.
std::vector<std::string_view> left_beside(const std::string& text) {
  const TemporaryFile log("check.log", text);
  std::vector<JudgedTable> judged(1);
  judged.front().table.file = log.path().filename();
  judged.front().table.nodes = 2;
  for (const char* name : {"missing plugin", "kernel sockets", "no GPUDirect"})
    judged.front().judgement.likely.push_back({&cause_named(name), 0.3});
  judged.front().judgement.likely.push_back({nullptr, 0.1});
  add_words_of_log(judged, log.path());
  std::vector<std::string_view> left;
  for (const LikelyCause& each : judged.front().judgement.likely)
    left.push_back(each.cause == nullptr ? "one factor" : each.cause->name);
  return left;
}

using Names = std::vector<std::string_view>;

}  // namespace

TEST_CASE("a cause that the log's own lines exclude is none") {
  const Names all{"missing plugin", "kernel sockets", "no GPUDirect", "one factor"};
  CHECK(left_beside("no line of NCCL\n") == all);
  CHECK(left_beside("a:1:1 [0] NCCL INFO Using network Socket\n") == all);
  CHECK(left_beside("a:1:1 [0] NCCL INFO NET/OFI Selected provider is cxi, fabric is cxi0\n") ==
        Names{"no GPUDirect", "one factor"});
  CHECK(
      left_beside("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n") ==
      Names{"one factor"});
}
