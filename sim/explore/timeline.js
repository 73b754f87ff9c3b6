// A step of the current scenario: what each stage holds, and when each of its passes runs.

const pass_colours = { forward: "#5b83b0", backward: "#2f5d8c", "weight gradients": "#8a5a00" };
const span_colours = { ...Object.fromEntries(parts.map(([name, , colour]) => [name.replace(/_s$/, ""), colour])) };
const lanes = [["compute", 20], ["data", 5], ["send", 5]]; // of a stage, with their heights
const widest_zoom = 256;

/** A bar a stage, of what its most loaded rank holds, against the accelerator's memory. */
function stagesChart(stages, name) {
  const held = stages.filter((row) => isNumber(row.memory_gb));
  if (!held.length) return element("p", { class: "muted" }, "Measured steps do not show what each stage holds.");
  const width = 460, height = 170, left = 34, bottom = 18, top = 12;
  const capacity = Math.max(...held.map((row) => row.memory_of_accelerator_gb)), most = Math.max(capacity, ...held.map((row) => row.memory_gb)) * 1.05;
  const y = (gb) => height - bottom - (height - top - bottom) * (gb / most), wide = (width - left) / held.length;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Memory of ${held.length} stages: ${held.map((row) => `${row.stage}: ${short(row.memory_gb)} GB`).join(", ")}; an accelerator has ${inUnit("GB")(capacity)}` });
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
  return element("div", {}, element("p", { class: "muted" }, `${name}, GB of each pipeline stage; line: ${inUnit("GB")(capacity)} of the accelerator`), drawn);
}

const endOf = (rows) => rows.reduce((latest, row) => Math.max(latest, row.finish_s), 0);

const timeline = (() => {
  const view = { rows: [], name: "", zoom: 0, at: 0, stage: 0, focus: -1, selected: null };
  const left = 52, axis = 18; // room for the stages' names and for the ticks
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
    const scale = devicePixelRatio || 1, width = canvas.clientWidth || 600;
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
    const chunks = view.rows.reduce((most, row) => Math.max(most, row.chunk ?? 0), 0);
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
      context.globalAlpha = view.shows_critical && !row.is_critical ? 0.3 : 1;
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
        context.fillRect(start, top, wide, 3);
        context.fillRect(start, top + high - 3, wide, 3);
      }
      context.globalAlpha = 1;
      if (wide > 22 && row.pass && high > 12) {
        context.fillStyle = "#ffffff";
        context.fillText(chunks > 1 && wide > 34 ? `${row.micro_batch}.${row.chunk}` : String(row.micro_batch), start + 3, top + 14);
      }
      places.push([row, start, top, wide, high]);
    }
    if (view.selected) {
      const [low, high] = [...view.selected].sort((a, b) => a - b).map((seconds) => Math.min(Math.max(x(seconds), left), width));
      context.fillStyle = "rgba(128,128,128,0.28)";
      context.fillRect(low, axis, high - low, height - axis);
    }
    const shown = places[view.focus];
    if (shown) {
      context.strokeStyle = ink;
      context.lineWidth = 2;
      context.strokeRect(shown[1], shown[2], shown[3], shown[4]);
    }
  }

  const say = (row) => { byId("timeline_words").textContent = row ? wordsOf(row) : view.selected ? selectionWords() : summary(); };

  /** How long the selection is, and what share of it the stages compute. */
  function selectionWords() {
    const [from, to] = [...view.selected].sort((a, b) => a - b), stages = new Set(view.rows.map((row) => row.stage)).size;
    const busy = view.rows.filter(({ stream }) => stream === "compute" || stream === "exchange").reduce((sum, row) => sum + Math.max(0, Math.min(row.finish_s, to) - Math.max(row.start_s, from)), 0);
    return `Selected ${short(from * 1e3, 4)} to ${short(to * 1e3, 4)} ms: ${short((to - from) * 1e3, 4)} ms, of which stages are in passes for ${percent(busy / stages / (to - from))}`;
  }

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

  /** Shows a window of the step; its ends in seconds. */
  function showWindow(from, to) {
    const end = endOf(view.rows), wide = Math.min(end, Math.max(to - from, end / widest_zoom));
    view.zoom = Math.log2(end / wide);
    view.at = end > wide ? Math.min(Math.max(from / (end - wide), 0), 1) : 0;
    byId("timeline_zoom").value = view.zoom;
    byId("timeline_at").value = view.at;
    byId("timeline_at").disabled = view.zoom === 0;
    view.focus = -1;
    draw();
  }

  /** Wheel, drag and selection by a pointer. */
  function makePointer(canvas) {
    const secondsAt = (clientX) => {
      const box = canvas.getBoundingClientRect(), [from, to] = windowOf(endOf(view.rows));
      return from + (to - from) * Math.min(Math.max((clientX - box.left - left) / (box.width - left), 0), 1);
    };
    const rowAt = ({ clientX, clientY }) => {
      const box = canvas.getBoundingClientRect(), [x, y] = [clientX - box.left, clientY - box.top];
      return places.find(([, start, top, wide, high]) => x >= start && x <= start + wide && y >= top && y <= top + high)?.[0];
    };
    let drag = null; // where it began: {x, window, selects}
    canvas.addEventListener("wheel", (event) => {
      // Without Ctrl the page scrolls, until the drawing was clicked.
      if (!view.rows.length || !(event.ctrlKey || event.metaKey || document.activeElement === canvas) || (view.zoom === 0 && event.deltaY > 0)) return;
      event.preventDefault();
      const at = secondsAt(event.clientX), [from, to] = windowOf(endOf(view.rows)), factor = 1.0015 ** event.deltaY;
      const wide = Math.min((to - from) * factor, endOf(view.rows));
      const start = Math.max(0, at - (at - from) * wide / (to - from));
      showWindow(start, start + wide);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      if (!view.rows.length || event.button !== 0) return;
      drag = { x: event.clientX, window: windowOf(endOf(view.rows)), selects: event.shiftKey || view.zoom === 0, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const moved = drag ? event.clientX - drag.x : 0;
      if (!drag || (Math.abs(moved) < 4 && !drag.moved)) {
        const row = rowAt(event);
        say(row);
        return row ? tooltip.show(wordsOf(row), event.clientX, event.clientY) : tooltip.hide();
      }
      drag.moved = true;
      tooltip.hide();
      const [from, to] = drag.window;
      if (drag.selects) { view.selected = [secondsAt(drag.x), secondsAt(event.clientX)]; draw(); return say(null); }
      const by = -moved * (to - from) / (canvas.clientWidth - left), start = Math.min(Math.max(0, from + by), endOf(view.rows) - (to - from));
      return showWindow(start, start + to - from);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved) { // a click or a tap
        const at = secondsAt(event.clientX);
        if (view.selected && (at < Math.min(...view.selected) || at > Math.max(...view.selected))) view.selected = null;
        view.focus = places.findIndex(([row]) => row === rowAt(event));
        draw();
        say(places[view.focus]?.[0]);
      }
      drag = null;
    });
    canvas.addEventListener("pointercancel", () => { drag = null; });
    canvas.addEventListener("pointerleave", () => { tooltip.hide(); say(places[view.focus]?.[0]); });
    canvas.addEventListener("dblclick", () => {
      if (!view.rows.length) return;
      const [from, to] = view.selected ? [...view.selected].sort((a, b) => a - b) : [0, endOf(view.rows)];
      view.selected = null;
      showWindow(from, to);
      say(null);
    });
  }

  function make() {
    const canvas = byId("timeline_canvas");
    makePointer(canvas);
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], [from, to] = windowOf(endOf(view.rows)), wide = to - from;
      // As in other viewers of traces.
      const moved = { w: [wide / 4, -wide / 4], s: [-wide / 2, wide / 2], a: [-wide / 4, -wide / 4], d: [wide / 4, wide / 4] }[event.key];
      if (moved && view.rows.length) {
        const start = Math.max(0, from + moved[0]);
        showWindow(start, start + Math.min(to + moved[1] - from - moved[0], endOf(view.rows)));
      }
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
    Object.assign(view, { rows: view.stage ? rows.filter((row) => row.stage === view.stage) : rows, name, focus: -1, selected: null });
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

/** What each stage holds and when its passes run, once. */
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
