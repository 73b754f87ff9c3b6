// The program inside this page: workers that hold it, and which question each has. Sets window.tofnInside.

(() => {
  const text = (id) => document.getElementById(id).textContent;
  const source = URL.createObjectURL(new Blob([text("tofn_worker")], { type: "text/javascript" }));
  // A question that was overtaken runs to its end, so that another worker takes the one that overtook it.
  const most_workers = Math.max(2, Math.min(3, navigator.hardwareConcurrency - 1));
  const workers = [];
  const waiting = new Map(); // slot -> its newest question
  let compiled = null;

  function finish(member, answer) {
    const { asked } = member;
    member.asked = null;
    asked?.resolve(answer);
    next();
  }

  function end(member, why) {
    member.worker.terminate();
    workers.splice(workers.indexOf(member), 1);
    finish(member, { exit_code: 1, error: `the program inside this page ended: ${why}` });
  }

  function start() {
    const member = { worker: new Worker(source), asked: null };
    member.worker.onmessage = ({ data }) => {
      if (data.ended !== undefined) return end(member, data.ended);
      if (data.compiled) { compiled = data.compiled; next(); return undefined; }
      return finish(member, JSON.parse(data.answer));
    };
    member.worker.onerror = (event) => end(member, event.message ?? "its worker could not be started");
    member.worker.postMessage(compiled ? { compiled } : { packed: text("tofn_program") });
    workers.push(member);
    return member;
  }

  function next() {
    for (const [slot, asked] of waiting) {
      const free = workers.find((member) => !member.asked)
        // The first worker compiles for all.
        ?? (workers.length === 0 || (compiled && workers.length < most_workers) ? start() : null);
      if (!free) return;
      waiting.delete(slot);
      free.asked = asked;
      free.worker.postMessage({ question: asked.question });
    }
  }

  window.tofnInside = (slot, question) => new Promise((resolve) => {
    waiting.get(slot)?.resolve(null);
    waiting.delete(slot); // the newest goes last
    waiting.set(slot, { question: JSON.stringify(question), resolve });
    next();
  });
})();
