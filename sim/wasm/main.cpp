// The program inside a page: what its worker calls.
#include <string>

#include "sim/app/answer_json.hpp"
#include "sim/explore/explore_page.hpp"

namespace {

/// The caller reads it before it calls again.
const char* kept(std::string text) {
  static std::string last;
  last = std::move(text);
  return last.c_str();
}

}  // namespace

extern "C" {

/// A question and its answer, as JSON.
const char* tofn_answer(const char* question) { return kept(tofn::answer_json(question)); }

/// The page of `tofn explore`, without the program inside.
const char* tofn_page() { return kept(tofn::explore_page(tofn::offers_json(), "{}")); }
}
