#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace answers {

/// Sizes of clusters that a search leaves out, by their reason.
class LeftOutSizes {
 public:
  /// Adds a size. `when`: words on what was tried there, such as `1 step off`; empty: everything.
  void add(std::string_view cluster, int size, std::string_view reason, std::string_view when = {});

  /// Number of sizes of all clusters.
  std::size_t count() const;
  /// Text such as `mi355x, N = 8: no price is known` of the first.
  std::string first() const;
  /// One text for each cluster and reason, with its sizes: `mi355x, N = 8, 16 and 32: no price is
  /// known`.
  std::vector<std::string> words() const;

 private:
  struct Group {
    std::string cluster;
    std::string reason;
    std::string when;
    std::vector<int> sizes;  ///< as they were tried
  };
  static std::string text_of(const Group&, const std::string& sizes);

  std::vector<Group> groups_;
};

}  // namespace answers
}  // namespace tofn
