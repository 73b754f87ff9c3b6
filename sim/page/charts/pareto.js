{
  const minutesOf = (row) => tofn.expected(row, "time_to_train_min") ?? (tofn.isNumber(row.time_s) ? tofn.expected(row, "time_s") / 60 : null);

  // What a run may cost: the name of a column or how it follows from time and size.
  const costs = [
    { name: "USD", of: (row) => tofn.expected(row, "cost_usd") ?? null },
    { name: "accelerator-hours", of: (row) => tofn.expected(row, "accelerator_hours") ?? minutesOf(row) * row.accelerators / 60 },
    { name: "kWh", of: (row) => tofn.expected(row, "energy_kwh") ?? null },
  ];
  const withTime = (rows) => rows.filter((row) => tofn.isNumber(minutesOf(row)));
  const knownCosts = (rows) => costs.filter(({ of }) => withTime(rows).some((row) => tofn.isNumber(of(row))));

  /** Minutes up to two days, then days. */
  const timeUnitOf = (rows) => Math.max(...withTime(rows).map(minutesOf)) > 2 * 1440
    ? { name: "days", minutes: 1440 } : { name: "minutes", minutes: 1 };

  tofn.charts.pareto = {
    controls(rows) {
      const known = knownCosts(rows);
      return known.length > 1 ? [{ key: "cost", label: "cost in", options: known.map(({ name }) => [name, name]) }] : [];
    },
    draw(rows, choice, allRows) {
      const cost = costs.find(({ name }) => name === choice.cost) ?? knownCosts(allRows)[0] ?? costs[0];
      const unit = timeUnitOf(allRows);
      const timeOf = (row) => minutesOf(row) / unit.minutes;
      const known = withTime(rows).filter((row) => tofn.isNumber(cost.of(row)));
      const datasets = [];
      for (const [series, group] of tofn.groupBy(known, tofn.seriesOf)) {
        const look = tofn.lookOf(rows, group[0]);
        const colour = look.borderColor;
        const points = group.map((row) => ({
          x: cost.of(row), y: timeOf(row),
          title: row.system ? `${row.org}/${row.system}` : series,
          lines: [`${tofn.workloadOf(row)}, ${row.accelerators} x ${row.accelerator ?? "accelerator"}`, `${tofn.text(timeOf(row))} ${unit.name}`,
            ...costs.filter(({ of }) => tofn.isNumber(of(row))).map(({ name, of }) => `${tofn.text(of(row))} ${name}`),
            ...(tofn.fits(row) ? [] : ["does not fit the memory"]),
            ...tofn.lines([["weakest term:", row.basis], ["energy:", row.energy_basis], ["cost:", row.cost_basis]])],
        }));
        const front = tofn.front(points.filter((_, i) => tofn.fits(group[i])), "less", "less");
        const isOn = new Set(front);
        datasets.push({
          label: series, ...look, data: points,
          pointBackgroundColor: points.map((point) => isOn.has(point) ? colour : tofn.style("card")),
        });
        datasets.push(tofn.guide(`_${series}`, front.map(({ x, y }) => ({ x, y })), { borderColor: colour, borderDash: [], stepped: "after" }));
      }
      const scales = {
        x: tofn.logAxis(cost.name, known.map(cost.of)),
        y: tofn.logAxis(`${unit.name} to train`, known.map(timeOf)),
      };
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [],
        note: known.length ? "" : "No row has a time to train." };
    },
  };
}
