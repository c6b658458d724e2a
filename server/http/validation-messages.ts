import type * as z from "zod";

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const UNITS: Readonly<Record<string, [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

/** Text that follows the field's name: "name must be text". Undefined keeps zod's own message. */
export function toValidationMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `must ${sized(issue.origin, issue.exact ? "exactly" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${sized(issue.origin, issue.exact ? "exactly" : "at most", issue.maximum)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return issue.format === "datetime" ? "must be a time such as 2030-01-31T09:00:00Z" : undefined;
    case "invalid_union":
      if (issue.discriminator !== undefined && Array.isArray(issue.options))
        return kindMessage((issue.input as Record<string, unknown>)[issue.discriminator], issue.options);
      return issue.input === undefined ? "is missing" : unionMessage(issue.errors);
    default:
      return undefined;
  }
}

/** Of a field whose value says which other fields an object has: "must be one of bearer, basic". */
function kindMessage(given: unknown, kinds: readonly unknown[]): string {
  return given === undefined ? "is missing" : `must be one of ${kinds.map(String).join(", ")}`;
}

/** "must be text or a number". What is wrong inside of a branch is not said: its field has another path. */
function unionMessage(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  // An empty query parameter counts as absent, which no message needs to say.
  const offered = branches.filter(([first]) => !(first?.code === "invalid_value" && first.values[0] === ""));
  const [[only] = []] = offered;
  // Of a list in one field, such as comma-separated statuses, the first wrong entry is named.
  if (offered.length === 1 && only?.path.every((key) => typeof key === "number")) return only.message;
  const types = offered.flatMap(([first]) =>
    first?.code === "invalid_type" && first.path.length === 0
      ? [TYPE_NAMES[first.expected] ?? first.expected]
      : [],
  );
  return types.length === offered.length && types.length > 0
    ? `must be ${[...new Set(types)].join(" or ")}`
    : "has an unsupported form";
}

/** "have at least 8 characters" for text, "be at least 1" for a number. */
function sized(origin: string, bound: string, size: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `be ${bound} ${size}`
    : `have ${bound} ${size} ${Number(size) === 1 ? unit[0] : unit[1]}`;
}
