// A step of the current scenario: what each stage holds, and when each of its passes runs.

const pass_colours = { forward: "#2766a8", backward: "#1b7f3b", "weight gradients": "#8a5a00" };
const span_colours = { ...Object.fromEntries(parts.map(([name, , colour]) => [name.replace(/_s$/, ""), colour])) };
const lanes = [["compute", 20], ["data", 5], ["send", 5]]; // of a stage, with their heights
const widest_zoom = 256;

/** A bar a stage, of what its fullest rank holds, against the accelerator's memory. */
function stagesChart(stages, name) {
  const held = stages.filter((row) => isNumber(row.memory_gb));
  if (!held.length) return element("p", { class: "muted" }, "Measured steps do not show what each stage holds.");
  const width = 460, height = 170, left = 34, bottom = 18, top = 12;
  const capacity = Math.max(...held.map((row) => row.memory_of_accelerator_gb)), most = Math.max(capacity, ...held.map((row) => row.memory_gb)) * 1.05;
  const y = (gb) => height - bottom - (height - top - bottom) * (gb / most), wide = (width - left) / held.length;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Memory of ${held.length} stages: ${held.map((row) => `${row.stage}: ${short(row.memory_gb)} GB`).join(", ")}; an accelerator has ${capacity} GB` });
  for (const tick of ticksOf(0, most, true))
    drawn.append(svg("line", { x1: left, x2: width, y1: y(tick), y2: y(tick), class: "axis" }), svg("text", { x: left - 5, y: y(tick) + 4, "text-anchor": "end", class: "muted" }, short(tick)));
  const every = Math.ceil(held.length / 16);
  held.forEach((row, i) => {
    let at = 0;
    for (const [name, words, fill] of memory_parts) {
      const value = row[name];
      if (!isNumber(value) || value <= 0) continue;
      drawn.append(named(svg("rect", { x: left + i * wide + 1, width: Math.max(wide - 2, 1), y: y(at + value), height: y(at) - y(at + value), fill }), `stage ${row.stage}, ${words}: ${short(value)} GB of ${short(row.memory_gb)}`));
      at += value;
    }
    if (i % every === 0) drawn.append(svg("text", { x: left + (i + 0.5) * wide, y: height - 4, "text-anchor": "middle", class: "muted" }, String(row.stage)));
  });
  drawn.append(svg("line", { x1: left, x2: width, y1: y(capacity), y2: y(capacity), stroke: "var(--bad)", "stroke-width": 2 }));
  return element("div", {}, element("p", { class: "muted" }, `${name}, GB of each pipeline stage; line: ${capacity} GB of the accelerator`), drawn);
}

const endOf = (rows) => rows.reduce((latest, row) => Math.max(latest, row.finish_s), 0);

const timeline = (() => {
  const view = { rows: [], name: "", zoom: 0, at: 0, stage: 0, focus: -1, lengths: [] };
  let places = []; // [row, left, top, width, height] of what was drawn last

  const wordsOf = (row) => `stage ${row.stage}, ${row.layer ? `${row.layer}, ` : ""}${row.pass ?? row.part}${row.stream === "compute" && !row.layer ? "" : `, ${row.stream}`}, micro-batch ${row.micro_batch}, chunk ${row.chunk}: `
    + `${short(row.start_s * 1e3, 4)} to ${short(row.finish_s * 1e3, 4)} ms, ${short((row.finish_s - row.start_s) * 1e3, 4)} ms${row.exchange_s > 0 ? `, ${short(row.exchange_s * 1e3)} of them exchanges` : ""}${row.is_critical ? "; on the critical path" : ""}`;

  function windowOf(end) {
    const wide = end / 2 ** view.zoom, from = Math.min(view.at, 1) * (end - wide);
    return [from, from + wide];
  }

  function draw() {
    const canvas = byId("timeline_canvas");
    places = [];
    if (!view.rows.length) { canvas.height = 0; canvas.style.height = ""; return; }
    const scale = devicePixelRatio || 1, width = canvas.clientWidth || 600, left = 52, axis = 18;
    const stages = view.stage ? [view.stage] : [...new Set(view.rows.map((row) => row.stage))].sort((a, b) => a - b);
    const used = lanes.filter(([name]) => view.rows.some((row) => row.stream === name || (name === "compute" && row.stream === "exchange")));
    const tall = used.reduce((sum, [, each]) => sum + each + 1, 0) * (view.stage ? 2 : 1) + 5;
    const height = axis + stages.length * tall;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    context.scale(scale, scale);
    context.font = "11px system-ui, sans-serif";
    const ink = style.getPropertyValue("--ink"), muted = style.getPropertyValue("--muted"), line = style.getPropertyValue("--line");
    const end = endOf(view.rows), [from, to] = windowOf(end);
    const x = (seconds) => left + (width - left) * ((seconds - from) / (to - from));
    context.fillStyle = muted;
    const inSeconds = to - from > 2;
    for (const tick of ticksOf(from, to, true)) {
      context.fillRect(x(tick), axis - 4, 1, 4);
      context.textAlign = x(tick) > width - 40 ? "right" : "center";
      context.fillText(inSeconds ? `${short(tick, 4)} s` : `${short(tick * 1e3, 4)} ms`, x(tick), axis - 6);
    }
    context.textAlign = "left";
    stages.forEach((stage, i) => {
      const top = axis + i * tall;
      context.fillStyle = line;
      context.fillRect(left, top + tall - 3, width - left, 1);
      context.fillStyle = ink;
      context.fillText(`stage ${stage}`, 0, top + 14);
    });
    for (const row of view.rows) {
      const i = stages.indexOf(row.stage);
      if (i < 0 || row.finish_s < from || row.start_s > to) continue;
      let top = axis + i * tall;
      let high = 0;
      for (const [name, each] of used) {
        high = each * (view.stage ? 2 : 1);
        if (row.stream === name || (name === "compute" && row.stream === "exchange")) break;
        top += high + 1;
      }
      const start = Math.max(x(row.start_s), left), wide = Math.max(Math.min(x(row.finish_s), width) - start, 0.5);
      context.fillStyle = row.layer || !row.pass || row.stream !== "compute" ? span_colours[row.part] : pass_colours[row.pass];
      context.fillRect(start, top, wide, high);
      if (row.exchange_s > 0) {
        const share = row.exchange_s / (row.busy_s + row.exchange_s);
        context.fillStyle = span_colours.tensor;
        context.fillRect(start, top + high * (1 - share), wide, high * share);
      }
      if (wide > 3) {
        context.fillStyle = "rgba(255,255,255,0.55)";
        context.fillRect(start + wide - 0.6, top, 0.6, high);
      }
      if (row.is_critical && view.shows_critical) {
        context.fillStyle = style.getPropertyValue("--bad");
        context.fillRect(start, top, wide, 2);
      }
      if (wide > 22 && row.pass && high > 12) {
        context.fillStyle = "#ffffff";
        context.fillText(String(row.micro_batch), start + 3, top + 14);
      }
      places.push([row, start, top, wide, high]);
    }
    const shown = places[view.focus];
    if (shown) {
      context.strokeStyle = ink;
      context.lineWidth = 2;
      context.strokeRect(shown[1], shown[2], shown[3], shown[4]);
    }
  }

  const say = (row) => { byId("timeline_words").textContent = row ? wordsOf(row) : summary(); };

  /** What the drawing shows, for those who do not see it. */
  function summary() {
    if (!view.rows.length) return "";
    const end = endOf(view.rows);
    const passes = view.rows.filter((row) => row.stream === "compute" || row.stream === "exchange");
    const busy = new Map();
    for (const row of passes) busy.set(row.stage, (busy.get(row.stage) ?? 0) + row.finish_s - row.start_s);
    const [most, least] = [Math.max(...busy.values()), Math.min(...busy.values())];
    return `${view.name}: ${busy.size} stage${busy.size > 1 ? "s" : ""}, ${passes.reduce((most, row) => Math.max(most, row.micro_batch), 0)} micro-batches, ${short(end, 4)} s; stages are in passes for ${round((100 * least) / end, 3)} to ${round((100 * most) / end, 3)} % of the step.`;
  }

  function make() {
    const canvas = byId("timeline_canvas");
    canvas.addEventListener("mousemove", (event) => {
      const box = canvas.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
      say(places.find(([, left, top, wide, high]) => x >= left && x <= left + wide && y >= top && y <= top + high)?.[0]);
    });
    canvas.addEventListener("mouseleave", () => say(null));
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step || !places.length) return;
      event.preventDefault();
      view.focus = (view.focus + step + places.length) % places.length;
      draw();
      say(places[view.focus][0]);
    });
    const control = (id, set) => byId(id).addEventListener("input", ({ target }) => { set(target); view.focus = -1; draw(); });
    control("timeline_zoom", (target) => { view.zoom = Number(target.value); byId("timeline_at").disabled = view.zoom === 0; });
    control("timeline_at", (target) => { view.at = Number(target.value); });
    control("timeline_critical", (target) => { view.shows_critical = target.checked; });
    byId("timeline_zoom").max = Math.log2(widest_zoom);
    byId("timeline_stage").addEventListener("change", ({ target }) => { view.stage = Number(target.value); askStep(); });
  }

  /** The rows of `--table passes`, or of one stage's `spans`. */
  function show(rows, name) {
    Object.assign(view, { rows: view.stage ? rows.filter((row) => row.stage === view.stage) : rows, name, focus: -1 });
    draw();
    say(null);
    const used = new Set(view.rows.map((row) => row.part));
    byId("timeline_key").replaceChildren(key(view.stage
      ? parts.filter(([part]) => used.has(part.replace(/_s$/, ""))).map(([, words, colour]) => [colour, words])
      : [...Object.entries(pass_colours).filter(([pass]) => view.rows.some((row) => row.pass === pass && row.stream === "compute")).map(([pass, colour]) => [colour, pass]),
        ...(view.rows.some((row) => row.exchange_s > 0) ? [[span_colours.tensor, "exchanges within the pass"]] : []),
        ...["data", "pipeline", "optimizer"].filter((part) => used.has(part)).map((part) => [span_colours[part], parts.find(([name]) => name === `${part}_s`)[1]])]));
  }

  function offerStages(count) {
    if (view.stage > count) view.stage = 0;
    byId("timeline_stage").replaceChildren(element("option", { value: 0 }, "all stages, pass by pass"),
      ...Array.from({ length: count }, (_, i) => element("option", { value: i + 1, selected: view.stage === i + 1 }, `stage ${i + 1}, layer by layer`)));
  }

  return { make, show, draw, offerStages, view };
})();

let step_asked = "";
const step_drawn = { stages: null, timeline: null }; // the questions that what is drawn answers; null: nothing is drawn

/** Whether stages and timeline are those of an earlier question. */
function lateOfStep() {
  const asked = stepOf(current());
  return { stages: step_drawn.stages !== null && step_drawn.stages !== asked.stages, timeline: step_drawn.timeline !== null && step_drawn.timeline !== asked.timeline };
}

function stepOf(scenario) {
  const stages = JSON.stringify(questionOf(scenario, scenario.size));
  return { stages, timeline: `${stages} ${timeline.view.stage}` };
}

/** Of a scenario without an answer there is no step. */
function clearStep() {
  step_asked = "";
  Object.assign(step_drawn, { stages: null, timeline: null });
  byId("stages").replaceChildren();
  timeline.show([], "");
}

/** After the curve, so that it delays none of it. */
async function askStep() {
  const scenario = structuredClone(current()), asked = stepOf(scenario), name = `${nameOf(scenario)} on ${scenario.size} of ${scenario.cluster}`;
  if (asked.timeline === step_asked) return;
  step_asked = asked.timeline;
  markLate();
  const isOvertaken = () => asked.timeline !== step_asked;
  const rowsOf = async (table) => {
    const question = questionOf(scenario, scenario.size);
    const answer = await answered(`step-${table}`, { ...question, options: { ...question.options, table } });
    if (isOvertaken()) return null;
    if (answer && !answer.rows) clearStep();
    if (!answer) step_asked = "";
    return answer?.rows ?? null;
  };
  const stages = await rowsOf("stages");
  if (!stages) return;
  byId("stages").replaceChildren(stagesChart(stages, name));
  step_drawn.stages = asked.stages;
  timeline.offerStages(stages.length);
  markLate();
  const passes = await rowsOf(timeline.view.stage ? "spans" : "passes");
  if (!passes) return;
  timeline.show(passes, name);
  step_drawn.timeline = stepOf(scenario).timeline; // another model may have less stages than the one that was chosen
  markLate();
}
