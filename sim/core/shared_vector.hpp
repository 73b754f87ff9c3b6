#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace tofn {

/// Vector whose copies share their elements until one of them changes. Copies may be made and read
/// by several threads.
template <class T>
class SharedVector {
 public:
  SharedVector() = default;
  SharedVector(std::initializer_list<T> all) { mine().assign(all); }

  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  bool empty() const { return all().empty(); }
  std::size_t size() const { return all().size(); }
  const T& front() const { return all().front(); }
  const T& back() const { return all().back(); }

  /// True if both have the same elements in one place, or none.
  bool shares_with(const SharedVector& other) const { return elements_ == other.elements_; }

  void push_back(T value) { mine().push_back(std::move(value)); }
  void append(const SharedVector& other) {
    if (!other.empty()) mine().insert(mine().end(), other.begin(), other.end());
  }
  /// Elements for changes, which no other copy sees.
  std::vector<T>& mine() {
    constexpr std::size_t usual = 16;  // so that few vectors grow twice
    if (elements_ == nullptr || elements_.use_count() > 1) {
      auto own = std::make_shared<std::vector<T>>();
      own->reserve(std::max(usual, 2 * size()));
      own->assign(begin(), end());
      elements_ = std::move(own);
    }
    return *elements_;
  }

 private:
  const std::vector<T>& all() const {
    static const std::vector<T> none;
    return elements_ == nullptr ? none : *elements_;
  }

  std::shared_ptr<std::vector<T>> elements_;
};

}  // namespace tofn
