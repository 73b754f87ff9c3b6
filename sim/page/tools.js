// What the charts share: rows, colours, axes, error bars, tooltips.

const tofn = { charts: {} };

tofn.tables = JSON.parse(document.getElementById("data").textContent);

/** Rows of a table as objects by column. */
tofn.rowsOf = (table) =>
  table.rows.map((cells) => Object.fromEntries(table.columns.map((name, i) => [name, cells[i]])));

tofn.workloadOf = (row) => row.benchmark ?? row.workload ?? row.model ?? null;
tofn.isNumber = (value) => typeof value === "number" && Number.isFinite(value);
tofn.unique = (values) => [...new Set(values)];

tofn.groupBy = (rows, keyOf) => {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return groups;
};

tofn.median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** `3,472`, `0.119`, `1.2e+10`: four digits. */
tofn.text = (value) => {
  if (!tofn.isNumber(value)) return value === null || value === undefined ? "" : String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2);
  if (Number.isInteger(value) || size >= 1e4) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(4)));
};
tofn.percent = (share) => `${(share * 100).toFixed(1)} %`;
tofn.range = (low, high, unit) =>
  tofn.isNumber(low) && tofn.isNumber(high) ? [`90 % interval ${tofn.text(low)}–${tofn.text(high)} ${unit}`] : [];

/** What intervals surround: the figure as published runs went, where their overrun is drawn; else as simulated. */
tofn.expected = (row, name) => row[`${name}_as_runs_went`] ?? row[name];

/** The simulated figure in words, where another one is expected. */
const simulatedLine = (row, name, unit) => tofn.expected(row, name) === row[name] ? []
  : [`${tofn.text(row[name])} ${unit} simulated, without the overrun of published runs`];

/** Of a tooltip: the expected figure, its interval, and what was simulated where that is another. */
tofn.figureLines = (row, name, unit) => [
  `${tofn.text(tofn.expected(row, name))} ${unit}`, ...tofn.range(row[`${name}_low90`], row[`${name}_high90`], unit), ...simulatedLine(row, name, unit),
];

/** A column in words: its title with its unit, where the figures of runs have it. */
tofn.titleOf = (name) => run_figures.find((each) => each.name === name)?.axis ?? run_figures.find((each) => each.name === name)?.title ?? name.replace(/_(min|s|ms|us|gb|kwh|j|w)$/, ", $1").replaceAll("_", " ");
/** A value of a column as people read it. */
tofn.figureText = (name, value) => run_figures.find((each) => each.name === name)?.text(value) ?? tofn.text(value);

/** A size whose memory is too small is drawn hollow, and is no baseline. */
tofn.fits = (row) => row.fits !== 0;
tofn.fillOf = (row, colour) => tofn.fits(row) ? colour : tofn.style("card");
tofn.fitNote = (rows) => rows.every(tofn.fits) ? "" : "Hollow: does not fit the memory.";

/** Lines of a tooltip from [name, value] pairs, without what is not known. */
tofn.lines = (pairs) => pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
  .map(([name, value]) => `${name} ${tofn.text(value)}`);

// The first eight are told apart by colour-blind readers, on light and dark (after Okabe and Ito).
const colours = ["#3b7dc4", "#d9822b", "#2c9a6b", "#a463b8", "#cf4f4f", "#2aa5b8", "#b39320", "#7d8794", "#5a5fb0", "#c98a9b"];
tofn.colour = (index) => colours[index % colours.length];
tofn.faded = (colour, share) => colour + Math.round(share * 255).toString(16).padStart(2, "0");

/** Parts of a simulated step, and a colour that each keeps. */
tofn.parts = parts.map(([column]) => column.replace(/_s$/, ""));
tofn.colourOfPart = (name) => parts.find(([column]) => column === `${name}_s`)?.[2] ?? tofn.colour(7);

/** A colour that a workload keeps in every chart of the page. */
tofn.colourOf = (() => {
  const names = tofn.unique(tofn.tables.tables.flatMap((table) => tofn.rowsOf(table).map(tofn.workloadOf))
    .filter((name) => name !== null));
  return (name) => tofn.colour(Math.max(0, names.indexOf(name)));
})();

/** What one curve is of: `bert on dgx-h100`, a workload's published systems, or the name of a series. */
tofn.seriesOf = (row) => {
  const machine = tofn.machineOf(row) ? ` on ${tofn.machineOf(row)}` : "";
  return [tofn.workloadOf(row) ? tofn.workloadOf(row) + machine : null, row.phase, row.series].filter(Boolean).join(", ") || "rows";
};

/** The cluster that a row is a prediction for. */
tofn.machineOf = (row) => row.cluster && !row.org ? row.cluster : null;

// Told apart without colour as well.
const markers = ["circle", "triangle", "rect", "star", "crossRot"];
tofn.marker = (index) => markers[index % markers.length];

/** Colour and marker of a row's curve: the workload's colour; several machines have one each, and a marker of
    their own or of the workload; where only series tell the rows of a chart apart, one for each. */
tofn.lookOf = (rows, row) => {
  const place = (keyOf) => {
    const keys = tofn.unique(rows.map(keyOf));
    return { count: keys.length, at: keys.indexOf(keyOf(row)) };
  };
  const workload = place(tofn.workloadOf);
  const machine = place(tofn.machineOf);
  const look = (colour, marker) => ({ borderColor: colour, backgroundColor: colour, pointStyle: tofn.marker(marker) });
  if (machine.count > 1) return look(tofn.colour(machine.at), workload.count > 1 ? workload.at : machine.at);
  if (workload.count > 1 || row.series === undefined) return look(tofn.colourOf(tofn.workloadOf(row)), 0);
  const series = place((each) => each.series);
  return look(tofn.colour(series.at), 0);
};

/** Knees that were given after a table and before the next of its kind. */
tofn.kneesOf = (table) => {
  const all = tofn.tables.tables;
  const start = all.indexOf(table) + 1;
  const next = all.findIndex((other, i) => i >= start && other.kind === table.kind);
  return all.slice(start, next < 0 ? all.length : next).filter((other) => other.kind === "knees").flatMap(tofn.rowsOf);
};

/** An expected figure against size with its interval; the simulated one, where it is another, as a line of its own. */
tofn.figureSets = (rows, name, unit, linesOf) => [...tofn.groupBy(rows, tofn.seriesOf)].flatMap(([series, group]) => {
  const look = tofn.lookOf(rows, group[0]);
  const sorted = [...group].sort((a, b) => a.accelerators - b.accelerators);
  const title = (row) => `${series}, ${row.accelerators} x ${row.accelerator ?? "accelerator"}`;
  const simulated = sorted.filter((row) => tofn.expected(row, name) !== row[name]);
  return [{
    label: series, ...look, showLine: true, pointBackgroundColor: sorted.map((row) => tofn.fillOf(row, look.backgroundColor)),
    data: sorted.map((row) => ({
      x: row.accelerators, y: tofn.expected(row, name), low: row[`${name}_low90`], high: row[`${name}_high90`], title: title(row),
      lines: [...tofn.figureLines(row, name, unit), ...(tofn.fits(row) ? [] : ["does not fit the memory"]), ...linesOf(row)],
    })),
  }, ...(simulated.length ? [{
    label: `${series}, simulated`, showLine: true, borderColor: tofn.faded(look.borderColor, 0.6), backgroundColor: look.borderColor, borderDash: [2, 3], pointStyle: "cross", radius: 3.5,
    data: simulated.map((row) => ({ x: row.accelerators, y: row[name], title: title(row), lines: simulatedLine(row, name, unit) })),
  }] : [])];
});

tofn.style = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Two to five, 1, 2 or 5 x 10^k apart. */
const evenTicks = (low, high) => {
  const least = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((each) => each * power >= least) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
};

/** Ticks at 1, 2, 5 of each decade, or at powers of two; even ones where those are none or one; fewer where they
    would not fit. */
const ticksBetween = (low, high, ofTwo, most) => {
  let ticks = [];
  if (ofTwo) {
    for (let e = Math.ceil(Math.log2(low)); 2 ** e <= high; ++e) ticks.push(2 ** e);
  } else {
    const decades = Math.log10(high / low);
    const steps = decades > 3 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
    for (let e = Math.floor(Math.log10(low)); 10 ** e <= high; ++e)
      for (const step of steps) ticks.push(Number((step * 10 ** e).toPrecision(3)));
    ticks = ticks.filter((tick) => tick >= low && tick <= high);
  }
  if (ticks.length < 2) ticks = evenTicks(low, high);
  const every = Math.ceil(ticks.length / most);
  return ticks.filter((_, i) => i % every === 0);
};

const axis = (title) => ({
  title: { display: title !== "", text: title, color: tofn.style("muted") },
  grid: { color: tofn.style("line"), borderColor: tofn.style("line"), tickColor: tofn.style("line") },
  ticks: { color: tofn.style("muted"), callback: (value) => Math.abs(value) >= 1e5 ? short(value, 4) : tofn.text(value), maxRotation: 0, autoSkipPadding: 8 },
});

tofn.linearAxis = (title, more = {}) => ({ type: "linear", ...axis(title), ...more });

/** A log axis that just holds `values`; of two: ticks at powers of two, for counts. */
tofn.logAxis = (title, values, { ofTwo = false } = {}) => {
  const known = values.filter((value) => tofn.isNumber(value) && value > 0);
  const least = known.length ? Math.min(...known) : 1;
  const greatest = known.length ? Math.max(...known) : 10;
  const room = Math.max(1.12, (greatest / least) ** 0.04);
  return {
    ...axis(title), type: "logarithmic", bounds: "data", min: least / room, max: greatest * room,
    afterBuildTicks: (scale) => {
      const most = scale.isHorizontal() ? Math.max(3, scale.chart.width / 65) : Math.max(3, scale.chart.height / 34);
      scale.ticks = ticksBetween(scale.min, scale.max, ofTwo, most).map((value) => ({ value }));
    },
  };
};

/** Vertical bars from `low` to `high` of the points that have them. */
const errorBars = {
  id: "errorBars",
  beforeDatasetDraw(chart, { index, meta }) {
    const { ctx, chartArea: area } = chart;
    const dataset = chart.data.datasets[index];
    if (meta.type === "bar") return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    ctx.strokeStyle = dataset.borderColor;
    ctx.globalAlpha = 0.65;
    ctx.beginPath();
    meta.data.forEach((element, i) => {
      const point = dataset.data[i];
      if (!tofn.isNumber(point?.low) || !tofn.isNumber(point?.high)) return;
      const [top, bottom] = [point.high, point.low].map((value) => meta.yScale.getPixelForValue(value));
      ctx.moveTo(element.x, top);
      ctx.lineTo(element.x, bottom);
      for (const y of [top, bottom]) {
        ctx.moveTo(element.x - 3, y);
        ctx.lineTo(element.x + 3, y);
      }
    });
    ctx.stroke();
    ctx.restore();
  },
};

/** The configuration of a chart whose points carry the `title` and `lines` of their tooltip. */
tofn.chart = (type, datasets, scales, more = {}) => ({
  type,
  data: { datasets, ...(more.labels ? { labels: more.labels } : {}) },
  plugins: [errorBars],
  options: {
    animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
    indexAxis: more.indexAxis ?? "x", scales,
    interaction: { mode: "nearest", intersect: true },
    elements: { point: { radius: 4.5, hoverRadius: 7, hitRadius: 5 }, line: { borderWidth: 1.8, tension: 0 } },
    plugins: {
      legend: {
        display: more.legend ?? true, position: "top", align: "start",
        labels: {
          color: tofn.style("ink"), usePointStyle: true, boxWidth: 8, boxHeight: 8, padding: 12,
          filter: (item) => !item.text.startsWith("_"),
          // The colour of the whole, not that of its first point.
          generateLabels: (chart) => Chart.defaults.plugins.legend.labels.generateLabels(chart).map((item) => {
            const { backgroundColor, borderColor } = chart.data.datasets[item.datasetIndex];
            return { ...item, fillStyle: backgroundColor, strokeStyle: [borderColor].flat()[0] ?? backgroundColor };
          }),
        },
      },
      tooltip: {
        displayColors: false, filter: (item, index) => index === 0 && item.raw.lines !== undefined,
        callbacks: { title: (items) => items[0]?.raw.title ?? "", label: (item) => item.raw.lines },
      },
    },
  },
});

/** A line without points or tooltips; the legend leaves out names that start with `_`. */
tofn.guide = (label, data, more = {}) => ({
  type: "line", label, data, borderColor: tofn.style("muted"), borderDash: [5, 4], borderWidth: 1.2,
  pointRadius: 0, pointHitRadius: 0, pointHoverRadius: 0, pointStyle: "line", ...more,
});

/** The points that no other beats in both; `wants` is `less` or `more` for x and y. Ascending x. */
tofn.front = (points, wantsX, wantsY) => {
  const signX = wantsX === "more" ? -1 : 1;
  const signY = wantsY === "more" ? -1 : 1;
  const sorted = [...points].sort((a, b) => signX * (a.x - b.x) || signY * (a.y - b.y));
  const front = [];
  for (const point of sorted)
    if (!front.length || signY * point.y < signY * front.at(-1).y) front.push(point);
  return front.sort((a, b) => a.x - b.x);
};

/** A chart of bars as `tofn explore` draws them, one a row; `drawn`: those series -> an element. */
tofn.barsChart = (drawn) => ({
  draw(rows) {
    const series = rows.map((row, i) => ({ row, colour: tofn.colour(i), letter: rows.length > 1 ? `${tofn.seriesOf(row)}, ${row.accelerators}` : "" }));
    return { panels: rows.length ? [{ element: drawn(series) }] : [] };
  },
});
