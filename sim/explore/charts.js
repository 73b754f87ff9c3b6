// What the answers look like. Each takes rows of `predict` and gives an element.

/** T(N) of each scenario with its 90 % band, published points beside it. */
function curveChart(series, metric, limit, published, isNarrow) {
  const width = isNarrow ? 420 : 1000, height = isNarrow ? 300 : 340, left = 56, right = 22, top = 30, bottom = 40;
  const points = series.flatMap(({ rows }) => rows).filter((row) => isNumber(usual(row, metric.name)));
  if (!points.length) return element("p", { class: "muted" }, "Nothing to draw yet.");
  const values = points.flatMap((row) => [usual(row, metric.name), row[`${metric.name}_low90`]]).filter(isNumber);
  // An end without bound, or far off, must not flatten the rest.
  const tops = points.map((row) => row[`${metric.name}_high90`]).filter(isNumber).map((each) => Math.min(each, 20 * Math.max(...values)));
  const sizes = points.map((row) => row.accelerators);
  const extent = [...values, ...tops, ...(limit ? [limit] : []), ...published.map((each) => each.value)].filter((each) => metric.linear || each > 0);
  const [low, high] = metric.linear ? [0, Math.max(...extent) * 1.05] : [Math.min(...extent) / 1.15, Math.max(...extent) * 1.15];
  const [first, last] = [Math.min(...sizes), Math.max(...sizes, 2 * Math.min(...sizes))];
  const log = Math.log2;
  const x = (n) => left + (width - left - right) * (log(n / first) / log(last / first));
  const share = (v) => metric.linear ? v / high : Math.log(v / low) / Math.log(high / low);
  const y = (v) => height - bottom - (height - top - bottom) * Math.min(1.02, Math.max(0, share(v)));
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${metric.title} against the number of accelerators` });
  const [unit, length] = metric.unit?.(high) ?? ["", 1];
  drawn.append(svg("text", { x: 0, y: 13, class: "muted" }, [metric.title, unit].filter(Boolean).join(", ")));
  for (const tick of ticksOf(low / length, high / length, metric.linear))
    drawn.append(svg("line", { x1: left, x2: width - right, y1: y(tick * length), y2: y(tick * length), class: "axis" }),
      svg("text", { x: left - 6, y: y(tick * length) + 4, "text-anchor": "end", class: "muted" }, short(tick)));
  for (let n = first; n <= last; n *= isNarrow && last / first > 64 ? 4 : 2)
    drawn.append(svg("text", { x: x(n), y: height - bottom + 18, "text-anchor": "middle", class: "muted" }, String(n)));
  drawn.append(svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle", class: "muted" }, "accelerators"));
  if (limit) drawn.append(svg("line", { x1: left, x2: width - right, y1: y(limit), y2: y(limit), stroke: "var(--bad)", "stroke-dasharray": "6 4" }),
    svg("text", { x: width - right, y: y(limit) - 5, "text-anchor": "end", style: "fill:var(--bad)" }, `limit ${metric.text(limit)}`));
  for (const { rows, colour, name, size } of series) {
    const known = rows.filter((row) => isNumber(usual(row, metric.name)));
    const end = (row, which) => isNumber(row[`${metric.name}_${which}`]) ? row[`${metric.name}_${which}`] : which === "low90" ? usual(row, metric.name) : high;
    const line = (of) => known.map((row) => `${x(row.accelerators).toFixed(1)},${y(of(row)).toFixed(1)}`);
    const band = [...line((row) => end(row, "low90")), ...line((row) => end(row, "high90")).reverse()];
    drawn.append(svg("polygon", { points: band.join(" "), fill: colour, opacity: 0.13 }),
      svg("polyline", { points: line((row) => usual(row, metric.name)).join(" "), fill: "none", stroke: colour, "stroke-width": 2 }));
    for (const row of known) {
      const words = `${name}, ${row.accelerators}: ${metric.text(usual(row, metric.name))}, 90 % ${metric.text(end(row, "low90"))} to ${isNumber(row[`${metric.name}_high90`]) ? metric.text(row[`${metric.name}_high90`]) : "no end"}; ${row[`${metric.name}_basis`] ?? ""}${row.fits ? "" : "; does not fit the memory"}`;
      drawn.append(named(svg("circle", { cx: x(row.accelerators), cy: y(usual(row, metric.name)), r: row.accelerators === size ? 6 : 3.5, fill: row.fits ? colour : "var(--card)", stroke: colour, "stroke-width": 1.6 }), words));
    }
  }
  for (const each of published)
    if (each.accelerators >= first && each.accelerators <= last)
      drawn.append(named(svg("path", { d: `M${x(each.accelerators)} ${y(each.value) - 5}l4 5l-4 5l-4 -5z`, fill: "none", stroke: "var(--ink)" }), each.words));
  return element("div", {}, drawn, key([...series.map(({ colour, name }) => [colour, name]),
    ...(published.length ? [["var(--ink)", "published (diamonds)"]] : [])]));
}

const parts = [
  ["compute_s", "compute", "#2766a8"], ["launch_s", "launches", "#7ea6d2"], ["tensor_s", "tensor parallel", "#b26a00"],
  ["context_s", "context parallel", "#d99a3d"], ["expert_s", "experts", "#8a5a00"], ["pipeline_s", "pipeline sends", "#1b7f3b"],
  ["data_s", "gradients and shards", "#5aa36f"], ["bubble_s", "pipeline bubble", "#b3261e"], ["imbalance_s", "waiting for slower ranks", "#d97a73"],
  ["optimizer_s", "optimizer", "#8a3ffc"],
];
const memory_parts = [
  ["memory_parameters_gb", "parameters", "#2766a8"], ["memory_gradients_gb", "gradients", "#1b7f3b"], ["memory_optimizer_gb", "optimizer", "#8a3ffc"],
  ["memory_activations_gb", "activations", "#b26a00"], ["memory_logits_gb", "logits", "#d99a3d"], ["memory_gathered_gb", "gathered", "#7ea6d2"],
  ["memory_workspace_gb", "workspace", "#59616b"], ["memory_communicators_gb", "communicators", "#9da6b0"],
  ["memory_context_gb", "context of the device", "#c5cbd1"], ["memory_fragmentation_gb", "fragmentation", "#d97a73"],
];

/** A bar a row of the scenario's chosen size; `entries`: row -> [value, words, colour, basis]. */
function bars(series, entries, text, mark) {
  const rows = series.map((each) => ({ ...each, row: each.rows.find((row) => row.accelerators === each.size) })).filter((each) => each.row);
  if (!rows.length) return element("p", { class: "muted" }, "Nothing to draw yet.");
  const all = rows.map(({ row }) => entries(row).filter(([value]) => isNumber(value) && value > 0));
  const most = Math.max(...all.map((each) => each.reduce((sum, [value]) => sum + value, 0)), ...rows.map(({ row }) => mark?.(row)?.[0] ?? 0));
  const width = 460, bar = 30, gap = 26;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${rows.length * (bar + gap)}`, role: "img", "aria-label": "bars of parts, named below" });
  rows.forEach(({ row, name, colour }, i) => {
    let at = 0;
    const top = i * (bar + gap) + 18;
    const sum = all[i].reduce((total, [value]) => total + value, 0), limit = all[i].length ? mark?.(row) : null;
    const words = all[i].length ? `${text(sum)}${limit ? ` of ${limit[1]}` : ""}` : "not known of measured steps";
    drawn.append(svg("text", { x: 0, y: top - 5, style: rows.length > 1 ? `fill:${colour}` : "" }, `${name}: ${words}`));
    for (const [value, words, fill, basis] of all[i]) {
      const wide = (width * value) / most;
      drawn.append(named(svg("rect", { x: at, y: top, width: Math.max(wide - 0.6, 0.4), height: bar, fill }), `${words}: ${text(value)}, ${round((100 * value) / sum, 3)} %${basis ? `; ${basis}` : ""}`));
      if (basis) drawn.append(svg("rect", { x: at, y: top + bar, width: Math.max(wide - 0.6, 0.4), height: 3, fill: bases[basis] ?? "transparent" }));
      at += wide;
    }
    if (limit) drawn.append(svg("line", { x1: (width * limit[0]) / most, x2: (width * limit[0]) / most, y1: top - 3, y2: top + bar + 3, stroke: "var(--bad)", "stroke-width": 2 }));
  });
  const seen = new Map(all.flat().map(([, words, fill]) => [words, fill]));
  return element("div", {}, drawn, key([...seen].map(([words, fill]) => [fill, words])));
}

const stepChart = (series) => bars(series, (row) => parts.map(([name, words, fill]) => [row[name], words, fill, row[`${name}_basis`]]), (value) => `${short(value)} s`);

const memoryChart = (series) => bars(series, (row) => memory_parts.map(([name, words, fill]) => [row[name], words, fill]), (value) => `${short(value)} GB`,
  (row) => { const chip = named_in("accelerators", row.accelerator)?.memory_gb; return chip ? [chip, `${chip} GB`] : null; });

/** An accelerator's time at its peak, and what eats the rest: shares that sum to 100 %. */
function losses(row) {
  if (!isNumber(row.mfu) || !isNumber(row.step_s)) return [];
  const useful = row.mfu * row.step_s, run = isNumber(row.goodput) && row.goodput > 0 ? row.goodput : 1;
  const share = (seconds) => (100 * run * seconds) / row.step_s;
  return [
    [share(useful), "useful FLOPs at the chip's peak", "#1b7f3b"],
    [share(Math.max(0, row.compute_s - useful)), "software and chip: kernels below the peak, recompute", "#2766a8"],
    ...parts.slice(1).map(([name, words, fill]) => [share(row[name] ?? 0), words, fill, row[`${name}_basis`]]),
    [100 * (1 - run), "interruptions, evaluation, start-up", "#59616b"],
  ];
}
const lossChart = (series) => element("div", {}, bars(series, losses, (value) => `${round(value, 3)} %`),
  ...series.map(({ rows, size, name }) => rows.find((row) => row.accelerators === size && isNumber(row.batch_price) && row.batch_price > 0.005) && [name, rows.find((row) => row.accelerators === size)]).filter(Boolean)
    .map(([name, row]) => element("p", { class: "muted" }, `${name}: statistics take ${round(100 * row.batch_price, 3)} % of the samples besides (price of the batch).`)));

const shown_figures = ["days", "time_to_train_min", "cost_usd", "energy_kwh", "co2_t", "step_s", "samples_per_s", "tokens_per_s", "mfu", "goodput", "accelerator_hours", "memory_gb", "batch_price", "chance"];

function figuresTable(series) {
  const row_of = ({ rows, size }) => rows.find((row) => row.accelerators === size);
  const known = series.filter(row_of);
  if (!known.length) return element("p", { class: "muted" }, "Nothing to show yet.");
  const meaning = Object.fromEntries(offers.figures.map((each) => [each.figure, each.meaning]));
  const body = element("tbody", {}, ...shown_figures.filter((name) => known.some((each) => isNumber(row_of(each)[name]))).map((name) =>
    element("tr", {}, element("th", { scope: "row", title: meaning[name] ?? "" }, name), ...known.flatMap((each) => {
      const row = row_of(each), basis = row[`${name}_basis`];
      return [element("td", {}, short(row[name], 4)), element("td", {}, isNumber(row[`${name}_as_runs_went`]) ? short(row[`${name}_as_runs_went`], 4) : ""), element("td", { class: "muted" }, isNumber(row[`${name}_low90`]) ? `${short(row[`${name}_low90`])} - ${short(row[`${name}_high90`])}` : ""),
        element("td", { style: `color:${bases[basis] ?? "inherit"}` }, basis ?? "")];
    }))));
  const head = element("tr", {}, element("th", { scope: "col" }, "figure"), ...known.flatMap(({ letter }) =>
    [element("th", { scope: "col" }, known.length > 1 ? letter : "value"), element("th", { scope: "col", title: "the middle of the draws, with the overrun of published runs" }, "as runs went"), element("th", { scope: "col" }, "90 % interval"), element("th", { scope: "col" }, "basis")]));
  return element("div", { class: "scroll", tabindex: 0 }, element("table", {}, element("thead", {}, head), body));
}
