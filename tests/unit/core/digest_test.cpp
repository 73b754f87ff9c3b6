#include "sim/core/digest.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("digests are FNV-1a of 64 bits, as its authors' test vectors have them") {
  CHECK(digest_of("") == "cbf29ce484222325");
  CHECK(digest_of("a") == "af63dc4c8601ec8c");
  CHECK(digest_of("foobar") == "85944171f73967e8");
  Digest digest;
  digest.add("foo");
  digest.add("bar");
  CHECK(digest.text() == "85944171f73967e8");
}
