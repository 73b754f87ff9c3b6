#pragma once

#include <string_view>

#include "sim/formats/collective_logs/logged_table.hpp"

namespace tofn {
inline namespace formats {

/// A format of collective logs: how to detect it, and how to read it. A new one is a file of its
/// own and a row in log_format.cpp.
struct LogFormat {
  std::string_view name;
  bool (*fits)(const LogText&);
  LoggedTables (*read)(const LogText&);
};

bool is_nccl_tests(const LogText&);
LoggedTables read_nccl_tests(const LogText&);
bool is_osu(const LogText&);
LoggedTables read_osu(const LogText&);
bool is_imb(const LogText&);
LoggedTables read_imb(const LogText&);
bool is_nccl_inspector(const LogText&);
LoggedTables read_nccl_inspector(const LogText&);
bool is_inspector_metrics(const LogText&);
LoggedTables read_inspector_metrics(const LogText&);
bool is_nccl_json(const LogText&);
LoggedTables read_nccl_json(const LogText&);
bool is_csv(const LogText&);
LoggedTables read_csv(const LogText&);
bool is_plain_table(const LogText&);
LoggedTables read_plain_table(const LogText&);

}  // namespace formats
}  // namespace tofn
