import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import {
  isJsonType,
  sameJson,
  type SchemaProblem,
  type SchemaWalk,
  typeNameOf,
} from "./json-schema-types.ts";
import { checkList, checkNumber, checkObject, checkText } from "./json-schema-rules.ts";
import type { JsonSchema } from "./language-model.ts";

const MAX_PROBLEMS = 20;
/** Recursive references describe trees. A schema that only refers to itself would recurse forever. */
const MAX_DEPTH = 200;
/** Schemas are untrusted: nested `anyOf` must not take seconds. */
const MAX_CHECKS = 200_000;
/** A tenth of a second for patterns, lengths and long lists. Many rules may refer to the same long one. */
const MAX_WORK = 5_000_000;

/**
 * The places where `value` does not match `schema`, at most twenty. Schemas are untrusted data of users and MCP servers:
 * unlike common validators this one compiles no code, and its patterns run in linear time. Unknown keywords allow
 * everything, as the standard says.
 */
export function checkSchema(value: JsonValue, schema: unknown): SchemaProblem[] {
  let checks = 0;
  let depth = 0;
  let work = 0;
  const walk: SchemaWalk = {
    root: isRecord(schema) ? schema : {},
    problems: [],
    check(part, given, path) {
      if (walk.problems.length >= MAX_PROBLEMS) return;
      checks += 1;
      if (checks > MAX_CHECKS || depth >= MAX_DEPTH) {
        walk.problems.push({ path, message: "could not be checked: the schema is too deep" });
        return;
      }
      depth += 1;
      checkOne(walk, part, given, path);
      depth -= 1;
    },
    fits(part, given) {
      const outer = walk.problems;
      walk.problems = [];
      walk.check(part, given, "");
      const isFitting = walk.problems.length === 0;
      walk.problems = outer;
      return isFitting;
    },
    takes(more) {
      if (work + more > MAX_WORK) return false;
      work += more;
      return true;
    },
  };
  walk.check(value, schema, "$");
  return walk.problems;
}

function checkOne(walk: SchemaWalk, value: JsonValue, schema: unknown, path: string): void {
  if (schema === false) walk.problems.push({ path, message: "is not allowed" });
  if (!isRecord(schema)) return;
  const say = (message: string): void => void walk.problems.push({ path, message });

  if (typeof schema["$ref"] === "string" && walk.takes(schema["$ref"].length)) {
    const target = resolve(schema["$ref"], walk.root);
    if (target === undefined) say(`could not be checked: the schema has no ${schema["$ref"]}`);
    else walk.check(value, target, path);
  }
  const types = [schema["type"] ?? []].flat();
  if (schema["nullable"] === true) types.push("null");
  if (types.length > 0 && schema["type"] !== undefined && !types.some((type) => isJsonType(value, type)))
    return say(`must be ${types.map(typeNameOf).join(" or ")}`);
  const { enum: choices } = schema;
  if (
    Array.isArray(choices) &&
    walk.takes(choices.length) &&
    !choices.some((one) => sameJson(one as JsonValue, value))
  )
    say(`must be one of ${JSON.stringify(choices)}`);
  if (schema["const"] !== undefined && !sameJson(schema["const"] as JsonValue, value))
    say(`must be ${JSON.stringify(schema["const"])}`);

  if (typeof value === "string") checkText(walk, value, schema, say);
  else if (typeof value === "number") checkNumber(value, schema, say);
  else if (Array.isArray(value)) checkList(walk, value, schema, path);
  else if (isRecord(value)) checkObject(walk, value, schema, path);
  checkCombinations(walk, value, schema, path, say);
}

function checkCombinations(
  walk: SchemaWalk,
  value: JsonValue,
  schema: Record<string, unknown>,
  path: string,
  say: (message: string) => void,
): void {
  const { allOf, anyOf, oneOf, not } = schema;
  if (Array.isArray(allOf)) for (const part of allOf) walk.check(value, part, path);
  if (Array.isArray(anyOf) && !anyOf.some((part) => walk.fits(value, part)))
    say("fits none of the allowed forms");
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter((part) => walk.fits(value, part)).length;
    if (fitting !== 1) say(`must fit exactly one of the allowed forms, not ${fitting}`);
  }
  if (not !== undefined && walk.fits(value, not)) say("has a form that is not allowed");
}

/** Resolves references inside the schema only. It never fetches. */
function resolve(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return undefined;
  let place: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    place = isRecord(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return place;
}
