tofn.charts.errors = {
  draw(rows) {
    const predicted = rows.filter((row) => tofn.isNumber(row.error_percent) && row.role === "validation" && !row.repeats_another_row);
    const over = (row, minutes) => (minutes / row.published_time_to_train_min - 1) * 100;
    // Workloads of one size stand side by side.
    const names = tofn.unique(predicted.map(tofn.workloadOf));
    const aside = (row) => 2 ** (0.14 * (names.indexOf(tofn.workloadOf(row)) - (names.length - 1) / 2));
    const describe = (row, what, error) => ({
      x: row.accelerators * aside(row), y: error, title: `${row.org}/${row.system}`,
      lines: [`${tofn.workloadOf(row)}, ${row.accelerators} x ${row.accelerator}`,
        `${what}: ${error >= 0 ? "+" : ""}${error.toFixed(1)} %`],
    });
    const datasets = [];
    for (const [workload, group] of tofn.groupBy(predicted, tofn.workloadOf))
      datasets.push({
        label: workload, borderColor: tofn.colourOf(workload), backgroundColor: tofn.colourOf(workload),
        data: group.map((row) => ({
          ...describe(row, "tofn", row.error_percent), low: over(row, row.time_to_train_min_low90), high: over(row, row.time_to_train_min_high90),
        })),
      });
    const linear = predicted.filter((row) => tofn.isNumber(row.linear_scaling_min));
    datasets.push({
      label: "linear scaling", pointStyle: "crossRot", radius: 4, borderColor: tofn.style("muted"),
      data: linear.map((row) => describe(row, "linear scaling", over(row, row.linear_scaling_min))),
    });
    const sizes = predicted.map((row) => row.accelerators * aside(row));
    const scales = {
      x: tofn.logAxis("accelerators", sizes, { ofTwo: true }),
      y: tofn.linearAxis("predicted over published, %", { suggestedMin: -100, suggestedMax: 50 }),
    };
    datasets.push(tofn.guide("_none", [Math.min(...sizes) / 2, Math.max(...sizes) * 2].map((x) => ({ x, y: 0 })), { borderDash: [] }));
    return { panels: predicted.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 430 }] : [] };
  },
};
