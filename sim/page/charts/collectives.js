{
  const seriesOf = (row) => `${row.file}: ${row.collective}, ${row.ranks} ranks, ${row.nodes} node${row.nodes === 1 ? "" : "s"}`;
  const sizeText = (bytes) => {
    const units = ["B", "kB", "MB", "GB", "TB"];
    const at = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
    return `${Number((bytes / 1000 ** at).toPrecision(3))} ${units[at]}`;
  };

  /** The verdict on a table whose rows were checked, in a sentence: any of its rows has it. */
  const wordsOf = (row) => {
    if (row.refused) return `refused: ${row.refused}`;
    if (row.impossible) return `${row.verdict}: ${row.impossible}`;
    const where = row.slow_factor ? ` from ${sizeText(row.slow_from_bytes)} to ${sizeText(row.slow_to_bytes)} by a factor of ${Number(row.slow_factor.toPrecision(2))}` : "";
    const step = row.step_s > 0 && row.healthy_step_s > 0 ? `; a step takes ${Number((row.step_s / row.healthy_step_s).toPrecision(3))} x as long as on healthy links` : "";
    return `${row.verdict}${where}${row.cause ? `: ${row.cause}` : ""}${step}`;
  };

  /** What `collective --check` found: [what was checked, words], the tables that are not normal first. */
  tofn.verdictsOf = (rows) => [...tofn.groupBy(rows.filter((row) => row.verdict && "is_slow" in row), (row) => row.refused ? row.file : seriesOf(row))]
    .map(([label, [row]]) => ({ label, words: wordsOf(row), verdict: row.verdict }))
    .sort((a, b) => (a.verdict === "normal") - (b.verdict === "normal"));

  tofn.charts.collectives = {
    isWide: true,
    controls: (rows) => [
      // One that is slow is what is looked for.
      { key: "series", label: "table", options: tofn.unique([...rows].sort((a, b) => (b.is_slow ?? 0) - (a.is_slow ?? 0)).filter((row) => row.size > 0).map(seriesOf)).map((name) => [name, name]) },
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
          ...tofn.range(row.low_us, row.high_us, "us"), ...(row.is_slow ? ["slow: beyond its 90 % interval"] : []), ...tofn.lines([["basis:", row.basis], ["", row.fault], ["source:", row.file]])],
      });
      const predicted = known.filter((row) => row.predicted_us > 0);
      const bound = (name, us, more) => tofn.guide(name, predicted.filter((row) => us(row) > 0).map((row) => ({ x: row.size, y: value(row, us(row)) })), { borderWidth: 0, ...more });
      const datasets = [
        ...[["measured", known.filter((row) => !row.is_slow), { borderColor: tofn.colour(1), backgroundColor: tofn.colour(1) }],
          ["measured, slow", known.filter((row) => row.is_slow), { borderColor: tofn.colour(4), backgroundColor: tofn.colour(4), pointStyle: "rectRot", radius: 6.5 }],
        ].filter(([, its]) => its.length).map(([label, its, look]) => ({ label, data: its.map((row) => at(row, row.measured_us)), ...look })),
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
