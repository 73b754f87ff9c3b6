// A field whose list shows all that can be chosen, each with what tells it apart; what is typed narrows the list.

/** `itemsOf` gives [{name, words}]; a choice fires the field's `input` and `change`. */
function makePicker(input, itemsOf) {
  const list = element("ul", { id: `${input.id}_list`, role: "listbox", "aria-label": input.labels[0].firstChild.textContent.trim(), class: "picker", hidden: true });
  input.closest("label").after(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" })) input.setAttribute(name, value);
  let at = -1;

  const shown = () => [...list.children];
  function mark(place) {
    at = place;
    shown().forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
    shown()[at]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", shown()[at]?.id ?? "");
  }

  function open(typed) {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const items = itemsOf().filter((item) => words.every((word) => `${item.name} ${item.words}`.toLowerCase().includes(word)));
    list.replaceChildren(...items.map(({ name, words: more }, i) => element("li", { id: `${list.id}_${i}`, role: "option", "aria-selected": "false", "data-name": name },
      element("span", {}, name), element("span", { class: "muted" }, more))));
    list.hidden = items.length === 0;
    // Fixed, so that no pane that scrolls cuts it off.
    const { left, bottom, top } = input.getBoundingClientRect(), room = innerHeight - bottom - 12;
    list.style.left = `${left}px`;
    list.style.top = room > 200 ? `${bottom + 4}px` : "";
    list.style.bottom = room > 200 ? "" : `${innerHeight - top + 4}px`;
    list.style.maxHeight = `${Math.min(room > 200 ? room : top - 12, 480)}px`;
    input.setAttribute("aria-expanded", String(!list.hidden));
    const same = items.findIndex(({ name }) => name === input.value);
    mark(typed && same < 0 ? 0 : same);
  }
  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function choose(item) {
    if (!item) return;
    input.value = item.dataset.name;
    close();
    for (const kind of ["input", "change"]) input.dispatchEvent(new CustomEvent(kind, { bubbles: true, detail: "chosen" }));
  }

  input.addEventListener("click", () => { input.select(); open(""); });
  input.addEventListener("input", ({ detail }) => { if (detail !== "chosen") open(input.value); });
  addEventListener("scroll", close);
  for (const kind of ["change", "blur"]) input.addEventListener(kind, close);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") return close();
    if (event.key === "Enter" && !list.hidden) { event.preventDefault(); return choose(shown()[at]); }
    if (!step) return undefined;
    event.preventDefault();
    if (list.hidden) open("");
    return mark(Math.min(Math.max(at + step, 0), shown().length - 1));
  });
  // Before the field would lose its focus.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => choose(target.closest("li")));
}
