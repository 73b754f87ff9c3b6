"use strict";

tofn.charts.pareto = {
  draw(rows) {
    const minutesOf = (row) => row.time_to_train_min ?? null;
    const known = rows.filter((row) => tofn.isNumber(minutesOf(row)));
    const datasets = [];
    for (const [workload, group] of tofn.groupBy(known, tofn.workloadOf)) {
      const colour = tofn.colourOf(workload);
      const points = group.map((row) => ({
        x: minutesOf(row) * row.accelerators / 60, y: minutesOf(row),
        title: row.system ? `${row.org}/${row.system}` : `${workload} on ${row.cluster}`,
        lines: [`${workload}, ${row.accelerators} x ${row.accelerator}`, `${tofn.text(minutesOf(row))} min`,
          `${tofn.text(minutesOf(row) * row.accelerators / 60)} accelerator-hours`, ...tofn.lines([["weakest term:", row.basis]])],
      }));
      const front = tofn.front(points, "less", "less");
      const isOn = new Set(front);
      datasets.push({
        label: workload, borderColor: colour, backgroundColor: colour, data: points,
        pointBackgroundColor: points.map((point) => isOn.has(point) ? colour : tofn.style("card")),
      });
      datasets.push(tofn.guide(`_${workload}`, front.map(({ x, y }) => ({ x, y })), { borderColor: colour, borderDash: [], stepped: "after" }));
    }
    const scales = {
      x: tofn.logAxis("accelerator-hours", datasets.flatMap((set) => set.data.map((point) => point.x))),
      y: tofn.logAxis("minutes to train", known.map(minutesOf)),
    };
    return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [],
      note: known.length ? "" : "No row has a time to train." };
  },
};
