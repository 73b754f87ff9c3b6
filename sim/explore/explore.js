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

const letterOf = (i) => String.fromCharCode(65 + i);
/** Rows that stand in one curve answer one question, asked of every size. */
const curveOf = (scenario) => JSON.stringify(questionOf(scenario, ""));
/** Whether what is drawn of a scenario answers an earlier question, or nothing yet. */
const isLate = (i) => JSON.stringify(results.get(i)?.question) !== JSON.stringify(questionOf(state.scenarios[i], state.scenarios[i].size));

let round_of_changes = 0;
const moving_pause = 40; // ms

async function askScenario(i, round) {
  const scenario = structuredClone(state.scenarios[i]), question = questionOf(scenario, scenario.size);
  const known = results.get(i), isSameCurve = known && curveOf(known.scenario) === curveOf(scenario);
  // The name, the size and the rows change together, when the chosen size has its answer.
  const mine = { scenario, question, rows: isSameCurve ? known.rows : new Map(), notices: known?.notices ?? [], error: null };
  const drawn = () => { results.set(i, mine); draw(); };
  const sizes = sizesOf(scenario).filter((size) => size !== scenario.size);
  // Outwards from the chosen one.
  sizes.sort((a, b) => Math.abs(Math.log2(a / scenario.size)) - Math.abs(Math.log2(b / scenario.size)));
  for (const size of [scenario.size, ...sizes]) {
    if (size === scenario.size && mine.rows.has(size)) { drawn(); noteDrawn(i, round); }
    if (mine.rows.has(size)) continue;
    if (size !== scenario.size) {
      // While a slider moves, its next answer comes before the rest of the curve of this one.
      await new Promise((done) => setTimeout(done, moving_pause));
      if (round !== round_of_changes) return;
    }
    const answer = await answered(letterOf(i), questionOf(scenario, size));
    if (round !== round_of_changes || !answer) return;
    if (answer.error && size === scenario.size) mine.error = answer.error;
    else if (answer.error) mine.rows.set(size, { accelerators: size, fits: 0 });
    else mine.rows.set(size, answer.rows[0]);
    if (size === scenario.size) {
      mine.notices = answer.notices ?? [];
      noteDrawn(i, round);
    }
    drawn();
    if (mine.error && i === state.current) clearStep();
    if (mine.error) return;
  }
  drawn();
  document.body.dataset.whole = String(round);
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
  state.scenarios.forEach((_, i) => askScenario(i, round));
  showPublished();
  draw();
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
  const { scenario, rows } = shownOf(i);
  return {
    colour: colours[i], size: scenario.size, letter: letterOf(i),
    name: `${state.scenarios.length > 1 ? `${letterOf(i)}: ` : ""}${nameOf(scenario)} on ${scenario.cluster}`,
    rows: [...rows.values()].sort((a, b) => a.accelerators - b.accelerators),
  };
});

/** The chance to keep the limits of the question, of the draws that the intervals are of. */
function chanceWords(row, { deadline, budget }) {
  if (!isNumber(row.chance)) return "";
  const limits = [...(deadline ? [`${parseFloat(deadline)} days`] : []), ...(budget ? [`${short(Number(budget))} USD`] : [])];
  return `; ${limits.join(" and ")} ${limits.length > 1 ? "are" : "is"} kept in ${round(100 * row.chance, 3)} % of draws`;
}

/** Where the chosen batch trains other tokens than asked for, to the same loss. */
function trainedWords(row, scenario) {
  const asked = numberOf(scenario.tokens);
  const is_other = isNumber(row.tokens) && isNumber(asked) && Math.abs(row.tokens / asked - 1) > 1e-3;
  return is_other ? `; it trains ${short(row.tokens, 4)} tokens, not ${scenario.tokens}, to the same loss at its batch` : "";
}

/** What a row says of its scenario, expected first. */
function sentence({ scenario, question }, row) {
  const what = `${nameOf(scenario)} on ${row.accelerators} x ${row.accelerator}`, fits = row.fits ? "" : "; it does not fit the memory";
  if (kindOf(scenario) === "model" && !scenario.tokens) return `${what}: a step of ${short(row.step_s)} s, MFU ${round(100 * row.mfu, 3)} %${fits}`;
  const end = isNumber(row.days_high90) ? duration(row.days_high90) : "no end";
  const simulated = usual(row, "days") === row.days ? "" : `, ${duration(row.days)} simulated`;
  const cost = isNumber(row.cost_usd) ? `${short(usual(row, "cost_usd"))} USD` : "no price known";
  return `${what}: ${duration(usual(row, "days"))} (90 %: ${duration(row.days_low90)} to ${end}${simulated}), ${cost}${fits}${chanceWords(row, question.options)}${trainedWords(row, scenario)}`;
}

function headline() {
  const shown = shownOf(state.current), row = shown.rows.get(shown.scenario.size);
  if (shown.error) return shown.error.replace(/(\?|;) (?:valid [\w ]+|All \d+):[^]*/, (_, end) => end.replace(";", "")); // the lists offer these
  return row?.days === undefined ? "..." : sentence(shown, row);
}

/** What stands beside the figures: what was taken instead of what was asked, the plan, what is assumed. */
function notes({ scenario, rows, notices }) {
  const row = rows.get(scenario.size) ?? {};
  const said = [["instead", row.substituted], [row.plan_is_chosen ? "plan, chosen by tofn" : "plan", row.plan], ["assumed", row.assumed]];
  return [...notices, ...said.filter(([, words]) => words).map(([label, words]) => `${label}: ${words}`)];
}

/** What answers an earlier question is dimmed, and said to be busy. */
function markLate() {
  const is_any = state.scenarios.some((_, i) => isLate(i)), step = lateOfStep();
  const late = { headline: isLate(state.current), curve: is_any, step: is_any, loss: is_any, memory: is_any, figures: is_any, notices: isLate(state.current), stages: step.stages, timeline_drawing: step.timeline };
  for (const [id, is_late] of Object.entries(late)) {
    byId(id).classList.toggle("late", is_late);
    byId(id).setAttribute("aria-busy", String(is_late));
  }
}

let waits = false;
function draw() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    const series = seriesOf(), metric = metrics.find(({ name }) => name === state.metric), shown = shownOf(state.current);
    const words = headline();
    // Screen readers say what changes: the words stay as they were until those of another answer come.
    if (byId("headline").textContent !== words) byId("headline").textContent = words;
    byId("headline").classList.toggle("problem", Boolean(shown.error));
    markLate();
    const limit = Number(state.metric === "days" ? state.deadline : state.metric === "cost_usd" ? state.budget : 0) || 0;
    byId("curve").replaceChildren(curveChart(series, metric, limit, publishedPoints(shown.scenario), innerWidth < 600));
    byId("step").replaceChildren(stepChart(series));
    byId("loss").replaceChildren(lossChart(series));
    byId("memory").replaceChildren(memoryChart(series));
    byId("figures").replaceChildren(figuresTable(series));
    byId("figures").closest(".card").classList.toggle("wide", series.length > 1);
    byId("notices").replaceChildren(...notes(shown).map((words) => element("li", {}, words)));
  });
}

// --- taking it along ---

let saved = null; // what was saved last, for checks
function save(name, type, content) {
  saved = content;
  const link = element("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function csv() {
  const rows = seriesOf().flatMap(({ rows: all, name }) => all.map((row) => ({ scenario: name, ...row })));
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const cell = (value) => value === null || value === undefined ? "" : /[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))].join("\n") + "\n";
}

function drawnCurve() {
  const drawn = byId("curve").querySelector("svg")?.cloneNode(true);
  if (!drawn) return null;
  const style = getComputedStyle(document.documentElement);
  drawn.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  let text = new XMLSerializer().serializeToString(drawn);
  text = text.replaceAll(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  const rules = `<style>text{font:12px sans-serif;fill:${style.getPropertyValue("--ink")}}.axis{stroke:${style.getPropertyValue("--line")}}</style><rect width="100%" height="100%" fill="${style.getPropertyValue("--card")}"/>`;
  return text.replace(/^(<svg[^>]*>)/, `$1${rules}`);
}

/** The page that `tofn report` makes of what is shown. */
async function saveReport({ target }) {
  const files = {}, words = target.textContent;
  target.textContent = "Working";
  for (const i of state.scenarios.keys()) {
    const shown = shownOf(i), row = shown.rows.get(shown.scenario.size);
    const sizes = [...shown.rows.values()].filter((each) => each.plan).map((each) => each.accelerators).sort((a, b) => a - b);
    const answer = sizes.length ? await answered(`report-${letterOf(i)}`, questionOf(shown.scenario, sizes.join(","))) : null;
    // The chosen size is in no sentence of the program's, which was asked of all of them.
    const text = row?.plan ? `${sentence(shown, row)}\n${answer?.text}` : answer?.text;
    if (answer?.rows) files[letterOf(i)] = JSON.stringify({ tofn: offers.version, commit: "", command: answer.command_line, files: {}, text, rows: answer.rows });
  }
  const answer = await carrier.ask("report", { command: "report", arguments: Object.keys(files), files });
  target.textContent = answer?.error ?? words;
  if (answer && !answer.error) save("tofn.html", "text/html", answer.text);
}

function savePng() {
  const text = drawnCurve();
  if (!text) return;
  const image = new Image(), [, , width, height] = byId("curve").querySelector("svg").getAttribute("viewBox").split(" ").map(Number);
  image.onload = () => {
    const canvas = element("canvas", { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => save("tofn.png", "image/png", blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

/** A link that would open another model is none. */
function showLink() {
  const button = byId("copy_link"), file = fileWithoutLink();
  button.disabled = Boolean(file);
  button.textContent = file ? `No link: ${file.name} is too long for one` : button.dataset.words;
}

function makeActions() {
  const button = (words, act) => element("button", { type: "button", onclick: act }, words);
  const copy = (text) => async ({ target }) => { await navigator.clipboard?.writeText(text()); target.textContent = "Copied"; setTimeout(() => (target.textContent = target.dataset.words), 1200); };
  const copying = (words, text) => { const made = button(words, copy(text)); made.dataset.words = words; return made; };
  byId("actions").replaceChildren(copying("Copy command", () => commandOf(current())), Object.assign(copying("Copy link", () => location.href), { id: "copy_link" }),
    button("Report", saveReport), button("CSV", () => save("tofn.csv", "text/csv", csv())), button("SVG", () => save("tofn.svg", "image/svg+xml", drawnCurve())), button("PNG", savePng), button("Print", () => print()));
  carrier.name().then((name) => { byId("footer").textContent = `tofn ${offers.version}; answers come from ${name}.`; });
}

begin().then(() => {
  makeControls();
  makeActions();
  timeline.make();
  showControls(true);
  changed();
});
addEventListener("hashchange", async () => { if (await readLink(location.hash)) { showControls(true); changed(); } });
addEventListener("resize", () => { draw(); timeline.draw(); });
