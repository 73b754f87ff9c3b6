tofn.charts.clusters = {
  isWide: true,
  draw(rows, choice, allRows) {
    const panels = [];
    for (const [workload, group] of tofn.groupBy(rows.filter((row) => row.cluster), tofn.workloadOf)) {
      const all = allRows.filter((row) => tofn.workloadOf(row) === workload && row.cluster);
      const names = tofn.unique(all.map((row) => row.cluster));
      const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
      const datasets = names.map((name, i) => ({
        label: name, borderColor: tofn.colour(i), backgroundColor: tofn.faded(tofn.colour(i), 0.5),
        data: group.filter((row) => row.cluster === name).map((row) => ({
          x: row.accelerators, y: row.relative_efficiency, title: `${row.org}/${row.system}`,
          lines: [`${row.accelerators} x ${row.accelerator}`, `cluster: ${name}`,
            ...tofn.lines([["E'", row.relative_efficiency], ["minutes", row.time_to_train_min]])],
        })),
      }));
      datasets.push({
        label: "centre", pointStyle: "cross", radius: 11, hoverRadius: 13, borderWidth: 2.5,
        borderColor: tofn.style("ink"), backgroundColor: tofn.style("ink"), pointBorderColor: names.map((_, i) => tofn.colour(i)),
        data: names.map((name) => {
          const members = all.filter((row) => row.cluster === name);
          const x = 2 ** mean(members.map((row) => Math.log2(row.accelerators)));
          const y = mean(members.map((row) => row.relative_efficiency));
          return { x, y, title: `centre of ${name}`, lines: [`${members.length} systems`, ...tofn.lines([["N", x], ["E'", y]])] };
        }),
      });
      const scales = {
        x: tofn.logAxis("accelerators", all.map((row) => row.accelerators), { ofTwo: true }),
        y: tofn.linearAxis("E'", { min: 0, grace: "8%" }),
      };
      panels.push({ title: workload, config: tofn.chart("scatter", datasets, scales), height: 300 });
    }
    return { panels };
  },
};
