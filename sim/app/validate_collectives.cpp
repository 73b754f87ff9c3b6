
#include "sim/app/validate.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/report/validate_report.hpp"

namespace tofn {
inline namespace app {
namespace {

std::vector<std::filesystem::path> files_of(const Request& request) {
  if (request.files.empty())
    throw InputError("validate collectives needs a file or a folder of measured collectives");
  std::vector<std::filesystem::path> files;
  for (const std::string& each : request.files)
    for (auto& file : files_at(each)) files.push_back(std::move(file));
  return files;
}

/// Scores the tables. Loads configs/ only if the protocol needs it, so that a broken file there
/// does not stop the other protocols.
Scores scores_of(const ScoringProtocol& protocol, const std::vector<CollectiveTable>& tables,
                 const Request& request) {
  if (!protocol.needs_knowledge) return protocol.score(tables, {});
  Library library = Library::load(request.common.configs);
  return protocol.score(tables, knowledge_of(library, request.common.configs, request.cluster));
}

}  // namespace

CommandAnswer validate_collectives(const Request& request) {
  const ScoringProtocol& protocol = protocol_named(
      request.protocol.value_or(std::string(protocols().front().name)), option::protocol.flag());
  if (request.cluster && !protocol.needs_knowledge)
    throw InputError({}, option::cluster.flag(), "acts with --protocol formula or related alone");
  std::vector<std::string> unread;
  const auto tables = read_all_tables(files_of(request), unread);
  const Scores scores = scores_of(protocol, tables, request);
  const std::string notes = validate_notes(scores, unread);
  if (scores.rows.empty()) {
    tell(notes);
    throw InputError("nothing could be scored");
  }
  const AnswerText text = validate_text(protocol, scores.rows);
  return {.text = text.screen,
          .details = text.details + notes,
          .records = validate_records(protocol, scores.rows),
          .summary = text.screen + text.details + notes};
}

}  // namespace app
}  // namespace tofn
