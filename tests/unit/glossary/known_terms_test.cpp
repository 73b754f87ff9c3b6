#include "sim/glossary/known_terms.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/core/basis.hpp"
#include "sim/options/option_rows.hpp"
#include "sim/parallelism/optimizer_kind.hpp"
#include "sim/parallelism/pipeline_schedule.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/scaling/fit_law.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/training/run_figures.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

const std::vector<Term>& terms() {
  static const std::vector<Term> all = known_terms();
  return all;
}

bool is_written(std::string_view name) {
  const auto found = terms_named(terms(), name);
  return std::any_of(found.begin(), found.end(), [](const Term& term) {
    const auto& groups = written_groups();
    return term.group == "optimizers" ||
           std::any_of(groups.begin(), groups.end(),
                       [&](const WrittenGroup& group) { return group.name == term.group; });
  });
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::string> words_in(std::string_view text, char between) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, between);) {
    word.erase(0, word.find_first_not_of(' '));
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

template <class Visit>
void visit_written(const Visit& visit) {
  for (const WrittenGroup& group : written_groups())
    for (const WrittenTerm& term : group.terms) {
      INFO(term.name);
      visit(term);
    }
}

bool is_option(const std::string& name) {
  for (const Command& command : commands())
    for (const OptionRow& row : option_rows(command.line({}).rows))
      if (row.name == name) return true;
  return false;
}

bool is_key(const std::string& setting) {
  const std::string kind = setting.substr(0, setting.find(':'));
  const std::string key = setting.substr(kind.size() + 1);
  return std::any_of(terms().begin(), terms().end(), [&](const Term& term) {
    return term.name == key && term.group.starts_with("keys of a") &&
           term.group.ends_with(' ' + kind);
  });
}

}  // namespace

TEST_CASE("every choice of a table that people meet is explained", "[glossary]") {
  std::vector<std::string_view> names;
  for (const auto& [name, part] : step_parts) names.push_back(name);
  for (const auto& each : schedule_traits) names.push_back(each.name);
  for (const auto& each : optimizer_traits) names.push_back(each.name);
  for (const Algorithm& each : collective_algorithms()) names.push_back(each.name);
  for (const auto& [name, kind] : collective_kinds) names.push_back(name);
  for (const auto& [name, protocol] : protocol_names) names.push_back(name);
  for (const auto& [name, way] : compression_names)
    if (way != GradientCompression::None) names.push_back(name);
  for (const Basis basis :
       {Basis::Measured, Basis::Interpolated, Basis::Extrapolated, Basis::Formula, Basis::Assumed})
    names.push_back(to_text(basis));
  for (const std::string_view name : names) {
    INFO(name);
    CHECK(is_written(name));
  }
}

TEST_CASE("a law is explained by the formula that is fitted", "[glossary]") {
  for (const Law& law : laws()) {
    const bool is_reported = std::any_of(terms().begin(), terms().end(), [&](const Term& term) {
      return term.formula == law.formula;
    });
    INFO(law.name);
    CHECK(is_reported);
  }
}

TEST_CASE("every word of sim/words.md is explained", "[glossary]") {
  const std::string text = text_of(TOFN_SOURCE_DIR "/sim/words.md");
  const std::size_t begin = text.find("| word | what it means | still");
  REQUIRE(begin != std::string::npos);
  const std::size_t end = std::min(text.find("\n\n", begin), text.size());
  std::istringstream table(text.substr(begin, end - begin));
  std::string row;
  int words = 0;
  for (std::getline(table, row), std::getline(table, row); std::getline(table, row);)
    for (const std::string& word : words_in(row.substr(2, row.find(" |", 2) - 2), ',')) {
      INFO(word);
      CHECK(is_written(word));
      ++words;
    }
  CHECK(words > 40);
}

TEST_CASE("what a written term names is there", "[glossary]") {
  visit_written([](const WrittenTerm& term) {
    for (const std::string& other : words_in(term.related, ',')) {
      INFO(other);
      CHECK_FALSE(terms_named(terms(), other).empty());
    }
    for (const std::string& column : words_in(term.printed, ' ')) {
      INFO(column);
      CHECK_FALSE(terms_named(terms(), column).empty());
    }
    for (const std::string& setting : words_in(term.set_by, ' ')) {
      INFO(setting);
      CHECK((setting.starts_with("--") ? is_option(setting) : is_key(setting)));
    }
    const std::regex file("sim/[a-z_/]+(\\.[ch]pp)?");
    const std::string source(term.source);
    for (std::sregex_iterator found(source.begin(), source.end(), file), none; found != none;
         ++found) {
      INFO(found->str());
      CHECK(std::filesystem::exists(TOFN_SOURCE_DIR "/" + found->str()));
    }
  });
}

TEST_CASE("a written term is told once, with a source", "[glossary]") {
  visit_written([](const WrittenTerm& term) {
    CHECK_FALSE(term.source.empty());
    CHECK(term.definition.ends_with('.'));
    int reported = 0;
    visit_written([&](const WrittenTerm& other) { reported += other.name == term.name ? 1 : 0; });
    CHECK(reported == 1);
  });
}

TEST_CASE("every field of a cluster and of an accelerator has words", "[glossary]") {
  std::string kind = "accelerator";
  const auto check = [&](const ClusterField& field) {
    INFO(kind << ' ' << field.dotted());
    CHECK(is_key(kind + ':' + field.dotted()));
    CHECK_FALSE(terms_named(terms(), field.column()).empty());
  };
  visit_accelerator(check);
  kind = "cluster";
  visit_node(check);
  visit_scale_up(check);
  visit_torus(check);
  visit_network(check);
  visit_host_copies(check);
  visit_power(check);
}

TEST_CASE("every term says what it is", "[glossary]") {
  for (const Term& term : terms()) {
    INFO(term.group << ": " << term.name);
    CHECK_FALSE(term.name.empty());
    CHECK_FALSE(term.definition.empty());
  }
}

TEST_CASE("terms are found however they are spelt", "[glossary]") {
  for (const char* name : {"NVLink domain", "nvlink-domain", "NVLINK_DOMAIN", "nvl72"})
    CHECK(terms_named(terms(), name).at(0).name == "NVLink domain");
  CHECK(terms_named(terms(), "days_low90").at(0).definition ==
        "of days: lower end of its 90 % interval");
  CHECK(terms_named(terms(), "knee_gain_between").at(0).name == "knee_*_between");
  CHECK(terms_named(terms(), "network.nic_bandwidth").at(0).unit == "Gb/s");
  CHECK(terms_named(terms(), "nonesuch").empty());
  CHECK(near_names(terms(), "goodptu") == std::vector<std::string>{"goodput"});
  std::vector<Term> many;  // each differs by a letter
  for (const char* name : {"steps1", "steps2", "steps3", "steps4", "steps5", "steps6", "steps7"})
    many.push_back({.name = name, .group = "", .definition = ""});
  CHECK(near_names(many, "steps0").size() == 5);
}

TEST_CASE("every bottleneck that a step may have is a term", "[glossary]") {
  for (const char* name :
       {"compute", "communication", "bubble", "imbalance", "overhead", "mixed"}) {
    INFO(name);
    CHECK_FALSE(terms_named(terms(), name).empty());
  }
}

TEST_CASE("heads that only tables for people have are explained", "[glossary]") {
  for (const char* head : {"extra %", "gross", "in time %", "chance %", "b", "eff. %", "acc.-hours",
                           "GB", "waiting %", "same loss"}) {
    INFO(head);
    CHECK_FALSE(terms_named(terms(), head).empty());
  }
  for (const RunFigure& figure : run_figures)
    for (const std::string_view head : {figure.head, figure.title})
      if (!head.empty()) {
        INFO(head);
        CHECK_FALSE(terms_named(terms(), head).empty());
      }
  CHECK(terms_named(terms(), "GB").at(0).also == std::vector<std::string>{"GB"});
  CHECK_FALSE(terms_named(terms(), "as runs went").empty());  // the head's former name
}

TEST_CASE("a column is explained by its row, under its name and its head", "[glossary]") {
  int explained = 0;
  for (const CommandColumns& table : columns_of_tables())
    for (const ColumnWords& column : table.columns) {
      INFO(table.command << ": " << column.name << ", " << column.head);
      CHECK_FALSE(terms_named(terms(), column.name).empty());
      if (column.meaning.empty()) continue;
      ++explained;
      for (const std::string& called : {column.name, column.head}) {
        if (called.empty()) continue;
        const auto found = terms_named(terms(), called);
        CHECK(std::any_of(found.begin(), found.end(), [&](const Term& term) {
          return term.definition == column.meaning &&
                 term.used.find(table.command) != std::string::npos;
        }));
      }
    }
  CHECK(explained > 250);
  CHECK(terms_named(terms(), "W a node").at(0).name == "node_w");
  CHECK(terms_named(terms(), "measured_us").at(0).used == "printed by collective, validate");
}

// Columns are in rows of `{"name", value, ...}`; heads of the text alone have `Align` or nothing
// after their name. Other columns come from tables that other tests walk.
TEST_CASE("every column that a report names is explained", "[glossary]") {
  const std::regex row(
      R"re((?:\{|emplace_back\(\s*)"([a-z][a-z0-9_]*)",(?!\s*(?:Align|"|\w+_cell)))re");
  int columns = 0;
  for (const auto& file : std::filesystem::directory_iterator(TOFN_SOURCE_DIR "/sim/report")) {
    const std::string text = text_of(file.path());
    if (text.find("Columns<") == std::string::npos) continue;
    if (file.path().filename() == "list_figures.cpp") continue;  // its rows name commands
    for (std::sregex_iterator found(text.begin(), text.end(), row), none; found != none; ++found) {
      INFO(file.path().filename().string() << ": " << (*found)[1].str());
      CHECK_FALSE(terms_named(terms(), (*found)[1].str()).empty());
      ++columns;
    }
  }
  CHECK(columns > 300);
}
