#include "sim/cluster/precision_words.hpp"

#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("words of configurations name a number format and a recipe") {
  struct Named {
    const char* words;
    Precision precision;
    const char* recipe;
  };
  for (const Named& each : {Named{"bf16", Precision::Bf16, ""},
                            {"BF16-Mixed", Precision::Bf16, ""},
                            {"16-mixed", Precision::Fp16, ""},
                            {"32-true", Precision::Fp32, ""},
                            {"mxfp8", Precision::Fp8, "mxfp8"},
                            {"nvfp4", Precision::Fp4, "nvfp4"},
                            {"MXFP4", Precision::Fp4, "mxfp4"},
                            {"bf16-mixed + fp8:mxfp8", Precision::Fp8, "mxfp8"},
                            {"bf16_mixed + fp8:tensorwise", Precision::Fp8, "tensorwise"},
                            {"fp8:delayed", Precision::Fp8, "delayed"},
                            {"fp8:blockwise", Precision::Fp8, "blockwise"},
                            {"fp8_delayed_scaling", Precision::Fp8, "delayed"},
                            {"fp8 current scaling", Precision::Fp8, ""},
                            {"fp4:nvfp4", Precision::Fp4, "nvfp4"},
                            {"fp4:mxfp4", Precision::Fp4, "mxfp4"},
                            {"bf16_with_nvfp4_mixed", Precision::Fp4, "nvfp4"},
                            {"fp8:mxfp8 + fp4", Precision::Fp4, ""},
                            {"fp8 (FP8_PARAMS=1)", Precision::Fp8, ""},
                            {"bf16-mixed (recipe not stated)", Precision::Bf16, ""}}) {
    INFO(each.words);
    const auto named = precision_named(each.words);
    REQUIRE(named);
    CHECK(named->precision == each.precision);
    CHECK(named->recipe == each.recipe);
  }
}

TEST_CASE("a word that is none of them, or no word at all, names nothing") {
  for (const char* words :
       {"int8 (AQT quantization=int8)", "posit8", "fp8:best", "mixed", "", "(fp8)", "fp88"}) {
    INFO(words);
    CHECK_FALSE(precision_named(words));
  }
}

TEST_CASE("a cell that names no precision is refused where it stands, with those that are known") {
  const CsvTable table = CsvTable::parse("a,precision\n1,int8\n2,\n3,FP8:Delayed\n", "t.csv");
  CHECK_THAT(refusal([&] { precision_of(CsvRow(table, 0)); }),
             ContainsText("t.csv:2:3: precision: unknown precision 'int8'; valid precisions: fp32, "
                          "tf32, bf16, fp16, fp8, fp4, mxfp8, delayed"));
  CHECK_FALSE(precision_of(CsvRow(table, 1)));
  CHECK(precision_of(CsvRow(table, 2))->recipe == "delayed");
}
