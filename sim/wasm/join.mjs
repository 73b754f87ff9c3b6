// Writes one HTML file: the page of `tofn explore` with the program inside.
//   node join.mjs PROGRAM.js PROGRAM.wasm PAGE.html
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";

const [program_file, wasm_file, page_file] = process.argv.slice(2).map((name) => path.resolve(name));
const here = path.dirname(new URL(import.meta.url).pathname);
const beside = (name) => fs.readFileSync(path.join(here, name), "utf8");
const wasm = fs.readFileSync(wasm_file);

const program = await createRequire(import.meta.url)(program_file)({
  instantiateWasm: (imports, done) => { WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => done(instance, module)); return {}; },
});
const page = program.ccall("tofn_page", "string", [], []);

const held = (id, text) => {
  if (/<\/script|<!--/i.test(text)) throw new Error(`${id} would end its own script`);
  return `<script type="text/plain" id="${id}">${text}</script>\n`;
};
const inside = held("tofn_worker", fs.readFileSync(program_file, "utf8") + beside("worker.js"))
  + held("tofn_program", zlib.gzipSync(wasm, { level: 9 }).toString("base64"))
  + `<script>\n"use strict";\n${beside("inside.js")}</script>\n`;
const mark = '<script type="application/json" id="offers">';
if (page.split(mark).length !== 2) throw new Error(`the page has no one ${mark}`);
fs.writeFileSync(page_file, page.replace(mark, () => inside + mark));
console.log(`${page_file}: ${(fs.statSync(page_file).size / 1e6).toFixed(1)} MB`);
process.exit(0);
