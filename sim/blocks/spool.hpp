#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "sim/blocks/formats.hpp"
#include "sim/blocks/journal.hpp"
#include "sim/blocks/output_file.hpp"
#include "sim/blocks/row_sink.hpp"
#include "sim/core/digest.hpp"

namespace tofn {
inline namespace blocks {

/// A file in the making: rows as CSV in `FILE.part`, and in `FILE.journal` how much of them was
/// safely on the disk when. One process at a time.
class Spool : public RowSink {
 public:
  /// Begins, or resumes from the last entry of the journal that the rows agree with. Throws
  /// InputError where an earlier run left something and `resume` is not set, where that run was of
  /// another identity, or where another process is writing.
  Spool(const std::filesystem::path& file, std::span<const IdentityPart> identity,
        std::string_view header, bool resume);

  std::uint64_t first_block() const override { return first_block_; }
  void append(std::string_view rows) override;
  void flush(bool now) override;
  std::uint64_t rows() const override { return state_.rows; }
  std::optional<Kept> kept() const override { return Kept{kept_, part_.string()}; }

  /// Makes the file that was asked for of all rows, or of those that `choose` makes of them, and
  /// removes the two beside it. False when stopped: both are still there.
  bool finish(const OutputFormat&, std::span<const OutputColumn>,
              const std::function<bool()>& is_stopped, const ChooseRows& choose = {});

 private:
  std::string anew() const;
  void lock_journal();
  void begin(std::span<const IdentityPart> identity, std::string_view header);
  /// False where the earlier run had not yet begun.
  bool resume(std::span<const IdentityPart> identity, std::size_t header_size);
  /// The most rows that the file has as some entry says.
  void take_sound_rows(std::vector<JournalEntry> entries);
  void write_out();
  void record();

  std::filesystem::path file_;
  std::filesystem::path part_;
  std::filesystem::path journal_;
  std::unique_ptr<OutputFile> part_file_;
  std::unique_ptr<OutputFile> journal_file_;
  bool is_made_ = false;    ///< the file that was asked for, by an earlier run
  JournalEntry state_;      ///< blocks and rows appended, bytes written, digest when flushed
  std::uint64_t kept_ = 0;  ///< blocks when flushed
  std::uint64_t first_block_ = 0;
  Digest digest_;
  std::string unwritten_;
  std::chrono::steady_clock::time_point due_;
};

}  // namespace blocks
}  // namespace tofn
