const SHORTEST_SECRET = 4;
// Long forms are searched in pieces, which lie side by side wherever the whole stands. That bounds what one
// comparison can cost, and strikes out most of a key that was cut off or printed line by line.
const PIECE_LENGTH = 32;

/** Every spelling in which these secrets may turn up after a program handled them. */
export function encodedForms(secrets: Iterable<string>): Set<string> {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // A header or a form loses the line break that a pasted secret often ends with.
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

/** Escaped once, and twice: an error message often quotes JSON that holds JSON. */
function* jsonForms(secret: string): Generator<string> {
  const once = JSON.stringify(secret).slice(1, -1);
  yield once;
  yield JSON.stringify(once).slice(1, -1);
  yield once.replaceAll("/", "\\/");
}

function* urlForms(secret: string): Generator<string> {
  // encodeURIComponent throws on half a surrogate pair, which no URL can hold anyway.
  if (/\p{Surrogate}/u.test(secret)) return;
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  for (const encoded of [encodeURIComponent(secret), encodeURI(secret), form]) {
    yield encoded;
    yield encoded.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  }
}

/**
 * Base64 turns three bytes into four characters, so a secret inside a longer text ("user:secret") reads
 * differently at each of three offsets. Of each, the characters that no neighbouring byte takes part in.
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
    // The last piece takes the remainder, so none is shorter than the rest.
    yield form.slice(i * PIECE_LENGTH, i === count - 1 ? undefined : (i + 1) * PIECE_LENGTH);
  }
}
