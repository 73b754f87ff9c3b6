#!/bin/bash
# Llama 3 8B on two nodes, as Megatron-LM takes it.
NODES=2
GPUS_PER_NODE=8
MODEL=(
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32
  --group-query-attention --num-query-groups 8 --kv-channels 128 --swiglu
  --normalization RMSNorm --position-embedding-type rope --max-position-embeddings 8192
  --disable-bias-linear --untie-embeddings-and-output-weights --vocab-size 128256
)
PLAN=(
  --tensor-model-parallel-size 2 --sequence-parallel --use-distributed-optimizer
  --overlap-grad-reduce --overlap-param-gather --bf16
)
torchrun --nnodes $NODES --nproc_per_node $GPUS_PER_NODE pretrain_gpt.py \
  "${MODEL[@]}" "${PLAN[@]}" --seq-length 8192 --micro-batch-size 1 --global-batch-size 128 \
  --train-iters 100000 --lr 3e-4 --spike-guard 3
