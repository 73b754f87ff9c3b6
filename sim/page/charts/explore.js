{
  const goals = [["", "no goal"], ["less", "less is better"], ["more", "more is better"]];
  const columnsOf = (rows, wanted) => Object.keys(rows[0] ?? {}).filter((name) => wanted(rows.map((row) => row[name])));
  const numbers = (rows) => columnsOf(rows, (values) => values.some(tofn.isNumber))
    .sort((a, b) => isConstant(rows, a) - isConstant(rows, b));
  const isConstant = (rows, name) => tofn.unique(rows.map((row) => row[name])).length < 2;
  const first = (names, pattern) => names.find((name) => pattern.test(name));

  tofn.charts.explore = {
    isWide: true,
    controls(rows) {
      const names = numbers(rows);
      const options = names.map((name) => [name, name]);
      const groups = columnsOf(rows, (values) => { const n = tofn.unique(values).length; return n > 1 && n <= 24; });
      const y = first(names, /time|minutes|_min$|step_(s|ms)$/) ?? names[1];
      const cost = first(names, /cost|money|price|usd|eur|accelerator_h|energy|joule|kwh/i);
      const x = [cost, first(names, /^accelerators$|^N$/), names[0], names[1]].find((name) => name && name !== y);
      return [
        { key: "x", label: "x", options, initial: x },
        { key: "y", label: "y", options, initial: y },
        { key: "series", label: "series", options: [["", "all alike"], ...groups.map((name) => [name, name])], initial: first(groups, /workload|benchmark|model|cluster|accelerator$/) ?? "" },
        { key: "scale", label: "axes", options: [["log", "logarithmic"], ["linear", "linear"]] },
        { key: "goalX", label: "goal of x", options: goals, initial: cost ? "less" : "" },
        { key: "goalY", label: "goal of y", options: goals, initial: cost ? "less" : "" },
      ];
    },
    draw(rows, choice) {
      const known = rows.filter((row) => tofn.isNumber(row[choice.x]) && tofn.isNumber(row[choice.y]));
      const canBeLog = known.every((row) => row[choice.x] > 0 && row[choice.y] > 0);
      const isLog = choice.scale === "log" && canBeLog;
      const words = columnsOf(known, (values) => tofn.unique(values).length > 1).slice(0, 14);
      const point = (row) => ({
        x: row[choice.x], y: row[choice.y], title: `${choice.y} ${tofn.text(row[choice.y])}, ${choice.x} ${tofn.text(row[choice.x])}`,
        lines: tofn.lines(words.map((name) => [`${name}:`, row[name]])),
      });
      const groups = tofn.groupBy(known, (row) => choice.series ? tofn.text(row[choice.series]) || "not stated" : "rows");
      const datasets = [...groups].map(([label, group], i) =>
        ({ label, data: group.map(point), borderColor: tofn.colour(i), backgroundColor: tofn.faded(tofn.colour(i), 0.6) }));
      let note = choice.scale === "log" && !canBeLog ? "Not every value is above zero: the axes are linear. " : "";
      if (choice.goalX && choice.goalY) {
        const front = tofn.front(datasets.flatMap((set) => set.data), choice.goalX, choice.goalY);
        datasets.push({
          label: "Pareto front", data: front, showLine: true, borderColor: tofn.style("ink"), borderWidth: 1.4, radius: 8, pointStyle: "circle",
          backgroundColor: "transparent", pointBorderWidth: 1.6, pointHoverRadius: 9, stepped: choice.goalX === choice.goalY ? (choice.goalX === "less" ? "after" : "before") : false,
        });
        note += `${front.length} of ${known.length} rows are on the front.`;
      }
      const axisOf = (name) => isLog ? tofn.logAxis(name, known.map((row) => row[name]), { ofTwo: /^accelerators$|^N$/.test(name) })
        : tofn.linearAxis(name, { grace: "5%" });
      return { panels: known.length ? [{ config: tofn.chart("scatter", datasets, { x: axisOf(choice.x), y: axisOf(choice.y) }), height: 460 }] : [], note };
    },
  };
}
