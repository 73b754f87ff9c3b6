"""Questions of every kind, drawn by a seed: (command, arguments, options in Python's words)."""

WORKLOADS = ("bert", "gpt3", "llama2_70b_lora", "llama31_405b", "llama31_8b", "retinanet", "stable_diffusion")
MODELS = ("bert-large-128", "bloom-176b", "deepseek-v3", "gpt3-175b", "llama2-13b", "llama2-70b-lora", "llama3-70b",
          "llama3-8b", "megatron-22b", "mixtral-8x7b", "resnet-50", "stable-diffusion-v2")
CLUSTERS = ("dgx-h100", "dgx-a100", "dgx-b200", "gb200-nvl72", "hgx-h200", "aws-p5", "perlmutter", "frontier", "mi300x",
            "tpu-v5p", "alps-gh200", "gcp-a3-mega")
MEASURED = ("dgx-h100", "hgx-h200", "dgx-b200", "gb200-nvl72", "dgx-a100")
# Whose scaling is soon answered.
SMALL = ("bert", "retinanet", "llama2_70b_lora")
IMAGES = ("resnet-50", "stable-diffusion-v2")
RUNS = ("bloom-176b-training", "deepseek-v3-pretraining", "llama3-405b-pretraining")
STACKS = ("unknown", "megatron", "torchtitan", "jax", "composer")
SIZES = (8, 16, 64, 128, 512, 1024, 2048)
SWEEPS = ("accelerator-generations", "flat-or-hierarchical", "gradient-compression", "network-speed",
          "nvlink-or-infiniband", "one-to-32-gpus", "per-gpu-batch", "best-plan-by-size")


class Drawer:
    """Draws questions; `random` is a random.Random."""

    def __init__(self, random):
        self.random = random

    def of(self, *choices):
        return self.random.choice(choices)

    def some(self, **options):
        """Each option with a chance of three in ten."""
        return {name: value for name, value in options.items() if self.random.random() < 0.3}

    def predict_workload(self):
        return ("predict", [self.of(*WORKLOADS), self.of(*MEASURED)],
                {"accelerators": self.of(*SIZES, [8, 64]),
                 **self.some(seed=self.random.randint(2, 9), release="24.04", sharp=True, sensitivity=True,
                             precision="bf16", price=2.75)})

    def predict_model(self):
        model = self.of(*MODELS)
        amount = {"samples": "5M"} if model in IMAGES else self.of({"tokens": "1T"}, {"tokens": 2e11}, {"samples": "5M"})
        return ("predict", [model, self.of(*CLUSTERS)],
                {"accelerators": self.of(*SIZES), **amount,
                 **self.some(tp=4, pp=2, stack=self.of(*STACKS), sensitivity=True, price=2.5, batch=1024,
                             sequence_parallel=self.of(True, False))})

    def predict_run(self):
        return "predict", [self.of(*RUNS), self.of(*CLUSTERS)], {"accelerators": self.of(384, 1024, 2048)}

    def scale(self):
        table = self.some(table=self.of("laws", "knees", "left-out"))
        if self.random.random() < 0.5:
            return "scale", [self.of(*SMALL), self.of(*MEASURED)], {"accelerators": "8..64", **table}
        return ("scale", [self.of("llama3-8b", "llama2-13b", "megatron-22b"), self.of(*CLUSTERS)],
                {"accelerators": range(16, 49, 16), "tokens": "500B", **table})

    def step(self):
        if self.random.random() < 0.2:
            return "step", [self.of(*WORKLOADS), self.of(*MEASURED)], {"accelerators": self.of(*SIZES)}
        return ("step", [self.of(*MODELS), self.of(*CLUSTERS)],
                {"accelerators": self.of(*SIZES), "batch": self.of(512, 1024, 2048),
                 **self.some(tp=self.of(2, 4, 8), pp=self.of(2, 4), schedule=self.of("1f1b", "gpipe", "zero-bubble"),
                             recompute="full", sharded=self.of("parameters", "optimizer"), stack=self.of(*STACKS))})

    def plan(self):
        return ("plan", [self.of("llama3-8b", "llama2-13b", "bert-large-128"), self.of("dgx-h100", "hgx-h200", "dgx-a100")],
                {"accelerators": self.of(8, 16), "tokens": "10B",
                 **self.some(deadline="30d", by="time", budget=100000, confidence=0.5)})

    def collective(self):
        return ("collective", [], {"cluster": self.of(*CLUSTERS), "ranks": self.of(2, 8, 16, 64, 256),
                                   "size": self.of("8B", "25MiB", "1GiB"),
                                   **self.some(collective=self.of("all-gather", "all-to-all", "broadcast"), alone=True)})

    def sweep(self):
        return "sweep", [self.of(*SWEEPS)], self.some(threads=1)

    def compare(self):
        return ("compare", [], self.some(accelerators=self.of("H100", "H200", "A100"), workloads=self.of(*WORKLOADS),
                                         calibrate=self.of("other-submitters", "none"), seed=3))

    def list(self):
        return "list", [self.of("clusters", "models", "figures", "plans", "stacks", "calibrations", "baselines")], {}

    def validate(self):
        return "validate", [self.of("energy", "runs", "published")], {}

    def mistake(self):
        return self.of(("predict", ["bert", "dgx-h10"], {}),
                       ("predict", ["llama3-8b", "dgx-h100"], {"accelerators": "8..", "tokens": "1T"}),
                       ("step", ["llama3-8b", "dgx-h100"], {"batch": "many"}),
                       ("plan", ["llama3-8b", "dgx-h100"], {"tokens": "1T", "deadline": "soon"}),
                       ("collective", [], {"cluster": "dgx-h100", "ranks": 8, "size": "25"}),
                       ("sweep", ["no-such-sweep"], {}), ("list", ["clustres"], {}), ("predikt", [], {}),
                       ("step", ["llama3-8b", "dgx-h100"], {"accelerators": 64, "batch": 64, "tp": 3}),
                       ("compare", [], {"seed": -1}), ("validate", ["nothing"], {}))

    def questions(self, count):
        """Each kind in turn."""
        kinds = (self.predict_workload, self.step, self.predict_model, self.scale, self.collective, self.predict_run,
                 self.list, self.plan, self.mistake, self.sweep, self.compare, self.validate)
        return [kinds[index % len(kinds)]() for index in range(count)]
