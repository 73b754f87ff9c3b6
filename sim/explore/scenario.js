// A scenario: what is asked, as controls have it, as a question, as a command line and as a link.

const offers = JSON.parse(document.getElementById("offers").textContent);
const start = JSON.parse(document.getElementById("start").textContent);
const most_scenarios = 4;
const colours = ["a", "b", "c", "d"].map((letter) => `var(--scenario-${letter})`);

const letterOf = (i) => String.fromCharCode(65 + i);
const named_in = (list, name) => offers[list].find((each) => each.name === name);
/** Models and runs are simulated from dimensions; workloads rest on measured runs. A file is known by its keys. */
const kindOf = (scenario) =>
  scenario.file ? (/^phases:/m.test(scenario.file.text) ? "run" : /^sample:/m.test(scenario.file.text) ? "workload" : "model")
    : named_in("runs", scenario.job) ? "run" : named_in("models", scenario.job) ? "model"
      : named_in("workloads", scenario.job) ? "workload" : "model";

const scenario_defaults = {
  job: "llama3-70b", cluster: "dgx-h100", size: 512, tokens: "2T", stack: "unknown", price: null, network: 0,
  stated: false, plan: {}, switches: {}, more: {}, file: null,
};

/** `column`: of an answer, what was taken where a field is left open. */
const plan_fields = [
  { name: "tp", title: "Tensor", values: ["1", "2", "4", "8", "16"], column: "tensor_parallel" },
  { name: "pp", title: "Pipeline", values: ["1", "2", "4", "8", "16", "32"], column: "pipeline_parallel" },
  { name: "cp", title: "Context", values: ["1", "2", "4", "8"], column: "context_parallel" },
  { name: "ep", title: "Experts", values: ["1", "2", "4", "8", "16", "32", "64"] },
  { name: "chunks", title: "Chunks", values: ["1", "2", "4", "5", "8"] },
  { name: "micro-batch", title: "Micro-batch", values: ["1", "2", "4", "8", "16"], column: "micro_batch" },
  { name: "recompute", title: "Recompute", values: ["none", "selective", "full"] },
  { name: "sharded", title: "Sharded", values: ["nothing", "optimizer", "gradients", "parameters"] },
];
/** `simulated`: applies to what is simulated from dimensions alone. */
const switch_fields = [
  { name: "precision", title: "Precision", values: ["bf16", "fp8", "fp4", "fp16"], column: "precision" },
  { name: "data-overlap", title: "Gradient overlap", values: ["on", "off"], simulated: true },
  { name: "tensor-overlap", title: "Tensor overlap", values: ["on", "off"], simulated: true },
  { name: "compression", title: "Compression", values: ["none", "int8", "top-k", "power-sgd"], simulated: true },
  { name: "failure-every", title: "Chip fails every", values: ["10000h", "25000h", "100000h", "1000000h"] },
  { name: "overrun", title: "Run overrun", values: ["published", "none"], simulated: true },
];
const network_words = { "-2": "a quarter", "-1": "half", 0: "as it is", 1: "twice", 2: "four times" };

/** A name without a path, which is a word of a command line. */
const fileName = (name) => name.replace(/^\.|[^\w.-]/g, "_");

/** The word of a command line that names the job. */
const jobOf = (scenario) => scenario.file ? scenario.file.name : scenario.job;

/** The job in words: a configuration of a model is known by what it says of itself. */
function nameOf({ file, job }) {
  if (!file) return job;
  if (file.title === undefined) {
    let config = {};
    try { config = JSON.parse(file.text); } catch { /* YAML has its file's name */ }
    const title = config._name_or_path?.split("/").pop() || config.architectures?.[0]?.replace(/For[A-Z]\w*$|LMHeadModel$/, "") || "";
    file.title = title && config.num_hidden_layers ? `${title} of ${config.num_hidden_layers} layers (${file.name})` : file.name;
  }
  return file.title;
}

/** What tells a scenario from the others beside its job and cluster, in words; what is left as it is has none. */
function differenceWords(scenario) {
  const settings = (each) => ({ ...(each.stated ? each.plan : {}), ...each.switches, ...each.more });
  const fields = [
    [({ size }) => size, ({ size }) => `on ${size}`], [({ tokens }) => tokens, ({ tokens }) => `${tokens || "no"} tokens`],
    [({ stack }) => stack, ({ stack }) => stack === "unknown" ? "" : stack], [({ price }) => price, ({ price }) => price === null ? "" : `$${price} an hour`],
    [({ network }) => network, ({ network }) => network === 0 ? "" : `${network_words[network]} the network`],
    ...[...new Set(state.scenarios.flatMap((each) => Object.keys(settings(each))))].map((name) => {
      const of = (each) => settings(each)[name] || "";
      return [of, (each) => of(each) && `${name} ${of(each)}`];
    }),
  ];
  return fields.filter(([of]) => new Set(state.scenarios.map(of)).size > 1).map(([, words]) => words(scenario)).filter(Boolean).join(", ");
}

const per_node = (scenario) => named_in("clusters", scenario.cluster)?.accelerators_per_node ?? 8;
/** One node and its doublings, up to 16,384 accelerators. */
function sizesOf(scenario) {
  const sizes = [];
  for (let size = per_node(scenario); size <= 16384; size *= 2) sizes.push(size);
  return sizes;
}

/** Those, and the one that is chosen. */
const allSizes = (scenario) => [...new Set([scenario.size, ...sizesOf(scenario)])];

function optionsOf(scenario) {
  const options = {}, kind = kindOf(scenario), is_simulated = kind !== "workload";
  if (kind === "model" && scenario.tokens) options.tokens = scenario.tokens;
  if (is_simulated && scenario.stack !== "unknown") options.stack = scenario.stack;
  if (scenario.price !== null) options.price = scenario.price;
  if (scenario.network) options.times = [`network.nic_bandwidth=${2 ** scenario.network}`];
  if (is_simulated && scenario.stated) for (const [name, value] of Object.entries(scenario.plan)) if (value) options[name] = value;
  for (const { name, simulated } of switch_fields) if (scenario.switches[name] && (is_simulated || !simulated)) options[name] = scenario.switches[name];
  // Without it twice the network could choose a batch that trains longer for the same tokens.
  if (kind === "model" && scenario.tokens) options["same-loss"] = true;
  if (kind !== "model" || scenario.tokens) {
    if (Number(state.deadline) > 0) options.deadline = `${state.deadline}d`;
    if (Number(state.budget) > 0) options.budget = state.budget;
  }
  for (const [name, value] of Object.entries(scenario.more)) if (value !== "") options[name] = value;
  return options;
}

/** The question of a scenario at some sizes; `sizes` empty: of any. */
function questionOf(scenario, sizes) {
  return {
    command: "predict", arguments: [jobOf(scenario), scenario.cluster], options: { accelerators: String(sizes), ...optionsOf(scenario) },
    ...(scenario.file ? { files: { [scenario.file.name]: scenario.file.text } } : {}),
  };
}

const shell = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
function commandOf(scenario) {
  const { arguments: [, cluster], options } = questionOf(scenario, scenario.size);
  // Whoever runs the line says where the file is: one of the same name may lie in their folder.
  const words = [scenario.file ? scenario.file.path ?? `path/to/${scenario.file.name}` : scenario.job, cluster];
  const said = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [value].flat().map((each) => `--${name} ${shell(String(each))}`));
  return ["tofn predict", ...words.map(shell), ...said].join(" ").replace("--accelerators", "-N");
}

// The state of the page: scenarios, which of them is edited, and what the charts show.
const state = { scenarios: [{ ...structuredClone(scenario_defaults) }], current: 0, metric: "days", deadline: "", budget: "" };
const current = () => state.scenarios[state.current];

/** A file whose text is in no link: its name alone would be another file's, or another model's. */
const fileWithoutLink = () => state.scenarios.find(({ file }) => file && !file.packed)?.file ?? null;

/** Only what differs from the defaults, so that links stay short; a file as it was packed. */
function linkOf() {
  const slim = ({ file, ...scenario }) => ({
    ...Object.fromEntries(Object.entries(scenario).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(scenario_defaults[name]))),
    ...(file ? { job: file.name, ...(file.packed ? { file: { name: file.name, packed: file.packed } } : {}) } : {}),
  });
  const { current: shown, metric, deadline, budget } = state;
  return "#" + encodeURIComponent(JSON.stringify({ s: state.scenarios.map(slim), current: shown, metric, deadline, budget }));
}

/** A file as a link has it; null where its text is not whole, so that its name is asked for and refused. */
async function fileOf({ name, packed: words }) {
  try {
    return { name: fileName(name), text: await unpacked(words), packed: words };
  } catch {
    return null;
  }
}

async function readLink(hash) {
  try {
    const { s, current: shown, metric, deadline, budget } = JSON.parse(decodeURIComponent(hash.slice(1)));
    if (!Array.isArray(s) || !s.length) return false;
    state.scenarios = await Promise.all(s.slice(0, most_scenarios).map(async (each) =>
      ({ ...structuredClone(scenario_defaults), ...each, file: each.file ? await fileOf(each.file) : null })));
    state.current = Math.min(Math.max(0, Number(shown) || 0), state.scenarios.length - 1);
    state.metric = metrics.some((each) => each.name === metric) ? metric : "days";
    [state.deadline, state.budget] = [deadline ?? "", budget ?? ""];
    return true;
  } catch {
    return false; // not a link of ours
  }
}

async function begin() {
  if (location.hash.length > 1 && await readLink(location.hash)) return;
  const scenario = current();
  if (start.file) scenario.file = { ...start.file, packed: await packed(start.file.text) };
  else if (start.job) scenario.job = start.job;
  if (start.cluster) scenario.cluster = start.cluster;
  if (start.tokens) scenario.tokens = start.tokens;
  if (Number(start.accelerators) > 0) scenario.size = Number(start.accelerators);
}
