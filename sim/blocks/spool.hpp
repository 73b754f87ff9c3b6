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

/// An unfinished file: rows as CSV in `FILE.part`, and in `FILE.journal` how many of them were
/// safely on the disk and when. Used by one process at a time.
class Spool : public RowSink {
 public:
  /// Begins, or resumes from the last journal entry that agrees with the rows. InputError if an
  /// earlier run left something and `resume` is not set, if that run had another identity, or if
  /// another process is writing.
  Spool(const std::filesystem::path& file, std::span<const IdentityPart> identity,
        std::string_view header, bool resume);

  std::uint64_t first_block() const override { return first_block_; }
  void append(std::string_view rows) override;
  void flush(bool now) override;
  std::uint64_t rows() const override { return state_.rows; }
  std::optional<Kept> kept() const override { return Kept{kept_, part_.string()}; }

  /// Makes the requested file from all rows, or from those that `choose` selects, and removes the
  /// two beside it. Returns false if it was stopped; then both are still there.
  bool finish(const OutputFormat&, std::span<const OutputColumn>,
              const std::function<bool()>& is_stopped, const ChooseRows& choose = {});

 private:
  std::string anew() const;
  void lock_journal();
  void begin(std::span<const IdentityPart> identity, std::string_view header);
  /// False if the earlier run had not begun.
  bool resume(std::span<const IdentityPart> identity, std::size_t header_size);
  /// Keeps the largest part of the file that an entry confirms.
  void take_sound_rows(std::vector<JournalEntry> entries);
  void write_out();
  void record();

  std::filesystem::path file_;
  std::filesystem::path part_;
  std::filesystem::path journal_;
  std::unique_ptr<OutputFile> part_file_;
  std::unique_ptr<OutputFile> journal_file_;
  bool is_made_ = false;    ///< the requested file, by an earlier run
  JournalEntry state_;      ///< blocks and rows appended, bytes written, digest when flushed
  std::uint64_t kept_ = 0;  ///< blocks at the last flush
  std::uint64_t first_block_ = 0;
  Digest digest_;
  std::string unwritten_;
  std::chrono::steady_clock::time_point due_;
};

}  // namespace blocks
}  // namespace tofn
