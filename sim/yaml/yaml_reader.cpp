#include "sim/yaml/yaml_reader.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/unit_table.hpp"
#include "sim/yaml/file_format.hpp"
#include "sim/yaml/yaml_document.hpp"

namespace tofn {
inline namespace yaml {
namespace {

const YamlValue missing;

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    parts.emplace_back(part.substr(0, part.find_last_not_of(' ') + 1));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string description(const YamlValue& value, std::string_view text) {
  switch (value.kind) {
    case YamlKind::Nothing:
      return "nothing";
    case YamlKind::List:
      return "a list";
    case YamlKind::Map:
      return "a map";
    case YamlKind::Scalar:
      break;
  }
  return fmt::format("'{}'", shortened(text));
}

}  // namespace

FileMistakes::FileMistakes(const std::vector<InputError>& mistakes) : InputError(mistakes.at(0)) {
  for (const InputError& each : mistakes) {
    if (!lines_.empty()) lines_ += '\n';
    lines_ += each.what();
  }
}

YamlNode::YamlNode(std::shared_ptr<const YamlDocument> document, const YamlValue& value,
                   std::string key, std::shared_ptr<Reading> reading)
    : document_(std::move(document)),
      value_(&value),
      key_(std::move(key)),
      reading_(std::move(reading)) {}

bool YamlNode::is_missing() const { return value_ == &missing; }
YamlNode YamlNode::absent() const { return {document_, missing, key_, reading_}; }

void YamlNode::leave_in_doubt() const {
  if (reading_) reading_->is_in_doubt = true;
}

void YamlNode::add(const InputError& mistake) const {
  auto& all = reading_->mistakes;
  const bool is_known = std::ranges::any_of(
      all, [&](const InputError& each) { return std::string_view(each.what()) == mistake.what(); });
  if (!is_known) all.push_back(mistake);
}

YamlNode YamlNode::load(const std::filesystem::path& path) {
  return parse(read_text_file(path), path.string());
}

YamlNode YamlNode::parse(const std::string& text, std::string file_name) {
  return YamlNode(std::make_shared<const YamlDocument>(parse_yaml(text, std::move(file_name))));
}

YamlNode::YamlNode(std::shared_ptr<const YamlDocument> document)
    : document_(std::move(document)), value_(&document_->root) {}

YamlNode YamlNode::child(const YamlValue& value, std::string_view key) const {
  return {document_, value, key_.empty() ? std::string(key) : fmt::format("{}.{}", key_, key),
          reading_};
}

Fields YamlNode::fields() const { return Fields(*this); }

std::vector<YamlNode> YamlNode::items() const {
  if (!is_missing() && !is_list())
    mistaken("expected a list, got " + description(*value_, value_->text));
  if (!is_list()) {
    leave_in_doubt();
    return {};
  }
  std::vector<YamlNode> nodes;
  for (const YamlValue& item : value_->items) nodes.push_back({document_, item, key_, reading_});
  return nodes;
}

std::vector<std::pair<std::string, YamlNode>> YamlNode::entries() const {
  if (!is_missing() && !is_map())
    mistaken("expected a map, got " + description(*value_, value_->text));
  if (!is_map()) {
    leave_in_doubt();
    return {};
  }
  std::vector<std::pair<std::string, YamlNode>> nodes;
  for (const YamlEntry& entry : value_->entries)
    nodes.emplace_back(entry.key, child(entry.value, entry.key));
  return nodes;
}

/// Earlier mistakes come first; if a value may be wrong, this mistake may follow from it.
void YamlNode::fail(std::string_view problem) const {
  const InputError mistake(location(), key_, problem);
  if (!reading_ || reading_->is_over || reading_->mistakes.empty()) throw mistake;
  if (!reading_->is_in_doubt && !is_missing()) add(mistake);
  throw FileMistakes(reading_->mistakes);
}

void YamlNode::mistaken(std::string_view problem) const {
  if (!reading_ || reading_->is_over) fail(problem);
  leave_in_doubt();
  const std::string place = InputError(location(), key_, "").what();
  const auto& all = reading_->mistakes;
  const bool has_one = std::ranges::any_of(all, [&](const InputError& each) {
    return std::string_view(each.what()).starts_with(place);
  });
  if (!is_missing() && !has_one) add({location(), key_, problem});
}

Location YamlNode::location() const { return {document_->file, value_->line, value_->column}; }

bool YamlNode::is_scalar() const { return value_->kind == YamlKind::Scalar; }
bool YamlNode::is_list() const { return value_->kind == YamlKind::List; }
bool YamlNode::is_map() const { return value_->kind == YamlKind::Map; }
bool YamlNode::is_quoted() const { return is_scalar() && value_->is_quoted; }

std::optional<std::string> YamlNode::scalar(std::string_view what) const {
  if (is_missing()) return {};
  if (!is_scalar()) {
    mistaken(fmt::format("expected {}, got {}", what, description(*value_, value_->text)));
    return {};
  }
  source();  // checks the tags even if nobody needs the source
  return std::string(split_tags(*value_).text);
}

std::string YamlNode::source() const {
  if (is_missing()) return "assumed";
  const auto tags = split_tags(*value_).tags;
  if (!tags) return "assumed";
  std::string joined;
  for (const std::string& tag : split_list(*tags)) {
    const auto found = document_->sources.find(tag);
    if (found == document_->sources.end() && tag != "assumed") {
      std::vector<std::string> valid{"assumed"};
      for (const auto& [name, reference] : document_->sources) valid.push_back(name);
      mistaken(unknown_name("source", tag, valid));
    }
    if (!joined.empty()) joined += "; ";
    joined += found == document_->sources.end() ? tag : found->second;
  }
  return joined;
}

void YamlNode::read(double& out) const {
  const auto text = scalar("a number");
  if (text && parse_number(*text, out)) return;
  if (text) mistaken(fmt::format("expected a number, got {}", description(*value_, *text)));
  leave_in_doubt();
  out = 1;
}

long long YamlNode::integer(long long lowest, long long highest) const {
  const auto text = scalar("a whole number");
  long long value = 0;
  if (text && !parse_integer(*text, value))
    mistaken(fmt::format("expected a whole number, got {}", description(*value_, *text)));
  else if (text && (value < lowest || value > highest))
    mistaken(fmt::format("expected a whole number from {} to {}, got {}", lowest, highest, value));
  else if (text)
    return value;
  leave_in_doubt();
  return 1;
}

void YamlNode::read(bool& out) const {
  const auto text = scalar("true or false");
  const bool is_true = text == "true" || text == "on";  // as in options and YAML 1.1
  if (is_true || text == "false" || text == "off") {
    out = is_true;
    return;
  }
  if (text)
    mistaken(
        fmt::format("expected true or false (on or off), got {}", description(*value_, *text)));
  leave_in_doubt();
}

void YamlNode::read(std::string& out) const {
  if (const auto text = scalar("text")) out = *text;
}

template <class Q>
void YamlNode::read_quantity(Q& out) const {
  const QuantityKind& kind = kind_of(Q{});
  const auto text = scalar(fmt::format("{} such as '{}'", kind.name, kind.example));
  try {
    if (text) {
      out = parse_quantity<Q>(*text);
      return;
    }
  } catch (const std::invalid_argument& error) {
    mistaken(error.what());
  }
  leave_in_doubt();
  out = Q(1);
}

void YamlNode::read(Seconds& out) const { read_quantity(out); }
void YamlNode::read(Bytes& out) const { read_quantity(out); }
void YamlNode::read(Flops& out) const { read_quantity(out); }
void YamlNode::read(BytesPerSecond& out) const { read_quantity(out); }
void YamlNode::read(FlopsPerSecond& out) const { read_quantity(out); }
void YamlNode::read(Joules& out) const { read_quantity(out); }
void YamlNode::read(Watts& out) const { read_quantity(out); }

std::size_t YamlNode::choice(const std::vector<std::string>& names) const {
  const auto text = scalar("one of " + choices(names));
  const auto found = text ? std::ranges::find(names, *text) : names.end();
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  if (text) mistaken(unknown_name("value", *text, names));
  leave_in_doubt();
  return 0;
}

Fields::Fields(YamlNode map)
    : map_(std::move(map)), exceptions_at_start_(std::uncaught_exceptions()) {
  if (!map_.is_map() && !map_.is_missing())
    map_.fail("expected a map, got " + description(*map_.value_, map_.value_->text));
  is_outermost_ = map_.reading_ == nullptr || map_.reading_->is_over;
  if (is_outermost_) map_.reading_ = std::make_shared<Reading>();
}

Fields::~Fields() { assert(is_done_ || std::uncaught_exceptions() > exceptions_at_start_); }

std::optional<YamlNode> Fields::optional_child(std::string_view key) {
  if (std::ranges::find(request_, key) == request_.end()) request_.emplace_back(key);
  const YamlEntry* entry = entry_named(*map_.value_, key);
  return entry == nullptr ? std::nullopt : std::optional(map_.child(entry->value, key));
}

bool Fields::has(std::string_view key) { return optional_child(key).has_value(); }

YamlNode Fields::child(std::string_view key) {
  auto node = optional_child(key);
  if (node) return *std::move(node);
  if (!map_.is_missing()) {
    map_.add({map_.location(), map_.key_, fmt::format("missing key '{}'", key)});
  }
  return map_.child(missing, key);
}

void Fields::done() {
  is_done_ = true;
  const bool is_root = map_.value_ == &map_.document_->root;
  if (is_root) has("sources");
  auto& mistakes = map_.reading_->mistakes;
  for (const YamlEntry& entry : map_.value_->entries) {
    if (is_root && entry.key == format_key) continue;
    if (std::ranges::find(request_, entry.key) != request_.end()) continue;
    map_.leave_in_doubt();  // may be a misspelt name of another key
    mistakes.emplace_back(Location{map_.document_->file, entry.line, entry.column}, map_.key_,
                          unknown_name("key", entry.key, request_));
  }
  if (!is_outermost_) return;
  map_.reading_->is_over = true;
  if (!mistakes.empty()) throw FileMistakes(mistakes);
}

}  // namespace yaml
}  // namespace tofn
