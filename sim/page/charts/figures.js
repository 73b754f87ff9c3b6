{
  // Every figure that the table gives with its interval, by the names of its columns.
  const figuresOf = (rows) => Object.keys(rows[0] ?? {})
    .filter((name) => `${name}_low90` in rows[0] && rows.some((row) => tofn.isNumber(row[name]) && row[name] > 0));
  const first_shown = ["cost_usd", "days"];

  tofn.charts.figures = {
    controls(rows) {
      const names = figuresOf(rows);
      const first = first_shown.find((name) => names.includes(name));
      return [{ key: "figure", label: "figure",
        options: [...names].sort((a, b) => (b === first) - (a === first)).map((name) => [name, tofn.titleOf(name)]) }];
    },
    draw(rows, choice) {
      const names = figuresOf(rows);
      const name = names.includes(choice.figure) ? choice.figure : first_shown.find((each) => names.includes(each)) ?? names[0];
      const known = rows.filter((row) => tofn.isNumber(row[name]) && row[name] > 0);
      const datasets = tofn.figureSets(known, name, name ? tofn.titleOf(name) : "", (row) =>
        tofn.lines([["basis:", row[`${name}_basis`]], ["batch", row.global_batch], ["plan", row.plan]]));
      const scales = {
        x: tofn.logAxis("accelerators", known.map((row) => row.accelerators), { ofTwo: true }),
        y: tofn.logAxis(name ? tofn.titleOf(name) : "", datasets.flatMap((set) => set.data.flatMap((point) => [point.y, point.low, point.high]))),
      };
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [],
        note: known.length ? tofn.fitNote(known) : "No row has a figure with its interval." };
    },
  };
}
