// What a run of one size is made of: bars as in `tofn explore`, a run each.

{
  const seriesOf = (rows) => rows.map((row, i) => ({ row, colour: tofn.colour(i), letter: rows.length > 1 ? `${tofn.seriesOf(row)}, ${row.accelerators}` : "" }));
  const barsOf = (drawn) => ({ draw: (rows) => ({ panels: rows.length ? [{ element: drawn(seriesOf(rows)) }] : [] }) });

  tofn.charts.step_bar = barsOf(stepChart);
  tofn.charts.memory_bar = barsOf(memoryChart);

  /** The expected cost, by what the accelerators do for it; without a price their time. */
  const spent = (row) => {
    const cost = usual(row, "cost_usd");
    return losses(row).map(([share, words, colour, basis]) => [cost > 0 ? share * cost : share, words, colour, basis]);
  };
  tofn.charts.money_bar = {
    isWide: true,
    draw(rows) {
      const is_priced = rows.every((row) => usual(row, "cost_usd") > 0);
      return { panels: rows.length ? [{ element: bars(seriesOf(rows), spent, { text: is_priced ? dollars : percent, isShareOnly: !is_priced }) }] : [] };
    },
  };
}
