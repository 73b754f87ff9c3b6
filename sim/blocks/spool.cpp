#include "sim/blocks/spool.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/memory_failures.hpp"

namespace tofn {
inline namespace blocks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 20;  // bytes
constexpr std::chrono::seconds flush_every{1};
// Flushing to a slow disk must not take more than a tenth of the time.
constexpr int flush_share = 10;

fs::path beside(fs::path file, const char* suffix) { return file += suffix; }

/// The file that a symbolic link leads to, so that the link stays.
fs::path target_of(const fs::path& file) {
  std::error_code error;
  return fs::is_symlink(file, error) ? fs::weakly_canonical(file) : file;
}

[[noreturn]] void refuse(const fs::path& file, std::string_view problem) {
  throw InputError({.file = file.string()}, {}, problem);
}

/// True if the file exists. InputError if the system cannot tell: a name too long, another user's
/// folder.
bool is_there(const fs::path& file) {
  std::error_code error;
  const bool found = fs::exists(file, error);
  if (error) refuse(file, "cannot be written: " + error.message());
  return found;
}

/// A temporary file, which is removed at the end.
struct Passing {
  explicit Passing(fs::path path) : file(std::move(path)) { fs::remove(file); }
  ~Passing() {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
  Passing(const Passing&) = delete;
  Passing& operator=(const Passing&) = delete;
  const fs::path file;
};

}  // namespace

Spool::Spool(const fs::path& file, std::span<const IdentityPart> identity, std::string_view header,
             bool resume)
    : file_(target_of(file)), part_(beside(file_, ".part")), journal_(beside(file_, ".journal")) {
  if (is_there(file_) && !fs::is_regular_file(file_))
    refuse(file_, "is no regular file, and a run that can be resumed needs one");
  const bool has_part = is_there(part_);
  const bool has_journal = is_there(journal_);
  if (has_journal) lock_journal();  // a run of another process is not an abandoned one
  if (!resume && (has_part || has_journal))
    refuse(part_, "is what an unfinished run left: --resume goes on with it, " + anew());
  if (has_part && !has_journal)
    refuse(part_,
           fmt::format("has no {} beside it that says what it holds: remove it to start anew",
                       journal_.string()));
  if (!has_journal) lock_journal();
  if (!this->resume(identity, header.size())) begin(identity, header);
  due_ = std::chrono::steady_clock::now() + flush_every;
}

std::string Spool::anew() const {
  return fmt::format("`rm {} {}` starts anew", part_.string(), journal_.string());
}

void Spool::lock_journal() {
  try {
    journal_file_ = std::make_unique<OutputFile>(journal_);
  } catch (const WriteError& error) {  // nothing is lost yet, so the user can choose another path
    throw InputError(error.what());
  }
  if (!journal_file_->lock()) refuse(file_, "another process is making it");
}

void Spool::begin(std::span<const IdentityPart> identity, std::string_view header) {
  part_file_ = std::make_unique<OutputFile>(part_);
  journal_file_->cut(0);
  part_file_->cut(0);
  journal_file_->write(journal_lines(identity));
  unwritten_ = header;
  record();
}

bool Spool::resume(std::span<const IdentityPart> identity, std::size_t header_size) {
  const std::string text = file_content(journal_);
  const Journal journal = parse_journal(text);
  if (journal.entries.empty()) {
    // Killed before anything was finished, or damaged.
    if (fs::exists(part_) && fs::file_size(part_) > header_size)
      refuse(journal_, "is damaged and says nothing of the rows: " + anew());
    return false;
  }
  if (const auto differs = difference(journal.identity, identity))
    refuse(journal_, fmt::format("is of another run, with {}: {}", *differs, anew()));
  if (journal.is_finished && !fs::exists(part_) && fs::exists(file_)) {
    is_made_ = true;
    state_ = journal.entries.back();
  } else {
    take_sound_rows(journal.entries);
    if (state_.bytes == 0)
      refuse(part_, fmt::format("is not what {} says: {}", journal_.string(), anew()));
    part_file_ = std::make_unique<OutputFile>(part_);
    part_file_->cut(state_.bytes);
  }
  if (!text.ends_with('\n')) journal_file_->write("\n");  // ends the torn line
  first_block_ = kept_ = state_.blocks;
  return true;
}

void Spool::take_sound_rows(std::vector<JournalEntry> entries) {
  std::ranges::sort(entries, [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  std::ifstream file(part_, std::ios::binary);
  std::vector<char> buffer(buffer_size);
  Digest digest;
  std::uint64_t at = 0;
  for (const JournalEntry& entry : entries) {
    while (at < entry.bytes && file) {
      const std::uint64_t wanted = std::min<std::uint64_t>(buffer.size(), entry.bytes - at);
      file.read(buffer.data(), static_cast<std::streamsize>(wanted));
      const auto got = static_cast<std::size_t>(file.gcount());
      digest.add({buffer.data(), got});
      at += got;
    }
    if (at != entry.bytes || digest.text() != entry.digest) return;
    state_ = entry;
    digest_ = digest;
  }
}

void Spool::append(std::string_view rows) {
  unwritten_ += rows;
  ++state_.blocks;
  state_.rows += static_cast<std::uint64_t>(std::ranges::count(rows, '\n'));
  if (unwritten_.size() >= buffer_size) write_out();
}

void Spool::write_out() {
  part_file_->write(unwritten_);
  digest_.add(unwritten_);
  state_.bytes += unwritten_.size();
  unwritten_.clear();
}

void Spool::flush(bool now) {
  const auto start = std::chrono::steady_clock::now();
  if (state_.blocks == kept_ || (!now && start < due_)) return;
  record();
  const auto end = std::chrono::steady_clock::now();
  due_ =
      end + std::max<std::chrono::steady_clock::duration>(flush_every, flush_share * (end - start));
}

/// Flushes the rows first, so that the journal never claims more than there is.
void Spool::record() {
  write_out();
  part_file_->sync();
  state_.digest = digest_.text();
  journal_file_->write(journal_line(state_));
  journal_file_->sync();
  kept_ = state_.blocks;
}

bool Spool::finish(const OutputFormat& format, std::span<const OutputColumn> columns,
                   const std::function<bool()>& is_stopped, const ChooseRows& choose) {
  if (!is_made_) {
    flush(true);
    const Passing made(beside(file_, ".new"));
    const Passing chosen(beside(file_, ".chosen"));
    if (choose) OutputFile(chosen.file).write(csv_header(columns) + choose(part_));
    if (!format.write(choose ? chosen.file : part_, columns, made.file, is_stopped)) return false;
    OutputFile(made.file).sync();
    require_memory();
    fs::rename(made.file, file_);
    // After this line a resumed run only cleans up.
    journal_file_->write(journal_finished_line());
    journal_file_->sync();
  }
  fs::remove(part_);
  fs::remove(journal_);
  return true;
}

}  // namespace blocks
}  // namespace tofn
