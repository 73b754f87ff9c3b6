// Asks the program inside a page, as the page's worker does, in node.
//   node ask_page.mjs PAGE.html < questions.json > answers.json
// A list of questions becomes a list of {answer, ms}.
import fs from "node:fs";
import vm from "node:vm";
import { createRequire } from "node:module";

const page = fs.readFileSync(process.argv[2], "utf8");
const held = (id) => {
  const begin = `<script type="text/plain" id="${id}">`;
  const at = page.indexOf(begin);
  if (at < 0) throw new Error(`${process.argv[2]} holds no ${id}`);
  return page.slice(at + begin.length, page.indexOf("</script>", at));
};

// What a worker has beyond what node has.
let hear = null;
globalThis.self = { postMessage: (data) => hear(data) };
globalThis.require = createRequire(import.meta.url); // what em++ wrote asks for these, as in any program of node
globalThis.__dirname = ".";
vm.runInThisContext(held("tofn_worker"), { filename: "tofn_worker" });
const asked = (data) => new Promise((resolve) => { hear = resolve; globalThis.self.onmessage({ data }); });

const begun = await asked({ packed: held("tofn_program") });
if (!begun.compiled) throw new Error(begun.ended);
const answers = [];
for (const question of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const from = performance.now();
  const { answer, ended } = await asked({ question: typeof question === "string" ? question : JSON.stringify(question) });
  if (ended !== undefined) throw new Error(`${JSON.stringify(question)}: ${ended}`);
  answers.push({ answer, ms: performance.now() - from });
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
