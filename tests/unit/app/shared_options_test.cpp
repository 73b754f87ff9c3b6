#include "sim/app/shared_options.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a k of a sequence length is 1024 tokens, as the field writes it") {
  const auto tokens = [](const char* text) {
    return option::sequence_length.of(with_option({}, option::sequence_length, text));
  };
  CHECK(tokens("4096") == 4096);
  CHECK(tokens("8k") == 8192);
  CHECK(tokens("128K") == 131072);
  CHECK(tokens("16777216") == 16777216);
  CHECK(tokens("16M") == 16777216);
  CHECK_FALSE(option::sequence_length.of({}).has_value());
  for (const char* wrong : {"", "k", "0k", "8 k", "17M", "8.5k", "16385k", "16777217", "-8"})
    CHECK(refusal([&] { tokens(wrong); }) ==
          "--sequence-length: expected tokens from 1 to 16777216, such as 8192, 8k (8 x 1024) or "
          "1M (1024 x 1024), "
          "got '" +
              std::string(wrong) + "'");
}
