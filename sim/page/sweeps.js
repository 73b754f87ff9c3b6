// The points of a sweep: their axes, their figures, and which is best.

{
  const figure_names = /^(days|mfu|hfu|mfu_6n|goodput|speedup|efficiency|fits|fits_memory)$|_(s|gb|usd|kwh|share|per_s|min|ms|t|w|j|hours|each|percent)$/;
  const is_more = /^(mfu|hfu|mfu_6n|goodput|speedup|efficiency)$|_per_s/;
  const goals = ["cost_usd", "days", "time_to_train_min", "step_s", "samples_per_s", "mfu"];
  tofn.valuesOf = (rows, name) => tofn.unique(rows.map((row) => row[name])).filter((value) => value !== null);
  tofn.pointFits = (row) => (row.fits ?? row.fits_memory) !== 0;

  /** The axes, which stand before the first figure and vary; the figures; what is wanted, and the best point that fits. */
  tofn.sweepOf = (rows) => {
    const names = Object.keys(rows[0]), first = names.findIndex((name, i) => i > 0 && figure_names.test(name));
    const numbers = names.slice(Math.max(first, 1)).filter((name) => !/^fits/.test(name) && rows.some((row) => isNumber(row[name])));
    const axes = names.slice(1, Math.max(first, 1)).filter((name) => tofn.valuesOf(rows, name).length > 1);
    const name = goals.find((each) => numbers.includes(each)) ?? numbers[0], more = is_more.test(name);
    const best = rows.filter((row) => tofn.pointFits(row) && isNumber(row[name])).reduce((best, row) => !best || (more ? row[name] > best[name] : row[name] < best[name]) ? row : best, null);
    return { axes, figures: numbers, goal: { name, more }, best };
  };

  /** A point of a chart, with the words of its tooltip. */
  tofn.pointOf = (x, y, name, axes, row) => ({ x, y, title: `${tofn.titleOf(name)}: ${tofn.figureText(name, row[name])}`, lines: [...axes.map((axis) => `${axis}: ${tofn.text(row[axis])}`), ...(tofn.pointFits(row) ? [] : ["does not fit the memory"])] });
}
