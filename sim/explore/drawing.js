// Elements and SVG.

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

/** A word under the pointer, which screen readers say too. */
const named = (shape, words) => (shape.append(svg("title", {}, words)), shape);

const key = (entries) =>
  element("ul", { class: "key" }, ...entries.map(([colour, words]) =>
    element("li", {}, element("i", { style: `background:${colour}` }), words)));

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
