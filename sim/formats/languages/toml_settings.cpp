#include <stdexcept>
#include <string>
#include <string_view>

/// Replaces the assertions of toml++, because version 3.3 has a bug that violates some of them for
/// broken files such as `[~a[b]`.
namespace tofn {
inline namespace formats {
[[noreturn]] inline void refuse_toml() { throw std::logic_error("toml"); }
}  // namespace formats
}  // namespace tofn
#define TOML_ASSERT(...) ((__VA_ARGS__) ? void() : ::tofn::refuse_toml())
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include "sim/core/utf8.hpp"
#include "sim/formats/launchers/launch_file.hpp"

namespace tofn {
inline namespace formats {
namespace {

// Version 3.3 has undefined behaviour at characters such as U+00E9 outside of texts, but not beyond
// U+FEFF. Characters of two and three bytes are therefore moved there, and moved back in values.
constexpr unsigned beyond = 0xF0000;

void append_utf8(std::string& text, unsigned point) {
  const auto last_six = [](unsigned bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
  if (point < 0x800) {
    text += static_cast<char>(0xC0 | (point >> 6));
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0 | (point >> 12));
    text += last_six(point >> 6);
  } else {
    text += static_cast<char>(0xF0 | (point >> 18));
    text += last_six(point >> 12);
    text += last_six(point >> 6);
  }
  text += last_six(point);
}

/// Returns the UTF-8 text with each character beyond ASCII replaced by `change` of it.
template <class Change>
std::string with_characters(std::string_view text, const Change& change) {
  std::string changed;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 0x80) {
      changed += text[i++];
      continue;
    }
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    unsigned point = first & (0xFFU >> (length + 1));
    for (std::size_t j = 1; j < length && i + j < text.size(); ++j)
      point = (point << 6) | (static_cast<unsigned char>(text[i + j]) & 0x3FU);
    append_utf8(changed, change(point));
    i += length;
  }
  return changed;
}

std::string moved_beyond(std::string_view text) {
  return with_characters(text,
                         [](unsigned point) { return point < 0x10000 ? point + beyond : point; });
}

std::string moved_back(std::string_view text) {
  return with_characters(text, [](unsigned point) {
    return point >= beyond && point < beyond + 0x10000 ? point - beyond : point;
  });
}

class TomlSettings {
 public:
  explicit TomlSettings(LaunchFile& file) : file_(file) {}

  void add(const std::string& key, const toml::node& node) {
    const toml::source_position begin = node.source().begin;
    const Location place{file_.path, static_cast<int>(begin.line), static_cast<int>(begin.column)};
    if (const toml::table* table = node.as_table()) {
      for (const auto& [name, value] : *table)
        add((key.empty() ? "" : key + ".") + moved_back(name.str()), value);
    } else if (const toml::array* array = node.as_array()) {
      add_list(key, *array, place);
    } else {
      file_.settings.push_back({key, text(node), place});
    }
  }

 private:
  void add_list(const std::string& key, const toml::array& list, const Location& place) {
    std::string items;
    for (const toml::node& item : list) {
      if (item.is_table() || item.is_array()) {
        for (std::size_t i = 0; i < list.size(); ++i) add(fmt::format("{}.{}", key, i), list[i]);
        return;
      }
      items += (items.empty() ? "" : " ") + text(item);
    }
    file_.settings.push_back({key, items, place, true});
  }

  static std::string text(const toml::node& node) {
    if (const auto* value = node.as_string()) return moved_back(value->get());
    if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
    if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
    if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
    return "a date or a time";  // no launch file has a setting of that kind
  }

  LaunchFile& file_;
};

}  // namespace

void read_toml_settings(std::string_view text, LaunchFile& file) {
  try {
    TomlSettings(file).add("", toml::parse(moved_beyond(without_byte_order_mark(text))));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError({file.path, static_cast<int>(at.line), static_cast<int>(at.column)}, {},
                     moved_back(error.description()));
  } catch (const std::logic_error&) {
    throw InputError({.file = file.path}, {}, "is no TOML");
  }
}

}  // namespace formats
}  // namespace tofn
