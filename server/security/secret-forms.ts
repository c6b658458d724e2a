import { foldCase } from "./fold-case.ts";

const SHORTEST_SECRET = 4;
// Long forms are searched in pieces. That limits the cost of one comparison and redacts most of a key that was truncated
// or printed line by line.
const PIECE_LENGTH = 32;

/**
 * Every form in which these secrets may appear after other programs encoded them, in lower case. Escapes (percent, JSON,
 * HTML) are decoded in the searched text instead: any character may be escaped or not.
 */
export function encodedForms(secrets: Iterable<string>): Set<string> {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // Pasted secrets often end with a line break, which headers and forms drop.
    for (const spelling of new Set([secret, secret.trim()])) {
      if (spelling.length < SHORTEST_SECRET) continue;
      for (const form of formsOf(spelling)) {
        for (const piece of pieces(form)) forms.add(foldCase(piece));
      }
    }
  }
  return forms;
}

function* formsOf(secret: string): Generator<string> {
  const bytes = Buffer.from(secret, "utf8");
  yield secret;
  // Forms encode a space as a plus.
  yield secret.replaceAll(" ", "+");
  // Decoded percent-encoding is bytes, not characters.
  yield bytes.toString("latin1");
  yield bytes.toString("latin1").replaceAll(" ", "+");
  yield* byteForms(bytes);
  for (const inner of innerForms(secret, bytes)) yield* byteForms(Buffer.from(inner, "utf8"));
}

/** What another program may encode again: "user:secret" in base64, and that in base64. */
function* innerForms(secret: string, bytes: Buffer): Generator<string> {
  yield* base64Forms(bytes);
  yield bytes.toString("hex");
  yield bytes.toString("hex").toUpperCase();
  const escaped = new Set([
    JSON.stringify(secret).slice(1, -1),
    new URLSearchParams({ s: secret }).toString().slice(2),
  ]);
  // encodeURIComponent throws on a lone surrogate, which no URL can contain.
  if (!/\p{Surrogate}/u.test(secret)) escaped.add(encodeURIComponent(secret));
  for (const text of escaped) if (text !== secret) yield text;
}

function* byteForms(bytes: Buffer): Generator<string> {
  yield* base64Forms(bytes);
  yield bytes.toString("hex");
}

/**
 * Base64 encodes three bytes as four characters, so a secret inside a longer text ("user:secret") has a different form at
 * each of three offsets. Of each form, the characters that depend on no adjacent byte.
 */
function* base64Forms(bytes: Buffer): Generator<string> {
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const firstOwn = Math.ceil((offset * 8) / 6);
    const endOfOwn = Math.floor(((offset + bytes.length) * 8) / 6);
    const own = encoded.slice(firstOwn, endOfOwn);
    yield own;
    const urlSafe = own.replaceAll("+", "-").replaceAll("/", "_");
    if (urlSafe !== own) yield urlSafe;
  }
}

function* pieces(form: string): Generator<string> {
  const count = Math.max(1, Math.floor(form.length / PIECE_LENGTH));
  for (let i = 0; i < count; i++) {
    // The last piece includes the remainder, so no piece is shorter than the others.
    yield form.slice(i * PIECE_LENGTH, i === count - 1 ? undefined : (i + 1) * PIECE_LENGTH);
  }
}
