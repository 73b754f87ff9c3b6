// nccl-tests -J, version 3. The file's environment and arguments are not kept.
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/text/json_members.hpp"
#include "sim/formats/text/json_rows.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

using Json = nlohmann::json;

Json parsed(const LogText& log) {
  try {
    return Json::parse(log.whole);
  } catch (const Json::parse_error& error) {
    throw InputError(place_of_byte(log.whole, log.file, error.byte), {}, "is not JSON here");
  } catch (const Json::out_of_range&) {
    throw InputError(Location{log.file, 1, 1}, {}, "holds a number that is too large");
  }
}

[[noreturn]] void refuse(const LogText& log, const std::string& key, const std::string& problem) {
  throw InputError(Location{log.file, 1, 0}, key, problem);
}

double number_at(const LogText& log, const Json& object, const char* key,
                 const std::string& where) {
  const auto value = json_number_at(object, key);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    refuse(log, where + "." + key, "must be a number of at least 0");
  return *value;
}

/// Reads the ranks of the first group and their hosts.
void take_devices(const Json& document, LoggedTable& table) {
  const Json& devices = json_at(json_at(document, "config"), "devices");
  if (!devices.is_array()) return;
  std::set<std::string> hosts;
  int ranks = 0;
  for (const Json& device : devices) {
    if (json_at(device, "group").is_number() && json_at(device, "group") != 0) continue;
    ++ranks;
    if (const std::string host = json_text_at(device, "hostname"); !host.empty())
      hosts.insert(host);
  }
  if (ranks > 0) table.ranks = ranks;
  if (!hosts.empty()) table.nodes = static_cast<int>(hosts.size());
}

/// Reads one place of a result; false if its values are wrong.
bool take_place(const LogText& log, const Json& place, const std::string& where,
                std::optional<Seconds>& time, LoggedRow& row) {
  if (place.is_null()) return true;
  if (!place.is_object()) refuse(log, where, "must be a map or null");
  const char* key = json_at(place, "time").is_null() ? "cpu_time" : "time";
  time = Seconds{number_at(log, place, key, where) * 1e-6};
  const double algorithm = number_at(log, place, "alg_bw", where);
  const double bus = number_at(log, place, "bus_bw", where);
  // Printed with full precision; allows for a double's rounding and for values printed shorter.
  constexpr double digits = 1e-5;
  row.bandwidths = PrintedBandwidths{.algorithm = algorithm,
                                     .bus = bus,
                                     .algorithm_step = algorithm * digits,
                                     .bus_step = bus * digits};
  return json_number_at(place, "nwrong").value_or(0) == 0;
}

void take_result(const LogText& log, const Json& result, std::size_t index, LoggedTables& read) {
  LoggedTable& table = read.tables.back();
  const std::string where = "results[" + std::to_string(index) + "]";
  LoggedRow row{.size = number_at(log, result, "size", where), .line = table.line};
  const std::string type = json_text_at(result, "type");
  if (!table.type.empty() && type != table.type)
    refuse(log, where + ".type", "is another than before: one type a file is read");
  table.type = type;
  const bool is_right = take_place(log, json_at(result, "out_of_place"), where + ".out_of_place",
                                   row.out_of_place, row);
  const bool is_right_in_place =
      take_place(log, json_at(result, "in_place"), where + ".in_place", row.in_place, row);
  if (is_right && is_right_in_place) {
    table.rows.push_back(row);
    return;
  }
  read.remarks.push_back(log.remark(row.line, where + " left out: wrong values"));
  if (table.wrong_results.empty())
    table.wrong_results = "wrong values at " + to_text(Bytes{row.size});
}

}  // namespace

bool is_nccl_json(const LogText& log) {
  return trimmed(log.lines.empty() ? std::string_view() : log.lines.front().text).starts_with('{');
}

LoggedTables read_nccl_json(const LogText& log) {
  const Json document = parsed(log);
  const Json& results = json_at(document, "results");
  if (!results.is_array())
    refuse(log, "results",
           json_at(document, "points").is_array()
               ? "is missing: this is a record of tofn-bench, which is read as such"
               : "is missing: JSON of nccl-tests (-J) is read");
  LoggedTable table{.tool = "nccl-tests", .line = log.lines.front()};
  const Json& arguments = json_at(document, "args");
  if (arguments.is_array() && !arguments.empty() && arguments.front().is_string()) {
    table.collective = collective_named(base_name(arguments.front().get<std::string>()));
  }
  take_devices(document, table);
  LoggedTables read;
  read.tables.push_back(std::move(table));
  for (std::size_t i = 0; i < results.size(); ++i) take_result(log, results[i], i, read);
  return read;
}

}  // namespace formats
}  // namespace tofn
