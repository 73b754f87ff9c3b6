#include "sim/answers/published_answer.hpp"
#include "sim/app/validate.hpp"
#include "sim/report/published_report.hpp"

namespace tofn {
inline namespace app {

int validate_published(const Asked& asked) {
  const auto [name, rule] = protocol_of(asked, published_protocols);
  Shipped shipped(asked.common.configs);
  const auto tables = tables_of(asked, published_tables(shipped.configs()));
  const auto runs = published_answer(shipped, tables, rule);
  write_answer(asked.common, published_text(runs, name), published_records(runs, name));
  return 0;
}

}  // namespace app
}  // namespace tofn
