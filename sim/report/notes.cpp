#include "sim/report/notes.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

std::string placement_text(const Plan& plan, const Cluster& cluster) {
  const std::string words = placement_words(plan, cluster);
  return words.empty() ? words : fmt::format("placement     {} accelerators of a domain\n", words);
}

std::string wrapped(const std::string& first, const std::vector<std::string>& items,
                    const char* separator) {
  constexpr std::size_t width = 100;
  const std::string indent(first.size() - 1, ' ');
  std::string text = first;
  std::size_t used = first.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? separator : "");
    if (used + 1 + item.size() > width && i > 0) {
      text += '\n' + indent;
      used = indent.size();
    }
    text += (i == 0 ? "" : " ") + item;
    used += 1 + item.size();
  }
  return text + '\n';
}

std::string wrapped_words(const std::string& first, const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return wrapped(first, words, "");
}

std::string plans_table(const std::vector<std::pair<int, const Plan*>>& plans) {
  TextTable table({{"N"}, {"plan", Align::Left}});
  for (const auto& [accelerators, plan] : plans)
    table.add({fmt::format("{}", accelerators), plan_words(*plan)});
  return table.render();
}

std::string substitutions_text(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& each : sentences) text += fmt::format("{:<14}{}\n", "instead", each);
  return text;
}

std::string rows_of(const Disclosure& each) {
  return fmt::format("{}{}{}", each.score,
                     each.protocol.empty() ? "" : fmt::format(" {}", each.protocol),
                     each.rows.empty() ? "" : fmt::format(", {}", each.rows));
}

std::string all_disclosures_text() {
  std::string text;
  for (const Disclosure& each : disclosures())
    text += wrapped_words("not blind     ", fmt::format("{}: {}", rows_of(each), each.sentence));
  return text;
}

std::string disclosed_text(std::string_view score, std::string_view protocol,
                           const std::vector<std::string>& shown) {
  std::string text;
  for (const Disclosure& each : disclosures_of(score, protocol)) {
    const bool is_shown = each.rows.empty() || shown.empty() ||
                          std::find(shown.begin(), shown.end(), each.rows) != shown.end();
    if (!is_shown) continue;
    const std::string rows = each.rows.empty() ? "" : fmt::format("{}: ", each.rows);
    text += wrapped_words("not blind     ", fmt::format("{}{}", rows, each.sentence));
  }
  return text;
}

}  // namespace report
}  // namespace tofn
