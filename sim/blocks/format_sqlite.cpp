#include <cassert>
#include <charconv>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "sim/blocks/csv_rows.hpp"
#include "sim/blocks/formats.hpp"
#include "sim/blocks/output_file.hpp"
#include "sim/core/error.hpp"

#ifdef TOFN_HAS_SQLITE
#include <sqlite3.h>
#endif

namespace tofn {
inline namespace blocks {

#ifdef TOFN_HAS_SQLITE

namespace {

/// An open database. Its errors are WriteErrors of its file.
class Database {
 public:
  explicit Database(const std::filesystem::path& path) : path_(path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open(path.c_str(), &opened);
    database_.reset(opened);
    check(code);
  }

  void run(const std::string& statement) {
    check(sqlite3_exec(database_.get(), statement.c_str(), nullptr, nullptr, nullptr));
  }

  void prepare_insert(const std::string& statement) {
    sqlite3_stmt* prepared = nullptr;
    check(sqlite3_prepare_v2(database_.get(), statement.c_str(), -1, &prepared, nullptr));
    insert_.reset(prepared);
  }

  void bind(int parameter, const std::string& cell, CellType type) {
    if (cell.empty())
      check(sqlite3_bind_null(insert_.get(), parameter));
    else if (type == CellType::Text)
      // The cells outlive the call of insert().
      check(sqlite3_bind_text64(insert_.get(), parameter, cell.data(), cell.size(), SQLITE_STATIC,
                                SQLITE_UTF8));
    else if (type == CellType::Whole)
      check(sqlite3_bind_int64(insert_.get(), parameter, number<sqlite3_int64>(cell)));
    else
      check(sqlite3_bind_double(insert_.get(), parameter, number<double>(cell)));
  }

  void insert() {
    if (sqlite3_step(insert_.get()) != SQLITE_DONE) check(sqlite3_errcode(database_.get()));
    check(sqlite3_reset(insert_.get()));
  }

 private:
  template <class Number>
  static Number number(const std::string& cell) {
    Number value{};
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    assert(read.ptr == cell.data() + cell.size());
    static_cast<void>(read);
    return value;
  }

  void check(int code) const {
    if (code != SQLITE_OK) throw WriteError(path_, sqlite3_errmsg(database_.get()));
  }

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database_{nullptr, sqlite3_close};
  std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> insert_{nullptr, sqlite3_finalize};
};

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

std::string_view type_name(CellType type) {
  switch (type) {
    case CellType::Text:
      return "TEXT";
    case CellType::Whole:
      return "INTEGER";
    case CellType::Number:
      return "REAL";
  }
  assert(false);
  return "";
}

void make_table(Database& database, std::span<const OutputColumn> columns) {
  std::string definitions;
  std::string parameters;
  for (const OutputColumn& column : columns) {
    const char* comma = definitions.empty() ? "" : ", ";
    definitions += fmt::format("{}{} {}", comma, quoted(column.name), type_name(column.type));
    parameters += fmt::format("{}?", comma);
  }
  // Set here because the library's defaults may change. There is no journal, because half a file is
  // of no use.
  database.run("PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  database.run("BEGIN; CREATE TABLE points (" + definitions + ")");
  database.prepare_insert("INSERT INTO points VALUES (" + parameters + ")");
}

}  // namespace

bool write_sqlite(const std::filesystem::path& csv, std::span<const OutputColumn> columns,
                  const std::filesystem::path& to, const std::function<bool()>& is_stopped) {
  Database database(to);
  make_table(database, columns);
  const bool is_whole =
      for_each_csv_row(csv, is_stopped, [&](const std::vector<std::string>& cells) {
        assert(cells.size() == columns.size());
        for (std::size_t c = 0; c < cells.size(); ++c)
          database.bind(static_cast<int>(c) + 1, cells[c], columns[c].type);
        database.insert();
      });
  database.run("COMMIT");
  return is_whole;
}

#else

bool write_sqlite(const std::filesystem::path&, std::span<const OutputColumn>,
                  const std::filesystem::path& to, const std::function<bool()>&) {
  throw WriteError(to, "this tofn was built without SQLite");
}

#endif

}  // namespace blocks
}  // namespace tofn
