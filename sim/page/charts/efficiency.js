{
  const measures = [
    ["own_efficiency", "within the same accelerator"],
    ["relative_efficiency", "E', against the study's reference"],
    ["scaling_efficiency", "against a full server of it"],
    ["efficiency", "against the smallest size that fits"],
  ];

  /** Height of the first series at x, between its sizes in a straight line over log N. */
  const heightAt = (points, x) => {
    const above = points.findIndex((point) => point.x >= x);
    if (above <= 0) return (points[above] ?? points.at(-1)).y;
    const [a, b] = [points[above - 1], points[above]];
    return a.y + (b.y - a.y) * Math.log(x / a.x) / Math.log(b.x / a.x);
  };

  /** The knees of one workload, those at one place together, on its first series. */
  const kneeMarksOf = (knees, rows, of) => {
    const first = rows.filter((row) => tofn.seriesOf(row) === tofn.seriesOf(rows[0]))
      .map((row) => ({ x: row.accelerators, y: row[of] })).sort((a, b) => a.x - b.x);
    const places = tofn.groupBy(knees, (knee) => knee.between ?? knee.accelerators);
    return [...places].map(([x, at]) => ({
      x, y: heightAt(first, x), title: `${rows[0].workload ?? ""} knee at ${tofn.text(Math.round(x))}`.trim(),
      lines: at.map((knee) => `${knee.knee}: ${knee.definition}, N = ${knee.accelerators}` +
        (knee.is_last ? ", the largest size: it may lie beyond" : knee.is_first ? ", the smallest size: it may lie below" : "")),
    }));
  };

  /** The knees that belong to a table. */
  const kneeMarks = (known, table, of) => {
    const knees = tofn.groupBy(tofn.kneesOf(table).filter((knee) => tofn.isNumber(knee.accelerators)), (knee) => knee.workload);
    return [...knees].flatMap(([workload, its]) => {
      const rows = known.filter((row) => row.workload === workload);
      return rows.length ? kneeMarksOf(its, rows, of) : [];
    });
  };

  tofn.charts.efficiency = {
    controls(rows) {
      const known = measures.filter(([key]) => rows.some((row) => tofn.isNumber(row[key])));
      const isStudy = rows.some((row) => tofn.isNumber(row.relative_efficiency));
      return [
        // In a study `efficiency` is speedup over N, whatever the reference has.
        { key: "of", label: "efficiency", options: isStudy ? known.filter(([key]) => key !== "efficiency") : known },
        { key: "axis", label: "axis", options: [["linear", "linear"], ["log", "logarithmic"]] },
      ];
    },
    draw(rows, choice, allRows, table) {
      const known = rows.filter((row) => tofn.isNumber(row[choice.of]) && row[choice.of] > 0);
      const datasets = [];
      for (const [series, group] of tofn.groupBy(known, tofn.seriesOf)) {
        const look = tofn.lookOf(rows, group[0]);
        const bySize = [...tofn.groupBy(group.filter(tofn.fits), (row) => row.accelerators)].sort(([a], [b]) => a - b);
        datasets.push({
          label: series, ...look, backgroundColor: tofn.faded(look.borderColor, 0.55),
          pointBackgroundColor: group.map((row) => tofn.fillOf(row, tofn.faded(look.borderColor, 0.55))),
          data: group.map((row) => ({
            x: row.accelerators, y: row[choice.of],
            title: row.system ? `${row.org}/${row.system}` : series,
            lines: [`${row.system ? tofn.workloadOf(row) : series}, ${row.accelerators} x ${row.accelerator ?? "accelerator"}`,
              ...(tofn.fits(row) ? [] : ["does not fit the memory: no baseline"]),
              ...tofn.lines([["efficiency", row[choice.of]], ["minutes", row.time_to_train_min], ["speedup", row.speedup],
                ["batch", row.global_batch_size ?? row.global_batch], ["bottleneck:", row.bottleneck], ["weakest term:", row.basis]])],
          })),
        });
        datasets.push(tofn.guide(`_${series}`, bySize.map(([x, at]) => ({ x, y: tofn.median(at.map((row) => row[choice.of])) })),
          { borderColor: look.borderColor, borderDash: [], borderWidth: 1.6 }));
      }
      const marks = kneeMarks(known, table, choice.of);
      if (marks.length)
        datasets.push({ label: "knees", data: marks, pointStyle: "rectRot", radius: 9, hoverRadius: 11, borderWidth: 2,
          borderColor: tofn.style("ink"), backgroundColor: "transparent" });
      const sizes = known.map((row) => row.accelerators);
      datasets.push(tofn.guide("_ideal", [Math.min(...sizes) / 2, Math.max(...sizes) * 2].map((x) => ({ x, y: 1 }))));
      const values = known.map((row) => row[choice.of]);
      const scales = {
        x: tofn.logAxis("accelerators", sizes, { ofTwo: true }),
        y: choice.axis === "log" ? tofn.logAxis("efficiency", values) : tofn.linearAxis("efficiency", { min: 0, grace: "5%" }),
      };
      const note = rows.some((row) => row.system) ? "Lines join the medians of the systems of one size." : tofn.fitNote(known);
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, scales), height: 400 }] : [], note };
    },
  };
}
