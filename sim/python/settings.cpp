#include "sim/python/settings.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tofn {
inline namespace python {
namespace {

namespace py = pybind11;

Setting setting_of(const std::string& name, py::handle value);

Setting several_of(const std::string& name, py::handle values) {
  std::vector<Setting> all;
  for (const py::handle each : values) all.push_back(setting_of(name, each));
  return all;
}

Setting setting_of(const std::string& name, py::handle value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return value.cast<long long>();
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  // A path is its text; a number or an array of numpy is Python's.
  if (py::hasattr(value, "__fspath__")) return setting_of(name, value.attr("__fspath__")());
  if (py::hasattr(value, "tolist")) return setting_of(name, value.attr("tolist")());
  const bool has_names = py::isinstance<py::dict>(value);
  if (py::hasattr(value, "__iter__") && !has_names) return several_of(name, value);
  throw py::type_error(name + ": expected a number, a text, True, False or several, got " +
                       py::repr(value).cast<std::string>());
}

}  // namespace

Options options_of(const py::dict& keywords) {
  Options options;
  for (const auto& [key, value] : keywords) {
    if (value.is_none()) continue;
    auto name = key.cast<std::string>();
    // Words of Python cannot be keywords: `from_`.
    if (name.ends_with('_')) name.pop_back();
    Setting setting = setting_of(name, value);
    options.emplace_back(std::move(name), std::move(setting));
  }
  return options;
}

}  // namespace python
}  // namespace tofn
