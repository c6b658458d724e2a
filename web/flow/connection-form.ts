import { readHeaders } from "./read-headers.ts";
import { splitWords } from "./split-words.ts";

/** One field of the form of a connection. */
export interface ConnectionField {
  name: string;
  label: string;
  /** Sealed by the service and never shown again. */
  secret?: true;
  optional?: true;
  control?: "choice" | "number" | "lines" | "words" | "switch";
  options?: readonly { value: string; label: string }[];
  /** The value of a new connection. */
  initial?: string;
  placeholder?: string;
  hint?: string;
  applies?: (values: FormValues) => boolean;
}

export type FormValues = Readonly<Record<string, string>>;

/** The values that the form of a new connection starts with. */
export function initialValues(fields: readonly ConnectionField[]): FormValues {
  return Object.fromEntries(
    fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
  );
}

/** The fields that the other values leave open. */
export function applyingFields(fields: readonly ConnectionField[], values: FormValues): ConnectionField[] {
  return fields.filter(({ applies }) => applies?.(values) ?? true);
}

interface Written {
  settings: Record<string, unknown>;
  secrets: Record<string, unknown>;
  /** The first field that cannot be read, with the reason. */
  problem?: { field: string; message: string };
}

/** What the form says, in the shape of the API. Empty fields are left out. */
export function writtenValues(fields: readonly ConnectionField[], values: FormValues): Written {
  const written: Written = { settings: {}, secrets: {} };
  for (const field of applyingFields(fields, values)) {
    const text = values[field.name] ?? "";
    if (text.trim() === "") continue;
    const { error } = field.control === "lines" ? readHeaders(text) : {};
    if (error !== undefined) written.problem ??= { field: field.name, message: error };
    written[field.secret === true ? "secrets" : "settings"][field.name] = valueOf(field, text);
  }
  return written;
}

function valueOf({ control }: ConnectionField, text: string): unknown {
  switch (control) {
    case "number":
      return Number(text);
    case "switch":
      return text === "true";
    case "words":
      return splitWords(text);
    case "lines":
      return readHeaders(text).headers;
    default:
      return text.trim();
  }
}

/** The host of an address as the list of hosts names it, where an entry without a port means https. Empty until the address is complete. */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "http:") return `${hostname}:${port || 80}`;
  return protocol === "https:" ? `${hostname}${port && `:${port}`}` : "";
}
