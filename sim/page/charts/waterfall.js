{
  // In this order they multiply from a run on 8 accelerators to the larger one.
  const factors = [["samples", "samples"], ["granularity", "granularity"], ["communication", "comm."], ["waiting", "waiting"],
    ["server", "server"], ["evaluation", "evaluation"], ["start_up", "start-up"], ["score", "score"]];

  const bars = (row, parts, title) => {
    let left = 1;
    const data = [{ x: "8", y: [0, 1], title, lines: [`base: ${row.base_system}`] }];
    for (const [key, label] of factors) {
      const kept = parts[key] ?? 1;
      data.push({ x: label, y: [left, left * kept], title: `${label}: x ${kept.toFixed(3)}`,
        lines: [title, `${tofn.percent(left)} -> ${tofn.percent(left * kept)}`] });
      left *= kept;
    }
    data.push({ x: "kept", y: [0, row.total], title: `kept: ${tofn.percent(row.total)}`, lines: [title] });
    return data;
  };

  const panel = (measured, predicted) => {
    // The measured step is the predicted one's parts times what remains, the server's.
    const parts = { ...measured, granularity: predicted.granularity, communication: predicted.communication, waiting: predicted.waiting };
    const colour = tofn.colourOf(tofn.workloadOf(measured));
    const datasets = [["measured", bars(measured, parts, `measured: ${measured.system}`), colour],
      ["predicted", bars(predicted, predicted, "predicted"), tofn.faded(colour, 0.5)]].map(([label, data, fill]) =>
      ({ label, data, backgroundColor: fill, borderColor: colour, borderWidth: 0, minBarLength: 2, categoryPercentage: 0.8, barPercentage: 0.95 }));
    const category = tofn.linearAxis("", { type: "category", labels: ["8", ...factors.map(([, label]) => label), "kept"] });
    category.ticks = { color: tofn.style("muted"), maxRotation: 60, autoSkip: false, font: { size: 11 } };
    const scales = { x: category, y: tofn.linearAxis("efficiency kept from 8", { min: 0, suggestedMax: 1 }) };
    return {
      title: `${measured.accelerators} x ${measured.accelerator}: ${measured.system}`,
      config: tofn.chart("bar", datasets, scales), height: 270,
    };
  };

  tofn.charts.waterfall = {
    isWide: true,
    controls: (rows) => [{ key: "workload", label: "workload", options: tofn.unique(rows.map(tofn.workloadOf)).map((name) => [name, name]) }],
    draw(rows, choice) {
      const shown = rows.filter((row) => tofn.workloadOf(row) === choice.workload);
      const runs = tofn.groupBy(shown, (row) => `${row.system} ${row.accelerators}`);
      const panels = [];
      for (const group of runs.values()) {
        const [measured, predicted] = ["measured", "predicted"].map((kind) => group.find((row) => row.kind === kind));
        if (measured && predicted) panels.push(panel(measured, predicted));
      }
      return { panels };
    },
  };
}
