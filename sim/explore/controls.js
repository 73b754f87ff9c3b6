// Controls of the current scenario. Each change goes through `changed`.

const byId = (id) => document.getElementById(id);

const choice = (field, values, chosen, onChange) =>
  element("label", {}, field.title, element("select", { "data-option": field.name, onchange: (event) => onChange(field.name, event.target.value) },
    element("option", { value: "" }, "as usual"),
    ...values.map((value) => element("option", { value, selected: chosen === value }, value))));

const network_words = { "-2": "a quarter", "-1": "half", 0: "as it is", 1: "twice", 2: "four times" };

/** Puts the state into the controls; what may be focused is not made anew unless the scenario is another. */
function showControls(isOther) {
  const scenario = current(), sizes = sizesOf(scenario), kind = kindOf(scenario);
  byId("scenarios").replaceChildren(...state.scenarios.map((_, i) => element("button", {
    type: "button", "aria-pressed": String(i === state.current), style: `border-left:4px solid ${colours[i]}`, onclick: () => { state.current = i; showControls(true); changed(); },
  }, String.fromCharCode(65 + i))),
    ...(state.scenarios.length < most_scenarios ? [element("button", { type: "button", id: "copy_scenario", onclick: () => { state.scenarios.push(structuredClone(scenario)); state.current = state.scenarios.length - 1; showControls(true); changed(); } }, "Copy")] : []),
    ...(state.scenarios.length > 1 ? [element("button", { type: "button", id: "drop_scenario", onclick: () => { state.scenarios.splice(state.current, 1); state.current = 0; showControls(true); changed(); } }, "Drop")] : []));
  byId("size").max = sizes.length - 1;
  byId("size").value = Math.max(0, sizes.findLastIndex((size) => size <= scenario.size));
  byId("size_text").textContent = scenario.size;
  byId("size").setAttribute("aria-valuetext", `${scenario.size} accelerators`);
  byId("price_text").textContent = scenario.price === null ? "the cluster's" : scenario.price;
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
  byId("cluster").value = scenario.cluster;
  byId("tokens").value = scenario.tokens;
  byId("price").value = scenario.price ?? 6;
  byId("network").value = scenario.network;
  byId("stack").value = scenario.stack;
  byId("plan_best").checked = !scenario.stated;
  byId("plan_stated").checked = scenario.stated;
  byId("deadline").value = state.deadline;
  byId("budget").value = state.budget;
  byId("metric").value = state.metric;
  byId("plan_fields").replaceChildren(...plan_fields.map((field) => choice(field, field.values, scenario.plan[field.name], (name, value) => { current().plan[name] = value; changed(); })));
  byId("switches").replaceChildren(element("legend", {}, "Switches"), ...switch_fields.map((field) => choice(field, field.values, scenario.switches[field.name], (name, value) => { current().switches[name] = value; changed(); })));
  showMore();
}

function showMore() {
  const predict = offers.commands.find(({ name }) => name === "predict");
  byId("more").replaceChildren(...Object.entries(current().more).map(([name, value]) => element("label", { title: predict.options.find((each) => each.name === name)?.help ?? "" }, name,
    element("input", { value, "data-option": name, oninput: (event) => { current().more[name] = event.target.value; changed(); } }),
    element("button", { type: "button", "aria-label": `remove ${name}`, onclick: () => { delete current().more[name]; showMore(); changed(); } }, "Remove"))));
}

function makeControls() {
  const option = (each, words) => element("option", { value: each.name }, words ?? each.title ?? each.description ?? "");
  byId("jobs").replaceChildren(...["models", "runs", "workloads"].flatMap((list) => offers[list].map((each) => option(each))));
  byId("clusters").replaceChildren(...offers.clusters.map((each) => option(each)));
  byId("stack").replaceChildren(option({ name: "unknown" }, "not known"), ...offers.stacks.filter(({ name }) => name !== "unknown").map((each) => option(each, each.name)));
  byId("metric").replaceChildren(...metrics.map((each) => option(each)));
  const predict = offers.commands.find(({ name }) => name === "predict");
  const elsewhere = new Set(["job", "cluster", "accelerators", "tokens", "stack", "price", "deadline", "budget", "same-loss", "times", "sensitivity", "table", ...plan_fields.map(({ name }) => name), ...switch_fields.map(({ name }) => name)]);
  byId("add_option").replaceChildren(element("option", { value: "" }, "choose"), ...predict.options.filter(({ name, takes_value }) => takes_value && !elsewhere.has(name)).map((each) => element("option", { value: each.name, title: each.help }, each.name)));

  const on = (id, event, act) => byId(id).addEventListener(event, (happened) => { act(happened.target); showControls(false); changed(); });
  // A name that is being typed is asked for when it is one; anything else when it is left.
  const name = (id, lists, set) => {
    byId(id).addEventListener("input", ({ target }) => { if (lists.some((list) => named_in(list, target.value))) { set(target.value); showControls(false); changed(); } });
    on(id, "change", (target) => set(target.value.trim()));
  };
  name("job", ["models", "runs", "workloads"], (value) => { current().job = value; current().file = null; byId("file").value = ""; });
  name("cluster", ["clusters"], (value) => { current().cluster = value; const sizes = sizesOf(current()); current().size = sizes.findLast((size) => size <= current().size) ?? sizes[0]; });
  on("size", "input", (target) => { current().size = sizesOf(current())[target.value]; });
  on("tokens", "input", (target) => { current().tokens = target.value.trim(); });
  on("stack", "change", (target) => { current().stack = target.value; });
  on("price", "input", (target) => { current().price = Number(target.value) > 0 ? Number(target.value) : null; });
  on("network", "input", (target) => { current().network = Number(target.value); });
  on("plan_best", "change", () => { current().stated = false; });
  on("plan_stated", "change", () => { current().stated = true; });
  on("deadline", "input", (target) => { state.deadline = target.value; });
  on("budget", "input", (target) => { state.budget = target.value; });
  on("metric", "change", (target) => { state.metric = target.value; });
  byId("add_option").addEventListener("change", ({ target }) => { if (target.value) { current().more[target.value] = ""; target.value = ""; showMore(); byId("more").querySelector("label:last-child input").focus(); } });
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
}
