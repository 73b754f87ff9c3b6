#pragma once

#include <string>
#include <string_view>

namespace tofn {
inline namespace app {

/// Answers a question of a page, both as JSON: {"command": "predict", "arguments": ["bert",
/// "dgx-h100"], "options": {"accelerators": 64}, "files": {"config.json": "..."}} ->
/// {"exit_code": 0, "command_line": [...], "text": "...", "notices": [], "rows": [{...}]}, or
/// {"exit_code": 2, "error": "..."}.
///
/// Writes no file, and reads only those of `configs` and the question's own `files`, which its
/// arguments and options name, because the question may come from anybody.
std::string answer_json(std::string_view question);

/// Choices of a page: {"version", "commands": [{"name", "summary", "options": [{"name", "help",
/// "takes_value"}]}], "clusters": [...], "models": [...], ...} with the rows of `tofn list`.
std::string offers_json();

}  // namespace app
}  // namespace tofn
