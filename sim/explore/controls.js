// Controls of the current scenario. Each change goes through `changed`.

const byId = (id) => document.getElementById(id);

const choice = (field, values, chosen, onChange) =>
  element("label", {}, field.title, element("select", { "data-option": field.name, onchange: (event) => onChange(field.name, event.target.value) },
    element("option", { value: "" }, "default"),
    ...values.map((value) => element("option", { value, selected: chosen === value }, value))));

const chooseScenario = (i) => { state.current = i; showControls(true); changed(); };
function addScenario(changes = {}) {
  state.scenarios.push({ ...structuredClone(current()), ...changes });
  chooseScenario(state.scenarios.length - 1);
}
function dropScenario() {
  state.scenarios.splice(state.current, 1);
  chooseScenario(Math.max(0, state.current - 1));
}
function chooseSize(size) {
  current().size = size;
  showControls(false);
  changed();
}

/** The price of an accelerator-hour of a scenario's cluster; undefined where none is known. */
const listPrice = ({ cluster }) => named_in("clusters", cluster)?.price_usd_per_hour ?? undefined;

/** Puts the state into the controls; what may be focused is not made anew unless the scenario is another. */
function showControls(isOther) {
  const scenario = current(), sizes = sizesOf(scenario), kind = kindOf(scenario), price = scenario.price ?? listPrice(scenario);
  byId("scenarios").replaceChildren(...state.scenarios.map((_, i) => element("button", {
    type: "button", "aria-pressed": String(i === state.current), style: `border-left:4px solid ${colours[i]}`, onclick: () => chooseScenario(i),
  }, letterOf(i))),
    ...(state.scenarios.length < most_scenarios ? [element("button", { type: "button", id: "copy_scenario", onclick: () => addScenario() }, "Add one to compare")] : []),
    ...(state.scenarios.length > 1 ? [element("button", { type: "button", id: "drop_scenario", onclick: dropScenario }, `Remove ${letterOf(state.current)}`)] : []));
  byId("size").max = sizes.length - 1;
  byId("size").value = Math.max(0, sizes.findLastIndex((size) => size <= scenario.size));
  byId("size").setAttribute("aria-valuetext", `${scenario.size} accelerators`);
  if (document.activeElement !== byId("size_number")) byId("size_number").value = scenario.size;
  byId("price").value = price ?? 0;
  if (document.activeElement !== byId("price_number")) byId("price_number").value = price ?? "";
  byId("price_text").replaceChildren(...(scenario.price !== null ? [element("button", { type: "button", id: "price_reset", onclick: () => { scenario.price = null; showControls(false); changed(); } }, `Reset to ${listPrice(scenario) === undefined ? "no price" : `the list price, ${dollars(listPrice(scenario))}`}`)]
    : [listPrice(scenario) === undefined ? "no list price is known" : "list price"]));
  byId("network_text").textContent = network_words[scenario.network];
  byId("network").setAttribute("aria-valuetext", network_words[scenario.network]);
  byId("tokens_label").hidden = kind !== "model";
  byId("stack").disabled = kind === "workload";
  byId("plan_fields").hidden = !scenario.stated;
  byId("plan").hidden = kind === "workload";
  if (isOther) fillControls(scenario);
  for (const { name, simulated } of switch_fields) byId("switches").querySelector(`[data-option="${name}"]`).disabled = Boolean(simulated) && kind === "workload";
}

function fillControls(scenario) {
  byId("job").value = nameOf(scenario);
  if (!scenario.file) byId("file").value = "";
  byId("cluster").value = scenario.cluster;
  byId("tokens").value = scenario.tokens;
  byId("network").value = scenario.network;
  byId("stack").value = scenario.stack;
  byId("plan_best").checked = !scenario.stated;
  byId("plan_stated").checked = scenario.stated;
  byId("deadline").value = state.deadline;
  byId("budget").value = state.budget;
  byId("metric").value = state.metric;
  byId("plan_fields").replaceChildren(...plan_fields.map((field) => choice(field, field.values, scenario.plan[field.name], (name, value) => { current().plan[name] = value; changed(); })));
  byId("switches").replaceChildren(...switch_fields.map((field) => choice(field, field.values, scenario.switches[field.name], (name, value) => { current().switches[name] = value; changed(); })));
  showMore();
}

/** Says of each menu what was taken where it is left open. */
function showDefaults(row) {
  for (const { name, column } of [...plan_fields, ...switch_fields])
    if (column) document.querySelector(`[data-option="${name}"] option`).textContent = row?.[column] ? `default (${row[column]})` : "default";
}

function showMore() {
  const predict = offers.commands.find(({ name }) => name === "predict");
  byId("more").replaceChildren(...Object.entries(current().more).map(([name, value]) => element("div", { class: "option" },
    element("label", {}, name, element("input", { value, "data-option": name, oninput: (event) => { current().more[name] = event.target.value; changed(); } })),
    element("button", { type: "button", "aria-label": `remove ${name}`, onclick: () => { delete current().more[name]; showMore(); changed(); } }, "Remove"),
    element("p", { class: "muted" }, predict.options.find((each) => each.name === name)?.help ?? ""))));
}

// --- mistakes, said where they were made ---

/** Which control a message of the program is about. */
const mistaken_fields = [[/^unknown (model|workload|run|job)|names no file/, "job"], [/cluster/, "cluster"], [/--tokens/, "tokens"], [/--accelerators|-N\b/, "size_number"],
  [/--price/, "price_number"], [/--deadline/, "deadline"], [/--budget/, "budget"], [/--stack/, "stack"]];

/** A message without the list of what there is, which the field offers: what is wrong, the nearest names, where it was typed. */
function mistakeOf(error) {
  const [, suggestion = ""] = /,? did you mean (.*?)\?/.exec(error) ?? [];
  const words = error.replace(/,? did you mean [^]*/, "").replace(/[?;:] (valid|known) [\w ]+:[^]*/, "").replace(/^--[\w-]+: /, "");
  return { words, nearest: [...suggestion.matchAll(/'([^']+)'/g)].slice(0, 3).map(([, name]) => name), field: mistaken_fields.find(([pattern]) => pattern.test(error))?.[1] };
}

function showMistake(error) {
  for (const old of document.querySelectorAll(".mistake")) old.remove();
  for (const input of document.querySelectorAll("[aria-invalid]")) { input.removeAttribute("aria-invalid"); input.removeAttribute("aria-errormessage"); }
  if (!error) return;
  const { words, nearest, field } = mistakeOf(error), input = field && byId(field);
  if (!input) return;
  const box = element("p", { class: "mistake problem", id: `${field}_mistake` }, `${words} `, ...nearest.map((name) =>
    element("button", { type: "button", onclick: () => { input.value = name; input.dispatchEvent(new Event("change")); } }, `Use ${name}`)));
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", box.id);
  input.closest("label").after(box);
}

// --- what acts ---

const count = (value) => isNumber(value) ? `${short(value)} parameters` : "";
const listed_jobs = [
  ...offers.models.map(({ name, title, parameters }) => ({ name, words: [title, count(parameters)].filter(Boolean).join(", ") })),
  ...offers.runs.map(({ name, title }) => ({ name, words: `run: ${title ?? ""}` })),
  ...offers.workloads.map(({ name, title }) => ({ name, words: `MLPerf workload: ${title ?? ""}` })),
];
const listed_clusters = offers.clusters.map(({ name, accelerator, accelerators_per_node: each, price_usd_per_hour: price }) => ({
  name, words: [`${each} x ${accelerator}`, inUnit("GB")(named_in("accelerators", accelerator).memory_gb), isNumber(price) ? `${dollars(price)}/h` : "no price"].join(", "),
}));

function makeControls() {
  const option = (each, words) => element("option", { value: each.name }, words ?? each.title ?? each.description ?? "");
  byId("stack").replaceChildren(option({ name: "unknown" }, "not known: the mean of all"), ...offers.stacks.filter(({ name }) => name !== "unknown").map((each) => option(each, each.name)));
  byId("metric").replaceChildren(...metrics.map((each) => option(each)));
  const predict = offers.commands.find(({ name }) => name === "predict");
  const elsewhere = new Set(["job", "cluster", "accelerators", "tokens", "stack", "price", "deadline", "budget", "same-loss", "times", "sensitivity", "table", ...plan_fields.map(({ name }) => name), ...switch_fields.map(({ name }) => name)]);
  byId("add_option").replaceChildren(element("option", { value: "" }, "choose"), ...predict.options.filter(({ name, takes_value }) => takes_value && !elsewhere.has(name)).map((each) => element("option", { value: each.name }, `${each.name}: ${each.help.slice(0, 60)}`)));
  makePicker(byId("job"), () => listed_jobs);
  makePicker(byId("cluster"), () => listed_clusters);

  const on = (id, event, act) => byId(id).addEventListener(event, (happened) => { act(happened.target); showControls(false); changed(); });
  on("job", "change", (target) => { if (target.value.trim() === nameOf(current())) return; current().job = target.value.trim(); current().file = null; byId("file").value = ""; });
  on("cluster", "change", (target) => {
    current().cluster = target.value.trim();
    // A size that is no multiple of the new cluster's nodes becomes the next one below.
    const sizes = sizesOf(current());
    if (current().size % per_node(current())) current().size = sizes.findLast((size) => size <= current().size) ?? sizes[0];
  });
  on("size", "input", (target) => { current().size = sizesOf(current())[target.value]; byId("size_number").value = current().size; });
  on("size_number", "change", (target) => { if (Number(target.value) >= 1) current().size = Math.round(Number(target.value)); });
  on("tokens", "input", (target) => { current().tokens = target.value.trim(); });
  on("stack", "change", (target) => { current().stack = target.value; });
  for (const id of ["price", "price_number"]) on(id, "input", (target) => { current().price = Number(target.value) > 0 ? Number(target.value) : null; });
  on("network", "input", (target) => { current().network = Number(target.value); });
  on("plan_best", "change", () => { current().stated = false; });
  on("plan_stated", "change", () => { current().stated = true; });
  on("deadline", "input", (target) => { state.deadline = target.value; });
  on("budget", "input", (target) => { state.budget = target.value; });
  on("metric", "change", (target) => { state.metric = target.value; });
  byId("add_option").addEventListener("change", ({ target }) => { if (target.value) { current().more[target.value] = ""; target.value = ""; showMore(); byId("more").lastElementChild.querySelector("input").focus(); } });
  const take = async (file) => {
    if (!file) return;
    const text = await file.text();
    current().file = { name: fileName(file.name), text, packed: await packed(text) };
    showControls(true);
    changed();
  };
  byId("file").addEventListener("change", ({ target }) => take(target.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  // On a narrow screen the answer comes first.
  if (innerWidth <= 760) byId("fold").open = false;
  addEventListener("resize", () => { if (innerWidth > 760) byId("fold").open = true; });
}
