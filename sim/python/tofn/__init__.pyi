# Written by scripts/write_stubs.py from the rows of options; a test holds it equal to the module.
import os
from builtins import list as _list  # `list` is a function here
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

import numpy
import numpy.typing
import pandas

_Name = str | os.PathLike[str]
_Value = int | float | str | None
_Setting = str | int | float | bool | os.PathLike[str] | Iterable[str | int | float | os.PathLike[str]] | None

__version__: str

class Error(Exception):
    exit_code: int

class Figure:
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> _Value: ...
    @property
    def unit(self) -> str: ...
    @property
    def meaning(self) -> str: ...
    @property
    def low90(self) -> float | None: ...
    @property
    def high90(self) -> float | None: ...
    @property
    def basis(self) -> str: ...
    def __float__(self) -> float: ...

class Drawing:
    title: str
    description: str
    svg: str
    def save(self, path: _Name) -> None: ...

class Answer:
    @property
    def columns(self) -> _list[str]: ...
    @property
    def text(self) -> str: ...
    @property
    def notices(self) -> _list[str]: ...
    @property
    def exit_code(self) -> int: ...
    @property
    def command_line(self) -> _list[str]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __contains__(self, column: object) -> bool: ...
    def __iter__(self) -> Iterator[dict[str, _Value]]: ...
    @overload
    def __getitem__(self, key: str) -> _list[Any]: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    def value(self, column: str, row: int = 0) -> Any: ...
    def figure(self, column: str, row: int = 0) -> Figure: ...
    def numbers(self, column: str) -> numpy.typing.NDArray[numpy.float64]: ...
    def to_dict(self) -> dict[str, _list[Any]]: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def csv(self) -> str: ...
    def json(self) -> str: ...
    def plot(self, figure: str | None = None, over: str = "accelerators",
             by: str | Iterable[str] | None = None) -> Drawing: ...
    def plot_steps(self, row: int | None = None) -> Drawing: ...

def version() -> str: ...
def help(command: str) -> str: ...
def answer(command: str, /, *arguments: _Name | None, **options: _Setting) -> Answer: ...
def command_line(command: str, /, *arguments: _Name | None, **options: _Setting) -> _list[str]: ...

def calibrate(files: _Name | Iterable[_Name] = (), output: _Name | None = None, *, collective: _Setting = None,
        ranks: _Setting = None, nodes: _Setting = None, type: _Setting = None, name: _Setting = None,
        description: _Setting = None, machine: _Setting = None, cluster: _Setting = None, stacks: _Setting = None,
        explain_calibration: bool | None = None, fabrics: _Setting = None, steps: _Setting = None,
        workload: _Setting = None, model: _Setting = None, stack: _Setting = None, accelerators: _Setting = None,
        batch: _Setting = None, regime: _Setting = None, release: _Setting = None, sequence_length: _Setting = None,
        lora_rank: _Setting = None, lora_targets: _Setting = None, freeze: _Setting = None,
        packed_length: _Setting = None, plan: _Setting = None, micro_batch: _Setting = None,
        grad_accum: _Setting = None, tp: _Setting = None, cp: _Setting = None, pp: _Setting = None,
        chunks: _Setting = None, ep: _Setting = None, whole_experts: _Setting = None,
        expert_dispatch: _Setting = None, fp8_dispatch: _Setting = None, expert_overlap: _Setting = None,
        schedule: _Setting = None, stage_layers: _Setting = None, balanced_stages: _Setting = None,
        sequence_parallel: _Setting = None, tensor_overlap: _Setting = None, context_exchange: _Setting = None,
        recompute: _Setting = None, recompute_modules: _Setting = None, loss_chunks: _Setting = None,
        sharded: _Setting = None, shards_in_domain: _Setting = None, shard_ranks: _Setting = None,
        data_overlap: _Setting = None, parameter_overlap: _Setting = None, send_overlap: _Setting = None,
        optimizer: _Setting = None, offload_optimizer: _Setting = None, kept_parameters: _Setting = None,
        kept_gradients: _Setting = None, kept_master: _Setting = None, kept_moments: _Setting = None,
        compression: _Setting = None, cuda_graphs: _Setting = None, compile: _Setting = None,
        precision: _Setting = None, gradient_precision: _Setting = None, parameter_precision: _Setting = None,
        fp8_attention: _Setting = None, accelerators_per_domain: _Setting = None, sharp: _Setting = None,
        configs: _Setting = None, details: bool | None = None, wide: bool | None = None,
        quiet: bool | None = None) -> Answer: ...
def collective(cluster: _Name | None = None, *, ranks: _Setting = None, size: _Setting = None,
        stride: _Setting = None, alone: bool | None = None, collective: _Setting = None, calibration: _Setting = None,
        check: _Setting = None, nodes: _Setting = None, training: _Setting = None, stack: _Setting = None,
        emit: _Setting = None, times: _Setting = None, configs: _Setting = None, output: _Setting = None,
        details: bool | None = None, wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def compare(*, published: _Setting = None, calibrate: _Setting = None, accelerators: _Setting = None,
        workloads: _Setting = None, seed: _Setting = None, configs: _Setting = None, output: _Setting = None,
        details: bool | None = None, wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def list(what: _Name | None = None, *, configs: _Setting = None, output: _Setting = None, details: bool | None = None,
        wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def plan(model: _Name, clusters: _Name | Iterable[_Name] = (), *, accelerators: _Setting = None,
        confidence: _Setting = None, sensitivity: bool | None = None, next_measurement: bool | None = None,
        by: _Setting = None, whole: _Setting = None, save_plan: _Setting = None, deadline: _Setting = None,
        budget: _Setting = None, energy: _Setting = None, carbon: _Setting = None, tokens: _Setting = None,
        samples: _Setting = None, batch: _Setting = None, batch_tokens: _Setting = None,
        critical_batch: _Setting = None, evaluate_every: _Setting = None, evaluate: _Setting = None,
        start_up: _Setting = None, grid: _Setting = None, prices: _Setting = None, stack: _Setting = None,
        overrun: _Setting = None, sequence_length: _Setting = None, lora_rank: _Setting = None,
        lora_targets: _Setting = None, freeze: _Setting = None, packed_length: _Setting = None,
        times: _Setting = None, plan: _Setting = None, micro_batch: _Setting = None, grad_accum: _Setting = None,
        tp: _Setting = None, cp: _Setting = None, pp: _Setting = None, chunks: _Setting = None, ep: _Setting = None,
        whole_experts: _Setting = None, expert_dispatch: _Setting = None, fp8_dispatch: _Setting = None,
        expert_overlap: _Setting = None, schedule: _Setting = None, stage_layers: _Setting = None,
        balanced_stages: _Setting = None, sequence_parallel: _Setting = None, tensor_overlap: _Setting = None,
        context_exchange: _Setting = None, recompute: _Setting = None, recompute_modules: _Setting = None,
        loss_chunks: _Setting = None, sharded: _Setting = None, shards_in_domain: _Setting = None,
        shard_ranks: _Setting = None, data_overlap: _Setting = None, parameter_overlap: _Setting = None,
        send_overlap: _Setting = None, optimizer: _Setting = None, offload_optimizer: _Setting = None,
        kept_parameters: _Setting = None, kept_gradients: _Setting = None, kept_master: _Setting = None,
        kept_moments: _Setting = None, compression: _Setting = None, cuda_graphs: _Setting = None,
        compile: _Setting = None, precision: _Setting = None, gradient_precision: _Setting = None,
        parameter_precision: _Setting = None, fp8_attention: _Setting = None,
        accelerators_per_domain: _Setting = None, sharp: _Setting = None, facility_factor: _Setting = None,
        price_term: _Setting = None, price: _Setting = None, failure_every: _Setting = None,
        preemption_every: _Setting = None, restart: _Setting = None, checkpoint_cost: _Setting = None,
        checkpoint_every: _Setting = None, checkpoint_storage: _Setting = None,
        checkpoint_node_bandwidth: _Setting = None, checkpoint_mode: _Setting = None,
        checkpoint_layout: _Setting = None, search: _Setting = None, memory_margin: _Setting = None,
        emit: _Setting = None, rl: _Setting = None, prompts: _Setting = None, generations: _Setting = None,
        response_length: _Setting = None, max_length: _Setting = None, prompt_length: _Setting = None,
        length_spread: _Setting = None, updates: _Setting = None, steps_off: _Setting = None,
        generators: _Setting = None, engine_tp: _Setting = None, engine_attention: _Setting = None,
        engine_precision: _Setting = None, max_sequences: _Setting = None, reference: _Setting = None,
        rl_steps: _Setting = None, configs: _Setting = None, output: _Setting = None, details: bool | None = None,
        wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def predict(job: _Name | None = None, cluster: _Name | None = None, *, accelerators: _Setting = None,
        replica_batch: _Setting = None, calibration: _Setting = None, sensitivity: bool | None = None,
        next_measurement: bool | None = None, measurement_of: _Setting = None, table: _Setting = None,
        same_loss: bool | None = None, release: _Setting = None, runs: _Setting = None, seed: _Setting = None,
        deadline: _Setting = None, budget: _Setting = None, energy: _Setting = None, carbon: _Setting = None,
        tokens: _Setting = None, samples: _Setting = None, batch: _Setting = None, batch_tokens: _Setting = None,
        critical_batch: _Setting = None, evaluate_every: _Setting = None, evaluate: _Setting = None,
        start_up: _Setting = None, grid: _Setting = None, prices: _Setting = None, stack: _Setting = None,
        overrun: _Setting = None, sequence_length: _Setting = None, lora_rank: _Setting = None,
        lora_targets: _Setting = None, freeze: _Setting = None, packed_length: _Setting = None,
        times: _Setting = None, plan: _Setting = None, micro_batch: _Setting = None, grad_accum: _Setting = None,
        tp: _Setting = None, cp: _Setting = None, pp: _Setting = None, chunks: _Setting = None, ep: _Setting = None,
        whole_experts: _Setting = None, expert_dispatch: _Setting = None, fp8_dispatch: _Setting = None,
        expert_overlap: _Setting = None, schedule: _Setting = None, stage_layers: _Setting = None,
        balanced_stages: _Setting = None, sequence_parallel: _Setting = None, tensor_overlap: _Setting = None,
        context_exchange: _Setting = None, recompute: _Setting = None, recompute_modules: _Setting = None,
        loss_chunks: _Setting = None, sharded: _Setting = None, shards_in_domain: _Setting = None,
        shard_ranks: _Setting = None, data_overlap: _Setting = None, parameter_overlap: _Setting = None,
        send_overlap: _Setting = None, optimizer: _Setting = None, offload_optimizer: _Setting = None,
        kept_parameters: _Setting = None, kept_gradients: _Setting = None, kept_master: _Setting = None,
        kept_moments: _Setting = None, compression: _Setting = None, cuda_graphs: _Setting = None,
        compile: _Setting = None, precision: _Setting = None, gradient_precision: _Setting = None,
        parameter_precision: _Setting = None, fp8_attention: _Setting = None,
        accelerators_per_domain: _Setting = None, sharp: _Setting = None, facility_factor: _Setting = None,
        price_term: _Setting = None, price: _Setting = None, failure_every: _Setting = None,
        preemption_every: _Setting = None, restart: _Setting = None, checkpoint_cost: _Setting = None,
        checkpoint_every: _Setting = None, checkpoint_storage: _Setting = None,
        checkpoint_node_bandwidth: _Setting = None, checkpoint_mode: _Setting = None,
        checkpoint_layout: _Setting = None, search: _Setting = None, memory_margin: _Setting = None,
        observed: _Setting = None, steps: _Setting = None, from_: _Setting = None, emit: _Setting = None,
        rl: _Setting = None, prompts: _Setting = None, generations: _Setting = None, response_length: _Setting = None,
        max_length: _Setting = None, prompt_length: _Setting = None, length_spread: _Setting = None,
        updates: _Setting = None, steps_off: _Setting = None, generators: _Setting = None, engine_tp: _Setting = None,
        engine_attention: _Setting = None, engine_precision: _Setting = None, max_sequences: _Setting = None,
        reference: _Setting = None, rl_steps: _Setting = None, configs: _Setting = None, output: _Setting = None,
        details: bool | None = None, wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def scale(job: _Name | None = None, cluster: _Name | None = None, *, accelerators: _Setting = None,
        replica_batch: _Setting = None, series: _Setting = None, accelerator: _Setting = None,
        published: _Setting = None, quotes: _Setting = None, gain: _Setting = None, cost_weight: _Setting = None,
        release: _Setting = None, calibration: _Setting = None, seed: _Setting = None, table: _Setting = None,
        tokens: _Setting = None, samples: _Setting = None, batch: _Setting = None, batch_tokens: _Setting = None,
        critical_batch: _Setting = None, evaluate_every: _Setting = None, evaluate: _Setting = None,
        start_up: _Setting = None, grid: _Setting = None, prices: _Setting = None, stack: _Setting = None,
        overrun: _Setting = None, sequence_length: _Setting = None, lora_rank: _Setting = None,
        lora_targets: _Setting = None, freeze: _Setting = None, packed_length: _Setting = None,
        times: _Setting = None, plan: _Setting = None, micro_batch: _Setting = None, grad_accum: _Setting = None,
        tp: _Setting = None, cp: _Setting = None, pp: _Setting = None, chunks: _Setting = None, ep: _Setting = None,
        whole_experts: _Setting = None, expert_dispatch: _Setting = None, fp8_dispatch: _Setting = None,
        expert_overlap: _Setting = None, schedule: _Setting = None, stage_layers: _Setting = None,
        balanced_stages: _Setting = None, sequence_parallel: _Setting = None, tensor_overlap: _Setting = None,
        context_exchange: _Setting = None, recompute: _Setting = None, recompute_modules: _Setting = None,
        loss_chunks: _Setting = None, sharded: _Setting = None, shards_in_domain: _Setting = None,
        shard_ranks: _Setting = None, data_overlap: _Setting = None, parameter_overlap: _Setting = None,
        send_overlap: _Setting = None, optimizer: _Setting = None, offload_optimizer: _Setting = None,
        kept_parameters: _Setting = None, kept_gradients: _Setting = None, kept_master: _Setting = None,
        kept_moments: _Setting = None, compression: _Setting = None, cuda_graphs: _Setting = None,
        compile: _Setting = None, precision: _Setting = None, gradient_precision: _Setting = None,
        parameter_precision: _Setting = None, fp8_attention: _Setting = None,
        accelerators_per_domain: _Setting = None, sharp: _Setting = None, facility_factor: _Setting = None,
        price_term: _Setting = None, price: _Setting = None, failure_every: _Setting = None,
        preemption_every: _Setting = None, restart: _Setting = None, checkpoint_cost: _Setting = None,
        checkpoint_every: _Setting = None, checkpoint_storage: _Setting = None,
        checkpoint_node_bandwidth: _Setting = None, checkpoint_mode: _Setting = None,
        checkpoint_layout: _Setting = None, configs: _Setting = None, output: _Setting = None,
        details: bool | None = None, wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def step(model: _Name | None = None, cluster: _Name | None = None, *, accelerators: _Setting = None,
        batch: _Setting = None, replica_batch: _Setting = None, calibration: _Setting = None, seed: _Setting = None,
        trace: _Setting = None, explain: _Setting = None, sequence_length: _Setting = None,
        lora_rank: _Setting = None, lora_targets: _Setting = None, freeze: _Setting = None,
        packed_length: _Setting = None, observed: _Setting = None, steps: _Setting = None,
        facility_factor: _Setting = None, mixed_with: _Setting = None, other_stages: _Setting = None,
        other_layers: _Setting = None, balance: _Setting = None, slow_node: _Setting = None,
        slow_link: _Setting = None, slow_stage: _Setting = None, times: _Setting = None, plan: _Setting = None,
        micro_batch: _Setting = None, grad_accum: _Setting = None, tp: _Setting = None, cp: _Setting = None,
        pp: _Setting = None, chunks: _Setting = None, ep: _Setting = None, whole_experts: _Setting = None,
        expert_dispatch: _Setting = None, fp8_dispatch: _Setting = None, expert_overlap: _Setting = None,
        schedule: _Setting = None, stage_layers: _Setting = None, balanced_stages: _Setting = None,
        sequence_parallel: _Setting = None, tensor_overlap: _Setting = None, context_exchange: _Setting = None,
        recompute: _Setting = None, recompute_modules: _Setting = None, loss_chunks: _Setting = None,
        sharded: _Setting = None, shards_in_domain: _Setting = None, shard_ranks: _Setting = None,
        data_overlap: _Setting = None, parameter_overlap: _Setting = None, send_overlap: _Setting = None,
        optimizer: _Setting = None, offload_optimizer: _Setting = None, kept_parameters: _Setting = None,
        kept_gradients: _Setting = None, kept_master: _Setting = None, kept_moments: _Setting = None,
        compression: _Setting = None, cuda_graphs: _Setting = None, compile: _Setting = None,
        precision: _Setting = None, gradient_precision: _Setting = None, parameter_precision: _Setting = None,
        fp8_attention: _Setting = None, accelerators_per_domain: _Setting = None, sharp: _Setting = None,
        from_: _Setting = None, emit: _Setting = None, stack: _Setting = None, cases: _Setting = None,
        leave_one_out: _Setting = None, check: _Setting = None, collectives: _Setting = None, record: _Setting = None,
        measured: _Setting = None, sensitivity: bool | None = None, next_measurement: bool | None = None,
        measurement_of: _Setting = None, table: _Setting = None, release: _Setting = None, runs: _Setting = None,
        grid: _Setting = None, prices: _Setting = None, price_term: _Setting = None, price: _Setting = None,
        failure_every: _Setting = None, preemption_every: _Setting = None, restart: _Setting = None,
        checkpoint_cost: _Setting = None, checkpoint_every: _Setting = None, configs: _Setting = None,
        output: _Setting = None, details: bool | None = None, wide: bool | None = None,
        quiet: bool | None = None) -> Answer: ...
def sweep(sweep: _Name | Mapping[str, Any], *, threads: _Setting = None, dry_run: bool | None = None,
        resume: bool | None = None, overrun: _Setting = None, configs: _Setting = None, output: _Setting = None,
        details: bool | None = None, wide: bool | None = None, quiet: bool | None = None) -> Answer: ...
def validate(what: _Name, files: _Name | Iterable[_Name] = (), *, cluster: _Setting = None, protocol: _Setting = None,
        against: _Setting = None, update: _Setting = None, why: _Setting = None, without: _Setting = None,
        configs: _Setting = None, output: _Setting = None, details: bool | None = None, wide: bool | None = None,
        quiet: bool | None = None) -> Answer: ...
