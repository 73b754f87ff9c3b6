#include "sim/answers/published_answer.hpp"
#include "sim/app/validate.hpp"
#include "sim/report/published_report.hpp"

namespace tofn {
inline namespace app {

CommandAnswer validate_published(const Request& request) {
  const auto [name, rule] = protocol_of(request, published_protocols);
  Shipped shipped(request.common.configs);
  const auto tables = tables_of(request, published_tables(shipped.configs()));
  std::vector<std::string> notes;
  const auto runs = published_answer(shipped, tables, rule, &notes);
  for (const std::string& note : notes) say(note);
  require_answered(runs, left_out_runs(runs));
  return command_answer(published_text(runs, name), published_records(runs, name));
}

}  // namespace app
}  // namespace tofn
