/** Types of fields in n8n; `truth` and `numeric` are those of its first versions, which convert less. */
export type ValueType = "string" | "number" | "boolean" | "array" | "object" | "truth" | "numeric";

/** A value of the file in its type; `fits` is false where n8n fails. Expressions are converted in a run. */
export function convertLiteral(given: unknown, type: ValueType): { value: unknown; fits: boolean } {
  const isExpression = typeof given === "string" && given.startsWith("=");
  if (isExpression && given.includes("{{")) return { value: given, fits: true };
  const value = isExpression ? given.replace(/^=+/, "") : given;
  if (value === undefined || value === null) return { value: type === "truth" ? false : null, fits: true };
  const converted = typedLiteral(value, type);
  return converted === undefined ? { value, fits: type === "numeric" } : { value: converted, fits: true };
}

/** Undefined for a value that has no counterpart in the type. */
function typedLiteral(value: unknown, type: ValueType): unknown {
  switch (type) {
    case "string":
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    case "numeric":
    case "number": {
      // Version 3 takes an empty text for 0.
      const isEmpty = type === "numeric" && typeof value === "string" && value.trim() === "";
      return isEmpty || !Number.isFinite(Number(value)) ? undefined : Number(value);
    }
    case "boolean":
      return truthOf(value);
    case "truth":
      return Boolean(value);
    case "array": {
      const list = typeof value === "string" ? (parsed(value) ?? parsed(value.replaceAll("'", '"'))) : value;
      return Array.isArray(list) ? list : undefined;
    }
    case "object": {
      const object = typeof value === "string" ? parsed(value) : value;
      return typeof object === "object" && !Array.isArray(object) ? object : undefined;
    }
  }
}

function truthOf(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase();
  const number = text.trim() === "" ? Number.NaN : Number(value);
  if (text === "true" || number === 1) return true;
  return text === "false" || number === 0 ? false : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** As an expression with `value`, which is never undefined. */
const CONVERSIONS: Readonly<Record<"string" | "truth" | "numeric", string>> = {
  string: 'typeof value === "object" ? value && JSON.stringify(value) : String(value)',
  truth: "Boolean(value)",
  numeric: 'typeof value === "string" && !Number.isNaN(Number(value)) ? Number(value) : value',
};
/** As statements that return the value, or go on where n8n fails. */
const CHECKED: Readonly<Record<"number" | "boolean" | "array" | "object", string>> = {
  number: "if (!Number.isNaN(Number(value))) return Number(value);",
  boolean: [
    "const text = String(value).toLowerCase();",
    'const number = text.trim() === "" ? NaN : Number(value);',
    'if (text === "true" || number === 1) return true;',
    'if (text === "false" || number === 0) return false;',
  ].join(" "),
  array: [
    "const read = (text) => { try { return JSON.parse(text); } catch { return undefined; } };",
    `const list = typeof value === "string" ? (read(value) ?? read(value.replaceAll("'", '"'))) : value;`,
    "if (Array.isArray(list)) return list;",
  ].join(" "),
  object: [
    'const object = typeof value === "string" ? JSON.parse(value) : value;',
    'if (typeof object === "object" && !Array.isArray(object)) return object;',
  ].join(" "),
};
/** Calls that give a text, as the last one of an expression. */
const GIVES_TEXT =
  /\.(?:toString|toISO|toISODate|toISOTime|toFormat|toFixed|toUpperCase|toLowerCase|toLocaleString|trim|join|replace|replaceAll|substring|padStart|padEnd|repeat|stringify)\([^()]*\)$/;

const refusal = (name: string, type: string): string =>
  JSON.stringify(`${name.slice(0, 60)}: the value is not of type ${type}.`);

/** An expression in the type that n8n gives its value. A value of another type fails the step, or stays as it is. */
export function withType(
  script: string,
  type: ValueType,
  { name, keepsOthers, version }: { name: string; keepsOthers: boolean; version: number },
): string {
  if (type === "string" && (GIVES_TEXT.test(script) || /^DateTime\.fromISO\(now[^()]*\)$/.test(script)))
    return script;
  const given = /^[\w.?[\]"-]+$/.test(script) ? script : `(${script})`;
  // Version 3.0 writes a missing text as the word, and 3.1 refuses it. Later ones give null.
  if (type === "string" && version === 3)
    return `((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)))(${given})`;
  if (type === "string" && version === 3.1 && !keepsOthers)
    return `((value) => { if (value === null) throw new TypeError(${refusal(name, type)}); return ${CONVERSIONS.string}; })(${given} ?? null)`;
  if (type === "string" || type === "truth" || type === "numeric")
    return `((value) => (${CONVERSIONS[type]}))(${given} ?? null)`;
  const otherwise = keepsOthers ? "return value;" : `throw new TypeError(${refusal(name, type)});`;
  const body = `if (value === null) return null; ${CHECKED[type]} ${otherwise}`;
  return `((value) => { ${keepsOthers && type === "object" ? `try { ${body} } catch { return value; }` : body} })(${given} ?? null)`;
}
