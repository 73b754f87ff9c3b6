// Puts the page together: sections, filters, controls, charts, tables, light and dark.

(() => {
  const data = tofn.tables;
  const drawn = [];  // Chart.js objects on the page, to be destroyed before the next drawing

  // --- filters ---------------------------------------------------------------------------------------

  const filters = [
    { name: "Workloads", of: tofn.workloadOf, hidden: new Set() },
    { name: "Accelerators", of: (row) => row.accelerator ?? null, hidden: new Set() },
    // Ways to grow a job lie close together: the first is shown, the others on request.
    { name: "Growth", of: (row) => row.series ?? null, hidden: new Set(), shows_first: true },
  ];
  const shownRows = (rows) => rows.filter((row) => filters.every(({ of, hidden }) => !hidden.has(of(row))));

  const addFilters = (tables) => {
    for (const filter of filters) {
      const names = tofn.unique(tables.flatMap(({ rows }) => rows.map(filter.of))).filter((name) => name !== null);
      if (names.length < 2) continue;
      if (filter.shows_first) filter.hidden = new Set(names.slice(1));
      else names.sort();
      const chips = names.map((name) => element("label", { class: "chip" }, element("input", {
        type: "checkbox", checked: !filter.hidden.has(name), onchange: (event) => { event.target.checked ? filter.hidden.delete(name) : filter.hidden.add(name); drawAll(); },
      }), name));
      document.getElementById("filters").append(element("fieldset", {}, element("legend", {}, filter.name), ...chips));
    }
  };

  // --- charts ----------------------------------------------------------------------------------------

  const choiceOf = (control) => control.number ?? control.initial ?? control.options[0]?.[0];

  const addControls = (figure) => {
    const made = (figure.maker.controls?.(figure.rows) ?? []).map((control) => ({ ...control, box: element("label", {}, control.label) }));
    const hide = () => { for (const { isHidden, box } of made) box.hidden = Boolean(isHidden?.(figure.choice)); };
    const change = (key) => (event) => {
      figure.choice[key] = event.target.type === "number" ? Number(event.target.value) : event.target.value;
      hide();
      figure.draw();
    };
    for (const control of made) {
      figure.choice[control.key] = choiceOf(control);
      const field = control.options
        ? element("select", { onchange: change(control.key) }, ...control.options.map(([value, text]) =>
          element("option", { value, selected: value === figure.choice[control.key] }, text)))
        : element("input", { type: "number", value: control.number, min: control.least, max: control.most, step: "any", onchange: change(control.key) });
      control.box.append(field);
      figure.controls.append(control.box);
    }
    hide();
  };

  /** A drawing, or a box of its height for one; its canvas is drawn on when all boxes have found their width. */
  const addPanel = (panel, figure) => {
    if (panel.element) { figure.panels.append(element("div", { class: "panel" }, panel.element)); return null; }
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
      panels.forEach((panel, i) => canvases[i] && drawPanel(panel, canvases[i], figure));
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

  const wholeTable = (table) => {
    const used = table.columns.map((_, i) => table.rows.some((row) => row[i] !== null));
    const isNumeric = table.columns.map((_, i) => table.rows.some((row) => tofn.isNumber(row[i])));
    const head = element("tr", {}, ...table.columns.map((name, i) => element("th", { scope: "col", ...(isNumeric[i] ? { class: "number" } : {}) }, ...breakable(name))).filter((_, i) => used[i]));
    const body = table.rows.map((row) => element("tr", {}, ...row.filter((_, i) => used[i]).map((value) => cell("td", value))));
    return element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
  };

  const addTable = (table, parent) => {
    const details = element("details", {}, element("summary", {}, `Table: ${table.rows.length} row${table.rows.length === 1 ? "" : "s"}`));
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(wholeTable(table)); });
    details.open = table.charts.length === 0 && table.rows.length <= 30;
    parent.append(details);
  };

  // --- the answer ---

  const noteRow = ([label, words]) => element("div", {}, element("dt", {}, label), element("dd", {}, words));
  const tile = ([label, number, small]) => element("div", { class: "tile" }, element("span", { class: "muted" }, label), element("b", {}, number),
    ...small.filter(Boolean).map((words) => element("small", {}, words)));

  /** Numbers in large, what they rest on, and what the program printed. */
  const addAnswer = ({ tiles, notes, are_verdicts }, table, section) => {
    const leads = tiles.length || are_verdicts ? [] : table.answers.map((text) => text.trimStart().split("\n")[0]);
    const box = element("div", { class: "answer", role: "region", "aria-label": "The answer" },
      ...(tiles.length ? [element("div", { class: "tiles" }, ...tiles.map(tile))] : []), ...leads.map((line) => element("p", { class: "lead" }, line)),
      ...(notes.length ? [element("dl", are_verdicts ? { class: "verdicts" } : {}, ...notes.map(noteRow))] : []),
      ...table.answers.map((text) => element("details", {}, element("summary", {}, "As tofn printed it"), element("pre", { tabindex: 0 }, text.trimEnd()))));
    if (box.childElementCount) section.append(box);
  };

  // --- the page --------------------------------------------------------------------------------------

  const is_alone = data.tables.length === 1;
  // Tables of one kind are told apart by what they come from.
  const nameOf = (table) => data.tables.filter((other) => other.title === table.title).length > 1 ? `${table.title}: ${table.origin}` : table.title;
  const addSection = (table, index) => {
    const id = `${table.kind}-${index}`, answer = tofn.answerOf(table), rows = tofn.rowsOf(table);
    // Of one table it heads the page.
    const section = element("section", { id }, element("h2", is_alone ? { class: "unseen" } : {}, is_alone ? table.title : answer.heading),
      ...(is_alone || answer.heading === table.title ? [] : [element("p", { class: "muted" }, nameOf(table))]));
    document.getElementById("sections").append(section);
    if (!is_alone) document.getElementById("contents").append(element("a", { href: `#${id}` }, nameOf(table)));
    if (is_alone) {
      document.querySelector("h1").textContent = answer.heading;
      document.title = `${answer.heading} - tofn`;
      document.getElementById("summary").textContent = answer.heading === table.title ? "" : table.title;
    }
    addAnswer(answer, table, section);
    if (table.rows_in_all > table.rows.length)
      section.append(element("p", { class: "note" }, `${tofn.text(table.rows.length)} of ${tofn.text(table.rows_in_all)} rows are on this page: the least and the greatest of each figure, the Pareto front of time and cost, and others at equal distances.`));
    if (table.charts.length) section.append(element("div", { class: "charts" }));
    for (const chart of table.charts) addFigure(chart, table, rows, section.querySelector(".charts"));
    addTable(table, section);
    document.getElementById("sources").append(element("li", {}, table.origin));
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

  document.getElementById("footer").textContent = `Written by ${data.program}. Charts: Chart.js ${Chart.version} (MIT licence, in this file). Nothing is loaded from a network.`;
  data.tables.forEach(addSection);
  tooltip.make();
  addFilters(data.tables.map((table) => ({ rows: tofn.rowsOf(table) })));
  drawAll();
})();
