#!/bin/bash
#SBATCH --nodes=2
TP=${TP:-4}
GBS=$(( ${TP} * 8 ))
if [[ $TP -gt 2 ]]; then A=1; elif [ -z "$X" ]; then A=2; else exit 1; fi
case "$A" in 1) B="x y" ;; *) B= ;; esac
for i in 1 2; do C=$i; done
f() { D=`date`; }
f || true
OPTIONS=( --tensor $TP "--name=$B" )
OPTIONS+=(--late '$5')
cat <<EOT > ds.json
{"train_batch_size": $GBS, "zero": {"stage": 3}}
EOT
srun torchrun --nproc_per_node=8 train.py "${OPTIONS[@]}" --deepspeed_config ds.json k=v $D 2>&1 | tee log
