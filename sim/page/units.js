// Numbers as people read them.

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

function short(value, digits = 3) {
  if (!isNumber(value)) return "no end";
  if (value === 0) return "0";
  const size = Math.abs(value);
  for (const [from, mark] of [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
    if (size >= from) return round(value / (mark === "k" ? 1e3 : from), digits) + mark;
  return round(value, digits);
}

function round(value, digits) {
  const text = value.toPrecision(digits);
  return String(text.includes("e") && Math.abs(value) >= 1e-4 ? Number(text) : Number(text));
}

/** A number as people write it: `2T`, `1.4e12`; null where it is none. */
function numberOf(text) {
  const found = /^\s*(\d*\.?\d+(?:e\d+)?)\s*([kMGBTP]?)\s*$/.exec(text ?? "");
  return found && Number(found[1]) * { "": 1, k: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, P: 1e15 }[found[2]];
}

// Units of times in days, each with its length.
const time_units = [["days", 1], ["hours", 1 / 24], ["minutes", 1 / 1440], ["s", 1 / 86400]];
/** The largest unit that a time has two of. */
const timeUnit = (days) => time_units.find(([, length]) => days >= 2 * length) ?? time_units.at(-1);

function duration(days) {
  if (!isNumber(days)) return "no end";
  const [unit, length] = timeUnit(days);
  return `${short(days / length)} ${unit}`;
}

const dollars = (value) => isNumber(value) ? `$${value < 1e4 && value >= 1 ? round(value, Math.max(3, String(Math.trunc(value)).length)) : short(value)}` : "no end";
const percent = (share) => isNumber(share) ? `${round(100 * share, share > 0.1 ? 2 : 1)} %` : "no end";
const inUnit = (unit, factor = 1) => (value) => isNumber(value) ? `${short(value * factor)} ${unit}` : "no end";
const seconds = (value) => isNumber(value) && value > 0 && value < 1 ? `${short(1e3 * value)} ms` : inUnit("s")(value);
const inCount = (value) => short(value);

/** The expected value, with the overrun of published runs where that is known; else the simulated figure. */
const usual = (row, name) => isNumber(row[`${name}_as_runs_went`]) ? row[`${name}_as_runs_went`] : row[name];

// The figures of a run that the page shows: column, title, how a value reads. The curve can show those with an
// `axis`: its title, and for an axis that ends at `top` the unit and that unit's length.
const run_figures = [
  { name: "days", title: "Time", text: duration, axis: "time", unit: timeUnit },
  { name: "cost_usd", title: "Cost", text: dollars, axis: "cost, USD" },
  { name: "chance", title: "Chance of meeting limits", text: percent },
  { name: "energy_kwh", title: "Energy", text: inUnit("MWh", 1e-3), axis: "energy, kWh" },
  { name: "co2_t", title: "Emissions", text: inUnit("t CO2e"), axis: "emissions, t CO2e" },
  { name: "step_s", title: "Step", text: seconds, axis: "step, s" },
  { name: "tokens_per_s", title: "Tokens/s", text: inCount },
  { name: "samples_per_s", title: "Samples/s", text: inCount },
  { name: "mfu", title: "MFU", text: percent, axis: "MFU, %", unit: () => ["", 0.01], linear: true },
  { name: "goodput", title: "Goodput", text: percent },
  { name: "accelerator_hours", title: "Accelerator-hours", text: inCount },
  { name: "memory_gb", title: "Memory, most loaded rank", text: inUnit("GB"), axis: "memory, GB", linear: true },
  { name: "batch_price", title: "Batch penalty", text: percent },
];
const metrics = run_figures.filter(({ axis }) => axis);

/** `35 to 193 days`: a unit that both ends have is said once. */
function between(low, high, text) {
  if (text === duration && isNumber(high)) { // in the upper end's unit
    const [unit, length] = timeUnit(high);
    return `${short(low / length)} to ${short(high / length)} ${unit}`;
  }
  const [from, to] = [text(low), text(high)].map((words) => /^(\S+)( .+)?$/.exec(words));
  return `${from[2] === to[2] ? from[1] : from[0]} to ${to[0]}`;
}

/** The 90 % range of a figure, in words; empty where there is none. */
function rangeWords(row, { name, text }) {
  const [low, high] = ["low90", "high90"].map((end) => row[`${name}_${end}`]);
  return !isNumber(low) || low === high ? "" : between(low, high, text);
}

/** How one row compares with another of the same question, each phrase with what it is about. */
function comparisonWords(row, base) {
  const times = [base, row].map((each) => usual(each, "days") ?? each.step_s), costs = [base, row].map((each) => usual(each, "cost_usd"));
  const speed = times[0] / times[1], cost = costs[1] / costs[0] - 1;
  const isAlike = (ratio) => Math.abs(ratio - 1) < 0.005;
  return {
    time: !isNumber(speed) ? "" : isAlike(speed) ? "as fast" : speed > 1 ? `${round(speed, speed < 2 ? 3 : 2)} x as fast` : `takes ${round(1 / speed, 3)} x as long`,
    cost: !isNumber(cost) ? "" : isAlike(cost + 1) ? "costs the same" : cost < 0 ? `${round(-100 * cost, 2)} % cheaper` : cost < 1 ? `${round(100 * cost, 2)} % more expensive` : `costs ${round(1 + cost, 2)} x as much`,
  };
}

const bases = Object.fromEntries(["measured", "given", "interpolated", "formula", "extrapolated", "assumed"].map((basis) => [basis, `var(--${basis})`]));
