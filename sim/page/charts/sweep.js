// One figure along one axis of a sweep, a line for each value of another axis.

tofn.charts.sweep = {
  isWide: true,
  controls(rows) {
    const { axes, figures, goal, best } = tofn.sweepOf(rows);
    if (!axes.length) return [];
    const numeric = axes.filter((axis) => rows.every((row) => isNumber(row[axis]))), along = numeric.find((axis) => axis === "accelerators") ?? numeric.sort((a, b) => tofn.valuesOf(rows, b).length - tofn.valuesOf(rows, a).length)[0] ?? axes[0];
    const others = axes.filter((axis) => axis !== along);
    return [
      { key: "figure", label: "figure", options: figures.map((name) => [name, tofn.titleOf(name)]), initial: goal.name },
      { key: "along", label: "along", options: axes.map((name) => [name, name]), initial: along },
      { key: "lines", label: "a line for each", options: [["", "nothing"], ...axes.map((name) => [name, name])], initial: others[0] ?? "" },
      // Where the best point is, as long as nothing else is chosen.
      ...axes.map((name) => ({ key: `at ${name}`, label: name, options: tofn.valuesOf(rows, name).map((value) => [String(value), tofn.text(value)]), initial: String((best ?? rows[0])[name]), isHidden: (choice) => [choice.along, choice.lines].includes(name) })),
    ];
  },
  draw(rows, choice) {
    const { axes, goal } = tofn.sweepOf(rows), name = choice.figure ?? goal.name;
    const held = axes.filter((axis) => axis !== choice.along && axis !== choice.lines);
    const known = rows.filter((row) => isNumber(row[name]) && held.every((axis) => String(row[axis]) === choice[`at ${axis}`]));
    const is_number = known.every((row) => isNumber(row[choice.along]) && row[choice.along] > 0), places = tofn.valuesOf(rows, choice.along);
    const datasets = [...tofn.groupBy(known, (row) => choice.lines ? `${choice.lines} ${tofn.text(row[choice.lines])}` : "points")].map(([label, group], i) => ({
      label, showLine: true, borderColor: tofn.colour(i), backgroundColor: tofn.colour(i), pointStyle: tofn.marker(i), pointBackgroundColor: group.map((row) => tofn.pointFits(row) ? tofn.colour(i) : tofn.style("card")),
      data: group.map((row) => tofn.pointOf(is_number ? row[choice.along] : tofn.text(row[choice.along]), row[name], name, axes, row)).sort((a, b) => a.x - b.x),
    }));
    const x = is_number ? tofn.logAxis(choice.along, known.map((row) => row[choice.along]), { ofTwo: true }) : tofn.linearAxis(choice.along, { type: "category", labels: places.map(tofn.text) });
    if (!is_number) x.ticks = { color: tofn.style("muted") };
    const scales = { x, y: tofn.linearAxis(tofn.titleOf(name), { min: 0, grace: "5%" }) };
    return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 420 }] : [], note: held.length ? `At ${held.map((axis) => `${axis} ${choice[`at ${axis}`]}`).join(", ")}.` : "" };
  },
};
