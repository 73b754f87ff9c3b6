// Tests the units in the titles of tables as pages publish them.
#include "sim/formats/collective_logs/collective_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

CollectiveRow row_of(const std::string& titles, const std::string& row) {
  const LogHints hints{.collective = CollectiveKind::AllReduce, .ranks = 16, .nodes = 2};
  return read_collective_log("| " + titles + " |\n|---|---|\n| " + row + " |\n", "page.md", hints)
      .tables.front()
      .rows.front();
}

std::string refused(const std::string& titles, const std::string& row) {
  return refusal([&] { row_of(titles, row); });
}

}  // namespace

TEST_CASE("times of a table are in the unit of their title") {
  for (const char* title : {"Time (us)", "us", "time_us", "latency [us]", "Time/us", "usec",
                            "microseconds", "Time_microseconds"})
    CHECK(row_of("Size | " + std::string(title), "8M | 250").out_of_place == Seconds{250e-6});
  for (const char* title :
       {"Time (ms)", "Time ms", "time_ms", "Time (msec)", "Time/ms", "ms", "milliseconds"})
    CHECK(row_of("Size | " + std::string(title), "8M | 2.5").out_of_place == Seconds{2.5e-3});
  CHECK(row_of("Size | Time (s)", "8G | 2.5").out_of_place == Seconds{2.5});
}

TEST_CASE("sizes of a table are in the unit of their title, unless the cell has its own") {
  CHECK(row_of("Size (MB) | Time (us)", "8 | 250").size == Bytes{8 << 20});  // 8 MiB, like 8M
  CHECK(row_of("Size (MiB) | Time (us)", "8 | 250").size == Bytes{8 << 20});
  CHECK(row_of("Size (MB) | Time (us)", "8M | 250").size == Bytes{8 << 20});
  CHECK(row_of("Size (B) | Time (us)", "8192 | 250").size == Bytes{8192});
  CHECK(row_of("Message size (bytes) | Time (us)", "8192 | 250").size == Bytes{8192});
  CHECK_THAT(refused("Size | Time (us)", std::string(306, '9') + "GiB | 250"),
             ContainsText("page.md:3:3: size: must be like 1024, 32_768, 64KiB or 8M, is '999"));
}

TEST_CASE("bandwidths of a table are in the unit of their title") {
  // The bus of 16 ranks has 15 / 8 of size over time: 64 MiB at 40 GB/s take 3146 us.
  const auto microseconds = [](const char* title, const char* cell) {
    return row_of("Size | " + std::string(title), std::string("64M | ") + cell)
               .out_of_place->base() *
           1e6;
  };
  const double expected = 67108864 * 15.0 / 8 / 40e9 * 1e6;
  CHECK_THAT(microseconds("busbw (GB/s)", "40.00"), WithinRel(expected, 1e-6));
  CHECK_THAT(microseconds("busbw", "40.00"), WithinRel(expected, 1e-6));
  CHECK_THAT(microseconds("busbw (Gb/s)", "320.0"), WithinRel(expected, 1e-6));
  CHECK_THAT(microseconds("busbw Gbps", "320.0"), WithinRel(expected, 1e-6));
  CHECK_THAT(microseconds("busbw (MB/s)", "40000"), WithinRel(expected, 1e-6));
}

TEST_CASE("a cell's own unit goes before that of its title") {
  for (const char* cell : {"250", "250us", "250 \u00b5s", "250 \u03bcs", "0.25 ms", "2.5e-4s"})
    CHECK_THAT(row_of("Size | Time (us)", std::string("8M | ") + cell).out_of_place->base(),
               WithinRel(250e-6, 1e-12));
  CHECK(row_of("Size | Time (ms)", "8M | 250us").out_of_place == Seconds{250e-6});
  // 8 MiB over 16 ranks in 250 us are 62.91 GB/s on the bus, 503.3 Gb/s.
  for (const char* cell : {"62.9146", "62.9146GBps", "62.9146 GB/s", "503.316 Gb/s", "503.316Gbps"})
    CHECK_THAT(row_of("Size | busbw", std::string("8M | ") + cell).out_of_place->base(),
               WithinRel(250e-6, 1e-5));
  CHECK_THAT(refused("Size | Time (us)", "8M | 3 minutes"), ContainsText("page.md:3:8: Time (us)"));
}

TEST_CASE("a unit that is not read is refused, and a second column of the same") {
  CHECK(refused("Size | busbw (furlongs)", "8M | 3") ==
        "page.md:1:10: busbw (furlongs): has a unit that is not read: GB/s, GBps, MB/s, GiB/s, "
        "MiB/s, "
        "Gb/s, Gbit/s, Gbps or TB/s");
  CHECK_THAT(refused("Size | Time (minutes)", "8M | 3"),
             ContainsText("Time (minutes): has a unit that is not read: us, "));
  CHECK(
      refused("Size | Avg time (us) | Max time (us)", "8M | 90 | 900") ==
      "page.md:1:26: Max time (us): is a second column of what 'Avg time (us)' says: leave one of "
      "them");
}

TEST_CASE("times that contradict the bandwidth beside them are refused") {
  const auto refused_row = [](const char* row) {
    return refused("Size | Time (us) | algbw (GB/s)", row);
  };
  // 8 MiB in 90 us are 93.2 GB/s.
  CHECK(row_of("Size | Time (us) | algbw (GB/s)", "8M | 90 | 93.2").size == Bytes{8 << 20});
  CHECK_THAT(refused_row("8M | 900 | 93.2"),
             ContainsText("time: size over time is 0.1 times the bandwidth beside it"));
  CHECK_THAT(refused_row("8M | 0.09 | 93.2"),
             ContainsText("time: size over time is 1e+03 times the bandwidth beside it"));
  // One digit of a bandwidth is too coarse for the check.
  CHECK(row_of("Size | Time (us) | algbw (GB/s)", "8 | 1 | 0.01").size == Bytes{8});
}

TEST_CASE("a size that a cell prints in MB is what the same column prints as 8M") {
  CHECK(row_of("Size | Time (us)", "8 MB | 250").size == Bytes{8 << 20});
  CHECK(row_of("Size | Time (us)", "64KB | 250").size == Bytes{64 << 10});
  CHECK(row_of("Size | Time (us)", "100 MB | 2500").size == Bytes{100e6});
  // 2^20 B in 55.3 us are 18.96 GB/s.
  CHECK(row_of("Size | Time (us) | algbw (GB/s)", "1 MB | 55.3 | 18.96").size == Bytes{1 << 20});
  const LogHints hints{.collective = CollectiveKind::AllReduce, .ranks = 16, .nodes = 2};
  CHECK(read_collective_log("| Size | Time (us) |\n| 8 MB | 250 |\n", "page.md", hints)
            .remarks.front()
            .starts_with("page.md:1: sizes such as 65K, 8M or 1 MB are taken as the power of two"));
}

TEST_CASE("columns that say nothing of a time are passed over, and others are refused") {
  const CollectiveRow row =
      row_of("Size | Type | count | redop | busbw (GB/s)", "8M | float | 2097152 | sum | 15");
  // 8388608 x 2 x 15 / 16 over 15 GB/s
  CHECK_THAT(row.out_of_place->base(), WithinRel(8388608 * 1.875 / 15e9, 1e-9));
  CHECK(
      row_of("size | tmin(usec) | tavg(usec) | tmax(usec)", "8M | 200 | 250 | 300").out_of_place ==
      Seconds{250e-6});
  CHECK(refused("Size | nodes | Time (us)", "8M | 2 | 250") ==
        "page.md:1:10: nodes: is no column that is read: a size with time (us), tavg, algbw or "
        "busbw; passed over are count, type, redop, root, error, #wrong, iterations, tmin, tmax, "
        "dtype");
  CHECK(refused("Size | type", "8M | float") ==
        "page.md:1: a table needs a time, algbw or busbw beside sizes");
}

namespace {

/// First row of a table that is not markdown.
CollectiveRow first_of(const std::string& text) {
  const LogHints hints{.collective = CollectiveKind::AllReduce, .ranks = 16, .nodes = 2};
  return read_collective_log(text, "bench.csv", hints).tables.front().rows.front();
}

std::string refused_text(const std::string& text) {
  return refusal([&] { first_of(text); });
}

}  // namespace

TEST_CASE("tables with commas, blanks or a head in a comment are read where the head has units") {
  for (const char* head : {"size,time_us", "bytes,microseconds", "size_bytes,us",
                           "size(B),time(us)", "size_bytes;usec", "size time_us", "bytes\tusec",
                           "# size time_us", "#size,time_us", "# size_bytes, time (us)"}) {
    CAPTURE(head);
    const std::string separator = std::string(head).find(',') != std::string::npos   ? ","
                                  : std::string(head).find(';') != std::string::npos ? ";"
                                                                                     : " ";
    const CollectiveRow row = first_of(head + ("\n8388608" + separator + "250\n"));
    CHECK(row.size == Bytes{8388608});
    CHECK(row.out_of_place == Seconds{250e-6});
  }
  CHECK(first_of("size_bytes,time_ms\n8388608,2.5\n").out_of_place == Seconds{2.5e-3});
  CHECK(first_of("size(MiB),ms\n8,2.5\n").size == Bytes{8388608});
  // 8 MiB x 15 / 8 over 16 ranks at 62.9146 GB/s take 250 us.
  CHECK_THAT(first_of("size,busbw\n8388608,62.9146\n").out_of_place->base(),
             WithinRel(250e-6, 1e-5));
}

TEST_CASE("a time without a unit is refused with the heads that are read") {
  const std::string heads =
      "read is a head such as size_bytes,time_us (of sizes: size, bytes, size_bytes, size(B), "
      "size(MiB); of times with their unit: time_us, time(us), us, microseconds, time_ms, ms; of "
      "bandwidths: algbw, busbw, in GB/s where they state no unit)";
  CHECK(refused_text("size,time\n8388608,250\n") == "bench.csv:1:6: time: has no unit; " + heads);
  CHECK(refused_text("# size time\n8388608 250\n") == "bench.csv:1:8: time: has no unit; " + heads);
  CHECK_THAT(refused_text("| Size | Time (avg) |\n| 8M | 250 |\n"),
             ContainsText("bench.csv:1:10: Time (avg): has no unit; read is"));
  // The unit of the cell decides, or else a bandwidth: 8 MiB in 250 us are 33.55 GB/s.
  CHECK(first_of("size,time\n8388608,250us\n").out_of_place == Seconds{250e-6});
  CHECK(first_of("size,time,algbw\n8388608,250,33.55\n").out_of_place == Seconds{250e-6});
}

TEST_CASE("a sentence with the word size is no head of a table") {
  for (const char* text :
       {"Generating responses for a batch of size 512...\nTraining policy\n",
        "Warning, the batch size changes\n2025-01-01 step 1\n", "the time per batch of any size\n"})
    CHECK_FALSE(is_collective_log(text));
  CHECK(first_of("a run of any size\nsize,time_us\n8388608,250\n").out_of_place == Seconds{250e-6});
}

TEST_CASE("numbers without a head are refused with the heads that are read") {
  for (const char* text : {"8388608,250\n16777216,480\n", "# my run\n8388608 250\n"})
    CHECK_THAT(refused_text(text),
               ContainsText(": numbers without a head; write above them a head such as "
                            "size_bytes,time_us (of sizes: size, "));
  CHECK_THAT(refused_text("size,result\n8388608,250\n"),
             ContainsText("bench.csv:1:6: result: is no column that is read"));
}
