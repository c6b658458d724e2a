/** How the secrets of well-known services begin, and logins written out. */
const KNOWN_FORMS = [
  String.raw`(?<![\w-])sk-[\w-]{16,}`,
  String.raw`(?<![\w-])sk_(?:live|test)_\w{10,}`,
  String.raw`(?<![\w-])gh[pousr]_\w{20,}`,
  String.raw`(?<![\w-])github_pat_\w{20,}`,
  String.raw`(?<![\w-])glpat-[\w-]{16,}`,
  String.raw`(?<![\w-])xox[abprs]-[\w-]{10,}`,
  String.raw`(?<![\w-])AIza[\w-]{30,}`,
  String.raw`(?<![\w-])AKIA[A-Z0-9]{12,}`,
  String.raw`(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}`,
  String.raw`(?<![\w-])\d{8,10}:AA[\w-]{30,}`,
  String.raw`(?<![\w-])(?:Bearer|Basic)\s+(?!your|my|token|insert|enter|here|xxx)[\w.~+/-]{12,200}=*`,
  String.raw`(?<=:\/\/)[^\s/:@{}"'<]{1,100}:[^\s/:@{}"'<]{3,200}(?=@)`,
  String.raw`(?<=[?&](?:api[-_]?key|apikey|key|token|access_token|secret|password)=)(?!your|my|xxx)[^&\s{"'<]{6,200}`,
  String.raw`(?<=["'](?:api[-_]?key|access[-_]?token|token|secret|client[-_]?secret|password)["']\s{0,4}:\s{0,4}["'])(?!your|my|xxx)[^"'{}<\s]{6,200}(?=["'])`,
];
const SECRETS = new RegExp(KNOWN_FORMS.join("|"), "gi");
const HTTP_NAMES =
  /^(?:x-)?(?:authorization|auth|key|token|cookie|signature|bearer|password|secret|pwd)$|[-_](?:authorization|auth|key|token|secret|password|signature)$|apikey$/i;
/** Outside of requests, a `key` is the name of a field. */
const OTHER_NAMES = /(?:api|access|auth|client|private|secret)[-_]?(?:key|token|secret)$|password$/i;
/** What stands for a secret in a template that was shared. */
const STAND_IN =
  /^\W*(?:(?:bearer|basic|token)\b\W*)?(?:your|my|insert|enter|replace|add|put|xxx|todo|example|redacted|placeholder|here|api[-_ ]?key|access[-_ ]?token|<)/i;
const MIN_SECRET = 8;

function hasSecret(text: string): boolean {
  return text.search(SECRETS) >= 0;
}

/** The text for a report, without what looks like a secret. */
export function redactSecrets(text: string): string {
  return text.replaceAll(SECRETS, "•••");
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
const MAX_TEXT = 100_000;
const MAX_NAMES = 3;

/** Names of the parameters with a secret written out, never their values. */
export function secretFields(parameters: Readonly<Record<string, unknown>>, isRequest: boolean): string[] {
  const names = isRequest ? HTTP_NAMES : OTHER_NAMES;
  const found = new Set<string>();
  let left = MAX_FIELDS;
  function visit(value: unknown, name: string, depth: number): void {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH || found.size >= MAX_NAMES) return;
    if (typeof value === "string") {
      if (isSecret(name, value.slice(0, MAX_TEXT), names)) found.add(`“${name.slice(0, 60)}”`);
    } else if (Array.isArray(value)) for (const one of value) visit(one, name, depth + 1);
    else if (typeof value === "object" && value !== null)
      visitFields(value as Record<string, unknown>, depth + 1);
  }
  function visitFields(fields: Record<string, unknown>, depth: number): void {
    // Headers, queries and bodies are pairs: `{name: "x-api-key", value: "…"}`.
    const pair = typeof fields["name"] === "string" ? fields["name"] : undefined;
    for (const [key, one] of Object.entries(fields))
      visit(one, pair !== undefined && /value$/i.test(key) ? pair : key, depth);
  }
  visitFields(parameters, 0);
  return [...found];
}
