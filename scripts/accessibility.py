"""What keeps people from using a page with a keyboard, a screen reader or weak eyes (after WCAG 2.1, AA)."""

# Gives one line for each thing that is wrong with the page as it stands.
RULES = """(() => {
  const found = [];
  const wrong = (what, element) => found.push(`${what}: ${element.outerHTML.slice(0, 90)}`);
  const isShown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const words = (ids) => ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const nameOf = (element) => element.getAttribute("aria-label")?.trim() || words(element.getAttribute("aria-labelledby") ?? "")
    || [...(element.labels ?? [])].map((label) => label.textContent).join(" ").trim()
    || (["BUTTON", "A", "SUMMARY"].includes(element.tagName) ? element.textContent.trim() : "") || element.title;

  if (!document.documentElement.lang) found.push("the page names no language");
  if (!document.title) found.push("the page has no title");
  if (document.querySelectorAll("main").length !== 1) found.push("the page has no main part, or several");
  for (const element of all("button, a[href], input, select, textarea, summary, [role=button]"))
    if (!nameOf(element)) wrong("has no name", element);
  for (const element of all("canvas, [role=img], img"))
    if (!nameOf(element) && !element.alt) wrong("has no text in its place", element);
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) wrong(`a heading of level ${own} follows one of level ${level}`, heading);
    level = own;
  }
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) found.push(`the id ${id} is there twice`);
  for (const table of all("table"))
    if (!table.querySelector("th[scope]")) wrong("a table names neither rows nor columns", table);
  for (const element of all("[tabindex]")) if (element.tabIndex > 0) wrong("jumps the order of the tab key", element);
  for (const element of all("*"))
    if (["auto", "scroll"].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1 && element.tabIndex < 0
        && !element.querySelector("a, button, input, select")) wrong("scrolls, but not by keyboard", element);

  const parsed = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((each, i) => each * a + below[i] * (1 - a));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = parsed(getComputedStyle(at).backgroundColor);
      layers.push(colour);
      if (colour.length === 3 || colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => { const share = each / 255; return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !isShown(element) || element.closest("option, script, style, [disabled], datalist")) continue;
    const style = getComputedStyle(element), ground = behind(element);
    const ink = over(parsed(element.namespaceURI.endsWith("svg") ? style.fill : style.color), ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05), size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < least - 0.01) faint.add(`contrast ${ratio.toFixed(2)} below ${least}: ${element.outerHTML.slice(0, 90)}`);
  }
  found.push(...[...faint].slice(0, 10));
  const focused = document.activeElement;
  for (const element of all("button, a[href], input, select, summary, [tabindex='0']")) {
    if (element.disabled) continue;
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element) continue;
    const style = getComputedStyle(element);
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) === 0) wrong("shows no focus", element);
  }
  focused?.focus?.({ preventScroll: true });
  return found;
})()"""


def problems_of(browser):
    """One line for each thing that is wrong with the browser's page as it stands."""
    return browser.value(RULES)
