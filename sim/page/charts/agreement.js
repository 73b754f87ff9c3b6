{
  const isPredicted = (row) => tofn.isNumber(row.time_to_train_min) && tofn.isNumber(row.published_time_to_train_min);
  const isScored = (row) => row.role === "validation" && !row.repeats_another_row;

  /** Errors of the scored runs in %, and how many of them are inside their interval; null without any. */
  tofn.scoreOf = (rows) => {
    const scored = rows.filter((row) => isPredicted(row) && isScored(row)), errors = scored.map((row) => Math.abs(row.error_percent));
    if (!scored.length) return null;
    return {
      runs: scored.length, mean: errors.reduce((a, b) => a + b, 0) / errors.length, median: tofn.median(errors), worst: Math.max(...errors),
      inside: scored.filter((row) => row.time_to_train_min_low90 <= row.published_time_to_train_min && row.published_time_to_train_min <= row.time_to_train_min_high90).length,
    };
  };

  tofn.charts.agreement = {
    draw(rows) {
      const predicted = rows.filter(isPredicted);
      const values = predicted.flatMap((row) => [row.published_time_to_train_min, row.time_to_train_min_low90, row.time_to_train_min_high90]);
      const range = [Math.min(...values) / 1.15, Math.max(...values) * 1.15];
      const line = (factor) => range.map((x) => ({ x, y: x * factor }));
      const datasets = [...tofn.groupBy(predicted, tofn.workloadOf)].map(([workload, group]) => ({
        label: workload, borderColor: tofn.colourOf(workload),
        pointBackgroundColor: group.map((row) => isScored(row) ? tofn.colourOf(workload) : tofn.style("card")),
        backgroundColor: tofn.colourOf(workload),
        data: group.map((row) => ({
          x: row.published_time_to_train_min, y: row.time_to_train_min, low: row.time_to_train_min_low90, high: row.time_to_train_min_high90,
          title: `${row.org}/${row.system}`,
          lines: [`${workload}, ${row.accelerators} x ${row.accelerator}: ${row.role}`,
            `published ${tofn.text(row.published_time_to_train_min)} min`,
            `predicted ${tofn.text(row.time_to_train_min)} min (${row.error_percent >= 0 ? "+" : ""}${row.error_percent.toFixed(1)} %)`,
            ...tofn.range(row.time_to_train_min_low90, row.time_to_train_min_high90, "min"),
            ...tofn.lines([["weakest term:", row.basis], ["calibrated on", row.calibrated_on]])],
        })),
      }));
      datasets.push(tofn.guide("_equal", line(1), { borderDash: [] }));
      datasets.push(tofn.guide("_over", line(1.1), { borderWidth: 0, fill: "+1", backgroundColor: tofn.faded("#7d8794", 0.16) }));
      datasets.push(tofn.guide("_under", line(1 / 1.1), { borderWidth: 0 }));
      const score = tofn.scoreOf(predicted);
      const note = !score ? "No scored run is shown." :
        `${score.runs} scored runs: mean error ${score.mean.toFixed(1)} %, median ${score.median.toFixed(1)} %, worst ${score.worst.toFixed(1)} %; ` +
        `${score.inside} of ${score.runs} inside their 90 % interval.`;
      const scales = { x: tofn.logAxis("published, minutes", range), y: tofn.logAxis("predicted, minutes", range) };
      for (const scale of [scales.x, scales.y]) [scale.min, scale.max] = range;
      return { panels: predicted.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 430 }] : [], note };
    },
  };
}
