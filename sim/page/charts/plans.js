{
  const valueOf = tofn.expected;
  const daysOf = (row) => valueOf(row, "days");
  const daysText = (days) => `${tofn.text(days)} ${days === 1 ? "day" : "days"}`;

  const costs = [
    { column: "cost_usd", unit: "USD" }, { column: "energy_kwh", unit: "kWh" },
    { column: "accelerator_hours", unit: "accelerator-hours" }, { column: "co2_t", unit: "t CO2e" },
  ];
  const knownCosts = (rows) => costs.filter(({ column }) => rows.some((row) => valueOf(row, column) > 0));

  const varies = (rows, column) => tofn.unique(rows.map((row) => row[column])).length > 1;
  const seriesOf = (rows) => (row) => ["cluster", "precision", ...(varies(rows, "price_term") ? ["price_term"] : [])]
    .map((column) => row[column]).filter(Boolean).join(", ");

  /** A colour each cluster, a marker each precision and price term. */
  const lookOf = (rows, row) => {
    const kindOf = (each) => `${each.precision} ${each.price_term}`;
    const colour = tofn.colour(tofn.unique(rows.map((each) => each.cluster)).indexOf(row.cluster));
    return { borderColor: colour, backgroundColor: colour, pointStyle: tofn.marker(tofn.unique(rows.map(kindOf)).indexOf(kindOf(row))) };
  };

  const hasLimits = (row) => ["days_limit", "cost_usd_limit", "energy_kwh_limit"].some((column) => tofn.isNumber(row[column]));
  const keptText = (row) => hasLimits(row) ? `${Math.round(100 * row.chance)} % chance of meeting the limits` : null;
  const nameOf = (row) => [`${row.accelerators} x ${row.accelerator} (${row.cluster})`, row.precision, row.price_term].filter(Boolean).join(", ");

  const pointOf = (row, cost) => ({
    x: valueOf(row, cost.column), y: daysOf(row), low: row.days_low90, high: row.days_high90, title: nameOf(row),
    lines: [daysText(daysOf(row)), ...tofn.range(row.days_low90, row.days_high90, "days"),
      ...costs.filter(({ column }) => valueOf(row, column) > 0).map(({ column, unit }) => `${tofn.text(valueOf(row, column))} ${unit}`),
      ...(keptText(row) ? [keptText(row)] : []),
      ...tofn.lines([["batch", row.global_batch], ["plan:", row.plan], ["WARNING:", row.warning]])],
  });

  const chosenOf = (rows) => rows.find((row) => row.is_best) ?? rows.find((row) => row.is_nearest);

  const ring = (row, cost) => ({
    label: row.is_best ? "best" : "nearest", data: [{ ...pointOf(row, cost), low: null, high: null }], pointStyle: "circle",
    radius: 11, hoverRadius: 12, borderColor: tofn.style("ink"), borderWidth: 2, backgroundColor: "transparent",
  });

  const seriesSet = (rows, cost) => ([label, group]) => {
    const look = lookOf(rows, group[0]);
    return {
      label, ...look, data: group.map((row) => pointOf(row, cost)),
      pointBackgroundColor: group.map((row) => row.keeps_limits ? look.borderColor : tofn.style("card")),
    };
  };

  /** The lines of what may be spent and how long it may take. */
  const limitSets = (row, cost, { x, y }) => {
    const most = row[`${cost.column}_limit`];
    const colour = { borderColor: tofn.style("ink"), backgroundColor: tofn.style("ink") };
    return [
      ...(tofn.isNumber(row.days_limit) ? [tofn.guide(`deadline: ${daysText(row.days_limit)}`,
        [x.min, x.max].map((at) => ({ x: at, y: row.days_limit })), colour)] : []),
      ...(tofn.isNumber(most) ? [tofn.guide(`at most ${tofn.text(most)} ${cost.unit}`,
        [y.min, y.max].map((at) => ({ x: most, y: at })), { ...colour, borderDash: [2, 3] })] : []),
    ];
  };

  tofn.charts.plans = {
    isWide: true,
    controls(rows) {
      const known = knownCosts(rows);
      return known.length > 1 ? [{ key: "cost", label: "cost in", options: known.map(({ column, unit }) => [column, unit]) }] : [];
    },
    draw(rows, choice, allRows) {
      const cost = costs.find(({ column }) => column === choice.cost) ?? knownCosts(allRows)[0] ?? costs[0];
      const known = rows.filter((row) => daysOf(row) > 0 && valueOf(row, cost.column) > 0);
      if (!known.length) return { panels: [] };
      const series = [...tofn.groupBy(known, seriesOf(allRows))].map(seriesSet(allRows, cost));
      const points = series.flatMap((set) => set.data);
      const { [`${cost.column}_limit`]: most, days_limit: deadline } = known[0];
      const scales = {
        x: tofn.logAxis(`cost (${cost.unit})`, [...points.map(({ x }) => x), most]),
        y: tofn.logAxis("time (days)", [...points.flatMap(({ y, low, high }) => [y, low, high]), deadline]),
      };
      const chosen = chosenOf(known);
      const datasets = [...(chosen ? [ring(chosen, cost)] : []), ...series, ...limitSets(known[0], cost, scales),
        tofn.guide("_front", tofn.front(points, "less", "less").map(({ x, y }) => ({ x, y })), { borderDash: [], stepped: "after" })];
      return { panels: [{ config: tofn.chart("scatter", datasets, scales), height: 460 }] };
    },
  };
}
