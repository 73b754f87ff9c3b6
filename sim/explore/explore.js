// Asks what the scenarios say and draws what comes back, the chosen size first, the curve as it comes.

const cache = new Map(); // question -> its answer
const most_answers = 2000;
const results = new Map(); // scenario's letter -> {rows by size, error, notices}

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

let round_of_changes = 0;
const moving_pause = 40; // ms

async function askScenario(i, round) {
  const scenario = state.scenarios[i], letter = String.fromCharCode(65 + i);
  const of = JSON.stringify([scenario.job, scenario.cluster, scenario.file?.text, optionsOf(scenario)]);
  const known = results.get(i);
  const mine = { of, rows: new Map(), notices: [], ...(known?.of === of ? known : {}), error: null };
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
    const answer = await answered(`${letter}`, questionOf(scenario, size));
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
  const round = ++round_of_changes;
  document.body.classList.add("late");
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
function publishedPoints() {
  const chip = named_in("clusters", current().cluster)?.accelerator;
  if (state.metric !== "days" || !published.points.length) return [];
  return published.points.filter((row) => isNumber(row.published_time_to_train_min) && row.accelerator.includes(chip?.split(" ")[0] ?? "?"))
    .map((row) => ({ accelerators: row.accelerators, value: row.published_time_to_train_min / 1440, words: `${row.org}, ${row.system}: ${duration(row.published_time_to_train_min / 1440)} published` }));
}

// --- drawing ---

const seriesOf = () => state.scenarios.map((scenario, i) => ({
  colour: colours[i], size: scenario.size, letter: String.fromCharCode(65 + i),
  name: `${state.scenarios.length > 1 ? `${String.fromCharCode(65 + i)}: ` : ""}${nameOf(scenario)} on ${scenario.cluster}`,
  rows: [...(results.get(i)?.rows.values() ?? [])].sort((a, b) => a.accelerators - b.accelerators),
}));

/** The chance to keep the limits, of the draws that the intervals are of. */
function chanceWords(row) {
  if (!isNumber(row.chance)) return "";
  const limits = [[state.deadline, `${state.deadline} days`], [state.budget, `${short(Number(state.budget))} USD`]].filter(([limit]) => Number(limit) > 0).map(([, words]) => words);
  return `; ${limits.join(" and ")} ${limits.length > 1 ? "are" : "is"} kept in ${round(100 * row.chance, 3)} % of draws`;
}

/** Where the chosen batch trains other tokens than asked for, to the same loss. */
function trainedWords(row, scenario) {
  const asked = numberOf(scenario.tokens);
  const is_other = isNumber(row.tokens) && isNumber(asked) && Math.abs(row.tokens / asked - 1) > 1e-3;
  return is_other ? `; it trains ${short(row.tokens, 4)} tokens, not ${scenario.tokens}, to the same loss at its batch` : "";
}

function headline() {
  const scenario = current(), result = results.get(state.current), row = result?.rows.get(scenario.size);
  if (result?.error) return result.error.replace(/(\?|;) valid [\w ]+:[^]*/, (_, end) => end.replace(";", "")); // the lists offer these
  if (!row || row.days === undefined) return "...";
  const what = `${nameOf(scenario)} on ${row.accelerators} x ${row.accelerator}`;
  if (kindOf(scenario) === "model" && !scenario.tokens) return `${what}: a step of ${short(row.step_s)} s, MFU ${round(100 * row.mfu, 3)} %${row.fits ? "" : "; it does not fit the memory"}`;
  const end = isNumber(row.days_high90) ? duration(row.days_high90) : "no end";
  const simulated = usual(row, "days") === row.days ? "" : `, ${duration(row.days)} simulated`;
  return `${what}: ${duration(usual(row, "days"))} (90 %: ${duration(row.days_low90)} to ${end}${simulated}), ${isNumber(row.cost_usd) ? `${short(usual(row, "cost_usd"))} USD` : "no price known"}${row.fits ? "" : "; it does not fit the memory"}${chanceWords(row)}${trainedWords(row, scenario)}`;
}

/** What stands beside the figures: what was taken instead of what was asked, the plan, what is assumed. */
function notes(result) {
  const row = result?.rows.get(current().size) ?? {};
  const said = [["instead", row.substituted], [row.plan_is_chosen ? "plan, chosen by tofn" : "plan", row.plan], ["assumed", row.assumed]];
  return [...(result?.notices ?? []), ...said.filter(([, words]) => words).map(([label, words]) => `${label}: ${words}`)];
}

let waits = false;
function draw() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    const series = seriesOf(), metric = metrics.find(({ name }) => name === state.metric), result = results.get(state.current);
    const is_late = !result?.rows.has(current().size) && !result?.error;
    byId("headline").textContent = headline();
    byId("headline").classList.toggle("problem", Boolean(result?.error));
    byId("headline").classList.toggle("late", is_late);
    document.body.classList.toggle("late", false);
    const limit = Number(state.metric === "days" ? state.deadline : state.metric === "cost_usd" ? state.budget : 0) || 0;
    byId("curve").replaceChildren(curveChart(series, metric, limit, publishedPoints(), innerWidth < 600));
    byId("step").replaceChildren(stepChart(series));
    byId("loss").replaceChildren(lossChart(series));
    byId("memory").replaceChildren(memoryChart(series));
    byId("figures").replaceChildren(figuresTable(series));
    byId("figures").closest(".card").classList.toggle("wide", series.length > 1);
    byId("notices").replaceChildren(...notes(result).map((words) => element("li", {}, words)));
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
  for (const [i, scenario] of state.scenarios.entries()) {
    const letter = String.fromCharCode(65 + i), sizes = [...(results.get(i)?.rows.values() ?? [])].filter((row) => row.plan).map((row) => row.accelerators).sort((a, b) => a - b);
    const answer = sizes.length ? await answered(`report-${letter}`, questionOf(scenario, sizes.join(","))) : null;
    if (answer?.rows) files[letter] = JSON.stringify({ tofn: offers.version, commit: "", command: answer.command_line, files: {}, text: answer.text, rows: answer.rows });
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

function makeActions() {
  const button = (words, act) => element("button", { type: "button", onclick: act }, words);
  const copy = (text) => async ({ target }) => { await navigator.clipboard?.writeText(text()); target.textContent = "Copied"; setTimeout(() => (target.textContent = target.dataset.words), 1200); };
  const copying = (words, text) => { const made = button(words, copy(text)); made.dataset.words = words; return made; };
  byId("actions").replaceChildren(copying("Copy command", () => commandOf(current())), copying("Copy link", () => location.href),
    button("Report", saveReport), button("CSV", () => save("tofn.csv", "text/csv", csv())), button("SVG", () => save("tofn.svg", "image/svg+xml", drawnCurve())), button("PNG", savePng), button("Print", () => print()));
  carrier.name().then((name) => { byId("footer").textContent = `tofn ${offers.version}; answers come from ${name}.`; });
}

begin();
makeControls();
makeActions();
timeline.make();
showControls(true);
changed();
addEventListener("hashchange", () => { if (readLink(location.hash)) { showControls(true); changed(); } });
addEventListener("resize", () => { draw(); timeline.draw(); });
