// What is taken along: command lines, a link, a report, and files of what is drawn.

let saved = null; // what was saved last, for checks
function save(name, type, content) {
  saved = content;
  const link = element("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function csv() {
  const rows = seriesOf().flatMap(({ rows: all, letter, title }) => all.map((row) => ({ scenario: `${letter}: ${title}`, ...row })));
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const cell = (value) => value === null || value === undefined ? "" : /[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))].join("\n") + "\n";
}

/** Lines of at most so many characters. */
function wrapped(words, width) {
  const lines = [""];
  for (const word of words.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= width) lines.push("");
    lines[lines.length - 1] += `${lines.at(-1) ? " " : ""}${word}`;
  }
  return lines;
}

/** Both charts as one drawing that explains itself: what each scenario says above, its colour before it. */
function pictureOfCurves() {
  const charts = ["curve", "efficiency"].map((id) => byId(id).querySelector("svg")?.cloneNode(true));
  if (charts.some((chart) => !chart)) return null;
  const style = getComputedStyle(document.documentElement), line = 18, [wide, high] = [620, 330], margin = 20;
  const said = state.scenarios.flatMap((_, i) => {
    const shown = shownOf(i), row = shown.rows.get(shown.scenario.size);
    return row ? wrapped(`${state.scenarios.length > 1 ? `${letterOf(i)}: ` : ""}${sentence(shown, row)}`, 170).map((words, part) => [words, part === 0 ? colours[i] : null]) : [];
  });
  const top = margin + line * said.length + 14, picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${2 * wide} ${top + high + 24}` });
  said.forEach(([words, colour], i) => {
    const y = margin + line * i;
    if (colour) picture.append(svg("rect", { x: margin - 8, y: y - 10, width: 10, height: 10, fill: colour }));
    picture.append(svg("text", { x: margin + 8, y }, words));
  });
  charts.forEach((chart, i) => {
    for (const column of chart.querySelectorAll(".size")) column.remove();
    for (const [name, value] of Object.entries({ x: margin + i * wide, y: top, width: wide - 2 * margin, height: high })) chart.setAttribute(name, value);
    picture.append(chart);
  });
  picture.append(svg("text", { x: margin, y: top + high + 14, class: "muted" }, `tofn ${offers.version}; bands hold 90 % of outcomes, hollow points do not fit the memory`));
  const text = new XMLSerializer().serializeToString(picture).replaceAll(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  const rules = `<style>text{font:12px sans-serif;fill:${style.getPropertyValue("--ink")}}.muted{fill:${style.getPropertyValue("--muted")}}.axis{stroke:${style.getPropertyValue("--line")}}</style><rect width="100%" height="100%" fill="${style.getPropertyValue("--card")}"/>`;
  return text.replace(/^(<svg[^>]*>)/, `$1${rules}`);
}

function savePng() {
  const text = pictureOfCurves();
  if (!text) return;
  const image = new Image(), [, , width, height] = /viewBox="([^"]+)"/.exec(text)[1].split(" ").map(Number);
  image.onload = () => {
    const canvas = element("canvas", { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => save("tofn.png", "image/png", blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

/** The page that `tofn report` makes of what is shown. */
async function saveReport({ target }) {
  const files = {}, words = target.textContent;
  target.textContent = "Working";
  for (const i of state.scenarios.keys()) {
    const shown = shownOf(i), row = shown.rows.get(shown.scenario.size);
    const sizes = [...shown.rows.values()].filter((each) => each.plan).map((each) => each.accelerators).sort((a, b) => a - b);
    const answer = sizes.length ? await answered(`report-${letterOf(i)}`, questionOf(shown.scenario, sizes.join(","))) : null;
    // The chosen size is in no sentence of the program's, which was asked about all of them.
    const text = row?.plan ? `${sentence(shown, row)}\n${answer?.text}` : answer?.text;
    if (answer?.rows) files[letterOf(i)] = JSON.stringify({ tofn: offers.version, commit: "", command: answer.command_line, files: {}, text, rows: answer.rows });
  }
  const answer = await carrier.ask("report", { command: "report", arguments: Object.keys(files), files });
  target.textContent = answer?.error ?? words;
  if (answer && !answer.error) save("tofn.html", "text/html", answer.text);
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
    button("Report", saveReport), button("CSV", () => save("tofn.csv", "text/csv", csv())), button("SVG", () => save("tofn.svg", "image/svg+xml", pictureOfCurves())), button("PNG", savePng), button("Print", () => print()));
  carrier.name().then((name) => { byId("footer").textContent = `tofn ${offers.version}; answers come from ${name}.`; });
}
