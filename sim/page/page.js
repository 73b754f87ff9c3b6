// Puts the page together: sections, filters, controls, charts, tables, light and dark.
"use strict";

(() => {
  const data = tofn.tables;
  const drawn = [];  // Chart.js objects on the page, to be destroyed before the next drawing

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
      else if (value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...children);
    return made;
  };

  // --- filters ---------------------------------------------------------------------------------------

  const filters = [
    { name: "Workloads", of: tofn.workloadOf, hidden: new Set() },
    { name: "Accelerators", of: (row) => row.accelerator ?? null, hidden: new Set() },
  ];
  const shownRows = (rows) => rows.filter((row) => filters.every(({ of, hidden }) => !hidden.has(of(row))));

  const addFilters = (tables) => {
    for (const filter of filters) {
      const names = tofn.unique(tables.flatMap(({ rows }) => rows.map(filter.of))).filter((name) => name !== null).sort();
      if (names.length < 2) continue;
      const chips = names.map((name) => element("label", { class: "chip" }, element("input", {
        type: "checkbox", checked: true,
        on: { change: (event) => { event.target.checked ? filter.hidden.delete(name) : filter.hidden.add(name); drawAll(); } },
      }), name));
      document.getElementById("filters").append(element("fieldset", {}, element("legend", {}, filter.name), ...chips));
    }
  };

  // --- charts ----------------------------------------------------------------------------------------

  const choiceOf = (control) => control.number ?? control.initial ?? control.options[0]?.[0];

  const addControls = (figure) => {
    const change = (key) => (event) => {
      figure.choice[key] = event.target.type === "number" ? Number(event.target.value) : event.target.value;
      figure.draw();
    };
    for (const control of figure.maker.controls?.(figure.rows) ?? []) {
      figure.choice[control.key] = choiceOf(control);
      const field = control.options
        ? element("select", { on: { change: change(control.key) } }, ...control.options.map(([value, text]) =>
          element("option", { value, selected: value === figure.choice[control.key] }, text)))
        : element("input", { type: "number", value: control.number, min: control.least, max: control.most, step: "any", on: { change: change(control.key) } });
      figure.controls.append(element("label", {}, control.label, field));
    }
  };

  /** A box of its height for a panel; its canvas is drawn on when all boxes have found their width. */
  const addPanel = (panel, figure) => {
    const canvas = element("canvas", { role: "img", "aria-label": `${figure.title}${panel.title ? `, ${panel.title}` : ""}; the table below has the numbers` });
    const box = element("div", { class: "canvas", style: `height:${panel.height}px` }, canvas);
    figure.panels.append(element("div", { class: "panel" }, ...(panel.title ? [element("h4", {}, panel.title)] : []), box));
    return canvas;
  };

  const drawPanel = (panel, canvas, figure) => {
    const chart = new Chart(canvas, panel.config);
    figure.made.push(chart);
    const points = chart.data.datasets.reduce((sum, set) => sum + (set.label?.startsWith("_") ? 0 : set.data.length), 0);
    canvas.dataset.points = String(points);
  };

  const draw = (figure) => {
    for (const chart of figure.made.splice(0)) chart.destroy();
    figure.panels.replaceChildren();
    try {
      const rows = shownRows(figure.rows);
      const { panels, note = "" } = figure.maker.draw(rows, figure.choice, figure.rows, figure.table);
      figure.panels.classList.toggle("many", panels.length > 1);
      figure.box.classList.toggle("wide", panels.length > 1 || Boolean(figure.maker.isWide));
      figure.box.classList.toggle("long", panels.length > 4);
      const canvases = panels.map((panel) => addPanel(panel, figure));
      panels.forEach((panel, i) => drawPanel(panel, canvases[i], figure));
      figure.note.textContent = panels.length ? note : `Nothing to draw of what is shown. ${note}`;
    } catch (error) {
      console.error(error);
      figure.note.textContent = `This chart could not be drawn: ${error}`;
    }
  };

  const addFigure = (chart, table, rows, parent) => {
    const maker = tofn.charts[chart.name];
    const figure = {
      maker, table, rows, title: chart.title, choice: {}, made: [], controls: element("div", { class: "controls" }),
      panels: element("div", { class: "panels" }), note: element("p", { class: "note" }),
    };
    figure.draw = () => draw(figure);
    figure.box = element("figure", { "data-chart": chart.name, class: "chart" },
      element("figcaption", {}, element("h3", {}, chart.title), element("p", {}, chart.reading)), figure.controls, figure.panels, figure.note);
    addControls(figure);
    parent.append(figure.box);
    drawn.push(figure);
  };

  const drawAll = () => {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    for (const figure of drawn) figure.draw();
  };

  // --- tables ----------------------------------------------------------------------------------------

  const cell = (tag, value) => {
    const text = tofn.text(value);
    const kind = tofn.isNumber(value) ? "number" : text.length > 60 ? "long" : "";
    return element(tag, kind ? { class: kind } : {}, text);
  };

  /** A column's name that may be broken after each underscore. */
  const breakable = (name) => name.split("_").flatMap((word, i) => i === 0 ? [word] : ["_", element("wbr"), word]);

  const tableOf = (table) => {
    const used = table.columns.map((_, i) => table.rows.some((row) => row[i] !== null));
    const isNumeric = table.columns.map((_, i) => table.rows.some((row) => tofn.isNumber(row[i])));
    const head = element("tr", {}, ...table.columns.map((name, i) => element("th", { scope: "col", ...(isNumeric[i] ? { class: "number" } : {}) }, ...breakable(name))).filter((_, i) => used[i]));
    const body = table.rows.map((row) => element("tr", {}, ...row.filter((_, i) => used[i]).map((value) => cell("td", value))));
    return element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
  };

  const addTable = (table, parent) => {
    const details = element("details", {}, element("summary", {}, `Table: ${table.rows.length} row${table.rows.length === 1 ? "" : "s"}`));
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(tableOf(table)); });
    details.open = table.charts.length === 0 && table.rows.length <= 30;
    parent.append(details);
  };

  // --- the answer in words ---------------------------------------------------------------------------

  const labelWidth = 14;  // of the lines that tofn prints: `plan          tp 2, ...`

  /** The sentences before its first table and [label, words] of its lines; its tables are drawn from the rows. */
  const readAnswer = (text) => {
    const lead = [];
    const notes = [];
    let isOpen = false;  // a line at the labels' width goes on with the note before
    const lines = text.split("\n");
    const rule = lines.findIndex((line) => /^-+( -+)*$/.test(line));  // below a table's head
    const table = rule < 0 ? lines.length : rule - 1;
    for (const [i, line] of lines.entries()) {
      const label = line.slice(0, labelWidth).trim();
      const isJob = /^\S+ on /.test(line);  // a name may be as long as a label
      const isNote = !isJob && /^[A-Za-z]/.test(line) && /\S {2,}$|^\S{13} $/.test(line.slice(0, labelWidth)) && /^\S/.test(line.slice(labelWidth)) && !/\S {2,}\S/.test(line.slice(labelWidth));
      if (isNote) notes.push([label, line.slice(labelWidth)]);
      else if (isOpen && label === "" && line.trim()) notes.at(-1)[1] += ` ${line.trim()}`;
      else if (i < table && !notes.length && lead.length < 3 && line.trim() && !/ {2,}/.test(line)) lead.push(line.trim());
      isOpen = isNote || (isOpen && label === "" && line.trim() !== "");
    }
    return { lead, notes };
  };

  const important = new Set(["best", "nearest", "runner-up", "binds", "WARNING", "limits", "verdict"]);

  const answerBox = (...children) => element("div", { class: "answer", role: "region", "aria-label": "The answer" }, ...children);
  const noteRow = ([label, words]) => element("div", {}, element("dt", {}, label), element("dd", {}, words));

  /** What a check found comes first: the verdict, or of several tables how many have which, then each. */
  const addVerdicts = (verdicts, section) => {
    const all = `${verdicts.length} table${verdicts.length === 1 ? "" : "s"}`;
    const kinds = [...tofn.groupBy(verdicts, ({ verdict }) => verdict)].map(([verdict, those]) => `${those.length} of ${all}: ${verdict}`);
    const lead = verdicts.length === 1 ? verdicts[0].words : kinds.join("; ");
    section.append(answerBox(element("p", { class: "lead" }, lead), element("dl", { class: "verdicts" }, ...verdicts.map(({ label, words }) => noteRow([label, words])))));
  };

  const addAnswer = (text, table, section) => {
    const { lead, notes } = readAnswer(text);
    if (!lead.length && !notes.length) return;
    const first = notes.filter(([label]) => important.has(label));
    const rest = notes.filter(([label]) => !important.has(label));
    const box = answerBox(...lead.map((line) => line.startsWith(`${table.title}; `) ? line.slice(table.title.length + 2) : line).map((line) => element("p", { class: "lead" }, line)));
    if (first.length) box.append(element("dl", {}, ...first.map(noteRow)));
    if (rest.length) {
      const folded = element("details", {}, element("summary", {}, "Plan, and what the answer rests on"), element("dl", {}, ...rest.map(noteRow)));
      folded.open = true;
      box.append(folded);
    }
    section.append(box);
  };

  // --- the page --------------------------------------------------------------------------------------

  const addSection = (table, index) => {
    const id = `${table.kind}-${index}`;
    // Of one table it heads the page.
    const heading = [element("h2", data.tables.length > 1 ? {} : { class: "unseen" }, table.title)];
    const section = element("section", { id }, ...heading);
    document.getElementById("sections").append(section);
    if (data.tables.length > 1) document.getElementById("contents").append(element("a", { href: `#${id}` }, table.title));
    const rows = tofn.rowsOf(table), verdicts = tofn.verdictsOf(rows);
    if (verdicts.length) addVerdicts(verdicts, section);
    else for (const text of table.answers) addAnswer(text, table, section);
    section.append(element("p", { class: "origin" }, table.origin));
    if (table.rows_in_all > table.rows.length)
      section.append(element("p", { class: "note" }, `${tofn.text(table.rows.length)} of ${tofn.text(table.rows_in_all)} rows are on this page: the least and the greatest of each figure, what no other beats in time and cost, and others at equal distances.`));
    if (table.charts.length) section.append(element("div", { class: "charts" }));
    for (const chart of table.charts) addFigure(chart, table, rows, section.querySelector(".charts"));
    addTable(table, section);
  };

  const button = document.getElementById("theme");
  const setTheme = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = name === "dark" ? "Light" : "Dark";
  };
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  setTheme(prefersDark.matches ? "dark" : "light");
  prefersDark.addEventListener("change", (event) => { setTheme(event.matches ? "dark" : "light"); drawAll(); });
  button.addEventListener("click", () => { setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"); drawAll(); });

  // On paper: light, as wide as a sheet, and finer than a screen.
  let screenTheme = "light";
  const setPrinting = (isPrinting, theme) => {
    document.documentElement.classList.toggle("printing", isPrinting);
    Chart.defaults.devicePixelRatio = isPrinting ? 3 : undefined;
    setTheme(theme);
    drawAll();
  };
  window.addEventListener("beforeprint", () => { screenTheme = document.documentElement.dataset.theme; setPrinting(true, "light"); });
  window.addEventListener("afterprint", () => setPrinting(false, screenTheme));

  document.getElementById("summary").textContent =
    "Hover over a point for its value, interval and source. Every chart's numbers stand in the table below it.";
  document.getElementById("footer").textContent = `Written by ${data.program}. Charts: Chart.js ${Chart.version} (MIT licence, in this file). Nothing is loaded from a network.`;
  data.tables.forEach(addSection);
  if (data.tables.length === 1) {
    document.querySelector("h1").textContent = data.tables[0].title;
    document.title = `${data.tables[0].title} - tofn`;
  }
  addFilters(data.tables.map((table) => ({ rows: tofn.rowsOf(table) })));
  drawAll();
})();
