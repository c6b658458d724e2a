/** How the secrets of well-known services look, and a login in a header. */
const TOKENS = [
  String.raw`sk-[\w-]{16,}`,
  String.raw`sk_(?:live|test)_\w{10,}`,
  String.raw`gh[pousr]_\w{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`glpat-[\w-]{16,}`,
  String.raw`xox[abprs]-[\w-]{10,}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`AKIA[A-Z0-9]{12,}`,
  String.raw`eyJ[\w-]{10,}\.eyJ[\w-]{10,}`,
  String.raw`\d{8,10}:AA[\w-]{30,}`,
  String.raw`(?:Bearer|Basic)\s{1,4}(?!your|my|token|insert|enter|here|xxx)[\w.~+/-]{12,200}=*`,
];
const NAMES = String.raw`api[-_]?key|access[-_]?token|token|secret|client[-_]?secret|password`;
/** What is before the secret is a group: it stays in a report. */
const PLACES = [
  String.raw`(:\/\/[^\s/:@{}"'<]{1,100}:)[^\s/:@{}"'<]{3,200}@`,
  String.raw`([?&](?:${NAMES}|key)=)(?!your|my|xxx)[^&\s{"'<]{6,200}`,
  String.raw`(["'](?:${NAMES})["']\s{0,4}:\s{0,4}["'])(?!your|my|xxx)[^"'{}<\s]{6,200}["']`,
];
const SECRETS = new RegExp(`(?<![\\w-])(?:${TOKENS.join("|")})|${PLACES.join("|")}`, "gi");
/** A part of every secret, to leave other texts fast. */
const HINT =
  /sk[-_]|gh[a-z]_|_pat_|glpat|xox|aiza|akia|eyj|:aa|bearer|basic|:\/\/|key|token|secret|password/i;
const HTTP_NAMES =
  /^(?:x-)?(?:authorization|auth|key|token|cookie|signature|bearer|password|secret|pwd)$|[-_](?:authorization|auth|key|token|secret|password|signature)$|apikey$/i;
/** Outside of requests, a `key` is the name of a field. */
const OTHER_NAMES = /(?:api|access|auth|client|private|secret)[-_]?(?:key|token|secret)$|password$/i;
/** What stands for a secret in a template that was shared. */
const STAND_IN =
  /^\W*(?:(?:bearer|basic|token)\b\W*)?(?:your|my|insert|enter|replace|add|put|xxx|todo|example|redacted|placeholder|here|api[-_ ]?key|access[-_ ]?token|<)/i;
const MIN_SECRET = 8;

function hasSecret(text: string): boolean {
  return HINT.test(text) && text.search(SECRETS) >= 0;
}

/** The text for a report, without what looks like a secret. */
export function redactSecrets(text: string): string {
  if (!HINT.test(text)) return text;
  return text.replaceAll(SECRETS, (_found, ...groups: (string | undefined)[]) => {
    const before = groups.slice(0, PLACES.length).find((group) => group !== undefined);
    return `${before ?? ""}•••`;
  });
}

/** True when a parameter has a secret written out. An expression reads it from elsewhere. */
function isSecret(name: string, value: string, names: RegExp): boolean {
  const written = withoutExpressions(value.replace(/^=/, "")).trim();
  if (hasSecret(value)) return true;
  if (!names.test(name.slice(0, 100)) || STAND_IN.test(written) || /\s.*\s/.test(written)) return false;
  return written.replace(/^(?:Bearer|Basic|Token)\b\s*/i, "").length >= MIN_SECRET;
}

function withoutExpressions(text: string): string {
  let rest = "";
  let at = 0;
  for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
    const close = text.indexOf("}}", open);
    if (close < 0) break;
    rest += text.slice(at, open);
    at = close + 2;
  }
  return rest + text.slice(at);
}

const MAX_DEPTH = 10;
const MAX_FIELDS = 2000;
/** Of all parameters of a node: longer ones are searched at their beginning. */
const MAX_TEXT = 50_000;
const MAX_NAMES = 3;

/** Names of the parameters with a secret written out, never their values. */
export function secretFields(parameters: Readonly<Record<string, unknown>>, isRequest: boolean): string[] {
  const names = isRequest ? HTTP_NAMES : OTHER_NAMES;
  const found = new Set<string>();
  let left = MAX_FIELDS;
  let textLeft = MAX_TEXT;
  function visit(value: unknown, name: string, depth: number): void {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH || found.size >= MAX_NAMES) return;
    if (typeof value === "string") {
      const text = value.slice(0, textLeft);
      textLeft -= text.length;
      if (isSecret(name, text, names)) found.add(`“${name.slice(0, 60)}”`);
    } else if (Array.isArray(value)) for (const one of value) visit(one, name, depth + 1);
    else if (typeof value === "object" && value !== null)
      visitFields(value as Record<string, unknown>, depth + 1);
  }
  function visitFields(fields: Record<string, unknown>, depth: number): void {
    // Headers, queries and bodies are pairs: `{name: "x-api-key", value: "…"}`.
    const pair = typeof fields["name"] === "string" ? fields["name"] : undefined;
    // The entries of an object with 60,000 fields take 40 ms to list.
    for (const key in fields) {
      if (left < 0) return;
      visit(fields[key], pair !== undefined && /value$/i.test(key) ? pair : key, depth);
    }
  }
  visitFields(parameters, 0);
  return [...found];
}
