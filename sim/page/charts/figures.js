"use strict";

{
  // Every figure that the table gives with its interval, by the names of its columns.
  const figuresOf = (rows) => Object.keys(rows[0] ?? {})
    .filter((name) => `${name}_low90` in rows[0] && rows.some((row) => tofn.isNumber(row[name]) && row[name] > 0));
  const usual = ["cost_usd", "days"];

  tofn.charts.figures = {
    controls(rows) {
      const names = figuresOf(rows);
      const first = usual.find((name) => names.includes(name));
      return [{ key: "figure", label: "figure",
        options: [...names].sort((a, b) => (b === first) - (a === first)).map((name) => [name, name.replaceAll("_", " ")]) }];
    },
    draw(rows, choice) {
      const names = figuresOf(rows);
      const name = names.includes(choice.figure) ? choice.figure : usual.find((each) => names.includes(each)) ?? names[0];
      const known = rows.filter((row) => tofn.isNumber(row[name]) && row[name] > 0);
      const datasets = [...tofn.groupBy(known, tofn.seriesOf)].map(([series, group]) => {
        return {
          label: series, ...tofn.lookOf(rows, group[0]), showLine: true,
          data: [...group].sort((a, b) => a.accelerators - b.accelerators).map((row) => ({
            x: row.accelerators, y: row[name], low: row[`${name}_low90`], high: row[`${name}_high90`],
            title: `${series}, ${row.accelerators} accelerators`,
            lines: [`${tofn.text(row[name])} ${name.replaceAll("_", " ")}`, ...tofn.range(row[`${name}_low90`], row[`${name}_high90`], ""),
              ...tofn.lines([["basis:", row[`${name}_basis`]], ["batch", row.global_batch], ["plan", row.plan]])],
          })),
        };
      });
      const scales = {
        x: tofn.logAxis("accelerators", known.map((row) => row.accelerators), { ofTwo: true }),
        y: tofn.logAxis(name?.replaceAll("_", " ") ?? "", datasets.flatMap((set) => set.data.flatMap((point) => [point.y, point.low, point.high]))),
      };
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [],
        note: known.length ? "" : "No row has a figure with its interval." };
    },
  };
}
