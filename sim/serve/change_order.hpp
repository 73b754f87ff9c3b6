#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace serve {

/// The newest change of each slot of a page; an overtaken question need not be answered.
class ChangeOrder {
 public:
  /// A change read from `SLOT NUMBER`; absent if the header has another form.
  struct Change {
    std::string slot;
    std::uint64_t number = 0;
  };
  static std::optional<Change> read(std::string_view header);

  void note(const Change&);
  bool is_overtaken(const Change&) const;

 private:
  mutable std::mutex mutex_{};
  std::map<std::string, std::uint64_t, std::less<>> newest_{};
};

}  // namespace serve
}  // namespace tofn
