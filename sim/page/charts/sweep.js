// A grid of points: one figure along one axis, a line for each value of another; and the best points.

{
  const figure_names = /^(days|mfu|hfu|mfu_6n|goodput|speedup|efficiency|fits|fits_memory)$|_(s|gb|usd|kwh|share|per_s|min|ms|t|w|j|hours|each|percent)$/;
  const is_more = /^(mfu|hfu|mfu_6n|goodput|speedup|efficiency)$|_per_s/;
  const goals = ["cost_usd", "days", "time_to_train_min", "step_s", "samples_per_s", "mfu"];
  const valuesOf = (rows, name) => tofn.unique(rows.map((row) => row[name])).filter((value) => value !== null);
  const fits = (row) => (row.fits ?? row.fits_memory) !== 0;

  /** The axes, which stand before the first figure and vary; the figures; what is wanted, and the best point that fits. */
  tofn.sweepOf = (rows) => {
    const names = Object.keys(rows[0]), first = names.findIndex((name, i) => i > 0 && figure_names.test(name));
    const numbers = names.slice(Math.max(first, 1)).filter((name) => !/^fits/.test(name) && rows.some((row) => isNumber(row[name])));
    const axes = names.slice(1, Math.max(first, 1)).filter((name) => valuesOf(rows, name).length > 1);
    const name = goals.find((each) => numbers.includes(each)) ?? numbers[0], more = is_more.test(name);
    const best = rows.filter((row) => fits(row) && isNumber(row[name])).reduce((best, row) => !best || (more ? row[name] > best[name] : row[name] < best[name]) ? row : best, null);
    return { axes, figures: numbers, goal: { name, more }, best };
  };

  const axisWords = (axes, row) => axes.map((axis) => `${axis} ${tofn.text(row[axis])}`).join(", ");
  const pointOf = (x, y, name, axes, row) => ({ x, y, title: `${tofn.titleOf(name)}: ${tofn.figureText(name, row[name])}`, lines: [...axes.map((axis) => `${axis}: ${tofn.text(row[axis])}`), ...(fits(row) ? [] : ["does not fit the memory"])] });

  tofn.charts.sweep = {
    isWide: true,
    controls(rows) {
      const { axes, figures, goal, best } = tofn.sweepOf(rows);
      if (!axes.length) return [];
      const numeric = axes.filter((axis) => rows.every((row) => isNumber(row[axis]))), along = numeric.sort((a, b) => valuesOf(rows, b).length - valuesOf(rows, a).length)[0] ?? axes[0];
      const others = axes.filter((axis) => axis !== along);
      return [
        { key: "figure", label: "figure", options: figures.map((name) => [name, tofn.titleOf(name)]), initial: goal.name },
        { key: "along", label: "along", options: axes.map((name) => [name, name]), initial: along },
        { key: "lines", label: "a line for each", options: [["", "nothing"], ...axes.map((name) => [name, name])], initial: others[0] ?? "" },
        // Where the best point is, as long as nothing else is chosen.
        ...axes.map((name) => ({ key: `at ${name}`, label: name, options: valuesOf(rows, name).map((value) => [String(value), tofn.text(value)]), initial: String((best ?? rows[0])[name]), isHidden: (choice) => [choice.along, choice.lines].includes(name) })),
      ];
    },
    draw(rows, choice) {
      const { axes, goal } = tofn.sweepOf(rows), name = choice.figure ?? goal.name;
      const held = axes.filter((axis) => axis !== choice.along && axis !== choice.lines);
      const known = rows.filter((row) => isNumber(row[name]) && held.every((axis) => String(row[axis]) === choice[`at ${axis}`]));
      const is_number = known.every((row) => isNumber(row[choice.along]) && row[choice.along] > 0), places = valuesOf(rows, choice.along);
      const datasets = [...tofn.groupBy(known, (row) => choice.lines ? `${choice.lines} ${tofn.text(row[choice.lines])}` : "points")].map(([label, group], i) => ({
        label, showLine: true, borderColor: tofn.colour(i), backgroundColor: tofn.colour(i), pointStyle: tofn.marker(i), pointBackgroundColor: group.map((row) => fits(row) ? tofn.colour(i) : tofn.style("card")),
        data: group.map((row) => pointOf(is_number ? row[choice.along] : tofn.text(row[choice.along]), row[name], name, axes, row)).sort((a, b) => a.x - b.x),
      }));
      const x = is_number ? tofn.logAxis(choice.along, known.map((row) => row[choice.along]), { ofTwo: true }) : tofn.linearAxis(choice.along, { type: "category", labels: places.map(tofn.text) });
      if (!is_number) x.ticks = { color: tofn.style("muted") };
      const scales = { x, y: tofn.linearAxis(tofn.titleOf(name), { min: 0, grace: "5%" }) };
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 420 }] : [], note: held.length ? `At ${held.map((axis) => `${axis} ${choice[`at ${axis}`]}`).join(", ")}.` : "" };
    },
  };

  const most_ranked = 15;
  tofn.charts.ranked = {
    isWide: true,
    draw(rows) {
      const { axes, goal } = tofn.sweepOf(rows), { name, more } = goal;
      const best = rows.filter((row) => fits(row) && isNumber(row[name])).sort((a, b) => (more ? -1 : 1) * (a[name] - b[name])).slice(0, most_ranked);
      const labels = best.map((row, i) => `${i + 1}. ${axisWords(axes, row) || `point ${row.point}`}`);
      const y = tofn.linearAxis("", { type: "category", labels });
      y.ticks = { color: tofn.style("muted"), autoSkip: false, callback: (_, i) => { const most = Math.max(16, Math.floor(innerWidth / 14)); return labels[i].length > most ? `${labels[i].slice(0, most)}…` : labels[i]; } };
      const bar = { label: "points", backgroundColor: tofn.colour(0), data: best.map((row, i) => pointOf(row[name], labels[i], name, axes, row)) };
      return { panels: best.length ? [{ config: tofn.chart("bar", [bar], { x: tofn.linearAxis(tofn.titleOf(name), { min: 0 }), y }, { indexAxis: "y", legend: false }), height: 80 + 26 * best.length }] : [] };
    },
  };
}
