#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;
using nlohmann::json;

namespace {

/// Two stages in which every stream has work.
StepWork busy_work() {
  LayerTimes layer;
  layer.name = "a \"quoted\" layer";
  layer.count = 2;
  layer.forward.compute = Seconds{0.001};
  layer.forward.exposed[0] = Seconds{0.0001};
  layer.backward.compute = Seconds{0.002};
  layer.backward.overlapped[2] = Seconds{0.0001};
  layer.backward.launch = Seconds{0.00005};
  layer.backward.reduce = Seconds{0.003};
  StepWork work;
  work.stages.assign(2, {ChunkTimes{{layer}}});
  work.micro_batches = 3;
  work.send.assign(work.stages.size(), Seconds{0.0002});
  work.optimizer = {Seconds{0.001}, Seconds{0.001}};
  return work;
}

json trace_of(const StepWork& work) {
  std::ostringstream text;
  write_trace(text, record_timeline(work));
  return json::parse(text.str());
}

}  // namespace

TEST_CASE("a trace names its stages and streams") {
  const json trace = trace_of(busy_work());
  CHECK(trace.at("displayTimeUnit") == "ms");
  std::map<std::pair<int, int>, std::string> names;
  std::set<std::string> stages;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "M") continue;
    if (event.at("name") == "process_name") stages.insert(event.at("args").at("name"));
    if (event.at("name") == "thread_name")
      names[{event.at("pid"), event.at("tid")}] = event.at("args").at("name");
  }
  CHECK(stages == std::set<std::string>{"stage 1", "stage 2"});
  CHECK(names.size() == 8);
  CHECK(names.at({1, 0}) == "compute");
  CHECK(names.at({0, 2}) == "data");
}

TEST_CASE("a trace has every span once, with its category and one colour for each") {
  const StepWork work = busy_work();
  const json trace = trace_of(work);
  std::map<std::string, std::set<std::string>> colours;
  std::map<std::string, double> microseconds;
  double end = 0;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M") continue;
    REQUIRE(event.at("ph") == "X");
    REQUIRE(event.at("dur").get<double>() > 0);
    const std::string category = event.at("cat");
    colours[category].insert(event.at("cname").get<std::string>());
    microseconds[category] += event.at("dur").get<double>();
    end = std::max(end, event.at("ts").get<double>() + event.at("dur").get<double>());
    const json& arguments = event.at("args");
    REQUIRE(arguments.at("micro_batch").get<int>() < 3);
  }
  for (const auto& [category, names] : colours) CHECK(names.size() == 1);
  // Two stages have two layers and three micro-batches each.
  CHECK_THAT(microseconds.at("compute"), WithinRel(2 * 2 * 3 * 3000.0, 1e-9));
  CHECK_THAT(microseconds.at("tensor"), WithinRel(2 * 2 * 3 * 100.0, 1e-9));
  CHECK_THAT(microseconds.at("expert"), WithinRel(2 * 2 * 3 * 100.0, 1e-9));
  CHECK_THAT(microseconds.at("launch"), WithinRel(2 * 2 * 3 * 50.0, 1e-9));
  CHECK_THAT(microseconds.at("data"), WithinRel(2 * 2 * 3000.0, 1e-9));
  CHECK_THAT(microseconds.at("pipeline"), WithinRel(2 * 3 * 200.0, 1e-9));
  CHECK_THAT(microseconds.at("optimizer"), WithinRel(2 * 1000.0, 1e-9));
  CHECK_THAT(end, WithinRel(1e6 * simulate(work).total.base(), 1e-9));
}

TEST_CASE("kernels, collectives and sends have names") {
  const json trace = trace_of(busy_work());
  std::set<std::string> names;
  for (const json& event : trace.at("traceEvents"))
    names.insert(event.at("name").get<std::string>());
  for (const char* name :
       {"a \"quoted\" layer forward 0", "a \"quoted\" layer backward 2",
        "a \"quoted\" layer forward 1, tensor", "a \"quoted\" layer backward 2, data",
        "send forward 0", "send backward 2", "optimizer"}) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
}
