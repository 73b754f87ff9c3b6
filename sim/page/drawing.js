// Elements, SVG, and the words that come up beside them.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Words that a pointer, a finger or the keyboard's focus brings up beside a shape; a line each. */
const named = (shape, words) => (shape.setAttribute("data-words", words), shape);

const tooltip = (() => {
  const box = element("div", { id: "tooltip", "aria-hidden": "true", hidden: true });
  const hide = () => { box.hidden = true; };

  function show(words, x, y) {
    box.textContent = words;
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`;
    box.style.top = `${y + height + 20 > innerHeight ? y - height - 10 : y + 16}px`;
  }

  function make() {
    document.body.append(box);
    for (const kind of ["pointermove", "pointerdown"])
      document.addEventListener(kind, ({ target, clientX, clientY }) => {
        if (target.closest?.("[data-own-words]")) return; // it calls `show` itself
        const { words } = target.closest?.("[data-words]")?.dataset ?? {};
        if (words) show(words, clientX, clientY);
        else hide();
      });
    document.addEventListener("focusin", ({ target }) => {
      if (!target.dataset.words || !target.matches(":focus-visible")) return;
      const place = target.getBoundingClientRect();
      show(target.dataset.words, place.x + place.width / 2, place.y + place.height / 2);
    });
    for (const kind of ["focusout", "scroll"]) document.addEventListener(kind, hide);
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  }
  return { make, show, hide };
})();

const swatch = (colour) => element("i", { class: "swatch", style: `background:${colour}` });
const key = (entries) =>
  element("ul", { class: "key" }, ...entries.map(([colour, words]) => element("li", {}, swatch(colour), words)));

/** A table whose first column heads its rows; `rows`: [head, ...cells] of texts or elements. */
const tableOf = (heads, rows) => element("div", { class: "scroll", tabindex: 0 }, element("table", {},
  element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
  element("tbody", {}, ...rows.map(([head, ...cells]) => element("tr", {}, element("th", { scope: "row" }, head), ...cells.map((cell) => element("td", {}, cell)))))));

/** Ticks 1, 2, 5 x 10^k of a logarithmic axis, powers alone where those are many; steps of a linear or a short one. */
function ticksOf(low, high, isLinear) {
  const ticks = [];
  if (isLinear) {
    const rough = (high - low) / 5 || 1, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
    for (let at = Math.ceil(low / step) * step; at <= high * 1.0001; at += step) ticks.push(at);
    return ticks;
  }
  const decades = Math.log10(high / low);
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const each of decades > 2.5 ? [1] : [1, 2, 5]) {
      const at = each * 10 ** power;
      if (at >= low * 0.999 && at <= high * 1.001) ticks.push(at);
    }
  return ticks.length > 1 ? ticks : ticksOf(low, high, true);
}
