tofn.charts.algorithms = {
  isWide: true,
  draw(rows) {
    const known = rows.filter((row) => row.time_us > 0).sort((a, b) => a.time_us - b.time_us);
    const name = (row) => [row.algorithm, row.protocol].filter(Boolean).join(" ");
    const libraries = tofn.unique(known.map((row) => row.library));
    const datasets = libraries.map((library, i) => ({
      label: library, backgroundColor: tofn.colour(i), grouped: false, barPercentage: 0.8, categoryPercentage: 0.95,
      data: known.filter((row) => row.library === library).map((row) => ({
        y: `${name(row)} (${library})`, x: row.time_us, title: `${name(row)}: ${tofn.text(row.time_us)} us`,
        lines: tofn.lines([["bus bandwidth, GB/s:", row.bus_bandwidth_gb_s], ["times the fastest:", row.over_fastest], ["basis:", row.basis]]),
      })),
    }));
    const y = tofn.linearAxis("", { type: "category", labels: known.map((row) => `${name(row)} (${row.library})`) });
    y.ticks = { color: tofn.style("muted"), autoSkip: false };
    const scales = { x: tofn.linearAxis("us", { min: 0 }), y };
    return { panels: known.length ? [{ config: tofn.chart("bar", datasets, scales, { indexAxis: "y" }), height: 90 + 28 * known.length }] : [] };
  },
};
