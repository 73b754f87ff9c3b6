// Figures against the number of accelerators, a curve a scenario; each size can be pointed at, focused and chosen.

/** A figure of the rows as a curve draws it: its axis, how a value reads, and the value with its range. */
const curveOfMetric = (metric) => ({
  ...metric, of: (row) => usual(row, metric.name), low: (row) => row[`${metric.name}_low90`], high: (row) => row[`${metric.name}_high90`], basis: (row) => row[`${metric.name}_basis`],
});

/** Accelerator-time of the smallest size that fits, over that of each size: 100 % is ideal scaling. */
function efficiencyCurve(series) {
  const spent = (row) => row.accelerators * (isNumber(row.days) ? row.days : 1 / row.samples_per_s);
  const bases = new Map(series.flatMap(({ rows }) => { const first = rows.find((row) => row.fits && isNumber(spent(row))); return first ? rows.map((row) => [row, first]) : []; }));
  return {
    axis: "scaling efficiency, %", text: percent, unit: () => ["", 0.01], linear: true,
    of: (row) => bases.has(row) && row.accelerators >= bases.get(row).accelerators ? spent(bases.get(row)) / spent(row) : null,
  };
}

/** What a size says of each scenario, a line each. */
function sizeWords(series, curve, size) {
  const lines = series.flatMap(({ letter, rows }) => {
    const row = rows.find((each) => each.accelerators === size);
    if (!row || !isNumber(curve.of(row))) return row && !row.fits ? [`${series.length > 1 ? `${letter}: ` : ""}does not fit the memory`] : [];
    const high = curve.high?.(row), range = isNumber(curve.low?.(row)) ? ` (90 %: ${between(curve.low(row), high, curve.text)})` : "";
    return [`${series.length > 1 ? `${letter}: ` : ""}${curve.text(curve.of(row))}${range}${row.fits ? "" : "; does not fit the memory"}${curve.basis?.(row) ? `; ${curve.basis(row)}` : ""}`];
  });
  return [`${size} accelerators`, ...(lines.length ? lines : ["no answer yet"])].join("\n");
}

function curveChart(series, curve, { sizes, chosen, limit = 0, published = [], isNarrow }) {
  const width = isNarrow ? 420 : 560, height = 300, left = 48, right = 22, top = 30, bottom = 40;
  const points = series.flatMap(({ rows }) => rows).filter((row) => isNumber(curve.of(row)));
  if (!points.length) return element("p", { class: "muted" }, "Nothing to draw yet.");
  const values = points.flatMap((row) => [curve.of(row), curve.low?.(row)]).filter(isNumber);
  // An end without bound, or far off, must not flatten the rest.
  const tops = points.map((row) => curve.high?.(row)).filter(isNumber).map((each) => Math.min(each, 20 * Math.max(...values)));
  const extent = [...values, ...tops, ...(limit ? [limit] : []), ...published.map((each) => each.value)].filter((each) => curve.linear || each > 0);
  const [low, high] = curve.linear ? [0, Math.max(...extent) * 1.05] : [Math.min(...extent) / 1.15, Math.max(...extent) * 1.15];
  // The axis holds all sizes from the start, so that nothing jumps while answers come.
  const [first, last] = [Math.min(...sizes), Math.max(...sizes, 2 * Math.min(...sizes))];
  const log = Math.log2;
  const x = (n) => left + (width - left - right) * (log(n / first) / log(last / first));
  const share = (v) => curve.linear ? v / high : Math.log(v / low) / Math.log(high / low);
  const y = (v) => height - bottom - (height - top - bottom) * Math.min(1.02, Math.max(0, share(v)));
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${curve.axis} against the number of accelerators` });
  const text = (words, attributes) => svg("text", attributes, words);
  const [unit, length] = curve.unit?.(high) ?? ["", 1];
  drawn.append(text([curve.axis, unit].filter(Boolean).join(", "), { x: 0, y: 13, class: "muted" }));
  for (const tick of ticksOf(low / length, high / length, curve.linear))
    drawn.append(svg("line", { x1: left, x2: width - right, y1: y(tick * length), y2: y(tick * length), class: "axis" }),
      text(short(tick), { x: left - 6, y: y(tick * length) + 4, "text-anchor": "end", class: "muted" }));
  for (let n = first; n <= last; n *= last / first > 64 ? 4 : 2)
    drawn.append(text(String(n), { x: x(n), y: height - bottom + 18, "text-anchor": "middle", class: "muted" }));
  drawn.append(text("accelerators", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle", class: "muted" }));
  if (limit) drawn.append(svg("line", { x1: left, x2: width - right, y1: y(limit), y2: y(limit), stroke: "var(--bad)", "stroke-dasharray": "6 4" }),
    text(`limit ${curve.text(limit)}`, { x: width - right, y: y(limit) - 5, "text-anchor": "end", style: "fill:var(--bad)" }));
  for (const { rows, colour, size } of series) {
    const known = rows.filter((row) => isNumber(curve.of(row)));
    const end = (row, which) => isNumber(curve[which]?.(row)) ? curve[which](row) : which === "low" || curve.linear ? curve.of(row) : high;
    const line = (of) => known.map((row) => `${x(row.accelerators).toFixed(1)},${y(of(row)).toFixed(1)}`);
    if (curve.low) drawn.append(svg("polygon", { points: [...line((row) => end(row, "low")), ...line((row) => end(row, "high")).reverse()].join(" "), fill: colour, opacity: 0.13 }));
    drawn.append(svg("polyline", { points: line(curve.of).join(" "), fill: "none", stroke: colour, "stroke-width": 2 }));
    for (const row of known)
      drawn.append(svg("circle", { cx: x(row.accelerators), cy: y(curve.of(row)), r: row.accelerators === size ? 6 : 3.5, fill: row.fits ? colour : "var(--card)", stroke: colour, "stroke-width": 1.6 }));
  }
  // A column a size, half-way to its neighbours.
  sizes.forEach((size, i) => {
    const [from, to] = [[sizes[i - 1], left], [sizes[i + 1], width - right]].map(([other, edge]) => other ? (x(size) + x(other)) / 2 : edge);
    const words = sizeWords(series, curve, size);
    drawn.append(named(svg("rect", { class: "size", x: from, width: Math.max(0, to - from), y: top, height: height - top - bottom, "data-size": size, role: "button", "aria-label": `choose ${words.replaceAll("\n", "; ")}`, tabindex: size === chosen ? 0 : -1 }), words));
  });
  for (const each of published)
    if (each.accelerators >= first && each.accelerators <= last)
      drawn.append(named(svg("path", { d: `M${x(each.accelerators)} ${y(each.value) - 5}l4 5l-4 5l-4 -5z`, fill: "transparent", stroke: "var(--ink)" }), each.words));
  return drawn;
}

/** Draws anew; what had the focus has it again. */
function replaceCurve(place, drawn) {
  const size = place.contains(document.activeElement) ? document.activeElement.dataset.size : null;
  place.replaceChildren(drawn);
  if (size) place.querySelector(`[data-size="${size}"]`)?.focus();
}

/** Pointing at a size shows it, choosing it makes it the scenario's; arrows go from size to size. */
function makeCurve(place, choose) {
  place.addEventListener("click", ({ target }) => { if (target.dataset.size) choose(Number(target.dataset.size)); });
  place.addEventListener("keydown", (event) => {
    const { target, key: pressed } = event, columns = [...place.querySelectorAll("[data-size]")];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[pressed];
    if (pressed === "Enter" || pressed === " ") choose(Number(target.dataset.size));
    else if (step) columns[columns.indexOf(target) + step]?.focus();
    else return;
    event.preventDefault();
  });
}
