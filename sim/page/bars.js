// What makes up a step, a rank's memory and an accelerator's peak: a bar a scenario, and its numbers below.

// Colours of parts; what is one thing keeps its colour in every card.
const part_colours = {
  compute: "#5b83b0", launch: "#a9c1dd", tensor: "#c27b12", context: "#e0b05c", expert: "#8a5a00", pipeline: "#12808f", gradients: "#3f9a5f",
  bubble: "#b3261e", imbalance: "#e08a84", optimizer: "#8a5fd0", useful: "var(--ink)", lost: "#59616b",
};
const parts = [
  ["compute_s", "compute", part_colours.compute], ["launch_s", "launches", part_colours.launch], ["tensor_s", "tensor parallel", part_colours.tensor],
  ["context_s", "context parallel", part_colours.context], ["expert_s", "experts", part_colours.expert], ["pipeline_s", "pipeline sends", part_colours.pipeline],
  ["data_s", "gradients and shards", part_colours.gradients], ["bubble_s", "pipeline bubble", part_colours.bubble], ["imbalance_s", "waiting for slower ranks", part_colours.imbalance],
  ["optimizer_s", "optimizer", part_colours.optimizer],
];
const memory_parts = [
  ["memory_parameters_gb", "parameters", "#7d8a1c"], ["memory_gradients_gb", "gradients", part_colours.gradients], ["memory_optimizer_gb", "optimizer", part_colours.optimizer],
  ["memory_activations_gb", "activations", "#c2508f"], ["memory_logits_gb", "logits", "#e6a3c4"], ["memory_gathered_gb", "gathered", "#63c1cc"],
  ["memory_workspace_gb", "workspace", "#59616b"], ["memory_communicators_gb", "communicators", "#9da6b0"],
  ["memory_context_gb", "context of the device", "#c5cbd1"], ["memory_fragmentation_gb", "fragmentation", "#a58468"],
];

/** A bar of the chosen size of each scenario; `entries`: row -> [value, words, colour, basis]. */
function bars(series, entries, { text, mark, isShareOnly }) {
  const known = series.filter(({ row }) => row);
  if (!known.length) return element("p", { class: "muted" }, "Nothing to draw yet.");
  const all = known.map(({ row }) => entries(row).filter(([value]) => isNumber(value) && value > 0));
  const sums = all.map((each) => each.reduce((sum, [value]) => sum + value, 0));
  const marks = known.map(({ row }, i) => all[i].length ? mark?.(row) : null);
  const most = Math.max(...sums, ...marks.map((each) => each?.[0] ?? 0));
  const width = 460, bar = 26, gap = 24;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${known.length * (bar + gap)}`, role: "img", "aria-label": "bars of the parts in the table below" });
  known.forEach(({ letter, colour }, i) => {
    let at = 0;
    const top = i * (bar + gap) + 18;
    const words = all[i].length ? `${text(sums[i])}${marks[i] ? ` of ${marks[i][1]}` : ""}` : "not known of measured steps";
    drawn.append(svg("text", { x: 0, y: top - 5, style: known.length > 1 ? `fill:${colour}` : "" }, `${known.length > 1 ? `${letter}: ` : ""}${words}`));
    for (const [value, part, fill, basis] of all[i]) {
      const wide = (width * value) / most;
      drawn.append(named(svg("rect", { x: at, y: top, width: Math.max(wide - 0.6, 0.4), height: bar, fill }), `${part}: ${text(value)}, ${percent(value / sums[i])}${basis ? `; ${basis}` : ""}`));
      at += wide;
    }
    if (marks[i]) drawn.append(svg("line", { x1: (width * marks[i][0]) / most, x2: (width * marks[i][0]) / most, y1: top - 3, y2: top + bar + 3, stroke: "var(--bad)", "stroke-width": 2 }));
  });
  const seen = new Map(all.flat().map(([, part, fill]) => [part, fill]));
  const cell = (i, part) => {
    const [value, , , basis] = all[i].find((each) => each[1] === part) ?? [];
    if (!isNumber(value)) return "";
    const share = percent(value / sums[i]), is_short = isShareOnly || known.length > 1;
    const hint = [...(is_short && !isShareOnly ? [text(value)] : []), ...(basis ? [basis] : [])].join("; ");
    const made = element("span", {}, is_short ? share : `${text(value)}, ${share}`);
    return hint ? named(made, hint) : made;
  };
  return element("div", {}, drawn, ...(seen.size ? [tableOf(["part", ...known.map(({ letter }) => known.length > 1 ? letter : "share")],
    [...seen].map(([part, fill]) => [element("span", {}, swatch(fill), part), ...known.map((_, i) => cell(i, part))]))] : []));
}

const stepChart = (series) => bars(series, (row) => parts.map(([name, words, fill]) => [row[name], words, fill, row[`${name}_basis`]]), { text: seconds });

/** GB that an accelerator has; undefined where it is not known. */
const memoryOf = ({ memory_of_accelerator_gb: whole, memory_gb: used, memory_free_gb: free }) => whole ?? (isNumber(free) ? used + free : undefined);
const memoryChart = (series) => bars(series, (row) => memory_parts.map(([name, words, fill]) => [row[name], words, fill]),
  { text: inUnit("GB"), mark: (row) => memoryOf(row) ? [memoryOf(row), inUnit("GB")(memoryOf(row))] : null });

/** An accelerator's time at its peak, and what takes the rest: shares that sum to 100 %. */
function losses(row) {
  if (!isNumber(row.mfu) || !isNumber(row.step_s)) return [];
  const useful = row.mfu * row.step_s, run = isNumber(row.goodput) && row.goodput > 0 ? row.goodput : 1;
  const share = (seconds) => (run * seconds) / row.step_s;
  return [
    [share(useful), "useful FLOPs (MFU)", part_colours.useful],
    [share(Math.max(0, row.compute_s - useful)), "kernels below the peak, recompute", part_colours.compute],
    ...parts.slice(1).map(([name, words, fill]) => [share(row[name] ?? 0), words, fill, row[`${name}_basis`]]),
    [1 - run, "interruptions, evaluation, start-up", part_colours.lost],
  ];
}
/** `A, B: words` for those that say the same, without letters where all do. */
function alikeWords(series, wordsOf) {
  const said = new Map();
  for (const { letter, row } of series) if (row && wordsOf(row)) said.set(wordsOf(row), [...said.get(wordsOf(row)) ?? [], letter]);
  return [...said].map(([words, letters]) => letters.length === series.length ? words : `${letters.join(", ")}: ${words}`);
}
const lossChart = (series) => element("div", {}, bars(series, losses, { text: percent, isShareOnly: true }),
  ...alikeWords(series, ({ batch_price: share }) => isNumber(share) && share > 0.005 ? `The large batch costs ${percent(share)} more samples (batch penalty).` : "")
    .map((words) => element("p", { class: "muted" }, words)));
