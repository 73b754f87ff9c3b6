#include "sim/blocks/nsys_sqlite.hpp"

#include <sqlite3.h>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

void make_database(const std::string& path, const char* statements) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, statements, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE("Nsight Systems: kernels by their names, and copies") {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.sqlite");
  make_database(
      path,
      "CREATE TABLE StringIds (id INTEGER, value TEXT);"
      "INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'ncclDevKernel_AllGather');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId "
      "INTEGER, shortName INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 3000, 0, 1), (2000, 5000, 1, 2);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId "
      "INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (5000, 6000, 1);");
  const auto kernels = read_nsys_sqlite(path).kernels;
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[1].name == "ncclDevKernel_AllGather");
  CHECK(kernels[1].device == 1);
  CHECK_THAT(kernels[1].start, WithinRel(2e-6, 1e-9));
  CHECK_THAT(kernels[1].seconds, WithinRel(3e-6, 1e-9));
  CHECK(kernels[2].name == "Memcpy");
}

TEST_CASE("another database is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("other.sqlite");
  make_database(path, "CREATE TABLE t (a INTEGER);");
  CHECK(refusal([&] { read_nsys_sqlite(path); }).starts_with(path + ": holds no kernels"));
}
