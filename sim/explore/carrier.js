// Who answers: the program behind this page, or where there is none the program inside it.

const carrier = (() => {
  let number = 0;
  const page = Math.random().toString(36).slice(2, 10);
  const running = new Map(); // slot -> what would stop its question

  async function overHttp(slot, question, signal) {
    const response = await fetch("answer", {
      method: "POST", signal, body: JSON.stringify(question),
      headers: { "Content-Type": "application/json", "Tofn-Change": `${page}-${slot} ${++number}` },
    });
    if (response.status === 409) return null;
    if (!response.ok) return { exit_code: 1, error: (await response.text()).trim() };
    return response.json();
  }

  /** Whether the server that this page came from answers: one on this machine has all of its cores. */
  async function isServed() {
    if (!["127.0.0.1", "localhost"].includes(location.hostname)) return false;
    try {
      return Boolean((await overHttp("carrier", { command: "list", arguments: ["figures"] }))?.rows);
    } catch {
      return false;
    }
  }
  // `tofnInside` is set by the page that has the program inside (WebAssembly workers).
  const inside = (async () => (window.tofnInside && !await isServed() ? window.tofnInside : null))();

  return {
    /** Who answers, in words. */
    name: async () => (await inside ? "the program inside this page" : "this machine alone"),
    /** The answer; null where a later question of the same slot overtook it. */
    async ask(slot, question) {
      running.get(slot)?.abort();
      const stop = new AbortController();
      running.set(slot, stop);
      try {
        const answer = await ((await inside) ?? overHttp)(slot, question, stop.signal);
        return stop.signal.aborted ? null : answer;
      } catch (error) {
        if (stop.signal.aborted) return null;
        return { exit_code: 1, error: `no answer: is \`tofn explore\` still running? (${error.message})` };
      }
    },
  };
})();
