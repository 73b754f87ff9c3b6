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
inline namespace formats {

/// Part of a script whose value its text does not tell: `$SLURM_NODEID`, `$(nproc)`.
struct ShellUnknown {
  std::string text;    ///< its source text
  std::string reason;  ///< why its value is not known
  std::uint32_t at = 0;
};

/// Character with its place of origin, so that each word keeps its place even after it has passed
/// through several variables.
struct Glyph {
  char character = 0;
  bool is_solid = false;      ///< quoted, or not from an expansion: splits no words
  std::uint32_t unknown = 0;  ///< 0, or the number of the unknown that it stands for
  std::uint32_t at = 0;       ///< offset in ShellSources
};
using Glyphs = std::vector<Glyph>;

/// Texts of scripts, and texts that they pass to `eval` and `bash -c`, end to end. Unknowns are
/// numbered from 1, so that 0 means none.
class ShellSources {
 public:
  /// Adds the text of a file, and returns its offset. Throws InputError if all texts exceed 64 MB.
  std::uint32_t add(std::string_view text, std::string file);
  /// Adds a text assembled from others, whose characters keep their places of origin; returns its
  /// offset.
  std::uint32_t add(const Glyphs& glyphs);

  char operator[](std::size_t at) const { return text_[at]; }
  std::size_t size() const { return text_.size(); }
  std::string_view text(std::size_t begin, std::size_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }
  Glyph glyph(std::size_t at, bool is_solid) const;
  Location location(std::size_t at) const;
  [[noreturn]] void fail(std::size_t at, std::string_view problem) const;

  /// Adds an unknown that stands at that offset, and returns the character for it.
  Glyph add_unknown(std::string text, std::string_view reason, std::size_t at);
  /// Counts copied characters. Throws InputError if they exceed 8 million, because a script of a
  /// few lines can double its variables with each line.
  void spend(std::size_t characters, std::size_t at);

  const ShellUnknown& unknown(std::uint32_t number) const { return unknowns_[number - 1]; }

 private:
  struct Region {
    std::string file;           // empty if the text was assembled
    std::vector<Glyph> origin;  // characters of an assembled text
  };
  void append(char character);
  std::pair<std::uint32_t, const Region*> region(std::size_t at) const;

  std::string text_;
  std::map<std::uint32_t, Region> regions_;       // by the offset at which they begin
  std::vector<std::uint32_t> lines_;              // offsets at which lines begin, ascending
  std::vector<std::uint32_t> inside_characters_;  // bytes that start no character, ascending
  std::vector<ShellUnknown> unknowns_;
  std::size_t spent_ = 0;
};

/// Text of the characters, with each unknown shown by its source text.
std::string shown(const Glyphs& glyphs, const ShellSources& sources);
/// Number of the first unknown in it, or 0 if there is none.
std::uint32_t first_unknown(const Glyphs& glyphs);

/// Character that marks an unknown in an assembled text.
constexpr char unknown_mark = '\x01';

}  // namespace formats
}  // namespace tofn
