// Which machine is cheapest for the current scenario: `tofn plan` of each machine that has a price.

const cheapest = (() => {
  let asked = null; // {key, scenario, rows, done, all}; a later question takes its place
  const shown_at_first = 12;
  let shows_all = false;

  /** What `plan` takes of the question of a scenario. */
  function planQuestion(scenario, cluster) {
    const known = new Set(offers.commands.find(({ name }) => name === "plan").options.map(({ name }) => name));
    const options = Object.entries(questionOf({ ...scenario, cluster }, scenario.size).options).filter(([name]) => known.has(name) && name !== "same-loss");
    return { ...questionOf(scenario, ""), command: "plan", arguments: [jobOf(scenario), cluster], options: Object.fromEntries(options) };
  }
  /** Without what the machines differ in. */
  const keyOf = (scenario) => JSON.stringify(planQuestion({ ...scenario, price: null, network: 0 }, ""));
  const isPlanned = (scenario) => kindOf(scenario) === "run" || (kindOf(scenario) === "model" && Boolean(scenario.tokens));

  async function ask() {
    const scenario = structuredClone({ ...current(), price: null, network: 0 });
    // The machine of the scenario first, so that the others are compared with it.
    const clusters = offers.clusters.filter(listPriceOf).sort((a, b) => (b.name === scenario.cluster) - (a.name === scenario.cluster));
    const mine = asked = { key: keyOf(scenario), scenario, rows: [], done: 0, all: clusters.length };
    shows_all = false;
    draw();
    const worker = async (slot) => {
      for (let next = clusters.shift(); next && asked === mine; next = clusters.shift()) {
        const answer = await answered(slot, planQuestion(scenario, next.name));
        if (asked !== mine) return;
        const row = answer?.rows?.find((each) => each.is_best || each.is_nearest);
        if (row) mine.rows.push(row);
        ++mine.done;
        draw();
      }
    };
    await Promise.all(["plan-1", "plan-2"].map(worker));
  }
  const listPriceOf = ({ price_usd_per_hour: price }) => isNumber(price);

  /** The rows that keep the limits first, each group by its expected cost. */
  const ranked = (rows) => [...rows].sort((a, b) => b.keeps_limits - a.keeps_limits || usual(a, "cost_usd") - usual(b, "cost_usd"));

  function table(rows, mine) {
    const has_limits = (Number(state.deadline) > 0 || Number(state.budget) > 0);
    const own = mine.rows.find((row) => row.cluster === mine.scenario.cluster);
    const [time, cost] = ["days", "cost_usd"].map((name) => run_figures.find((each) => each.name === name));
    const withRange = (row, figure) => element("span", {}, figure.text(usual(row, figure.name)), element("small", { class: "muted" }, rangeWords(row, figure)));
    return tableOf(["machine", "chips", "time", "cost", `cost against ${mine.scenario.cluster}${own ? `, ${own.precision}` : ""}`, ...(has_limits ? ["chance of meeting the limits"] : []), ""], rows.map((row) => [
      row.cluster, `${row.accelerators} x ${row.accelerator}, ${row.precision}`, withRange(row, time), withRange(row, cost), own && row !== own ? comparisonWords(row, own).cost : "",
      ...(has_limits ? [element("span", { class: row.keeps_limits ? "" : "problem" }, percent(row.chance))] : []),
      state.scenarios.length < most_scenarios ? element("button", { type: "button", "aria-label": `add ${row.cluster} as a scenario`, onclick: () => addScenario({ cluster: row.cluster, size: row.accelerators, price: null, switches: { ...mine.scenario.switches, precision: row.precision } }) }, "Add to compare") : "",
    ]));
  }

  function words(mine) {
    const [best] = ranked(mine.rows);
    if (!best) return mine.done === mine.all ? "no machine with a price holds this job at this size" : "";
    const lead = mine.done < mine.all ? `${mine.done} of ${mine.all} machines; cheapest so far` : `Cheapest of ${mine.all} machines`;
    return `${lead}${best.keeps_limits ? "" : " (none is sure to meet the limits)"}: ${best.accelerators} x ${best.accelerator} (${best.cluster}), ${best.precision}: ${dollars(usual(best, "cost_usd"))}, ${duration(usual(best, "days"))}`;
  }

  /** Dimmed where it answers an earlier scenario. */
  function draw() {
    const scenario = current(), mine = asked;
    byId("cheapest_ask").disabled = !isPlanned(scenario);
    byId("cheapest_ask").textContent = isPlanned(scenario) ? `Compare all machines with a price, ${scenario.size} accelerators each` : "Tokens to train are needed";
    byId("cheapest_progress").hidden = !mine || mine.done === mine.all;
    if (!mine) return;
    byId("cheapest_progress").max = Math.max(1, mine.all);
    byId("cheapest_progress").value = mine.done;
    byId("cheapest_words").textContent = words(mine);
    const rows = ranked(mine.rows), is_late = keyOf(scenario) !== mine.key;
    byId("cheapest").classList.toggle("late", is_late);
    byId("cheapest_words").classList.toggle("late", is_late);
    byId("cheapest").replaceChildren(...(rows.length ? [table(shows_all ? rows : rows.slice(0, shown_at_first), mine)] : []),
      ...(rows.length > shown_at_first && !shows_all ? [element("button", { type: "button", onclick: () => { shows_all = true; draw(); } }, `Show all ${rows.length}`)] : []));
  }

  return { ask, draw };
})();
