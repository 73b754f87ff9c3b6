// Tests that every command that simulates a model fills in an open plan alike. Commands once
// differed in the plan and the verdict, and twofold in time.
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/answered.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/records.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct DrawnJob {
  std::string model, cluster;
  int accelerators = 0;
  int batch = 0;
  std::map<std::string, std::string> stated{};  ///< plan options by name

  std::string text() const {
    return fmt::format("{} {} -N {} --batch {} {}", model, cluster, accelerators, batch, stated);
  }
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  DrawnJob job() {
    DrawnJob drawn{.model = one_of({"llama3-8b", "llama2-13b", "mixtral-8x7b", "llama3-70b"}),
                   .cluster = one_of({"dgx-h100", "dgx-a100", "dgx-b200"})};
    drawn.accelerators = std::stoi(one_of({"8", "16", "32"}));
    drawn.batch = drawn.accelerators * std::stoi(one_of({"4", "8"}));
    for (const auto& [option, values] : std::map<std::string, std::vector<std::string>>{
             {"tp", {"1", "2", "4"}},
             {"pp", {"1", "2"}},
             {"cp", {"1"}},
             {"micro-batch", {"1", "2"}},
             {"sharded", {"nothing", "optimizer", "parameters"}},
             {"recompute", {"none", "selective", "full"}}})
      if (one_of({"stated", "open"}) == "stated") drawn.stated[option] = one_of(values);
    return drawn;
  }

 private:
  std::string one_of(const std::vector<std::string>& values) {
    return values[random_() % values.size()];
  }

  std::mt19937 random_;  // its numbers, unlike those of distributions, are the same everywhere
};

/// Plan, step, memory and verdict of a job as tables print them; absent if the job is refused.
using Verdict = std::optional<std::vector<std::string>>;

Verdict verdict_of(const std::string& csv) {
  const std::size_t end = csv.find('\n');
  const auto columns = csv_cells(csv.substr(0, end));
  const auto cells = csv_cells(csv.substr(end + 1, csv.find('\n', end + 1) - end - 1));
  std::vector<std::string> found;
  for (const char* wanted : {"plan", "step_s", "memory_gb", "fits"})
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i] == wanted) found.push_back(cells[i]);
  return found;
}

template <class Ask>
Verdict request(const Ask& ask) {
  try {
    return verdict_of(ask());
  } catch (const InputError&) {
    return {};
  }
}

Verdict answer_of(const std::string& command, const DrawnJob& job, Options more = {}) {
  Options options{{"accelerators", job.accelerators}, {"batch", job.batch}};
  for (const auto& [option, value] : job.stated) options.emplace_back(option, value);
  options.insert(options.end(), more.begin(), more.end());
  return request([&] {
    return to_csv(
        tofn::answered(
            Question{.command = command, .arguments = {job.model, job.cluster}, .options = options})
            .answer.records);
  });
}

Verdict swept(const DrawnJob& job) {
  std::string yaml = fmt::format(
      "name: one\ntitle: one\nbase:\n  model: {}\n  cluster: {}\n  batch: {}\n  tokens: 1T\n",
      job.model, job.cluster, job.batch);
  for (auto [word, value] : job.stated)
    yaml += fmt::format("  {}: {}\n", word == "micro-batch" ? "micro_batch" : word, value);
  yaml +=
      fmt::format("axes:\n  - accelerators: [{}]\ncolumns: [plan, step_s, memory_gb, fits, days]\n",
                  job.accelerators);
  const TemporaryFile file("one.yaml", yaml);
  return request([&] {
    return to_csv(tofn::answered(Question{.command = "sweep", .arguments = {file.path().string()}})
                      .answer.records);
  });
}

}  // namespace

TEST_CASE("twenty drawn jobs have one plan, whichever command is asked", "[app]") {
  Draw draw(20261128);
  int answers = 0;
  int unfit = 0;
  for (int i = 0; i < 20; ++i) {
    const DrawnJob job = draw.job();
    INFO(job.text());
    const Verdict predicted = answer_of("predict", job);
    CHECK(answer_of("step", job) == predicted);
    CHECK(answer_of("predict", job, {{"tokens", "1T"}}) == predicted);
    CHECK(swept(job) == predicted);
    if (!predicted) continue;
    ++answers;
    REQUIRE(predicted->size() == 4);
    const Options chosen{{"tokens", "1T"}, {"search", "usual"}, {"precision", "bf16"}};
    const Verdict scaled = answer_of("scale", job);
    const Verdict planned = answer_of("plan", job, chosen);
    const bool fits = predicted->back() == "1";
    if (!fits) ++unfit;
    CHECK(scaled.has_value() == fits);  // both refuse a job that does not fit
    CHECK(planned.has_value() == fits);
    for (const Verdict& other : {scaled, planned})
      if (other)
        CHECK(std::vector(other->begin(), other->begin() + 3) ==
              std::vector(predicted->begin(), predicted->begin() + 3));
  }
  CHECK(answers >= 12);  // all refuse the others, which replicas or stages do not divide
  CHECK(unfit >= 1);
  CHECK(unfit < answers);
}
