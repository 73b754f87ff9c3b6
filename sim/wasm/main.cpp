#include <string>

#include "sim/app/answer_json.hpp"
#include "sim/explore/explore_page.hpp"

namespace tofn {
inline namespace wasm {
namespace {

/// The caller reads it before it calls again.
const char* kept(std::string text) {
  static std::string last;
  last = std::move(text);
  return last.c_str();
}

}  // namespace

extern "C" {

/// A question and its answer, as JSON: what a page's worker calls.
const char* tofn_answer(const char* question) { return kept(answer_json(question)); }

/// The page of `tofn explore`, without the program inside.
const char* tofn_page() { return kept(explore_page(offers_json(), "{}")); }
}

}  // namespace wasm
}  // namespace tofn
