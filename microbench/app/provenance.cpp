#include "microbench/app/provenance.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "microbench/harness/machine.hpp"
#include "sim/config/load_record.hpp"
#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"
#include "sim/core/version.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

std::vector<RecordHost> hosts_of(const std::vector<std::string>& host_of_rank,
                                 const std::vector<std::string>& device_of_rank) {
  std::vector<RecordHost> hosts;
  std::map<std::string, std::size_t> index_of;
  for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank) {
    const auto [known, is_new] = index_of.try_emplace(host_of_rank[rank], hosts.size());
    if (is_new) hosts.push_back({.name = host_of_rank[rank], .ranks = 0, .devices = {}});
    RecordHost& host = hosts[known->second];
    ++host.ranks;
    if (!device_of_rank[rank].empty()) host.devices.push_back(device_of_rank[rank]);
  }
  return hosts;
}

/// Model of a device, without its bus address.
std::string model_of(const std::string& device) { return device.substr(0, device.find(',')); }

/// InputError for ranks with different GPU models, because one curve cannot describe them.
void refuse_mixed_devices(const std::vector<std::string>& host_of_rank,
                          const std::vector<std::string>& device_of_rank) {
  for (std::size_t rank = 1; rank < device_of_rank.size(); ++rank)
    if (model_of(device_of_rank[rank]) != model_of(device_of_rank[0]))
      throw InputError(fmt::format(
          "mixed GPU models: host {}, rank 0 has {}; host {}, rank {} has {}; measure each kind "
          "on its own",
          host_of_rank[0], model_of(device_of_rank[0]), host_of_rank[rank], rank,
          model_of(device_of_rank[rank])));
}

bool is_same_machine(const std::vector<RecordHost>& ours, const std::vector<RecordHost>& theirs) {
  return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                    [](const RecordHost& a, const RecordHost& b) {
                      return a.name == b.name && a.ranks == b.ranks && a.devices == b.devices;
                    });
}

std::string hosts_text(const std::vector<RecordHost>& hosts) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(hosts.size(), most); ++i)
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", hosts[i].name,
                        counted(hosts[i].ranks, "rank"));
  return hosts.size() > most ? fmt::format("{} and {} more", text, hosts.size() - most) : text;
}

/// Variables that affect the measurement, without a job's number and nodes.
RecordTexts steering(const RecordTexts& environment) {
  RecordTexts kept = environment;
  std::erase_if(kept, [](const auto& each) { return each.first.starts_with("SLURM_JOB_"); });
  return kept;
}

/// The first variable, as `NCCL_ALGO=Tree`, that `ours` lacks or has with another value.
std::optional<std::string> lacking(const RecordTexts& theirs, const RecordTexts& ours) {
  for (const auto& each : theirs)
    if (std::find(ours.begin(), ours.end(), each) == ours.end())
      return fmt::format("{}={}", each.first, each.second);
  return {};
}

/// InputError if variables differ from those of the record, which would mix both in one curve.
void refuse_other_environment(const std::string& file, const RecordTexts& before,
                              const RecordTexts& now) {
  if (const auto gone = lacking(steering(before), steering(now)))
    throw InputError({file}, "",
                     fmt::format("was measured with {}, and this job has it not: set "
                                 "it, or write another record",
                                 *gone));
  if (const auto added = lacking(steering(now), steering(before)))
    throw InputError({file}, "",
                     fmt::format("was measured without {}, which this job has: unset "
                                 "it, or write another record",
                                 *added));
}

}  // namespace

Record provenance(Team& team, const Rig& rig, const std::vector<std::string>& host_of_rank,
                  const BenchOptions& options) {
  const auto device_of_rank = team.gather(rig.device());
  refuse_mixed_devices(host_of_rank, device_of_rank);
  Record record;
  record.provenance = {{"started", utc_now()},
                       {"command", options.words},
                       {"program", std::string("tofn-bench ") + version_number},
                       {"commit", git_description},
                       {"launcher", launcher().value_or("none")},
                       {"ranks", std::to_string(team.size())}};
  for (const auto& [name, value] : machine_description())
    record.provenance.emplace_back(name, value);
  for (const auto& [name, value] : library_versions()) record.provenance.emplace_back(name, value);
  for (const auto& [name, value] : rig.description()) record.provenance.emplace_back(name, value);
  if (const auto words = rig.stand_in()) record.provenance.emplace_back(stand_in_key, *words);
  record.environment = steering_environment();
  record.hosts = hosts_of(host_of_rank, device_of_rank);
  return record;
}

void continue_record(const BenchOptions& options, Record& record) {
  std::error_code ignored;
  if (options.output.empty() || !std::filesystem::is_regular_file(options.output, ignored)) return;
  const std::string file = options.output.string();
  if (options.overwrites) return;
  if (!options.resumes)
    throw InputError({file}, "",
                     "is there already: --resume goes on with it, --overwrite drops it");
  Record before = load_record(options.output);
  if (!is_same_machine(record.hosts, before.hosts))
    throw InputError({file}, "",
                     fmt::format("was measured on {}, this is {}: a record is of one machine",
                                 hosts_text(before.hosts), hosts_text(record.hosts)));
  refuse_other_environment(file, before.environment, record.environment);
  const std::string resumed = record.provenance.front().second;
  record.provenance = std::move(before.provenance);
  record.provenance.emplace_back("resumed " + resumed, options.words);
  record.points = std::move(before.points);
}

}  // namespace tofn::bench
