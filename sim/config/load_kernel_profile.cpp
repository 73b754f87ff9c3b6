#include "sim/config/load_kernel_profile.hpp"

#include "sim/config/load_parts.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace config {

namespace fs = std::filesystem;

KernelProfile read_kernel_profile(const YamlNode& root) {
  KernelProfile profile;
  Fields fields = root.fields();
  fields.required("name", profile.name);
  read_in(range::share, fields, "gemm_efficiency", profile.gemm_efficiency);
  read_in(range::share, fields, "best_product_share", profile.best_product_share);
  read_in(range::share, fields, "fused_attention_efficiency", profile.fused_attention_efficiency);
  read_in(range::share, fields, "memory_efficiency", profile.memory_efficiency);
  read_in(range::not_negative, fields, "kernel_start", profile.kernel_start);
  read_in(range::not_negative, fields, "host_per_kernel", profile.host_per_kernel);
  const YamlNode slowdown = fields.child("overlap_slowdown");
  slowdown.read(profile.overlap_slowdown);
  if (profile.overlap_slowdown < 0 || profile.overlap_slowdown > 1)
    slowdown.fail("must be from 0 to 1");
  read_positive(fields, "optimizer_bytes", profile.optimizer_bytes);
  read_positive(fields, "gradient_bytes", profile.gradient_bytes);
  read_positive(fields, "parameter_bytes", profile.parameter_bytes);
  read_positive(fields, "gradient_bucket", profile.gradient_bucket);
  read_positive(fields, "host_memory_bandwidth", profile.host_memory_bandwidth);
  read_in(range::not_negative, fields, "rank_noise", profile.rank_noise);
  fields.done();
  return profile;
}

KernelProfile load_kernel_profile(const fs::path& file) {
  return read_kernel_profile(YamlNode::load(file));
}

KernelProfile find_kernel_profile(const fs::path& configs, std::string_view name_or_file) {
  return load_kernel_profile(file_named(configs, "kernels", "kernel profile", name_or_file));
}

}  // namespace config
}  // namespace tofn
