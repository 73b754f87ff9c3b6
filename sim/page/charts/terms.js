"use strict";

{
  // Parts of a simulated step, in s, and terms of a predicted one, in ms.
  const parts = ["compute", "launch", "tensor", "context", "expert", "pipeline", "data", "bubble", "imbalance", "optimizer"]
    .map((name) => ({ column: `${name}_s`, name, scale: 1e3 }));
  const termsOf = (rows) => {
    const columns = Object.keys(rows[0] ?? {});
    const terms = columns.filter((name) => /^step_.+_ms$/.test(name) && !/_(low|high)90_ms$/.test(name) && !/^step_(low|high)90/.test(name))
      .map((column) => ({ column, name: column.slice(5, -3).replaceAll("_", " "), scale: 1 }));
    return terms.length ? terms : parts.filter((part) => columns.includes(part.column));
  };

  tofn.charts.terms = {
    controls: () => [{ key: "unit", label: "in", options: [["ms", "milliseconds"], ["share", "shares of the step"]] }],
    draw(rows, choice) {
      const terms = termsOf(rows).filter((term) => rows.some((row) => row[term.column] > 0));
      const known = rows.filter((row) => terms.some((term) => tofn.isNumber(row[term.column])));
      const several = tofn.unique(known.map(tofn.workloadOf)).length > 1 || tofn.unique(known.map((row) => row.cluster)).length > 1;
      const label = (row, i) => several ? [String(row.accelerators), tofn.workloadOf(row)] : [String(row.accelerators)];
      const total = (row) => terms.reduce((sum, term) => sum + (row[term.column] ?? 0) * term.scale, 0);
      const datasets = terms.map((term, i) => ({
        label: term.name, backgroundColor: tofn.colour(i < 7 ? i : i + 1) + (i < 7 ? "" : "88"), borderWidth: 0, stack: "step", pointStyle: "rect",
        data: known.map((row, at) => {
          const ms = (row[term.column] ?? 0) * term.scale;
          return {
            x: at, y: choice.unit === "share" ? 100 * ms / total(row) : ms,
            title: `${term.name}: ${tofn.text(ms)} ms, ${tofn.percent(ms / total(row))}`,
            lines: [`${tofn.workloadOf(row)} on ${row.cluster}, ${row.accelerators} accelerators`, `step ${tofn.text(total(row))} ms`,
              ...tofn.range(row[term.column.replace("_ms", "_low90_ms")], row[term.column.replace("_ms", "_high90_ms")], "ms"),
              ...tofn.lines([["plan", row.plan], ["basis:", row[term.column.replace(/_ms$/, "_basis")]], ["bottleneck:", row.bottleneck]])],
          };
        }),
      }));
      const x = tofn.linearAxis("accelerators", { type: "category", labels: known.map(label), stacked: true });
      x.ticks = { color: tofn.style("muted"), maxRotation: 60, autoSkip: true };
      const y = tofn.linearAxis(choice.unit === "share" ? "% of the step" : "ms", { stacked: true, ...(choice.unit === "share" ? { max: 100 } : {}) });
      return { panels: known.length ? [{ config: tofn.chart("bar", datasets, { x, y }), height: 400 }] : [] };
    },
  };
}
