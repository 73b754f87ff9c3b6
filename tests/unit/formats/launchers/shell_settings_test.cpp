#include <fstream>

#include "sim/formats/launchers/launch_stack.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/formats/launchers/settings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchFile script(const std::string& text) { return read_launch_text(text, "run.sh"); }

}  // namespace

TEST_CASE("a script's command gives its options, each with the place of its flag") {
  const LaunchFile file = script(
      "#!/bin/bash\n"
      "torchrun --nproc_per_node 8 --nnodes=4 pretrain.py \\\n"
      "    --num-layers 96 --bf16 \\\n"
      "    --split 99,1,0 --modules mlp moe --scale -1\n");
  CHECK(file.format == LaunchFormat::Shell);
  CHECK(value_of(file, "torchrun.nproc_per_node") == "8");
  CHECK(value_of(file, "torchrun.nnodes") == "4");
  CHECK(value_of(file, "program") == "pretrain.py");
  CHECK(value_of(file, "num-layers") == "96");
  CHECK(place_of(file, "num-layers") == "run.sh:3:5");
  CHECK(value_of(file, "bf16").empty());
  CHECK(value_of(file, "modules") == "mlp moe");
  CHECK(value_of(file, "scale") == "-1");
  CHECK(file.not_understood.empty());
}

TEST_CASE("columns count characters, those of their own line") {
  const LaunchFile file = script("# é ü ö\ntorchrun pretrain.py --name né --num-layers 96\n");
  CHECK(place_of(file, "name") == "run.sh:2:22");
  CHECK(place_of(file, "num-layers") == "run.sh:2:32");
}

TEST_CASE("variables, defaults, sums, strings and arrays of options come to their values") {
  const LaunchFile file = script(
      "TP=${TP:-4}\n"
      "WORLD=$(($TP * 2 + 1))\n"
      "LAYERS='32'\n"
      "OPTIONS=(\n"
      "  --tensor ${TP}   # its ranks\n"
      "  --name \"two words\"\n"
      ")\n"
      "OPTIONS+=(--world $WORLD)\n"
      "MORE=\" --layers $LAYERS \\\n  --swiglu\"\n"
      "MORE=\"${MORE} --late\"\n"
      "python -m torch.distributed.run --standalone train.py \"${OPTIONS[@]}\" ${MORE}\n");
  CHECK(value_of(file, "tensor") == "4");
  CHECK(place_of(file, "tensor") == "run.sh:5:3");
  CHECK(value_of(file, "name") == "two words");
  CHECK(value_of(file, "world") == "9");
  CHECK(value_of(file, "layers") == "32");
  CHECK(place_of(file, "swiglu") == "run.sh:10:3");
  CHECK(value_of(file, "late").empty());
  CHECK(value_of(file, "torchrun.standalone").empty());
}

TEST_CASE("a condition that is known decides a branch") {
  const std::string text =
      "if [[ \"$KIND\" == \"moe\" ]] || [ ${SIZE:-2} -gt 4 ]; then A=1; else A=2; fi\n"
      "case \"8B\" in\n  7*) B=1 ;;\n  \"8B\") B=2 ;;\n  *) exit 1 ;;\nesac\n"
      "[ -n \"${WANDB}\" ] && C=1 || C=2\n"
      "torchrun train.py --a $A --b $B --c $C\n";
  const LaunchFile unset = script(text);
  CHECK(value_of(unset, "a") == "2");
  CHECK(value_of(unset, "b") == "2");
  CHECK(value_of(unset, "c") == "2");
  CHECK(value_of(script("KIND=moe\nWANDB=x\n" + text), "a") == "1");
  CHECK(value_of(script("KIND=moe\nWANDB=x\n" + text), "c") == "1");
}

TEST_CASE("what a condition decides that is not known is not known after it") {
  const LaunchFile file = script(
      "A='--one 1'\nB=3\n"
      "if grep -q H200 /proc/cpuinfo; then\n  A=\"$A --two 2\"\n  B=4\nfi\n"
      "if [ ! -f data.bin ]; then echo missing; exit 1; B=5; fi\n"
      "torchrun train.py $A --b $B\n");
  CHECK(value_of(file, "one") == "none");
  CHECK(unknown_of(file, "one") == "run.sh:3:1: 1$A (a condition that is not known decides)");
  CHECK(unknown_of(file, "b") == "run.sh:3:1: $B (a condition that is not known decides)");
}

TEST_CASE("what a script does not tell is listed with its place and never guessed") {
  const LaunchFile file = script(
      "NODES=$(nproc)\nDATA=$1\n"
      "torchrun --nnodes $NODES train.py --data $DATA --rank=$SLURM_PROCID --steps 5 $MORE\n");
  CHECK(value_of(file, "torchrun.nnodes") == "none");
  CHECK(unknown_of(file, "torchrun.nnodes") == "run.sh:1:7: $(nproc) (a command's output)");
  CHECK(unknown_of(file, "data") == "run.sh:2:6: $1 (an argument of the script)");
  CHECK(unknown_of(file, "rank") == "run.sh:3:55: $SLURM_PROCID (SLURM_PROCID is not set here)");
  CHECK(unknown_of(file, "") == "run.sh:3:79: $MORE (MORE is not set here)");
  CHECK(value_of(file, "steps") == "5");
}

TEST_CASE("a here-document of JSON is read where a program is given it") {
  const LaunchFile file = script(
      "CONFIG=ds.json\nMICRO=4\n"
      "cat <<EOT > $CONFIG\n"
      "{\n  \"train_batch_size\": $(($MICRO * 8)),\n"
      "  \"zero_optimization\": { \"stage\": 3 },\n  \"steps\": $STEPS\n}\n"
      "EOT\n"
      "deepspeed --num_nodes=2 --force_multi train.py --deepspeed_config=$CONFIG --fp16\n");
  CHECK(value_of(file, "train_batch_size") == "32");
  CHECK(value_of(file, "zero_optimization.stage") == "3");
  CHECK(place_of(file, "zero_optimization.stage") == "run.sh:6:35");
  CHECK(unknown_of(file, "steps") == "run.sh:7:12:  (a variable that is not known stands in it)");
  CHECK(value_of(file, "deepspeed.num_nodes") == "2");
  CHECK(value_of(file, "program") == "train.py");
}

TEST_CASE("a launcher is found behind srun, in bash -c, in eval and in a batch script") {
  const LaunchFile direct = script(
      "#SBATCH --nodes=4   # how many\n#SBATCH --ntasks-per-node 8\n"
      "CMD=\"accelerate launch --config_file none --num_processes $((SLURM_NNODES * 8)) x.py -v\"\n"
      "srun --mpi=pmix $CMD\n");
  CHECK(value_of(direct, "accelerate.num_processes") == "32");
  CHECK(value_of(direct, "sbatch.nodes") == "4");
  CHECK(value_of(direct, "srun.mpi") == "pmix");
  CHECK(value_of(direct, "program") == "x.py");
  const LaunchFile nested = script(
      "ARGS=(--layers 2)\nCMD=\"cd here; python train.py ${ARGS[@]}\"\n"
      "sbatch <<EOF\n#SBATCH --nodes=2\nsrun -l bash -x -c \"${CMD}\" 2>&1 | tee log\nEOF\n");
  CHECK(value_of(nested, "layers") == "2");
  CHECK(place_of(nested, "layers") == "run.sh:1:7");
  CHECK(value_of(nested, "sbatch.nodes") == "2");
  CHECK(value_of(script("RUN='torchrun a.py --k 7 &> log'\neval ${RUN}\n"), "k") == "7");
}

TEST_CASE("pairs and words that are no option") {
  const LaunchFile file =
      script("python3 -m pkg.train base.conf steps=5 model_name=a-b flag: False remat='full'\n");
  CHECK(value_of(file, "program") == "pkg.train");
  CHECK(value_of(file, "steps") == "5");
  CHECK(value_of(file, "remat") == "full");
  CHECK(value_of(file, "argument") == "False");
}

TEST_CASE("a command within a word ends where its bracket does") {
  const LaunchFile file =
      script("torchrun train.py --a $() --b $(date) --c $(echo $(date)) --k 1\n");
  CHECK(value_of(file, "k") == "1");
  CHECK(file.not_understood.size() == 3);
}

TEST_CASE("tabs and the line ends of other systems stand between words") {
  const LaunchFile file =
      script("LAYERS=32\r\ntorchrun\ttrain.py \t--layers\t$LAYERS \\\r\n\t--k 1\r\n");
  CHECK(value_of(file, "layers") == "32");
  CHECK(value_of(file, "k") == "1");
  CHECK(file.not_understood.empty());
}

TEST_CASE("a line that goes on needs no blank before its words") {
  const LaunchFile file = script("torchrun train.py --layers \\\n32 \\\n--k 1\n");
  CHECK(value_of(file, "layers") == "32");
  CHECK(value_of(file, "k") == "1");
}

TEST_CASE("sums of longer numbers are worked out, and what a shell takes for octal is not") {
  const LaunchFile file = script(
      "torchrun train.py --a $((16 * 32)) --b $((0)) --c $((010)) --d $((128 / 3 % 5)) "
      "--e $((8 / -1)) --f $((-9223372036854775807 - 1)) "
      "--g $(((-9223372036854775807 - 1) / -1))\n");
  CHECK(value_of(file, "a") == "512");
  CHECK(value_of(file, "b") == "0");
  CHECK(value_of(file, "c") == "none");
  CHECK(value_of(file, "d") == "2");
  CHECK(value_of(file, "e") == "-8");
  CHECK(value_of(file, "f") == "-9223372036854775808");
  CHECK(value_of(file, "g") == "none");  // one more than 64 bits hold
}

TEST_CASE("an empty word is a word") {
  const LaunchFile file = script("torchrun \"\" train.py '' --name '' --k 1\n");
  CHECK(value_of(file, "program").empty());
  CHECK(value_of(file, "k") == "1");
  CHECK(file.not_understood.empty());
}

TEST_CASE("a script that starts no training, or two, is refused") {
  CHECK(refusal([] { script("echo hello\npip install x\n"); }) ==
        "run.sh: nothing starts a training: torchrun, deepspeed, accelerate launch or python");
  CHECK(refusal([] { script("torchrun a.py\nif x; then torchrun b.py; fi\n"); }) ==
        "run.sh: 2 commands start a training, in the lines 1, 2: keep one of them");
  CHECK(refusal([] { script("srun ./other.sh\n"); }) ==
        "run.sh:1:6: './other.sh' is not here, and nothing else starts a training: give that file");
  CHECK(value_of(script("python prepare.py\ntorchrun a.py --k 1\n"), "k") == "1");
}

TEST_CASE("scripts and files that a script names are read from its folder") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("settings.sh")) << "LAYERS=12\n";
  std::ofstream(folder.file("ds.json")) << "{\"zero_optimization\": {\"stage\": 2}}\n";
  std::ofstream(folder.file("run.sh")) << "source settings.sh\n"
                                          "deepspeed t.py --layers $LAYERS --deepspeed_config "
                                          "$(pwd)/ds.json --other x.json\n";
  const LaunchFile file = read_launch_file(folder.file("run.sh"));
  CHECK(value_of(file, "layers") == "12");
  CHECK(value_of(file, "zero_optimization.stage") == "2");
  CHECK(place_of(file, "zero_optimization.stage") == folder.file("ds.json") + ":1:33");
}

TEST_CASE("a template that sed fills in is read with what was put in") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("template.json"))
      << "{\n \"train_batch_size\": GBSIZE,\n \"zero\": {\"stage\": STAGE}, \"n\": STEPS\n}\n";
  std::ofstream(folder.file("run.sh"))
      << "B=64\nT=template.json\nsed \"s/GBSIZE/${B}/\" ${T} \\\n"
         "  | sed \"s/STAGE/2/\" | sed \"s/STEPS/$N/\" > out.json\n"
         "deepspeed --num_gpus 8 t.py --deepspeed_config out.json\n";
  const LaunchFile file = read_launch_file(folder.file("run.sh"));
  CHECK(value_of(file, "train_batch_size") == "64");
  CHECK(place_of(file, "train_batch_size") == folder.file("run.sh") + ":1:3");
  CHECK(value_of(file, "zero.stage") == "2");
  CHECK(value_of(file, "n") == "none");
  CHECK(unknown_of(file, "n").ends_with("(a variable that is not known stands in it)"));
}

TEST_CASE("broken and hostile scripts are refused in a line") {
  CHECK(refusal([] { script("A='x\ntorchrun a.py\n"); }) == "run.sh:1:3: a quote is not closed");
  CHECK(refusal([] { script("if true; then torchrun a.py\n"); }) ==
        "run.sh:1:1: `if` is not closed");
  CHECK(refusal([] { script("cat <<EOF\nx\n"); }) ==
        "run.sh:1:10: the here-document is not closed");
  CHECK(refusal([] { script("diff <(a) <(b)\n"); }) ==
        "run.sh:1:6: this shell syntax is not understood");
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "( ";
  CHECK(refusal([&] { script(deep); }).ends_with("nested too deeply"));
  std::string nested = "A=";
  for (int i = 0; i < 2000; ++i) nested += "${B:-";
  CHECK(refusal([&] { script(nested); }).ends_with("nested too deeply"));
  std::string doubling = "A=aaaaaaaa\n";
  for (int i = 0; i < 60; ++i) doubling += "A=$A$A\n";
  CHECK(refusal([&] {
          script(doubling + "torchrun a.py $A\n");
        }).ends_with("the script grows too long as it is read"));
  CHECK(refusal([] { script("f() { f; f; }\nf\n"); }).ends_with("nested too deeply"));
}

TEST_CASE("sed's patterns and references leave what it writes unknown") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("t.json")) << "{\"train_batch_size\": GBSIZE}\n";
  const auto batch = [&](const std::string& edit) {
    std::ofstream(folder.file("run.sh"))
        << "sed '" + edit +
               "' t.json > out.json\n"
               "deepspeed --num_gpus 8 t.py --deepspeed_config out.json\n";
    return value_of(read_launch_file(folder.file("run.sh")), "train_batch_size");
  };
  CHECK(batch("s/GBSIZE/64/") == "64");
  CHECK(batch("s/GBSIZE/6&/") == "none");
  CHECK(batch("s/GB.*E/64/") == "none");
}

TEST_CASE("an option of srun behind a flag has its value") {
  const LaunchFile file = script("srun --exclusive --nodes 4 torchrun a.py\n");
  CHECK(value_of(file, "srun.nodes") == "4");
  CHECK(value_of(file, "srun.exclusive").empty());
}

TEST_CASE("a default without a colon stands for what is not set, not for what is empty") {
  const LaunchFile file = script(
      "EMPTY=\nSET=2\n"
      "torchrun a.py --a ${UNSET-4} --b \"${EMPTY-4}\" --c ${SET-4} --d \"${EMPTY+5}\" "
      "--e \"${UNSET+5}\" --f ${EMPTY:-4}\n");
  CHECK(value_of(file, "a") == "4");
  CHECK(value_of(file, "b").empty());
  CHECK(value_of(file, "c") == "2");
  CHECK(value_of(file, "d") == "5");
  CHECK(value_of(file, "e").empty());
  CHECK(value_of(file, "f") == "4");
}

TEST_CASE("an array's first element joins the word before it") {
  const LaunchFile file = script("L=(32 --k 1)\ntorchrun a.py \"--layers=${L[@]}\"\n");
  CHECK(value_of(file, "layers") == "32");
  CHECK(value_of(file, "k") == "1");
}

TEST_CASE("a launcher that starts no program gives its own options") {
  CHECK(value_of(script("torchrun --nnodes 2\n"), "torchrun.nnodes") == "2");
}

TEST_CASE(
    "placeholders of a script that is to be filled in are not known, and hinder nothing else") {
  const LaunchFile file = read_launch_text(
      "CHECKPOINT_PATH=<Specify path>\nVOCAB_FILE=<Specify path to file>/gpt2-vocab.json # here\n"
      "python pretrain_gpt.py --num-layers 8 --save $CHECKPOINT_PATH --vocab-file $VOCAB_FILE\n",
      "a.sh");
  CHECK(has_key(file, "num-layers"));
  REQUIRE(file.not_understood.size() == 2);
  CHECK(file.not_understood[0].key == "save");
  CHECK(file.not_understood[0].reason == "a placeholder that is to be filled in");
  CHECK(to_text(file.not_understood[0].place) == "a.sh:1:17");
}
