/** Where the data of an n8n node is in Baton. */
export interface Data {
  /** Of a placeholder, with its root: `["steps", "get-rows", "output"]`. */
  path: readonly (string | number)[];
  /** JavaScript in place of the path. */
  script?: string | undefined;
  /** One object, or the list of the `json` of several n8n items. */
  shape: "one" | "list";
  /** The fields have the names that they have in n8n. */
  exact: boolean;
  /** The input of the node that it arrives at; 0 is the first. */
  input?: number | undefined;
  /** The n8n node that gives it, for notes. */
  node?: string | undefined;
  /** The value may also be a list of items: it is known only in a run. */
  mayBeList?: boolean | undefined;
  /** `item` exists only inside of this loop, and not in a loop within it. */
  loop?: string | undefined;
  /** Fields that have another place: of a trigger, `body.total` is `input.total`. */
  places?: readonly FieldPlace[] | undefined;
  /** Scripts of fields that only some runs have under their name. */
  overrides?: readonly FieldScript[] | undefined;
  /** What is different in a field, or with no keys in all of the data; undefined when it is the same. */
  doubtOf?: ((keys: FieldKeys) => string | undefined) | undefined;
  /** It is a file, which n8n has in this binary property of the item. */
  file?: string | undefined;
  /** Of the field that was read. */
  doubt?: string | undefined;
}

export interface FieldScript {
  keys: readonly string[];
  script: string;
}

export type FieldKeys = readonly (string | number)[];

export interface FieldPlace {
  from: FieldKeys;
  to: FieldKeys;
  lowerCase?: boolean;
  /** Another name of a field, not a field of its own. */
  isAlias?: boolean;
}

const NAME = /^[\p{L}\p{M}\p{N}_$-]+$/u;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A field of the data. Without a place of its own, `isExact` is false: a trigger has other names for it. */
export function fieldOf(data: Data, keys: FieldKeys): Data {
  const { doubtOf, ...known } = data;
  const doubt = doubtOf?.(keys);
  return readField(doubt === undefined ? known : { ...known, doubt }, keys);
}

function readField(data: Data, keys: FieldKeys): Data {
  if (keys.length === 0) return data;
  const { places, overrides } = data;
  const override = overrides?.find(
    (one) => one.keys.length === keys.length && one.keys.every((key, at) => keys[at] === key),
  );
  if (override !== undefined) return { ...data, path: [], script: override.script, overrides: undefined };
  if (places === undefined || places.length === 0) return extended(data, data.path, keys);
  for (const { from, to, lowerCase } of places) {
    if (!from.every((key, at) => keys[at] === key)) continue;
    const rest = keys.slice(from.length);
    const [name] = rest;
    const named = lowerCase && typeof name === "string" ? [name.toLowerCase(), ...rest.slice(1)] : rest;
    return extended({ ...data, places: undefined }, to, named);
  }
  return { ...extended({ ...data, places: undefined }, data.path, keys), exact: false };
}

function extended(data: Data, path: Data["path"], keys: readonly (string | number)[]): Data {
  const { script, mayBeList: _mayBeList, overrides: _overrides, ...rest } = data;
  return script === undefined
    ? { ...rest, path: [...path, ...keys] }
    : { ...rest, path: [], script: `${script}${optionalPath(keys)}` };
}

/** What to check in values whose fields may have other names than in n8n; undefined when there is nothing. */
export function doubtAbout(values: readonly Data[]): string | undefined {
  const known = values.find(({ doubt }) => doubt !== undefined)?.doubt;
  if (known !== undefined) return known;
  const unsure = values.filter(({ exact }) => !exact);
  if (unsure.length === 0) return undefined;
  const names = namesOf(unsure);
  return `Fields${names === "" ? "" : ` of ${names}`} may have other names here.`;
}

/** The nodes that give values: `“Get rows”, “Contacts”`. */
export function namesOf(values: readonly Data[]): string {
  return [...new Set(values.flatMap(({ node }) => node ?? []))]
    .slice(0, 3)
    .map((name) => `“${name.slice(0, 60)}”`)
    .join(", ");
}

/** The first of several items; the data itself when it is one object. */
export function firstOf(data: Data): Data {
  return data.shape === "one" ? data : { ...fieldOf(data, [0]), shape: "one" };
}

/** `steps.get-rows.output["first name"]`; undefined for a script. */
export function pathText({ path, script, places = [] }: Data): string | undefined {
  if (script !== undefined || places.length > 0) return undefined;
  return path
    .map((key, at) => {
      if (typeof key === "number") return `[${key}]`;
      if (NAME.test(key)) return at === 0 ? key : `.${key}`;
      return `["${key.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
    })
    .join("");
}

/** The same as JavaScript. A missing object gives undefined, as in n8n. */
export function scriptOf({ path, script, places = [] }: Data): string {
  if (script !== undefined) return script;
  if (places.length > 0) return partScript(places);
  const [root = "input", ...keys] = path;
  const known = root === "steps" ? 2 : root === "trigger" ? 1 : 0;
  return `${root}${keys.slice(0, known).map(requiredKey).join("")}${optionalPath(keys.slice(known))}`;
}

/** Of a step that did not run, there is nothing. */
function partScript(places: readonly FieldPlace[]): string {
  const [first] = places;
  if (first?.to[0] !== "steps" || first.to[2] !== "output") return wholeScript(places);
  const output = scriptOf({ path: first.to, shape: "one", exact: true });
  return `(${output} == null ? null : ${wholeScript(places)})`;
}

/** All fields of data whose fields have places of their own, as one object. */
function wholeScript(all: readonly FieldPlace[]): string {
  const places = all.filter(({ isAlias }) => isAlias !== true);
  const isPartial = places.every(({ to }) => to[0] === "input" && to.length > 1);
  const fields = new Map<string, FieldPlace[]>();
  for (const { from, ...place } of places) {
    const [key = "", ...rest] = from;
    const name = String(key);
    fields.set(name, [...(fields.get(name) ?? []), { ...place, from: rest }]);
  }
  const entries = [...fields].map(([name, inner]) => {
    const [only] = inner;
    const value =
      only?.from.length === 0 ? scriptOf({ path: only.to, shape: "one", exact: true }) : wholeScript(inner);
    return `${JSON.stringify(name)}: ${value}`;
  });
  return `({ ${[...(isPartial && places.every(({ from }) => from.length === 1) ? ["...input"] : []), ...entries].join(", ")} })`;
}

function requiredKey(key: string | number): string {
  return typeof key === "string" && IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function optionalPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key) =>
      typeof key === "string" && IDENTIFIER.test(key) ? `?.${key}` : `?.[${JSON.stringify(key)}]`,
    )
    .join("");
}
