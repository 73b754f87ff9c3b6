// Asks what the scenarios say and draws what comes back, the chosen size first, the curve as it comes.

const cache = new Map(); // question -> its answer
const most_answers = 2000;
const results = new Map(); // scenario's place -> what is drawn of it: {scenario, question, rows by size, error, notices}

async function answered(slot, question) {
  const text = JSON.stringify(question);
  if (!cache.has(text)) {
    const answer = await carrier.ask(slot, question);
    if (!answer) return null;
    if (cache.size >= most_answers) cache.clear();
    if (answer.exit_code !== 1 || answer.rows) cache.set(text, answer);
    return answer;
  }
  return cache.get(text);
}

/** Rows that stand in one curve answer one question, asked of every size. */
const curveOf = (scenario) => JSON.stringify(questionOf(scenario, ""));
/** Whether what is drawn of a scenario answers an earlier question, or nothing yet. */
const isLate = (i) => JSON.stringify(results.get(i)?.question) !== JSON.stringify(questionOf(state.scenarios[i], state.scenarios[i].size));

let round_of_changes = 0;
let unfinished = new Set(); // places of the scenarios whose curves are not whole yet
const moving_pause = 40; // ms

async function askScenario(i, round) {
  const scenario = structuredClone(state.scenarios[i]), question = questionOf(scenario, scenario.size);
  const known = results.get(i), isSameCurve = known && curveOf(known.scenario) === curveOf(scenario);
  // The name, the size and the rows change together, when the chosen size has its answer.
  const mine = { scenario, question, rows: isSameCurve ? known.rows : new Map(), notices: known?.notices ?? [], error: null };
  const drawn = () => { results.set(i, mine); draw(); };
  // Outwards from the chosen one.
  const sizes = allSizes(scenario).sort((a, b) => Math.abs(Math.log2(a / scenario.size)) - Math.abs(Math.log2(b / scenario.size)));
  for (const size of sizes) {
    if (size === scenario.size && mine.rows.has(size)) { drawn(); noteDrawn(i, round); }
    if (mine.rows.has(size)) continue;
    if (size !== scenario.size) {
      // While a slider moves, its next answer comes before the rest of the curve of this one.
      await new Promise((done) => setTimeout(done, moving_pause));
      if (round !== round_of_changes) return;
      if (i === state.current) askStep(); // beside the curve; a question that was asked is not asked again
    }
    const answer = await answered(letterOf(i), questionOf(scenario, size));
    if (round !== round_of_changes || !answer) return;
    if (answer.error && size === scenario.size) {
      // A mistake wipes nothing: the answer before it stays, dimmed.
      results.set(i, { ...(known ?? mine), error: answer.error });
      noteDrawn(i, round);
      draw();
      return;
    }
    if (answer.error) mine.rows.set(size, { accelerators: size, fits: 0 });
    else mine.rows.set(size, answer.rows[0]);
    if (size === scenario.size) {
      mine.notices = answer.notices ?? [];
      noteDrawn(i, round);
    }
    drawn();
  }
  unfinished.delete(i);
  drawn();
  if (!unfinished.size) document.body.dataset.whole = String(round);
  if (i === state.current) askStep();
}

/** What is on the page is the answer to this round's question. */
function noteDrawn(i, round) {
  if (i === state.current) document.body.dataset.drawn = String(round);
}

function changed() {
  history.replaceState(null, "", linkOf());
  byId("command").textContent = state.scenarios.map(commandOf).join("\n");
  showLink();
  const round = ++round_of_changes;
  for (const i of [...results.keys()]) if (i >= state.scenarios.length) results.delete(i);
  for (const shown of results.values()) shown.error = null;
  unfinished = new Set(state.scenarios.keys());
  for (const i of state.scenarios.keys()) askScenario(i, round);
  showPublished();
  // All else is drawn when its answer is there.
  markLate();
  showProgress();
}

// --- published points of a workload, beside its curve ---

let published = { job: null, points: [] };
async function showPublished() {
  const scenario = current();
  if (kindOf(scenario) !== "workload" || scenario.file) { published = { job: null, points: [] }; return; }
  if (published.job === scenario.job) return;
  published = { job: scenario.job, points: [] };
  const answer = await answered("published", { command: "compare", options: { workloads: scenario.job } });
  if (!answer?.rows || published.job !== scenario.job) return;
  published.points = answer.rows;
  draw();
}
function publishedPoints({ job, cluster, file }) {
  const chip = named_in("clusters", cluster)?.accelerator;
  if (state.metric !== "days" || file || published.job !== job) return [];
  return published.points.filter((row) => isNumber(row.published_time_to_train_min) && row.accelerator.includes(chip?.split(" ")[0] ?? "?"))
    .map((row) => ({ accelerators: row.accelerators, value: row.published_time_to_train_min / 1440, words: `${row.org}, ${row.system}: ${duration(row.published_time_to_train_min / 1440)} published` }));
}

// --- drawing ---

/** What is drawn of a scenario, or that nothing of it has come. */
const shownOf = (i) => results.get(i) ?? { scenario: state.scenarios[i], question: null, rows: new Map(), notices: [], error: null };

const seriesOf = () => state.scenarios.map((_, i) => {
  const { scenario, rows } = shownOf(i), difference = state.scenarios.length > 1 ? differenceWords(scenario) : "";
  return {
    colour: colours[i], size: scenario.size, letter: letterOf(i), row: rows.get(scenario.size),
    title: `${nameOf(scenario)} on ${scenario.cluster}${difference ? `, ${difference}` : ""}`,
    rows: [...rows.values()].sort((a, b) => a.accelerators - b.accelerators),
  };
});

/** The chance of keeping the limits of the question, among the samples that the ranges are made of. */
function chanceWords(row, { deadline, budget }) {
  if (!isNumber(row.chance)) return "";
  const limits = [...(deadline ? [`within ${parseFloat(deadline)} days`] : []), ...(budget ? [`for at most ${dollars(Number(budget))}`] : [])];
  return `; ${percent(row.chance)} chance of finishing ${limits.join(" and ")}`;
}

/** Where the chosen batch trains another number of tokens than requested, to the same loss. */
function trainedWords(row, scenario) {
  const asked = numberOf(scenario.tokens);
  const is_other = isNumber(row.tokens) && isNumber(asked) && Math.abs(row.tokens / asked - 1) > 1e-3;
  return is_other ? `; it trains ${short(row.tokens, 4)} tokens, not ${scenario.tokens}, to the same loss at its batch` : "";
}

/** What a row says of its scenario: whether it fits, and the expected figures before the simulated ones. */
function sentence({ scenario, question }, row) {
  const memory = isNumber(row.memory_gb) && memoryOf(row) ? `: ${short(row.memory_gb)} of ${inUnit("GB")(memoryOf(row))}` : "";
  const what = `${nameOf(scenario)} on ${row.accelerators} x ${row.accelerator}${row.fits ? "" : ` does not fit the memory${memory}. If it did`}`;
  if (kindOf(scenario) === "model" && !scenario.tokens) return `${what}: a step of ${seconds(row.step_s)}, MFU ${percent(row.mfu)}`;
  const simulated = usual(row, "days") === row.days ? "" : `; ${duration(row.days)} simulated`;
  const cost = isNumber(row.cost_usd) ? dollars(usual(row, "cost_usd")) : "no price known";
  return `${what}: ${duration(usual(row, "days"))} expected (90 %: ${between(row.days_low90, row.days_high90, duration)}${simulated}), ${cost}${chanceWords(row, question.options)}${trainedWords(row, scenario)}`;
}

function headline(series = seriesOf()) {
  const shown = shownOf(state.current), row = shown.rows.get(shown.scenario.size), [base] = series;
  if (row?.step_s === undefined) return shown.error ? "" : "...";
  const compared = state.current > 0 && base.row ? Object.values(comparisonWords(row, base.row)).filter(Boolean).join(" and ") : "";
  return `${series.length > 1 ? `${letterOf(state.current)}: ` : ""}${sentence(shown, row)}${compared ? `. Against A: ${compared}` : ""}`;
}

/** The smallest size that fits, offered where the chosen one does not. */
function fittingSize() {
  const { scenario, rows } = shownOf(state.current);
  if (isLate(state.current) || rows.get(scenario.size)?.fits !== 0) return [];
  const sizes = [...rows.values()].filter((row) => row.fits).map((row) => row.accelerators);
  if (!sizes.length) return document.body.dataset.whole === String(round_of_changes) ? ["No size that was tried fits."] : [];
  const least = Math.min(...sizes);
  return [element("button", { type: "button", onclick: () => chooseSize(least) }, `Use ${least}, the smallest size tried that fits`)];
}

/** What stands beside the figures: notices, the plan, and what is assumed. */
function notes({ scenario, rows, notices }) {
  const row = rows.get(scenario.size) ?? {};
  const said = [["assumed", row.substituted], ["assumed, without a source", row.assumed]];
  return [...notices, ...said.filter(([, words]) => words).map(([label, words]) => `${label}: ${words}`)];
}

/** What answers an earlier question is dimmed, and said to be busy. */
function markLate() {
  const is_any = state.scenarios.some((_, i) => isLate(i)), step = lateOfStep(), mine = isLate(state.current);
  const late = {
    headline: mine, comparison: is_any, curve: is_any, efficiency: is_any, step: is_any, loss: is_any, memory: is_any, figures: is_any, notices: mine, plan_words: mine,
    stages: step.stages, timeline_drawing: step.timeline,
  };
  for (const [id, is_late] of Object.entries(late)) {
    byId(id).classList.toggle("late", is_late);
    byId(id).setAttribute("aria-busy", String(is_late));
  }
}

/** How many of the sizes have their answer. */
function showProgress() {
  const all = state.scenarios.flatMap(allSizes), done = state.scenarios.flatMap((scenario, i) => isLate(i) && curveOf(shownOf(i).scenario) !== curveOf(scenario) ? [] : allSizes(scenario).filter((size) => shownOf(i).rows.has(size)));
  const is_whole = done.length >= all.length || shownOf(state.current).error;
  byId("progress").hidden = Boolean(is_whole);
  byId("progress").value = done.length / all.length;
  byId("progress_text").textContent = is_whole ? "" : `${done.length} of ${all.length} sizes`;
}

const words_of_chart = (id, words) => { if (byId(id).textContent !== words) byId(id).textContent = words; };

let waits = false;
function draw() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    const series = seriesOf(), metric = metrics.find(({ name }) => name === state.metric), shown = shownOf(state.current), row = shown.rows.get(shown.scenario.size);
    // Screen readers say what changes: the words stay as they were until those of another answer come.
    words_of_chart("headline", headline(series));
    byId("headline").classList.toggle("problem", row?.fits === 0);
    byId("problem").replaceChildren(...(shown.error ? [mistakeOf(shown.error).words, ...(row ? ["; what is shown is still the answer to the last valid scenario"] : [])] : fittingSize()));
    showMistake(shown.error);
    markLate();
    showProgress();
    const limit = Number(state.metric === "days" ? state.deadline : state.metric === "cost_usd" ? state.budget : 0) || 0;
    const place = { sizes: [...new Set(state.scenarios.flatMap(allSizes))].sort((a, b) => a - b), chosen: shown.scenario.size, isNarrow: innerWidth < 600 };
    replaceCurve(byId("curve"), curveChart(series, curveOfMetric(metric), { ...place, limit, published: publishedPoints(shown.scenario) }));
    replaceCurve(byId("efficiency"), curveChart(series, efficiencyCurve(series), place));
    if (publishedPoints(shown.scenario).length) byId("curve").append(key([["var(--ink)", "published (diamonds)"]]));
    byId("comparison_card").hidden = series.length < 2;
    byId("comparison").replaceChildren(...(series.length > 1 ? [comparisonTable(series)] : []));
    byId("step").replaceChildren(stepChart(series));
    byId("loss").replaceChildren(lossChart(series));
    byId("memory").replaceChildren(memoryChart(series));
    byId("figures").replaceChildren(figuresTable(series));
    byId("notices").replaceChildren(...notes(shown).map((each) => element("li", {}, each)));
    byId("plan_words").textContent = row?.plan ? `Plan${row.plan_is_chosen ? ", chosen by tofn" : ""}: ${row.plan}` : "";
    showDefaults(row);
    cheapest.draw();
  });
}

begin().then(() => {
  makeControls();
  makeActions();
  tooltip.make();
  timeline.make();
  for (const id of ["curve", "efficiency"]) makeCurve(byId(id), chooseSize);
  byId("cheapest_ask").addEventListener("click", cheapest.ask);
  showControls(true);
  changed();
});
addEventListener("hashchange", async () => { if (await readLink(location.hash)) { showControls(true); changed(); } });
addEventListener("resize", () => { draw(); timeline.draw(); });
