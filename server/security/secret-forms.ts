const SHORTEST_SECRET = 4;
// Long forms are searched in pieces. That limits the cost of one comparison and redacts most of a key that was truncated
// or printed line by line.
const PIECE_LENGTH = 32;

/** Every form in which these secrets may appear after other programs encoded them. */
export function encodedForms(secrets: Iterable<string>): Set<string> {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // Pasted secrets often end with a line break, which headers and forms drop.
    for (const spelling of new Set([secret, secret.trim()])) {
      if (spelling.length < SHORTEST_SECRET) continue;
      for (const form of formsOf(spelling)) {
        for (const piece of pieces(form)) forms.add(piece);
      }
    }
  }
  return forms;
}

function* formsOf(secret: string): Generator<string> {
  const bytes = Buffer.from(secret, "utf8");
  yield secret;
  yield* jsonForms(secret);
  yield* urlForms(secret);
  yield* base64Forms(bytes);
  yield bytes.toString("hex");
  yield bytes.toString("hex").toUpperCase();
}

/** Escaped once and twice: error messages often quote JSON inside JSON. */
function* jsonForms(secret: string): Generator<string> {
  const once = JSON.stringify(secret).slice(1, -1);
  yield once;
  yield JSON.stringify(once).slice(1, -1);
  yield once.replaceAll("/", "\\/");
}

function* urlForms(secret: string): Generator<string> {
  // encodeURIComponent throws on a lone surrogate, which no URL can contain.
  if (/\p{Surrogate}/u.test(secret)) return;
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  for (const encoded of [encodeURIComponent(secret), encodeURI(secret), form]) {
    yield encoded;
    yield encoded.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  }
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
    yield own.replaceAll("+", "-").replaceAll("/", "_");
  }
}

function* pieces(form: string): Generator<string> {
  const count = Math.max(1, Math.floor(form.length / PIECE_LENGTH));
  for (let i = 0; i < count; i++) {
    // The last piece includes the remainder, so no piece is shorter than the others.
    yield form.slice(i * PIECE_LENGTH, i === count - 1 ? undefined : (i + 1) * PIECE_LENGTH);
  }
}
