/** The expected cost, by what the accelerators do for it; without a price, their time. */
tofn.charts.money_bar = {
  isWide: true,
  ...tofn.barsChart((series) => {
    const is_priced = series.every(({ row }) => usual(row, "cost_usd") > 0);
    const spent = (row) => losses(row).map(([share, ...rest]) => [is_priced ? share * usual(row, "cost_usd") : share, ...rest]);
    return bars(series, spent, { text: is_priced ? dollars : percent, isShareOnly: !is_priced });
  }),
};
