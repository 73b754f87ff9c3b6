// What a table answers, worked out from its rows: a heading, numbers in large, and what they rest on.

{
  const figure = (name) => run_figures.find((each) => each.name === name);
  const value = (row, name) => figure(name).text(usual(row, name));
  /** `75 days expected (35 to 193 days)` */
  const withRange = (row, name, word = "") => {
    const range = rangeWords(row, figure(name));
    return `${value(row, name)}${word}${range ? ` (${range})` : ""}`;
  };
  const has = (row, name) => isNumber(usual(row, name)) && usual(row, name) > 0;
  const timeOf = (row) => has(row, "days") ? withRange(row, "days", " expected") : has(row, "step_s") ? `${withRange(row, "step_s", " a step")}${has(row, "mfu") ? `, MFU ${value(row, "mfu")}` : ""}` : "no time";
  const costOf = (row) => has(row, "cost_usd") ? `, ${value(row, "cost_usd")}` : "";
  const chipsOf = (row) => row.accelerator ? `${row.accelerators} x ${row.accelerator}` : `${row.accelerators} of ${row.cluster}`;
  const placeOf = (row) => `${tofn.workloadOf(row) ?? row.run ?? "the job"} on ${chipsOf(row)}`;
  const memoryWords = (row) => `${short(row.memory_gb)} of ${inUnit("GB")(memoryOf(row))}`;
  const least = (rows, of) => rows.filter((row) => isNumber(of(row))).reduce((best, row) => !best || of(row) < of(best) ? row : best, null);

  const runTiles = (row) => [
    has(row, "days") && ["Time", value(row, "days"), [rangeWords(row, figure("days")), usual(row, "days") === row.days ? "" : `${figure("days").text(row.days)} simulated`]],
    has(row, "cost_usd") && ["Cost", value(row, "cost_usd"), [rangeWords(row, figure("cost_usd")), isNumber(row.price_usd_per_hour) ? `${dollars(row.price_usd_per_hour)} an accelerator-hour` : ""]],
    isNumber(row.chance) && ["Limits", percent(row.chance), ["chance of meeting them"]],
    isNumber(row.memory_gb) && ["Memory", memoryOf(row) ? memoryWords(row) : value(row, "memory_gb"), [row.fits === 0 ? "does not fit" : "fits, on the most loaded rank"]],
    has(row, "step_s") && ["Speed", row.tokens_per_s > 0 ? `${value(row, "tokens_per_s")} tokens/s` : `${value(row, "samples_per_s")} samples/s`, [has(row, "mfu") ? `MFU ${value(row, "mfu")}` : "", `${value(row, "step_s")} a step`]],
    has(row, "energy_kwh") && ["Energy", value(row, "energy_kwh"), [has(row, "co2_t") ? value(row, "co2_t") : ""]],
  ].filter(Boolean);

  const said_of_runs = [
    ["warning", (row) => row.warning], ["plan", (row) => row.plan && `${row.plan}${row.plan_is_chosen ? "; chosen by tofn" : ""}`],
    ["batch", (row) => row.global_batch && `${short(row.global_batch, 4)} samples a step${row.sequence_length ? ` of ${row.sequence_length} tokens` : ""}`],
    ["price", (row) => isNumber(row.price_usd_per_hour) && `${dollars(row.price_usd_per_hour)} an accelerator-hour, ${(row.price_term ?? "").replaceAll("_", " ")}: ${row.price_source ?? "requested"}`],
    ["assumed", (row) => row.substituted], ["assumed, without a source", (row) => row.assumed],
  ];
  /** What all rows say alike. */
  const alike = (rows) => said_of_runs.map(([label, of]) => [label, tofn.unique(rows.map((row) => of(row) || ""))])
    .filter(([, words]) => words.length === 1 && words[0]).map(([label, [words]]) => [label, words]);

  const oneRun = (row) => ({
    heading: row.fits === 0 ? `${placeOf(row)} does not fit the memory: ${memoryOf(row) ? memoryWords(row) : value(row, "memory_gb")}` : `${placeOf(row)}: ${timeOf(row)}${costOf(row)}`,
    tiles: runTiles(row), notes: alike([row]),
  });

  const severalRuns = (rows) => {
    const fitting = rows.filter(tofn.fits), series = tofn.unique(rows.map(tofn.seriesOf)), name = series.length === 1 ? series[0] : `${series.length} jobs`;
    if (!fitting.length) return { heading: `${name}: no size fits the memory`, notes: alike(rows) };
    const time = has(fitting[0], "days") ? "days" : "step_s", soonest = least(fitting, (row) => usual(row, time)), cheapest = least(fitting, (row) => usual(row, "cost_usd"));
    const at = (row) => series.length === 1 ? `on ${row.accelerators}` : `by ${tofn.seriesOf(row)} on ${row.accelerators}`;
    return {
      heading: `${name}: soonest ${at(soonest)}, ${timeOf(soonest)}${costOf(soonest)}${cheapest && cheapest !== soonest ? `; cheapest ${at(cheapest)}, ${value(cheapest, time)}${costOf(cheapest)}` : ""}`,
      notes: alike(rows),
    };
  };
  const runs = (rows) => rows.length === 1 ? oneRun(rows[0]) : severalRuns(rows);

  const machineOf = (row) => [`${row.accelerators} x ${row.accelerator} (${row.cluster})`, row.precision, row.price_term].filter(Boolean).join(", ");
  const plan = (rows) => {
    const best = rows.find((row) => row.is_best), row = best ?? rows.find((each) => each.is_nearest) ?? rows[0], second = rows.find((each) => each.is_runner_up);
    return {
      heading: `${best ? "Rent" : "No plan is sure to meet the limits; nearest:"} ${machineOf(row)}: ${timeOf(row)}${costOf(row)}`,
      tiles: runTiles(row), notes: [...(second ? [["runner-up", `${machineOf(second)}: ${timeOf(second)}${costOf(second)}`]] : []), ...alike([row])],
    };
  };

  const scale = (rows) => {
    const own = rows.filter((row) => !("series" in row) || row.series === rows[0].series);
    if (tofn.unique(own.map(tofn.workloadOf)).length > 1) return {};
    const [first, last] = [least(own, (row) => row.accelerators), least(own, (row) => -row.accelerators)];
    return { heading: `${tofn.workloadOf(first)} on ${first.accelerator}: ${timeOf(first)} on ${first.accelerators}, ${timeOf(last)} on ${last.accelerators}, where ${percent(last.efficiency)} of the efficiency is left`, notes: alike(own) };
  };

  const timeline = (rows) => {
    const finish = (row) => row.start_ms + row.length_ms, end = Math.max(...rows.map(finish));
    const computing = rows.filter((row) => row.stream === "compute" && row.part !== "optimizer"), of_stages = tofn.groupBy(computing, (row) => row.stage);
    const shares = [...of_stages.values()].map((its) => its.reduce((sum, row) => sum + (row.busy_ms ?? row.length_ms), 0) / end);
    if (!shares.length) return { heading: `A step of ${short(end, 4)} ms` };
    return { heading: `A step of ${short(end, 4)} ms on ${of_stages.size} stage${of_stages.size === 1 ? "" : "s"}, which compute for ${between(Math.min(...shares), Math.max(...shares), percent)} of it` };
  };

  const check = (rows) => {
    const verdicts = tofn.verdictsOf(rows), count = (those) => `${those.length} of ${verdicts.length} table${verdicts.length === 1 ? "" : "s"}`;
    if (!verdicts.length) return {};
    const kinds = [...tofn.groupBy(verdicts, ({ verdict }) => verdict)].map(([verdict, those]) => `${count(those)}: ${verdict}`);
    return { heading: verdicts.length === 1 ? verdicts[0].words : kinds.join("; "), notes: verdicts.map(({ label, words }) => [label, words]), are_verdicts: true };
  };

  const compare = (rows) => {
    const score = tofn.scoreOf(rows);
    return score ? { heading: `${score.runs} published runs are predicted with a median error of ${score.median.toFixed(1)} %, ${score.inside} of them inside their 90 % range` } : {};
  };

  const collectives = (rows) => {
    const errors = rows.filter((row) => row.measured_us > 0 && row.predicted_us > 0).map((row) => Math.abs(row.predicted_us / row.measured_us - 1));
    return errors.length ? { heading: `${tofn.text(errors.length)} measured collectives are predicted with a median error of ${percent(tofn.median(errors))}` } : {};
  };

  const algorithms = (rows) => {
    const row = rows.find((each) => each.is_chosen) ?? least(rows, (each) => each.time_us), name = [row.algorithm, row.protocol].filter(Boolean).join(", ");
    return { heading: `${row.library ?? "The library"} ${row.is_chosen ? "chooses" : "is fastest with"} ${name}: ${tofn.text(row.time_us)} us` };
  };

  const sweep = (rows) => {
    const { goal, best, axes } = tofn.sweepOf(rows);
    if (!best) return { heading: `None of ${tofn.text(rows.length)} points fits the memory` };
    // Points of several jobs have no best one.
    if (axes.some((axis) => /^(workload|model|run)$/.test(axis))) return { heading: `${tofn.text(rows.length)} points over ${axes.join(", ")}` };
    const wanted = { days: "Shortest run", time_to_train_min: "Shortest time to train", step_s: "Shortest step", cost_usd: "Lowest cost" }[goal.name] ?? `${goal.more ? "Highest" : "Lowest"} ${tofn.titleOf(goal.name)}`;
    return { heading: `${wanted} of ${tofn.text(rows.length)} points${/^(days|cost_usd)$/.test(goal.name) ? ", simulated" : ""}: ${tofn.figureText(goal.name, best[goal.name])}`, notes: axes.map((axis) => [axis, tofn.text(best[axis])]) };
  };

  const sensitivity = (rows) => {
    const first = least(rows, (row) => -row.variance_share);
    return first ? { heading: `What is uncertain about ${first.input} moves the time most: ${percent(first.variance_share)} of its variance` } : {};
  };

  const by_kind = { predict: runs, step: runs, plan, scale, timeline, check, compare, collectives, algorithms, sweep, sensitivity };
  /** {heading, tiles, notes}: its heading, [label, number, small words] and [label, words]; a table without a rule has its title. */
  tofn.answerOf = (table) => ({ heading: table.title, tiles: [], notes: [], ...by_kind[table.kind]?.(tofn.rowsOf(table)) });
}
