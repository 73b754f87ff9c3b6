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

// Of times in days: each unit and its length.
const time_units = [["days", 1], ["hours", 1 / 24], ["minutes", 1 / 1440], ["s", 1 / 86400]];
/** The largest that a time has two of. */
const timeUnit = (days) => time_units.find(([, length]) => days >= 2 * length) ?? time_units.at(-1);

function duration(days) {
  if (!isNumber(days)) return "no end";
  const [unit, length] = timeUnit(days);
  return `${short(days / length)} ${unit}`;
}

/** As runs with the overrun of published ones go; else the figure itself. */
const usual = (row, name) => isNumber(row[`${name}_as_runs_went`]) ? row[`${name}_as_runs_went`] : row[name];

// What the curve can show: its column, how it reads, and the unit and its length of an axis that ends at `top`.
const metrics = [
  { name: "days", title: "time", text: duration, unit: timeUnit },
  { name: "cost_usd", title: "cost, USD", text: (value) => `${short(value)} USD` },
  { name: "energy_kwh", title: "energy, kWh", text: (value) => `${short(value)} kWh` },
  { name: "co2_t", title: "t CO2e", text: (value) => `${short(value)} t` },
  { name: "step_s", title: "step, s", text: (value) => `${short(value)} s` },
  { name: "mfu", title: "MFU, %", text: (value) => `${round(100 * value, 3)} %`, unit: () => ["", 0.01], linear: true },
  { name: "memory_gb", title: "memory, GB", text: (value) => `${short(value)} GB`, linear: true },
];

const bases = Object.fromEntries(["measured", "given", "interpolated", "formula", "extrapolated", "assumed"].map((basis) => [basis, `var(--${basis})`]));
