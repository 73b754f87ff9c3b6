// Texts of files in links: deflated and in base64url, where the browser can; else in base64url alone.

const most_packed = 16000; // characters; mail and chat programs break a longer link

const base64url = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** `d.` and what is deflated, or `p.` and the plain text; null where it is too long for a link. */
async function packed(text) {
  const bytes = new TextEncoder().encode(text);
  const words = typeof CompressionStream === "undefined" ? `p.${base64url(bytes)}` : `d.${base64url(await through(bytes, new CompressionStream("deflate-raw")))}`;
  return words.length <= most_packed ? words : null;
}

/** The text that was packed; throws where it is none. A link of a stranger may be of any length. */
async function unpacked(words) {
  if (!/^[dp]\./.test(words) || words.length > most_packed) throw new Error("no packed text");
  const bytes = bytesOf(words.slice(2));
  return new TextDecoder("utf-8", { fatal: true }).decode(words.startsWith("d.") ? await through(bytes, new DecompressionStream("deflate-raw")) : bytes);
}
