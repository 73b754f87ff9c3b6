#pragma once

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/blocks/csv_rows.hpp"
#include "sim/sweep/row_maker.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

namespace tofn::test {

inline const std::filesystem::path& shipped_configs() {
  static const std::filesystem::path configs = std::filesystem::path(TOFN_SOURCE_DIR) / "configs";
  return configs;
}

inline Library& shipped_library() {
  static Library loaded = Library::load(shipped_configs());
  return loaded;
}

using Row = std::map<std::string, std::string>;  ///< by column

/// A sweep of models, read from the text of its file.
struct Swept {
  explicit Swept(const std::string& yaml, const SweepSources::Measured& measured = {})
      : file("sweep.yaml", yaml),
        sweep(load_sweep(file.path())),
        sources(sweep, shipped_configs(), shipped_library(), nullptr, measured),
        layout(layout_of(sources)),
        maker(sources, layout) {}

  std::vector<Row> rows() { return table(maker.rows(0, sweep.points())); }
  std::vector<Row> table(const std::string& csv) const {
    std::vector<Row> result;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
      const auto cells = csv_cells(line);
      const auto columns = layout.columns();
      REQUIRE(cells.size() == columns.size());
      Row& row = result.emplace_back();
      for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i].name] = cells[i];
    }
    return result;
  }

  TemporaryFile file;
  Sweep sweep;
  SweepSources sources;
  RowLayout layout;
  RowMaker maker;
};

inline double number(const std::string& text) { return std::stod(text); }

}  // namespace tofn::test
