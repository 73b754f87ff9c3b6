#include "sim/blocks/row_sink.hpp"

#include <algorithm>

#include "sim/blocks/output_file.hpp"

namespace tofn {
inline namespace blocks {

RowStream::RowStream(std::ostream& stream, std::string_view header) : stream_(stream) {
  stream_ << header;
}

void RowStream::append(std::string_view rows) {
  stream_ << rows;
  rows_ += static_cast<std::uint64_t>(std::count(rows.begin(), rows.end(), '\n'));
}

void RowStream::flush(bool) {
  stream_.flush();
  if (!stream_) throw WriteError("the answer", "the output was closed or is full");
}

}  // namespace blocks
}  // namespace tofn
