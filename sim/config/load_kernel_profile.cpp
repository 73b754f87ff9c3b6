#include "sim/config/load_kernel_profile.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/config/checks.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {

namespace fs = std::filesystem;

KernelProfile load_kernel_profile(const fs::path& file) {
  KernelProfile profile;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", profile.name);
  read_share(fields, "gemm_efficiency", profile.gemm_efficiency);
  read_share(fields, "best_product_share", profile.best_product_share);
  read_share(fields, "fused_attention_efficiency", profile.fused_attention_efficiency);
  read_share(fields, "memory_efficiency", profile.memory_efficiency);
  read_at_least(fields, "kernel_start", 0, profile.kernel_start);
  read_at_least(fields, "host_per_kernel", 0, profile.host_per_kernel);
  const YamlNode slowdown = fields.child("overlap_slowdown");
  slowdown.read(profile.overlap_slowdown);
  if (profile.overlap_slowdown < 0 || profile.overlap_slowdown > 1)
    slowdown.fail("must be from 0 to 1");
  read_positive(fields, "optimizer_bytes", profile.optimizer_bytes);
  read_positive(fields, "gradient_bytes", profile.gradient_bytes);
  read_positive(fields, "parameter_bytes", profile.parameter_bytes);
  read_positive(fields, "gradient_bucket", profile.gradient_bucket);
  read_positive(fields, "host_memory_bandwidth", profile.host_memory_bandwidth);
  read_at_least(fields, "rank_noise", 0, profile.rank_noise);
  fields.done();
  return profile;
}

KernelProfile find_kernel_profile(const fs::path& configs, std::string_view name_or_file) {
  if (name_or_file.ends_with(".yaml")) return load_kernel_profile(fs::path(name_or_file));
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(configs / "kernels", error))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    if (name == name_or_file) return load_kernel_profile(configs / "kernels" / (name + ".yaml"));
  throw InputError(unknown_name("kernel profile", name_or_file, names));
}

}  // namespace tofn
