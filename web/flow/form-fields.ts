/** The control that the inspector shows for one property of a step's JSON Schema. */
export interface FormField {
  name: string;
  label: string;
  hint: string | undefined;
  required: boolean;
  kind: "text" | "long" | "choice" | "number" | "record" | "list" | "steps" | "value";
  options: readonly string[];
}

interface Property {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  anyOf?: Property[];
  items?: Property;
  additionalProperties?: unknown;
}

const COMMON = new Set(["stepId", "type", "name", "position"]);
/** Edited together with the steps that they connect. */
const WITH_STEPS = new Set(["edges"]);
const POLICY = new Set(["maxRetries", "backoffMultiplier", "timeoutMs", "onError", "join", "onParentEnd"]);
/** Fields that usually take more than one line. */
const LONG = new Set(["prompt", "system", "message", "content", "text", "html", "expression", "query"]);
const LABELS: Record<string, string> = {
  url: "URL",
  maxRetries: "Retries",
  backoffMultiplier: "Backoff multiplier",
  timeoutMs: "Timeout (ms)",
  onError: "On failure",
  join: "When several edges meet",
  onParentEnd: "When this run fails or is cancelled",
  topK: "Passages to retrieve",
  documentIds: "Documents",
  steps: "Steps for each item",
  workflowId: "Workflow",
  agentId: "Agent",
  left: "Value",
  right: "Compare with",
};

export function formFields(schema: Record<string, unknown>): { settings: FormField[]; policy: FormField[] } {
  const properties = (schema["properties"] ?? {}) as Record<string, Property>;
  const required = new Set((schema["required"] ?? []) as string[]);
  const fields = Object.entries(properties)
    .filter(([name]) => !COMMON.has(name) && !WITH_STEPS.has(name))
    .map(([name, property]) => toField(name, property, required.has(name)));
  return {
    settings: fields.filter(({ name }) => !POLICY.has(name)),
    policy: fields.filter(({ name }) => POLICY.has(name)),
  };
}

function toField(name: string, property: Property, required: boolean): FormField {
  return {
    name,
    label: LABELS[name] ?? sentence(name),
    hint: property.description,
    required,
    kind: kindOf(name, property),
    options: (property.enum ?? []).map(String),
  };
}

function kindOf(name: string, property: Property): FormField["kind"] {
  if (property.enum !== undefined) return "choice";
  const variants = property.anyOf ?? [property];
  if (variants.some(({ type }) => type === "number" || type === "integer")) return "number";
  if (name === "steps" && property.type === "array") return "steps";
  if (variants.some(({ type, items }) => type === "array" && items?.type === "string")) return "list";
  if (property.type === "object" && typeof property.additionalProperties === "object") return "record";
  if (property.type === "string") return LONG.has(name) ? "long" : "text";
  return "value";
}

/** `responseFormat` → `Response format`. */
function sentence(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Parses a field that takes any value: JSON if the text is valid JSON, otherwise the text itself. */
export function parseValue(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (/^[[{]|^-?\d|^(true|false|null)$/.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      // Half-typed JSON, or text that only starts like JSON.
    }
  }
  return text;
}

export function formatValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A number, or the text of a placeholder; undefined for an empty field. */
export function parseNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = Number(trimmed);
  return Number.isNaN(number) ? trimmed : number;
}
