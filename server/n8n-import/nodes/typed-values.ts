/** Types of fields in n8n; `truth` and `numeric` are those of its first versions, which convert less. */
export type ValueType = "string" | "number" | "boolean" | "array" | "object" | "truth" | "numeric";

/** A value of the file in its type. Expressions are converted in a run. */
export function convertLiteral(given: unknown, type: ValueType): unknown {
  const isExpression = typeof given === "string" && given.startsWith("=");
  if (isExpression && given.includes("{{")) return given;
  const value = isExpression ? given.replace(/^=+/, "") : given;
  if (value === undefined || value === null) return type === "truth" ? false : null;
  switch (type) {
    case "string":
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    case "number":
    case "numeric": {
      const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : value;
    }
    case "boolean":
      return typeof value === "boolean" ? value : /^(?:true|1)$/i.test(String(value));
    case "truth":
      return Boolean(value);
    default:
      return typeof value === "string" ? parsed(value) : value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const CONVERSIONS: Readonly<Record<ValueType, string>> = {
  string: 'typeof value === "object" ? value && JSON.stringify(value) : String(value)',
  number: "value === null ? null : Number(value)",
  boolean: "value === null ? null : /^(?:true|1)$/i.test(String(value))",
  array: 'typeof value === "string" ? JSON.parse(value) : value',
  object: 'typeof value === "string" ? JSON.parse(value) : value',
  truth: "Boolean(value)",
  numeric: 'typeof value === "string" && !Number.isNaN(Number(value)) ? Number(value) : value',
};
/** Calls that give a text, as the last one of an expression. */
const GIVES_TEXT =
  /\.(?:toString|toISO|toISODate|toISOTime|toFormat|toFixed|toUpperCase|toLowerCase|toLocaleString|trim|join|replace|replaceAll|substring|padStart|padEnd|repeat|stringify)\([^()]*\)$/;

/** An expression in the type that n8n gives its value. */
export function withType(script: string, type: ValueType): string {
  if (type === "string" && (GIVES_TEXT.test(script) || /^DateTime\.fromISO\(now[^()]*\)$/.test(script)))
    return script;
  const given = /^[\w.?[\]"-]+$/.test(script) ? script : `(${script})`;
  return `((value) => (${CONVERSIONS[type]}))(${given} ?? null)`;
}
