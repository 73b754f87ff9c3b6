"use strict";

tofn.charts.scaling = {
  draw(rows) {
    const longest = Math.max(...rows.map((row) => row.days ?? 0));
    const [key, unit] = longest > 2 ? ["days", "days"]
      : rows.some((row) => tofn.isNumber(row.time_to_train_min)) ? ["time_to_train_min", "min"] : ["step_s", "s"];
    const [low, high] = [`${key}_low90`, `${key}_high90`];
    const hasTarget = unit !== "s";
    const known = rows.filter((row) => tofn.isNumber(row[key]));
    const datasets = [];
    for (const [series, group] of tofn.groupBy(known, tofn.seriesOf)) {
      const look = tofn.lookOf(rows, group[0]);
      const sorted = [...group].sort((a, b) => a.accelerators - b.accelerators);
      datasets.push({
        label: series, ...look, showLine: true,
        data: sorted.map((row) => ({
          x: row.accelerators, y: row[key], low: row[low], high: row[high],
          title: `${series}, ${row.accelerators} x ${row.accelerator ?? "accelerator"}`,
          lines: [`${tofn.text(row[key])} ${unit}`, ...tofn.range(row[low], row[high], unit),
            ...tofn.lines([["weakest term:", row.basis], ["batch", row.global_batch], ["calibrated on", row.calibrated_on], ["assumed", row.assumed]])],
        })),
      });
      const first = sorted[0];
      if (hasTarget)
        datasets.push(tofn.guide("_ideal", [first, sorted.at(-1)].map((row) => ({ x: row.accelerators, y: first[key] * first.accelerators / row.accelerators })),
          { borderColor: look.borderColor }));
    }
    const scales = {
      x: tofn.logAxis("accelerators", known.map((row) => row.accelerators), { ofTwo: true }),
      y: tofn.logAxis({ min: "minutes", days: "days", s: "s a step" }[unit], datasets.flatMap((set) => set.data.flatMap((point) => [point.y, point.low, point.high]))),
    };
    return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [] };
  },
};
