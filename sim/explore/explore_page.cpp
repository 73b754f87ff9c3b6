#include "sim/explore/explore_page.hpp"

#include "sim/core/json.hpp"

namespace tofn {

namespace assets {
extern const std::string_view explore_page;  ///< explore.html with its style and scripts inside
}

inline namespace explore {
namespace {

/// Escapes every `<`, so that JSON inside a page's script cannot end the script.
std::string inside_script(std::string_view json) {
  std::string text(json);
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string explore_page(std::string_view offers, std::string_view start) {
  const std::string_view page = assets::explore_page;
  std::string html;
  std::size_t from = 0;
  for (const auto& [mark, text] :
       {std::pair<std::string_view, std::string_view>{"{{offers}}", offers},
        {"{{start}}", start}}) {
    const std::size_t at = page.find(mark, from);
    html.append(page.substr(from, at - from)).append(inside_script(text));
    from = at + mark.size();
  }
  return html.append(page.substr(from));
}

}  // namespace explore
}  // namespace tofn
