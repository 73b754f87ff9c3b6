"use strict";

{
  const measures = [
    ["own_efficiency", "within the same accelerator"],
    ["relative_efficiency", "E', against the study's reference"],
    ["scaling_efficiency", "against a full server of it"],
    ["efficiency", "against the smallest size"],
  ];

  tofn.charts.efficiency = {
    controls(rows) {
      const known = measures.filter(([key]) => rows.some((row) => tofn.isNumber(row[key])));
      const isStudy = rows.some((row) => tofn.isNumber(row.relative_efficiency));
      return [
        // In a study `efficiency` is speedup over N, whatever the reference has.
        { key: "of", label: "efficiency", options: isStudy ? known.filter(([key]) => key !== "efficiency") : known },
        { key: "axis", label: "axis", options: [["linear", "linear"], ["log", "logarithmic"]] },
      ];
    },
    draw(rows, choice) {
      const known = rows.filter((row) => tofn.isNumber(row[choice.of]) && row[choice.of] > 0);
      const name = (row) => [tofn.workloadOf(row), row.cluster && !row.org ? row.cluster : null].filter(Boolean).join(" on ");
      const datasets = [];
      for (const [series, group] of tofn.groupBy(known, name)) {
        const colour = tofn.colourOf(tofn.workloadOf(group[0]));
        const bySize = [...tofn.groupBy(group, (row) => row.accelerators)].sort(([a], [b]) => a - b);
        datasets.push({
          label: series, borderColor: colour, backgroundColor: tofn.faded(colour, 0.55),
          data: group.map((row) => ({
            x: row.accelerators, y: row[choice.of],
            title: row.system ? `${row.org}/${row.system}` : series,
            lines: [`${tofn.workloadOf(row)}, ${row.accelerators} x ${row.accelerator}`,
              ...tofn.lines([["efficiency", row[choice.of]], ["minutes", row.time_to_train_min], ["speedup", row.speedup],
                ["batch", row.global_batch_size ?? row.global_batch], ["weakest term:", row.basis]])],
          })),
        });
        datasets.push(tofn.guide(`_${series}`, bySize.map(([x, at]) => ({ x, y: tofn.median(at.map((row) => row[choice.of])) })),
          { borderColor: colour, borderDash: [], borderWidth: 1.6 }));
      }
      const sizes = known.map((row) => row.accelerators);
      datasets.push(tofn.guide("_ideal", [Math.min(...sizes) / 2, Math.max(...sizes) * 2].map((x) => ({ x, y: 1 }))));
      const values = known.map((row) => row[choice.of]);
      const scales = {
        x: tofn.logAxis("accelerators", sizes, { ofTwo: true }),
        y: choice.axis === "log" ? tofn.logAxis("efficiency", values) : tofn.linearAxis("efficiency", { min: 0, grace: "5%" }),
      };
      const note = rows.some((row) => row.system) ? "Lines join the medians of the systems of one size." : "";
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [], note };
    },
  };
}
