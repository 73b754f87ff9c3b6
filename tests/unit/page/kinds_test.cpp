#include <filesystem>
#include <set>

#include "sim/page/page.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/study_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::string kind_name(const std::vector<std::string>& columns) {
  return std::string(kind_of(columns).name);
}

}  // namespace

TEST_CASE("outputs of the commands are told by their columns") {
  const StudyAnswer study;
  CHECK(kind_name(compare_records({}).columns) == "compare");
  CHECK(kind_name(study_records(study).columns) == "study");
  CHECK(kind_name(cluster_records(study).columns) == "clusters");
  CHECK(kind_name(claim_records(study).columns) == "claims");
  CHECK(kind_name(loss_records(study).columns) == "losses");
  CHECK(kind_name(step_records({}).columns) == "step");
  CHECK(kind_name(collective_check_records({}, {}, {}).columns) == "check");
}

TEST_CASE("a column less is another table") {
  CHECK(kind_name({"collective", "size", "measured_us", "predicted_us", "more"}) == "collectives");
  CHECK(kind_name({"collective", "size", "measured_us"}) == "any");
  CHECK(kind_name({"point", "tensor_parallel", "step_s"}) == "sweep");
  CHECK(kind_name({"tensor_parallel", "step_s"}) == "any");
  CHECK(kind_name({}) == "any");
}

TEST_CASE("a table of one size has no curve over sizes, one of several no bars of one") {
  const OutputKind& step = kind_of(step_records({}).columns);
  const auto names_of = [&](std::vector<std::vector<Value>> rows) {
    std::vector<std::string_view> names;
    for (const Chart& chart :
         charts_of({.kind = &step,
         .origin = {},
         .records = {.columns = {"model", "accelerators"}, .rows = std::move(rows)}}))
      names.push_back(chart.name);
    return names;
  };
  using Names = std::vector<std::string_view>;
  const Value model = "llama3-8b";
  CHECK(names_of({{model, 8LL}}) == Names{"step_bar", "memory_bar"});
  CHECK(names_of({{model, 8LL}, {model, 8LL}}) == Names{"step_bar", "memory_bar"});
  CHECK(names_of({{model, 8LL}, {model, 16LL}}) == Names{"terms"});
}

TEST_CASE("every chart of every kind has its file, every file its chart") {
  std::set<std::string> named;
  for (const OutputKind& kind : output_kinds())
    for (const Chart& chart : kind.charts) named.insert(std::string(chart.name) + ".js");
  std::set<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(TOFN_SOURCE_DIR "/sim/page/charts"))
    files.insert(file.path().filename().string());
  CHECK(named == files);
}
