// The figures of the chosen size of each scenario, and how the scenarios compare.

const hasFigure = (series, name) => series.some(({ row }) => isNumber(row?.[name]));
const basisWords = (basis) => basis ? element("span", { style: `color:${bases[basis] ?? "inherit"}` }, basis) : "";
const meanings = Object.fromEntries(offers.figures.map(({ figure, meaning }) => [figure, meaning]));

function figuresTable(series) {
  const known = series.filter(({ row }) => row);
  if (!known.length) return element("p", { class: "muted" }, "Nothing to show yet.");
  const shown = run_figures.filter(({ name }) => hasFigure(known, name));
  const head = ({ name, title }) => meanings[name] ? named(element("span", {}, title), meanings[name]) : title;
  const simulated = (row, { name, text }) => usual(row, name) === row[name] ? "" : text(row[name]);
  if (known.length === 1) {
    const [{ row }] = known;
    return tableOf(["figure", "expected", "90 % range", "simulated", "rests on"], shown.map((figure) =>
      [head(figure), figure.text(usual(row, figure.name)), rangeWords(row, figure), simulated(row, figure), basisWords(row[`${figure.name}_basis`])]));
  }
  return tableOf(["figure", ...known.map(({ letter, colour }) => element("b", { style: `color:${colour}` }, letter))], shown.map((figure) => [head(figure), ...known.map(({ row }) => {
    const value = element("span", {}, figure.text(usual(row, figure.name))), range = rangeWords(row, figure);
    if (simulated(row, figure)) named(value, `simulated: ${simulated(row, figure)}`);
    return element("span", {}, value, ...(range ? [element("small", { class: "muted" }, range)] : []));
  })]));
}

/** A row a scenario: its figures, and the difference to the first as numbers. */
function comparisonTable(series) {
  const [base] = series, known = series.filter(({ row }) => row);
  const has_chance = hasFigure(known, "chance"), has_cost = hasFigure(known, "cost_usd");
  const figure = (name) => run_figures.find((each) => each.name === name), time = hasFigure(known, "days") ? figure("days") : figure("step_s");
  const cell = (row, { name, text }, compared) => element("span", {}, text(usual(row, name)), ...(compared ? [element("small", {}, compared)] : []));
  return tableOf(["scenario", time.title.toLowerCase(), ...(has_cost ? ["cost"] : []), "memory", ...(has_chance ? ["chance of meeting the limits"] : [])], known.map(({ letter, colour, title, row, row: { memory_gb: held } }) => {
    const compared = row !== base.row && base.row ? comparisonWords(row, base.row) : {};
    return [element("span", {}, element("b", { style: `color:${colour}` }, `${letter} `), title), cell(row, time, compared.time), ...(has_cost ? [cell(row, figure("cost_usd"), compared.cost)] : []),
      row.fits ? isNumber(held) ? `${short(held)} of ${inUnit("GB")(memoryOf(row))}` : "fits" : element("span", { class: "problem" }, "does not fit"), ...(has_chance ? [percent(row.chance)] : [])];
  }));
}
