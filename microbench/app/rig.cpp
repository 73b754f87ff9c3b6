#include "microbench/app/rig.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "microbench/harness/host_buffer.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#ifdef TOFN_HAS_MPI
#include "microbench/mpi/mpi_backend.hpp"
#include "microbench/mpi/mpi_team.hpp"
#endif
#ifdef TOFN_HAS_CPU
#include "microbench/cpu/cpu_processor.hpp"
#endif

namespace tofn::bench {
namespace {

[[noreturn]] void refuse_missing(std::string_view what, std::string_view option) {
  throw InputError("this tofn-bench was built without " + std::string(what) +
                   ": install it and configure with -D" + std::string(option) + "=ON");
}

}  // namespace

Rig::Rig(bool takes_gpu, int /*local_rank*/, int /*ranks_on_node*/) {
  if (takes_gpu) refuse_missing("CUDA and NCCL", "TOFN_NCCL");
}

Rig::~Rig() = default;

std::string Rig::device() const { return {}; }

std::unique_ptr<Backend> Rig::backend(const BackendChoice& choice) const {
  if (choice.name == "mpi") {
#ifdef TOFN_HAS_MPI
    return mpi_backend(host_memory());
#else
    refuse_missing("MPI", "TOFN_MPI");
#endif
  }
  refuse_missing("CUDA and NCCL", "TOFN_NCCL");
}

std::unique_ptr<Processor> Rig::processor() const {
#ifdef TOFN_HAS_CPU
  return cpu_processor();
#else
  refuse_missing("OpenBLAS", "TOFN_BLAS");
#endif
}

int usable_gpus() { return 0; }

RecordTexts library_versions() {
  RecordTexts versions;
#ifdef TOFN_HAS_MPI
  versions.emplace_back("mpi", mpi_library());
#endif
#ifdef TOFN_HAS_CPU
  versions.emplace_back("blas", blas_library());
#endif
  return versions;
}

}  // namespace tofn::bench
