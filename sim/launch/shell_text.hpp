#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace launch {

/// What a script holds that its text does not tell: `$SLURM_NODEID`, `$(nproc)`.
struct ShellUnknown {
  std::string text;    ///< as it stands in the script
  std::string reason;  ///< why nothing is known of it
  std::uint32_t at = 0;
};

/// A character that remembers where it stands, so that each word knows its place after variables
/// went through variables.
struct Glyph {
  char character = 0;
  bool is_solid = false;      ///< in quotes, or no part of an expansion: it splits no words
  std::uint32_t unknown = 0;  ///< 0, or the number of what stands in its place
  std::uint32_t at = 0;       ///< in ShellSources
};
using Glyphs = std::vector<Glyph>;

/// Scripts and the texts that they hand to `eval` and `bash -c`, end to end. One more than the
/// place of an unknown is its number, so that 0 is none.
class ShellSources {
 public:
  /// Where the text of a file begins. Throws InputError where all texts are over 64 MB.
  std::uint32_t add(std::string_view text, std::string file);
  /// A text put together from others; where its characters stood is kept.
  std::uint32_t add(const Glyphs& glyphs);

  char operator[](std::size_t at) const { return text_[at]; }
  std::size_t size() const { return text_.size(); }
  std::string_view text(std::size_t begin, std::size_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }
  Glyph glyph(std::size_t at, bool is_solid) const;
  Location location(std::size_t at) const;
  [[noreturn]] void fail(std::size_t at, std::string_view problem) const;

  std::uint32_t add_unknown(ShellUnknown);
  /// Counts characters that were copied. Throws InputError where they are over 8 million: a script
  /// of a few lines can double its variables with each.
  void spend(std::size_t characters, std::size_t at);

  const ShellUnknown& unknown(std::uint32_t number) const { return unknowns_[number - 1]; }

 private:
  struct Region {
    std::string file;           // empty: put together
    std::vector<Glyph> origin;  // of one that was put together
  };
  void append(char character);
  std::pair<std::uint32_t, const Region*> region(std::size_t at) const;

  std::string text_;
  std::map<std::uint32_t, Region> regions_;       // by where they begin
  std::vector<std::uint32_t> lines_;              // where lines begin, ascending
  std::vector<std::uint32_t> inside_characters_;  // bytes that start no character, ascending
  std::vector<ShellUnknown> unknowns_;
  std::size_t spent_ = 0;
};

/// The characters; of what is not known its text in the script.
std::string shown(const Glyphs& glyphs, const ShellSources& sources);
/// The first thing in it that is not known, or 0.
std::uint32_t first_unknown(const Glyphs& glyphs);

/// The marker of something unknown inside a text that was put together.
constexpr char unknown_mark = '\x01';

}  // namespace launch
}  // namespace tofn
