#pragma once

#include <string>
#include <string_view>

namespace tofn {
inline namespace app {

/// A question and its answer as JSON, for pages: {"command": "predict", "arguments": ["bert",
/// "dgx-h100"], "options": {"accelerators": 64}, "files": {"config.json": "..."}} ->
/// {"exit_code": 0, "command_line": [...], "text": "...", "notices": [], "rows": [{...}]}, or
/// {"exit_code": 2, "error": "..."}.
///
/// Nothing is written, and no file is read but those of `configs` and of the question's own
/// `files`, which arguments and options name: whoever asks may be anybody.
std::string answer_json(std::string_view question);

/// What a page offers: {"version", "commands": [{"name", "summary", "options": [{"name", "help",
/// "takes"}]}], "clusters": [...], "models": [...], ...} with the rows of `tofn list`.
std::string offers_json();

}  // namespace app
}  // namespace tofn
