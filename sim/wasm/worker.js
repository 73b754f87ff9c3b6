// A worker of the page: the program, started once, answers one question after another. Before this stands what
// em++ wrote, `tofnProgram`.

let started = null; // the program, when it is

const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

/** From the packed text, or what another worker compiled of it. */
async function begin({ packed, compiled }) {
  const wasm = compiled ?? await WebAssembly.compile(await unpacked(packed));
  const program = await tofnProgram({
    instantiateWasm: (imports, done) => { WebAssembly.instantiate(wasm, imports).then((instance) => done(instance, wasm)); return {}; },
    print() {}, printErr() {},
  });
  self.postMessage({ compiled: wasm });
  return program;
}

/** A program that ended cannot go on: `ended` says why, and the page starts another worker. */
self.onmessage = async ({ data }) => {
  try {
    if (data.question === undefined) await (started = begin(data));
    else self.postMessage({ answer: (await started).ccall("tofn_answer", "string", ["string"], [data.question]) });
  } catch (error) {
    self.postMessage({ ended: String(error?.message ?? error) });
  }
};
