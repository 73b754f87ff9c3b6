tofn.charts.tornado = {
  isWide: true,
  controls: () => [{ key: "of", label: "bars", options: [["doubt", "of what is in doubt"], ["figure", "of 10 % more of a figure"]] }],
  draw(rows, choice) {
    const isOfDoubts = choice.of === "doubt";
    const ends = (row) => (isOfDoubts ? [row.time_factor_low5 - 1, row.time_factor_high95 - 1] : [0, row.time_effect]);
    const reach = (row) => Math.abs(ends(row)[1] - ends(row)[0]);
    const shown = rows.filter((row) => tofn.isNumber(isOfDoubts ? row.variance_share : row.time_effect) && reach(row) > 1e-4)
      .sort((a, b) => reach(b) - reach(a)).slice(0, 16);
    const data = shown.map((row) => ({
      x: row.input, y: ends(row).map((end) => 100 * end), title: row.input,
      lines: isOfDoubts ? [`${tofn.percent(row.variance_share)} of the variance`, row.measurement]
        : [`${row.value}: ${tofn.percent(row.change)} more makes ${tofn.percent(row.time_effect)} of the time`],
    }));
    const category = tofn.linearAxis("", { type: "category", labels: shown.map((row) => row.input) });
    category.ticks = { color: tofn.style("muted"), maxRotation: 60, autoSkip: false, font: { size: 11 } };
    const scales = { x: category, y: tofn.linearAxis("change of the time in %") };
    const bars = { label: "time", data, backgroundColor: tofn.faded(tofn.colour(0), 0.6), borderColor: tofn.colour(0), minBarLength: 2 };
    return { panels: [{ title: "", config: tofn.chart("bar", [bars], scales), height: 340 }] };
  },
};
