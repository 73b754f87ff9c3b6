#include "sim/core/utf8.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace std::string_view_literals;

TEST_CASE("well-formed UTF-8 is text") {
  CHECK(is_text(""));
  CHECK(is_text("plain\t\n"));
  CHECK(is_text("\u00b5 \u20ac \U0001F600 \U0010FFFF"));
  CHECK(is_text("\u0800 \uD7FF \U00010000"));  // the first of three bytes; the last below
                                               // surrogates; the first of four
}

TEST_CASE("NUL and malformed bytes are not text") {
  const auto bytes = GENERATE("\0"sv, "a\0b"sv, "\x80"sv, "\xC3"sv, "\xC3("sv, "\xC0\x80"sv,
                              "\xE0\x80\x80"sv, "\xED\xA0\x80"sv, "\xF0\x80\x80\x80"sv,
                              "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF\xFE"sv);
  CAPTURE(bytes);
  CHECK_FALSE(is_text(bytes));
}

TEST_CASE("characters are counted, a byte order mark is cut") {
  CHECK(character_count("a\u00b5\u20ac\U0001F600") == 4);
  CHECK(without_byte_order_mark("\xEF\xBB\xBF"
                                "ab") == "ab");
  CHECK(without_byte_order_mark("ab") == "ab");
}
