#include "sim/core/launcher.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

namespace tofn {

// NOLINTBEGIN(concurrency-mt-unsafe): no thread sets variables
std::optional<std::string> launcher() {
  constexpr std::array<std::pair<const char*, const char*>, 5> marks{
      {{"OMPI_COMM_WORLD_SIZE", "mpirun"},
       {"PMIX_RANK", "a PMIx launcher"},
       {"PMI_RANK", "a PMI launcher"},
       {"PMI_SIZE", "a PMI launcher"},
       {"MPI_LOCALNRANKS", "mpirun"}}};
  for (const auto& [variable, name] : marks)
    if (std::getenv(variable) != nullptr) return name;
  return {};
}

bool is_first_process() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(variable)) return std::string(rank) == "0";
  return true;
}
// NOLINTEND(concurrency-mt-unsafe)

void let_launcher_read() {
  // Only the first process writes, so the others must wait longer.
  if (launcher())
    std::this_thread::sleep_for(std::chrono::milliseconds(is_first_process() ? 300 : 900));
}

}  // namespace tofn
