#!/usr/bin/env python3
"""Measures training steps of a model with PyTorch, as torchtitan runs them: FSDP 2, bf16 over fp32 shards, compiled
blocks, fused AdamW, random tokens. A row holds the median step of one micro-batch.

    torchrun --nproc-per-node 8 scripts/cluster/pytorch_steps.py CONFIG.json --micro-batch 1,4 -o steps.csv
    build/tofn calibrate --steps steps.csv --model CONFIG.json --cluster dgx-h100 --stack pytorch -o mine.yaml

CONFIG.json is that of a Llama or a GPT-2. Without torchrun: one GPU. A case without room in memory is left out, and
said. --trace FOLDER keeps PyTorch's trace of one step a case, which `tofn check` reads.
"""
import argparse
import csv
import gc
import itertools
import json
import os
import pathlib
import statistics
import sys
import time

try:
    import torch
    from torch import nn
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    from torch.nn import functional
except ImportError as error:
    print(f"pytorch_steps.py: needs a PyTorch that has FSDP 2: {error}", file=sys.stderr)
    sys.exit(2)

WARM_UP_STEPS = 3


def refuse(path, key, problem):
    print(f"{path}: {key}: {problem}", file=sys.stderr)
    sys.exit(2)


class Shape:
    """What a config.json says of a Llama (gated, rotated, grouped queries) or a GPT-2; exits where it says more."""

    KEYS = {
        "llama": ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
        "gpt2": ("n_embd", "n_layer", "n_head", "n_inner"),
    }

    def __init__(self, path):
        try:
            config = json.loads(pathlib.Path(path).read_text())
        except (OSError, ValueError) as error:
            refuse(path, "config.json", error)
        kind = config.get("model_type") if isinstance(config, dict) else None
        if kind not in self.KEYS:
            refuse(path, "model_type", f"is {kind!r}, and must be llama or gpt2")
        self.is_llama = kind == "llama"
        for key in (*self.KEYS[kind][:3], "vocab_size"):
            if key not in config:
                refuse(path, key, "is missing")
        self.hidden, self.layers, self.heads, inner = (config.get(key) for key in self.KEYS[kind])
        self.inner = inner or 4 * self.hidden
        self.groups = config.get("num_key_value_heads") or self.heads
        self.vocabulary = config["vocab_size"]
        # The defaults are Hugging Face's.
        if config.get("tie_word_embeddings", not self.is_llama):
            refuse(path, "tie_word_embeddings", "embeddings that the output shares are not measured: say false in a copy")
        if (config.get("head_dim") or self.hidden // self.heads) != self.hidden // self.heads:
            refuse(path, "head_dim", "must be hidden_size / num_attention_heads")


def rotated(x, cosine, sine):
    first, second = x.float().chunk(2, -1)
    return torch.cat((first * cosine - second * sine, second * cosine + first * sine), -1).to(x.dtype)


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        hidden, bias = shape.hidden, not shape.is_llama
        norm = nn.RMSNorm if shape.is_llama else nn.LayerNorm
        group_width = hidden // shape.heads * shape.groups
        self.attention_norm, self.inner_norm = norm(hidden), norm(hidden)
        self.queries = nn.Linear(hidden, hidden, bias=bias)
        self.keys = nn.Linear(hidden, group_width, bias=bias)
        self.values = nn.Linear(hidden, group_width, bias=bias)
        self.output = nn.Linear(hidden, hidden, bias=bias)
        self.up = nn.Linear(hidden, shape.inner, bias=bias)
        self.down = nn.Linear(shape.inner, hidden, bias=bias)
        self.gate = nn.Linear(hidden, shape.inner, bias=False) if shape.is_llama else None

    def forward(self, x, cosine, sine):
        batch, length, hidden = x.shape

        def heads(of):
            return of.view(batch, length, -1, hidden // self.shape.heads).transpose(1, 2)

        y = self.attention_norm(x)
        queries, keys, values = heads(self.queries(y)), heads(self.keys(y)), heads(self.values(y))
        if self.gate is not None:
            queries, keys = rotated(queries, cosine, sine), rotated(keys, cosine, sine)
        y = functional.scaled_dot_product_attention(
            queries, keys, values, is_causal=True, enable_gqa=self.shape.groups != self.shape.heads
        )
        x = x + self.output(y.transpose(1, 2).reshape(batch, length, hidden))
        y = self.inner_norm(x)
        if self.gate is not None:
            return x + self.down(functional.silu(self.gate(y)) * self.up(y))
        return x + self.down(functional.gelu(self.up(y), approximate="tanh"))


class Model(nn.Module):
    def __init__(self, shape, length):
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.hidden)
        self.places = None if shape.is_llama else nn.Embedding(length, shape.hidden)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.hidden) if shape.is_llama else nn.LayerNorm(shape.hidden)
        self.head = nn.Linear(shape.hidden, shape.vocabulary, bias=False)
        width = shape.hidden // shape.heads
        angles = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, width, 2) / width))
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        if self.places is not None:
            x = x + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x, self.cosine, self.sine)
        return self.head(self.norm(x))


def loss_of(logits, labels):
    return functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten())


class Case:
    """A model under one combination of options, ready to make steps."""

    def __init__(self, shape, micro_batch, accumulate, arguments):
        self.accumulate = accumulate
        length, is_compiled = arguments.sequence_length, not arguments.eager
        with torch.device("cuda"):
            self.model = Model(shape, length)
            self.tokens = torch.randint(0, shape.vocabulary, (micro_batch, length))
            self.labels = torch.randint(0, shape.vocabulary, (micro_batch, length))
        policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
        blocks = self.model.blocks
        for i, block in enumerate(blocks):
            blocks[i] = checkpoint_wrapper(block) if arguments.recompute == "full" else block
            if is_compiled:
                blocks[i].compile(fullgraph=True, dynamic=False)
            fully_shard(blocks[i], mp_policy=policy)
        fully_shard(self.model, mp_policy=policy)
        self.loss = torch.compile(loss_of, dynamic=False) if is_compiled else loss_of
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-4, fused=True)

    def step(self):
        self.optimizer.zero_grad()
        for i in range(self.accumulate):
            self.model.set_requires_gradient_sync(i + 1 == self.accumulate)
            (self.loss(self.model(self.tokens), self.labels) / self.accumulate).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0, foreach=True)
        self.optimizer.step()
        torch.cuda.synchronize()

    def times(self, steps):
        """Seconds of each of `steps` steps."""
        for _ in range(WARM_UP_STEPS):
            self.step()
        found = []
        for _ in range(steps):
            start = time.perf_counter()
            self.step()
            found.append(time.perf_counter() - start)
        return found


def trace(case, path):
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        case.step()
    profile.export_chrome_trace(str(path))


def measured(shape, micro_batch, accumulate, arguments, trace_file):
    """A row of the table."""
    torch._dynamo.reset()
    torch.cuda.reset_peak_memory_stats()
    case = Case(shape, micro_batch, accumulate, arguments)
    times = case.times(arguments.steps)
    peak = torch.cuda.max_memory_allocated()
    if trace_file:
        trace(case, trace_file)
    ranks = torch.distributed.get_world_size()
    return {
        "batch": micro_batch * accumulate * ranks,
        "accelerators": ranks,
        "tp": 1,
        "cp": 1,
        "micro_batch": micro_batch,
        "grad_accum": accumulate,
        "sequence_length": arguments.sequence_length,
        "step_ms": f"{1e3 * statistics.median(times):.3f}",
        "least_ms": f"{1e3 * min(times):.3f}",
        "most_ms": f"{1e3 * max(times):.3f}",
        "peak_gb": f"{peak / 1e9:.3f}",
    }


def numbers(text):
    return [int(each) for each in text.split(",")]


def arguments_of_the_user():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("config", metavar="CONFIG.json")
    parser.add_argument("--sequence-length", type=int, default=4096)
    parser.add_argument("--micro-batch", type=numbers, default=[1], help="e.g. 1,4,8")
    parser.add_argument("--accumulate", type=numbers, default=[1], help="micro-batches of a step")
    parser.add_argument("--recompute", choices=["none", "full"], default="none")
    parser.add_argument("--eager", action="store_true", help="blocks and loss are not compiled")
    parser.add_argument("--steps", type=int, default=10, help="measured, after three")
    parser.add_argument("--trace", type=pathlib.Path, help="folder for a trace of a step each")
    parser.add_argument("-o", "--output", default="steps.csv")
    return parser.parse_args()


def remark(arguments):
    nccl = ".".join(str(part) for part in torch.cuda.nccl.version())
    return (
        f"# {arguments.config}: {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, NCCL {nccl}, "
        f"{'eager' if arguments.eager else 'compiled'}, recompute {arguments.recompute}"
    )


def main():
    arguments = arguments_of_the_user()
    shape = Shape(arguments.config)
    alone = {"RANK": 0, "WORLD_SIZE": 1, "LOCAL_RANK": 0, "MASTER_ADDR": "localhost", "MASTER_PORT": 29511}
    for name, value in alone.items():
        os.environ.setdefault(name, str(value))
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    is_first = torch.distributed.get_rank() == 0
    rows = []
    for micro_batch, accumulate in itertools.product(arguments.micro_batch, arguments.accumulate):
        title = f"micro-batch {micro_batch}, {accumulate} of a step"
        trace_file = None
        if arguments.trace and is_first:
            arguments.trace.mkdir(parents=True, exist_ok=True)
            trace_file = arguments.trace / f"{micro_batch}x{accumulate}.json"
        try:
            rows.append(measured(shape, micro_batch, accumulate, arguments, trace_file))
            row = rows[-1]
            found = f"{row['step_ms']} ms ({row['least_ms']} to {row['most_ms']}), {row['peak_gb']} GB"
        except torch.cuda.OutOfMemoryError:
            found = "left out: no room in memory"
        if is_first:
            print(f"{title}: {found}", flush=True)
            with open(arguments.output, "w", newline="") as output:  # after each: a job may be killed
                print(remark(arguments), file=output)
                if rows:
                    writer = csv.DictWriter(output, rows[0], lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)
        gc.collect()
        torch.cuda.empty_cache()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
