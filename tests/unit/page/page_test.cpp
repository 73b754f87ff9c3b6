#include "sim/page/page.hpp"

#include <nlohmann/json.hpp>

#include "sim/page/read_table.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

PageTable table_of(std::vector<Value> row) {
  Records records{.columns = {"x", "y"}, .rows = {}};
  records.rows.push_back(std::move(row));
  return page_table(std::move(records), "table.csv");
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from) + from.size();
  return text.substr(start, text.find(to, start) - start);
}

/// Data that the browser passes to the script: all text up to the first `</script`.
nlohmann::json data_of(const std::string& html) {
  return nlohmann::json::parse(
      between(html, "<script type=\"application/json\" id=\"data\">", "</script"));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("JSON in a script shows no `<` to the HTML parser and means the same") {
  const std::string evil = R"(["</script><script>alert(1)</script>", "<!--<script>", "a < b"])";
  const std::string safe = for_script(evil);
  CHECK(safe.find('<') == std::string::npos);
  CHECK(nlohmann::json::parse(safe) == nlohmann::json::parse(evil));
}

TEST_CASE("whatever a table holds, the page keeps its scripts and the table its values") {
  const std::string evil = "</script><img src=x>{{scripts}} \"quoted\" \\ \n {{style}}";
  const std::string html =
      page_html(std::vector{table_of({1.5, 2LL}), table_of({0.25, 3LL})}, evil);
  const auto plain = page_html(std::vector{table_of({1.5, 2LL}), table_of({0.25, 3LL})}, "tofn");
  CHECK(count(html, "<script") == count(plain, "<script"));
  const auto data = data_of(html);
  CHECK(data["program"] == evil);
  CHECK(data["tables"][0]["rows"] == nlohmann::json::parse("[[1.5, 2]]"));
  CHECK(data["tables"][1]["origin"] == "table.csv");
}

TEST_CASE("a page has every part in its place and names no other file") {
  const std::string html = page_html(std::vector{table_of({1.0, 2.0})}, "tofn");
  for (const char* mark :
       {"{{style}}", "{{data}}", "{{chart_library}}", "{{licence}}", "{{scripts}}"})
    CHECK(html.find(mark) == std::string::npos);
  CHECK(html.ends_with("</html>\n"));
  for (const char* fetched : {"<link", "<img", "src=\"", "@import", "url(", "sourceMappingURL"})
    CHECK(html.find(fetched) == std::string::npos);
  if (has_chart_library()) {
    CHECK(html.find("Chart.js v3.") != std::string::npos);
    CHECK(html.find("Permission is hereby granted") != std::string::npos);
  }
}

TEST_CASE("a plan's section is titled by its question, others by their kind") {
  Records plan{.columns = {"question", "keeps_limits", "is_on_frontier", "days"},
               .rows = {{std::string("a model: least cost"), 1LL, 1LL, 2.0}}};
  const std::vector tables{page_table(std::move(plan), "plan.json"), table_of({1.0, 2.0})};
  const auto data = data_of(page_html(tables, "tofn"));
  CHECK(data["tables"][0]["title"] == "a model: least cost");
  CHECK(data["tables"][0]["charts"].size() == 1);
  CHECK(data["tables"][0]["charts"][0]["name"] == "plans");
  CHECK(data["tables"][1]["title"] == "Table");
}

TEST_CASE("equal tables give equal bytes") {
  const std::vector tables{table_of({1.0, 2.0})};
  CHECK(page_html(tables, "tofn") == page_html(tables, "tofn"));
}
