// The best points of a sweep, as bars.

{
  const most_ranked = 15;
  tofn.charts.ranked = {
    isWide: true,
    draw(rows) {
      const { axes, goal } = tofn.sweepOf(rows), { name, more } = goal;
      const best = rows.filter((row) => tofn.pointFits(row) && isNumber(row[name])).sort((a, b) => (more ? -1 : 1) * (a[name] - b[name])).slice(0, most_ranked);
      const labels = best.map((row, i) => `${i + 1}. ${axes.map((axis) => `${axis} ${tofn.text(row[axis])}`).join(", ") || `point ${row.point}`}`);
      const y = tofn.linearAxis("", { type: "category", labels });
      y.ticks = { color: tofn.style("muted"), autoSkip: false, callback: (_, i) => { const most = Math.max(16, Math.floor(innerWidth / 14)); return labels[i].length > most ? `${labels[i].slice(0, most)}…` : labels[i]; } };
      const bar = { label: "points", backgroundColor: tofn.colour(0), data: best.map((row, i) => tofn.pointOf(row[name], labels[i], name, axes, row)) };
      return { panels: best.length ? [{ config: tofn.chart("bar", [bar], { x: tofn.linearAxis(tofn.titleOf(name), { min: 0 }), y }, { indexAxis: "y", legend: false }), height: 80 + 26 * best.length }] : [] };
    },
  };
}
