import fc from "fast-check";
import { expect, test } from "vitest";
import { compileTemplate } from "./compile.ts";
import type { JsonValue } from "./json-value.ts";
import { renderTemplate } from "./render.ts";

type Key = string | number;

/** Realistic and unusual keys, and keys that lead to JavaScript internals. */
const key: fc.Arbitrary<Key> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("a", "b", "größe", "any key", "a}}b", 'q"\\', "'", "", "0", "$-_"),
  },
  { weight: 2, arbitrary: fc.nat(3) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("constructor", "__proto__", "prototype", "toString", "length") },
);
const path = fc.array(key, { maxLength: 6 });

const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_$-]+$/u;

/** Writes a path in one of its spellings, selected by `style`. */
function spell(keys: readonly Key[], style: number): string {
  const pieces = keys.map((it, at) => {
    const way = (style >> (at * 2)) & 3;
    if (typeof it === "number") return way % 2 === 0 ? `[${it}]` : `[ ${it} ]`;
    if (way === 0 && PLAIN_NAME.test(it)) return `.${it}`;
    const quote = way % 2 === 0 ? '"' : "'";
    const escaped = it.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
    return way === 3 ? `[ ${quote}${escaped}${quote} ]` : `[${quote}${escaped}${quote}]`;
  });
  return `input${pieces.join("")}`;
}

/** Random data in which random paths often exist. */
const data: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, "", "text", "{{input}}"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(key.map(String), tie("value")), { maxLength: 4 })
      // Like JSON.parse: a key named __proto__ is an ordinary key.
      .map((entries) => Object.fromEntries(entries) as JsonValue),
  ),
})).value;

const FORBIDDEN = new Set<unknown>(["constructor", "__proto__", "prototype"]);

/** The reference implementation: the value at a path. */
function walk(value: JsonValue, keys: readonly Key[]): JsonValue {
  let current: unknown = value;
  for (const it of keys) {
    const isHolder = typeof current === "object" && current !== null;
    if (!isHolder || FORBIDDEN.has(it) || !Object.hasOwn(current as object, it)) return null;
    current = (current as Record<Key, unknown>)[it];
  }
  return current as JsonValue;
}

test("every spelling of a path parses to the same path", () => {
  fc.assert(
    fc.property(path, fc.nat(4095), (keys, style) => {
      const { references, problems } = compileTemplate(`{{ ${spell(keys, style)} }}`);
      expect(problems).toEqual([]);
      expect(references.map(({ root, path: read }) => [root, read])).toEqual([["input", keys]]);
    }),
    { numRuns: 2000 },
  );
});

test("[S1] a placeholder renders to the value at its path, with its type, and to nothing else", () => {
  fc.assert(
    fc.property(data, path, fc.nat(4095), (input, keys, style) => {
      const wanted = walk(input, keys);
      const spelled = spell(keys, style);
      expect(renderTemplate(compileTemplate(`{{${spelled}}}`), { input })).toBe(wanted);
      const asText = wanted === null ? "" : typeof wanted === "string" ? wanted : JSON.stringify(wanted);
      const inText = renderTemplate(compileTemplate(`<{{${spelled}}}>{{${spelled}}}`), { input });
      expect(inText).toBe(`<${asText}>${asText}`);
    }),
    { numRuns: 3000 },
  );
});

test("[S1] text between braces is a path or plain text: JavaScript internals are unreachable", () => {
  const words = fc.constantFrom(
    ..."{{ }} { } \\ . [ ] ' \" ( ) ; ${ ` input steps constructor __proto__ process require this => 0 +".split(
      " ",
    ),
    " ",
    "\n",
    "\\u0063onstructor",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const template = compileTemplate(text);
      const rendered = renderTemplate(template, {});
      // Without data a placeholder renders to nothing, so the output contains only characters of the input.
      const letters = typeof rendered === "string" ? rendered : "";
      expect(letters.length).toBeLessThanOrEqual(text.length);
      expect(letters).not.toMatch(/native code|\[object|function/);
      for (const { root } of template.references) expect(text).toContain(root);
    }),
    { numRuns: 3000 },
  );
});
