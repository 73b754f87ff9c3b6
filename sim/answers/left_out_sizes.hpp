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
  void add(std::string_view cluster, int size, std::string_view reason);

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
    std::vector<int> sizes;  ///< as they were tried
  };
  std::vector<Group> groups_;
};

}  // namespace answers
}  // namespace tofn
