// The module _tofn: what the package tofn (sim/python/tofn) is made of.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "sim/python/settings.hpp"
#include "tofn/commands.hpp"
#include "tofn/error.hpp"
#include "tofn/help.hpp"

namespace tofn {
inline namespace python {
namespace {

namespace py = pybind11;
using Texts = std::vector<std::string>;

/// Other threads of Python run meanwhile.
template <class Work>
auto unlocked(const Work& work) {
  const py::gil_scoped_release release;
  return work();
}

Answer answer_question(const std::string& command, const Texts& arguments,
                       const py::dict& keywords) {
  const Question question{
      .command = command, .arguments = arguments, .options = options_of(keywords)};
  return unlocked([&] { return answer(question); });
}

Texts words_of_question(const std::string& command, const Texts& arguments,
                        const py::dict& keywords) {
  return command_line(
      {.command = command, .arguments = arguments, .options = options_of(keywords)});
}

Answer answer_sweep_text(const std::string& yaml, const py::dict& keywords) {
  const Options options = options_of(keywords);
  return unlocked([&] { return sweep_text(yaml, options); });
}

/// The array owns the numbers; none is copied for Python.
template <class Number>
py::array_t<Number> array_of(std::vector<Number> all) {
  auto numbers = std::make_unique<std::vector<Number>>(std::move(all));
  const auto size = static_cast<py::ssize_t>(numbers->size());
  const Number* first = numbers->data();
  const py::capsule owner(numbers.release(), [](void* kept) {
    const std::unique_ptr<std::vector<Number>> freed(static_cast<std::vector<Number>*>(kept));
  });
  return py::array_t<Number>(size, first, owner);
}

py::array_t<double> numbers_of(const Answer& given, const std::string& column) {
  return array_of(unlocked([&] { return given.numbers(column); }));
}

py::list cells_of(const Answer& given, const std::string& column) {
  py::list cells(given.size());
  for (std::size_t row = 0; row < given.size(); ++row) cells[row] = given.value(column, row);
  return cells;
}

/// Whether each cell of the column is one of these types.
template <class... Types>
bool holds_only(const Answer& given, std::size_t column) {
  return std::ranges::all_of(given.rows(), [&](const auto& row) {
    return (std::holds_alternative<Types>(row[column]) || ...);
  });
}

/// An array of whole numbers or of numbers where the column is such; else its cells.
py::object column_of(const Answer& given, const std::string& name) {
  const auto found = std::ranges::find(given.columns(), name);
  const auto column = static_cast<std::size_t>(found - given.columns().begin());
  if (found == given.columns().end() || given.size() == 0) return cells_of(given, name);
  if (holds_only<long long>(given, column)) {
    std::vector<long long> counts;
    for (const auto& row : given.rows()) counts.push_back(std::get<long long>(row[column]));
    return array_of(std::move(counts));
  }
  const bool has_only_numbers = holds_only<std::monostate, double, long long>(given, column);
  return has_only_numbers ? py::object(numbers_of(given, name)) : cells_of(given, name);
}

py::dict row_of(const Answer& given, std::size_t row) {
  py::dict cells;
  for (std::size_t i = 0; i < given.columns().size(); ++i)
    cells[py::str(given.columns()[i])] = given.rows().at(row)[i];
  return cells;
}

/// `days = 20.9 d, 90 % interval 11.6 to 87.4, formula`
std::string words_of_figure(const Figure& figure) {
  std::string text = figure.name + " = " + py::str(py::cast(figure.value)).cast<std::string>();
  if (const double* number = std::get_if<double>(&figure.value))
    text = fmt::format("{} = {:.6g}", figure.name, *number);
  if (!figure.unit.empty()) text += ' ' + figure.unit;
  if (figure.low90)
    text += fmt::format(", 90 % interval {:.6g} to {}", *figure.low90,
                        figure.high90 ? fmt::format("{:.6g}", *figure.high90) : "no end");
  return figure.basis.empty() ? text : text + ", " + figure.basis;
}

double number_of(const Figure& figure) {
  if (const double* number = std::get_if<double>(&figure.value)) return *number;
  if (const long long* count = std::get_if<long long>(&figure.value))
    return static_cast<double>(*count);
  throw py::type_error(figure.name + " is no number");
}

void define_figure(py::module_& module) {
  py::class_<Figure> figure(module, "Figure");
  figure.attr("__module__") = "tofn";
  figure.def_readonly("name", &Figure::name)
      .def_readonly("value", &Figure::value)
      .def_readonly("unit", &Figure::unit)
      .def_readonly("meaning", &Figure::meaning)
      .def_readonly("low90", &Figure::low90)
      .def_readonly("high90", &Figure::high90)
      .def_readonly("basis", &Figure::basis)
      .def("__float__", number_of)
      .def("__repr__", words_of_figure);
}

void define_answer(py::module_& module) {
  py::class_<Answer>(module, "Answer")
      .def("__len__", &Answer::size)
      .def_property_readonly("columns", &Answer::columns)
      .def_property_readonly("text", &Answer::text)
      .def_property_readonly("notices", &Answer::notices)
      .def_property_readonly("exit_code", &Answer::exit_code)
      .def("csv", &Answer::csv)
      .def("json", &Answer::json)
      .def("value", &Answer::value)
      .def("figure", &Answer::figure)
      .def("numbers", numbers_of)
      .def("cells", cells_of)
      .def("column", column_of)
      .def("row", row_of);
}

/// tofn.Error, an exception with `exit_code`.
void define_error(py::module_& module) {
  static PyObject* type = PyErr_NewExceptionWithDoc(
      "tofn.Error",
      "What the command `tofn` would say before it ends without an answer.\n\n"
      "`exit_code` is the command's: 2 for a mistake in what was asked, 1 for an answer of no (no "
      "plan fits) or for a failure of tofn or of the machine.",
      nullptr, nullptr);
  module.attr("Error") = py::handle(type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      py::object raised = py::reinterpret_borrow<py::object>(type)(error.what());
      raised.attr("exit_code") = error.exit_code();
      PyErr_SetObject(type, raised.ptr());
    }
  });
}

PYBIND11_MODULE(_tofn, module) {
  define_error(module);
  define_figure(module);
  define_answer(module);
  py::class_<Option>(module, "Option")
      .def_readonly("name", &Option::name)
      .def_readonly("meaning", &Option::meaning)
      .def_readonly("takes_value", &Option::takes_value)
      .def_readonly("is_argument", &Option::is_argument);
  module.def("answer", answer_question);
  module.def("command_line", words_of_question);
  module.def("sweep_text", answer_sweep_text);
  module.def("help", &help);
  module.def("options", &options_of_command);
  module.def("version", &version);
}

}  // namespace
}  // namespace python
}  // namespace tofn
