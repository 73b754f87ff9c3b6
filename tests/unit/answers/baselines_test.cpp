#include <set>

#include "sim/answers/baselines_answer.hpp"
#include "sim/config/library.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

TEST_CASE("each cluster has a baseline on one node, and on two and eight where it has a network") {
  Library library = Library::load(configs);
  std::map<std::string, std::set<int>> nodes;
  for (const Baseline& each : baselines(configs)) {
    INFO(each.cluster << " " << each.nodes);
    nodes[each.cluster].insert(each.nodes);
    CHECK(each.ranks == each.nodes * library.cluster(each.cluster).accelerators_per_node.value);
    CHECK(each.to_pass.base() > 0);
    CHECK(each.to_pass <= each.typical);
  }
  CHECK(nodes["dgx-h100"] == std::set<int>{1, 2, 8});
  CHECK(nodes["tinybox-green"] == std::set<int>{1});
  for (const auto& [name, counts] : nodes)
    if (!library.cluster(name).network) CHECK(*counts.rbegin() == 1);
}

TEST_CASE("a baseline counts the tables of its own make alone") {
  const auto all = baselines(configs);
  const auto tables_of = [&](const char* cluster) {
    return std::find_if(all.begin(), all.end(),
                        [&](const Baseline& each) { return each.cluster == cluster; })
        ->tables;
  };
  CHECK(tables_of("dgx-h100") > 0);
  CHECK(tables_of("aws-p6-b200") == 0);  // no table is published
}
