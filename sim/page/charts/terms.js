{
  // The parts of a step, which sum to it.
  const termsOf = (rows) => tofn.parts
    .map((name) => ({ column: `${name}_s`, name: parts.find(([column]) => column === `${name}_s`)[1], scale: 1e3, colour: tofn.colourOfPart(name) }))
    .filter(({ column }) => rows.some((row) => row[column] > 0));

  /** A column beside a term's own, such as an end of its interval. */
  const beside = (row, term, end) => row[term.column + end];
  const milliseconds = (seconds) => tofn.isNumber(seconds) ? 1e3 * seconds : null;

  const bars = (term, rows, total, unit) => rows.map((row, at) => {
    const ms = (row[term.column] ?? 0) * term.scale;
    return {
      x: at, y: unit === "share" ? 100 * ms / total(row) : ms,
      title: `${term.name}: ${tofn.text(ms)} ms, ${tofn.percent(ms / total(row))}`,
      lines: [`${tofn.seriesOf(row)}, ${row.accelerators} accelerators`, `step ${tofn.text(total(row))} ms`,
        ...tofn.range(milliseconds(beside(row, term, "_low90")), milliseconds(beside(row, term, "_high90")), "ms"),
        ...tofn.lines([["plan", row.plan], ["basis:", beside(row, term, "_basis")], ["bottleneck:", row.bottleneck]])],
    };
  });

  const panel = (title, rows, terms, unit) => {
    const total = (row) => terms.reduce((sum, term) => sum + (row[term.column] ?? 0) * term.scale, 0);
    const datasets = terms.map((term) => ({
      label: term.name, backgroundColor: term.colour, borderWidth: 0, stack: "step", pointStyle: "rect", data: bars(term, rows, total, unit),
    }));
    const x = tofn.linearAxis("accelerators", { type: "category", labels: rows.map((row) => tofn.text(row.accelerators)), stacked: true });
    x.ticks = { color: tofn.style("muted"), maxRotation: 60, autoSkip: true };
    const y = tofn.linearAxis(unit === "share" ? "% of the step" : "ms", { stacked: true, ...(unit === "share" ? { max: 100 } : {}) });
    return { title, config: tofn.chart("bar", datasets, { x, y }), height: 360 };
  };

  tofn.charts.terms = {
    controls: () => [{ key: "unit", label: "in", options: [["share", "shares of the step"], ["ms", "milliseconds"]] }],
    draw(rows, choice) {
      const terms = termsOf(rows);
      const known = rows.filter((row) => terms.some((term) => tofn.isNumber(row[term.column])));
      const groups = tofn.groupBy(known, tofn.seriesOf);
      return { panels: [...groups].map(([title, group]) => panel(title, group, terms, choice.unit)) };
    },
  };
}
