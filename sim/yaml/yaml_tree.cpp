#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "sim/core/names.hpp"
#include "sim/core/utf8.hpp"
#include "sim/yaml/yaml_document.hpp"

namespace tofn {
inline namespace yaml {
namespace {

/// Converts yaml-cpp's marks, which count bytes from 0, to places as editors show them.
class Places {
 public:
  Places(std::string_view text, std::string_view file) : text_(text), file_(file) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (character_count(text.substr(i, 1)) == 0) inside_characters_.push_back(i);
  }

  /// Returns the text that starts at a mark.
  std::string_view rest(const YAML::Mark& mark) const { return text_.substr(position(mark.pos)); }
  /// Returns the text of a mark's line before it.
  std::string_view before(const YAML::Mark& mark) const {
    const std::size_t start = position(mark.pos - mark.column);
    return text_.substr(start, position(mark.pos) - start);
  }

  /// Takes logarithmic time, because a record has thousands of values on one line. A mark without a
  /// place is -1 throughout and becomes 0.
  Location of(const YAML::Mark& mark) const {
    const std::size_t line_start = position(mark.pos - mark.column);
    const auto extra_bytes =
        bytes_inside_before(position(mark.pos)) - bytes_inside_before(line_start);
    return {std::string(file_), mark.line + 1, mark.column + 1 - static_cast<int>(extra_bytes)};
  }

 private:
  std::size_t position(int mark_position) const {
    return std::min(text_.size(), static_cast<std::size_t>(std::max(mark_position, 0)));
  }
  std::ptrdiff_t bytes_inside_before(std::size_t end) const {
    return std::lower_bound(inside_characters_.begin(), inside_characters_.end(), end) -
           inside_characters_.begin();
  }

  std::string_view text_;
  std::string_view file_;
  std::vector<std::size_t> inside_characters_;  // bytes that do not start a character, ascending
};

/// False if a quoted scalar runs to the end of the file, which yaml-cpp 0.7 accepts if the file
/// ends in a line break. `text` starts at the scalar; a block scalar has no quote to close.
bool is_closed(std::string_view text) {
  if (!text.starts_with('"') && !text.starts_with('\'')) return true;
  const char quote = text.front();
  // Escape sequence of each kind of quote.
  const std::string_view escape = quote == '"' ? "\\" : "''";
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text.substr(i).starts_with(escape))
      ++i;
    else if (text[i] == quote)
      return true;
  }
  return false;
}

constexpr std::string_view unlike_neighbours =
    "this line is indented unlike its neighbours: the keys of one map, and the entries of one "
    "list, begin in one column";

/// Builds the tree during parsing, so that a mistake is reported at its place.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Places& places) : places_(places) {}

  YamlValue take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (has_document_)
      fail(mark, places_.rest(mark).starts_with("---")
                     ? "a second document; one file holds one document"
                     : unlike_neighbours);
    has_document_ = true;
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { fail_anchor(mark); }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "?", anchor);
    if (is_key_next()) fail(mark, "a key is missing");
    YamlValue& nothing = place(YamlKind::Nothing, mark);
    if (open_.empty() || open_.back().value->kind != YamlKind::Map) return;
    // The parser marks the next token, but readers of an error expect the key's place.
    const YamlEntry& entry = open_.back().value->entries.back();
    nothing.line = entry.line;
    nothing.column = entry.column;
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    check(mark, tag, anchor);
    if (tag == "!" && !is_closed(places_.rest(mark))) fail(mark, "a quote is not closed");
    if (is_key_next()) {
      add_key(mark, text);
      return;
    }
    YamlValue& scalar = place(YamlKind::Scalar, mark);
    scalar.text = text;
    scalar.is_quoted = tag == "!";
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(YamlKind::List, mark, tag, anchor);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(YamlKind::Map, mark, tag, anchor);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    YamlValue* value = nullptr;
    std::string key;       // dotted path, for messages
    bool has_key = false;  // of a map: its last entry has no value yet
  };

  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view problem) const {
    throw InputError(places_.of(mark), open_.empty() ? "" : open_.back().key, problem);
  }
  [[noreturn]] void fail_anchor(const YAML::Mark& mark) const {
    fail(mark, "anchors and merge keys are not supported");
  }

  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) fail_anchor(mark);
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(mark, fmt::format("the YAML tag '{}' is not supported", shortened(tag)));
  }

  bool is_key_next() const {
    return !open_.empty() && open_.back().value->kind == YamlKind::Map && !open_.back().has_key;
  }

  void add_key(const YAML::Mark& mark, const std::string& key) {
    if (key == "<<") fail_anchor(mark);
    if (key.empty()) fail(mark, "a key is missing");
    std::vector<YamlEntry>& entries = open_.back().value->entries;
    const auto is_same = [&](const YamlEntry& entry) { return entry.key == key; };
    if (std::ranges::any_of(entries, is_same))
      fail(mark, fmt::format("duplicate key '{}'", shortened(key)));
    const Location place = places_.of(mark);
    entries.push_back({.key = key, .line = place.line, .column = place.column, .value = {}});
    open_.back().has_key = true;
  }

  /// Puts a value into the innermost open list or map.
  YamlValue& place(YamlKind kind, const YAML::Mark& mark) {
    YamlValue* slot = &root_;
    if (!open_.empty()) {
      Open& parent = open_.back();
      parent.has_key = false;
      slot = parent.value->kind == YamlKind::Map ? &parent.value->entries.back().value
                                                 : &parent.value->items.emplace_back();
    }
    const Location location = places_.of(mark);
    slot->kind = kind;
    slot->line = location.line;
    slot->column = location.column;
    return *slot;
  }

  void open(YamlKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    constexpr std::size_t deepest = 64;  // limits the parser's recursion
    check(mark, tag, anchor);
    if (is_key_next()) fail(mark, "a key must be plain text");
    if (open_.size() == deepest) fail(mark, "nested too deeply");
    std::string key = child_key();
    open_.push_back({.value = &place(kind, mark), .key = std::move(key)});
  }

  std::string child_key() const {
    if (open_.empty()) return {};
    const Open& parent = open_.back();
    if (parent.value->kind == YamlKind::List) return parent.key;
    const std::string& key = parent.value->entries.back().key;
    return parent.key.empty() ? key : parent.key + '.' + key;
  }

  const Places& places_;
  YamlValue root_;
  std::vector<Open> open_;  // innermost last
  bool has_document_ = false;
};

/// Index of the last opened bracket or quote that the JSON never closes; absent if all are closed.
std::optional<std::size_t> left_open(std::string_view json) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') {
      open.push_back(i);
      for (++i; i < json.size() && json[i] != '"'; ++i) i += json[i] == '\\' ? 1 : 0;
      if (i >= json.size()) break;
    }
    if (json[i] == '{' || json[i] == '[') open.push_back(i);
    const bool closes = json[i] == '"' || json[i] == '}' || json[i] == ']';
    if (closes && open.empty()) return {};
    if (closes) open.pop_back();
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

/// InputError with the open bracket if a JSON file is cut off; the parser's own message says less.
void refuse_cut_json(std::string_view text, const Places& places) {
  if (!text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size())).starts_with('{'))
    return;
  const auto at = left_open(text);
  if (!at) return;
  const std::string_view before = text.substr(0, *at);
  YAML::Mark mark;
  mark.pos = static_cast<int>(*at);
  mark.line = static_cast<int>(std::ranges::count(before, '\n'));
  mark.column = static_cast<int>(*at - (before.rfind('\n') + 1));  // npos + 1 is 0
  throw InputError(places.of(mark), {},
                   fmt::format("the file ends before this {} is closed", text[*at]));
}

/// A message of the parser, and what it means for who wrote the file.
struct ParserMessage {
  std::string_view text;
  std::string_view meaning;
};
const std::array parser_messages{
    ParserMessage{YAML::ErrorMsg::END_OF_MAP, unlike_neighbours},
    ParserMessage{YAML::ErrorMsg::END_OF_SEQ, unlike_neighbours},
    ParserMessage{YAML::ErrorMsg::BLOCK_ENTRY,
                  "an entry of a list ('-') cannot stand here: begin all entries in one column"},
    ParserMessage{YAML::ErrorMsg::MAP_VALUE,
                  "a key cannot stand here, because the line before it has a value or lacks "
                  "its colon: a key has either a value or keys below it"},
    ParserMessage{YAML::ErrorMsg::END_OF_MAP_FLOW, "a { is not closed, or a comma is missing"},
    ParserMessage{YAML::ErrorMsg::END_OF_SEQ_FLOW, "a [ is not closed, or a comma is missing"},
    ParserMessage{YAML::ErrorMsg::EOF_IN_SCALAR, "a quote is not closed"},
    ParserMessage{YAML::ErrorMsg::UNKNOWN_TOKEN,
                  "a value cannot begin with this character: put the value in quotes"}};

std::string meaning_of(const YAML::Exception& error, const Places& places) {
  const std::string_view before = places.before(error.mark);
  if (error.msg == YAML::ErrorMsg::TAB_IN_INDENTATION ||
      before.substr(0, before.find_first_not_of(" \t")).find('\t') != before.npos)
    return "a tab indents this line: indent with spaces";
  if (error.msg == YAML::ErrorMsg::MAP_VALUE && before.find(": ") != before.npos)
    return "a value that has ': ' in it needs quotes";
  for (const ParserMessage& each : parser_messages)
    if (error.msg == each.text) return std::string(each.meaning);
  // The message may quote only the first byte of a multi-byte character, so that part is cut.
  return is_text(error.msg) ? error.msg : error.msg.substr(0, error.msg.find(':'));
}

YamlValue parsed(std::string_view text, const Places& places) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder(places);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take_root();
  } catch (const YAML::Exception& error) {
    throw InputError(places.of(error.mark), {}, meaning_of(error, places));
  }
}

}  // namespace

YamlValue parse_tree(std::string_view text, std::string_view file) {
  const Places places(text, file);
  try {
    return parsed(text, places);
  } catch (const InputError&) {
    refuse_cut_json(text, places);
    throw;
  }
}

}  // namespace yaml
}  // namespace tofn
