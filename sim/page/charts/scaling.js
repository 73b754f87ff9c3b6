tofn.charts.scaling = {
  draw(rows) {
    const longest = Math.max(...rows.map((row) => row.days ?? 0));
    const [key, unit] = longest > 2 ? ["days", "days"]
      : rows.some((row) => tofn.isNumber(row.time_to_train_min)) ? ["time_to_train_min", "min"] : ["step_s", "s"];
    const hasTarget = unit !== "s";
    const known = rows.filter((row) => tofn.isNumber(row[key]));
    const datasets = tofn.figureSets(known, key, unit, (row) =>
      tofn.lines([["weakest term:", row.basis], ["batch", row.global_batch], ["calibrated on", row.calibrated_on], ["assumed", row.assumed]]));
    for (const group of hasTarget ? tofn.groupBy(known, tofn.seriesOf).values() : []) {
      const sorted = [...group].sort((a, b) => a.accelerators - b.accelerators);
      const first = sorted.find(tofn.fits) ?? sorted[0];
      datasets.push(tofn.guide("_ideal", [first, sorted.at(-1)].map((row) => ({ x: row.accelerators, y: tofn.expected(first, key) * first.accelerators / row.accelerators })),
        { borderColor: tofn.lookOf(rows, first).borderColor }));
    }
    const scales = {
      x: tofn.logAxis("accelerators", known.map((row) => row.accelerators), { ofTwo: true }),
      y: tofn.logAxis({ min: "minutes", days: "days", s: "s a step" }[unit], datasets.flatMap((set) => set.data.flatMap((point) => [point.y, point.low, point.high]))),
    };
    return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [], note: tofn.fitNote(known) };
  },
};
