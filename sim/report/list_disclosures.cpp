#include "sim/answers/disclosures.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {

Listing list_disclosures() {
  const TableColumns<Disclosure> columns{
      {"what", [](const Disclosure& each) { return rows_of(each); }},
      {"not_blind", [](const Disclosure& each) { return std::string(each.name); }},
      {"sentence", &Disclosure::sentence, "choice made with the errors of a score in view"}};
  return {.text = all_disclosures_text(), .records = records_of(columns, disclosures())};
}

}  // namespace report
}  // namespace tofn
