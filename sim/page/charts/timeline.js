{
  const endOf = (rows) => rows.reduce((end, row) => Math.max(end, row.start_ms + row.length_ms), 0);

  tofn.charts.timeline = {
    isWide: true,
    controls: (rows) => [
      { key: "from", label: "from, ms", number: 0, least: 0, most: endOf(rows) },
      { key: "to", label: "to, ms", number: Number(endOf(rows).toPrecision(5)), least: 0, most: endOf(rows) },
    ],
    draw(rows, choice) {
      const from = Math.max(0, choice.from);
      const to = choice.to > from ? choice.to : endOf(rows);
      const shown = rows.filter((row) => row.start_ms < to && row.start_ms + row.length_ms > from);
      const lane = (row) => `${row.stage} ${row.stream}`;
      const lanes = tofn.unique(rows.map(lane));
      // Computing is told apart by its pass.
      const labelOf = (row) => row.part === "compute" && row.pass ? row.pass : row.part;
      const labels = tofn.unique(rows.map(labelOf));
      const colours = { forward: "#5b83b0", backward: "#2f5d8c" };
      const datasets = labels.map((part) => ({
        label: part, backgroundColor: colours[part] ?? tofn.colourOfPart(part), borderWidth: 0, grouped: false, minBarLength: 0.5,
        barPercentage: 0.92, categoryPercentage: 1, pointStyle: "rect",
        data: shown.filter((row) => labelOf(row) === part).map((row) => ({
          y: lane(row), x: [row.start_ms, row.start_ms + row.length_ms], title: `${part}, ${lane(row)}`,
          lines: [...tofn.lines([["", row.pass], ["micro-batch", row.micro_batch], ["chunk", row.chunk]]),
            `${tofn.text(row.start_ms)}–${tofn.text(row.start_ms + row.length_ms)} ms: ${tofn.text(row.length_ms)} ms`,
            ...(row.events > 1 ? [`${row.events} events, busy ${tofn.text(row.busy_ms)} ms`] : [])],
        })),
      }));
      const y = tofn.linearAxis("", { type: "category", labels: lanes });
      y.ticks = { color: tofn.style("muted"), autoSkip: false, font: { size: 11 } };
      const x = tofn.linearAxis("ms", { min: from, max: to });
      return { panels: shown.length ? [{ config: tofn.chart("bar", datasets, { x, y }, { indexAxis: "y" }), height: 110 + 24 * lanes.length }] : [] };
    },
  };
}
