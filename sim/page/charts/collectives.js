"use strict";

{
  const seriesOf = (row) => `${row.file}: ${row.collective}, ${row.ranks} ranks, ${row.nodes} node${row.nodes === 1 ? "" : "s"}`;
  const sizeText = (bytes) => {
    const units = ["B", "kB", "MB", "GB", "TB"];
    const at = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
    return `${Number((bytes / 1000 ** at).toPrecision(3))} ${units[at]}`;
  };

  tofn.charts.collectives = {
    isWide: true,
    controls: (rows) => [
      { key: "series", label: "table", options: tofn.unique(rows.map(seriesOf)).map((name) => [name, name]) },
      { key: "of", label: "against size", options: [["time", "time, us"], ["bandwidth", "size over time, GB/s"]] },
    ],
    draw(rows, choice) {
      const known = rows.filter((row) => seriesOf(row) === choice.series && row.size > 0 && row.measured_us > 0)
        .sort((a, b) => a.size - b.size);
      const value = (row, us) => choice.of === "time" ? us : row.size / us / 1e3;
      const unit = choice.of === "time" ? "us" : "GB/s";
      const at = (row, us) => ({
        x: row.size, y: value(row, us), title: `${sizeText(row.size)}: ${tofn.text(value(row, us))} ${unit}`,
        lines: [`measured ${tofn.text(row.measured_us)} us, predicted ${tofn.text(row.predicted_us)} us (${((row.predicted_us / row.measured_us - 1) * 100).toFixed(1)} %)`,
          ...tofn.range(row.low_us, row.high_us, "us"), ...tofn.lines([["basis:", row.basis], ["", row.fault], ["source:", row.file]])],
      });
      const predicted = known.filter((row) => row.predicted_us > 0);
      const bound = (name, us, more) => tofn.guide(name, predicted.filter((row) => us(row) > 0).map((row) => ({ x: row.size, y: value(row, us(row)) })), { borderWidth: 0, ...more });
      const datasets = [
        { label: "measured", data: known.map((row) => at(row, row.measured_us)), borderColor: tofn.colour(1), backgroundColor: tofn.colour(1) },
        { label: "predicted", data: predicted.map((row) => at(row, row.predicted_us)), showLine: true, radius: 0, pointStyle: "line",
          borderColor: tofn.colour(0), backgroundColor: tofn.colour(0) },
        bound("_high", (row) => row.high_us, { fill: "+1", backgroundColor: tofn.faded(tofn.colour(0), 0.16) }),
        bound("_low", (row) => row.low_us, {}),
      ];
      const x = tofn.logAxis("payload", known.map((row) => row.size));
      x.ticks.callback = (bytes) => sizeText(bytes);
      const values = datasets.flatMap((set) => set.data.map((point) => point.y));
      const scales = { x, y: tofn.logAxis(unit, values) };
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 420 }] : [] };
    },
  };
}
