import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTemplate } from "./compile.ts";
import type { JsonValue } from "./json-value.ts";
import { maxTextLength, renderTemplate, type Scope } from "./render.ts";

const scope: Scope = {
  input: {
    name: "Ada",
    count: 3,
    flag: false,
    none: null,
    list: [{ id: 7 }, "b"],
    "any key": 1,
    "a}}b": 2,
    'q"': 3,
  },
  steps: {
    "fetch-orders": { output: { items: [1, 2, 3] }, status: "completed" },
    "my step": { output: "spaced" },
    größe: { output: "big" },
  },
  item: "apple",
  index: 0,
  vars: { city: "Bern" },
  secrets: { token: "s3cret" },
  trigger: {
    kind: "webhook",
    method: "POST",
    headers: { "x-event": "order.created" },
    query: { page: ["1", "2"] },
  },
  task: { id: "task_1" },
  workflow: { id: "wf_1", name: "Orders" },
  now: Date.UTC(2030, 0, 2, 3, 4, 5),
};

function render(value: JsonValue, within: Scope = scope): JsonValue {
  return renderTemplate(compileTemplate(value), within);
}

test.each<[string, JsonValue]>([
  ["{{input.name}}", "Ada"],
  ["{{ input.count }}", 3],
  ["{{input.flag}}", false],
  ["{{input.list}}", [{ id: 7 }, "b"]],
  ["{{input.list[0].id}}", 7],
  ["{{input.list.0.id}}", 7],
  ["{{input.list.length}}", 2],
  ['{{ input["any key"] }}', 1],
  ["{{input['any key']}}", 1],
  ['{{input["a}}b"]}}', 2],
  ['{{input["q\\""]}}', 3],
  ["{{steps.fetch-orders.output.items[2]}}", 3],
  ["{{steps.fetch-orders.status}}", "completed"],
  ['{{ steps["my step"].output }}', "spaced"],
  ["{{steps.größe.output}}", "big"],
  ["{{item}}", "apple"],
  ["{{index}}", 0],
  ["{{vars.city}}", "Bern"],
  ["{{secrets.token}}", "s3cret"],
  ["{{trigger.kind}}", "webhook"],
  ["{{trigger.headers.x-event}}", "order.created"],
  ["{{trigger.query.page}}", ["1", "2"]],
  ["{{trigger.method}}", "POST"],
  ["{{task.id}}", "task_1"],
  ["{{workflow.name}}", "Orders"],
  ["{{now}}", "2030-01-02T03:04:05.000Z"],
  ["{{input.missing.deeper}}", null],
  ["{{input.name.length}}", null],
  ["{{input.list[9]}}", null],
])("%s keeps the type of its value", (text, expected) => {
  expect(render(text)).toEqual(expected);
});

test.each([
  ["Hello {{input.name}}!", "Hello Ada!"],
  [" {{input.count}} ", " 3 "],
  ["{{input.name}}{{input.count}}", "Ada3"],
  ["{{input.list}}: all", '[{"id":7},"b"]: all'],
  ["[{{input.missing}}{{input.none}}]", "[]"],
  ["{{input.flag}} or not", "false or not"],
  ["{{{input.name}}}", "{Ada}"],
  ['{"a":{{input.count}}}', '{"a":3}'],
  ["\\{{input.name}}", "{{input.name}}"],
  ["\\{{ {{input.name}} }}", "{{ Ada }}"],
  ["{{ 1 + 1 }} {{input.name}}", "{{ 1 + 1 }} Ada"],
  ["{{ input", "{{ input"],
  ["{{}}", "{{}}"],
])("%s renders to the text %s", (text, expected) => {
  expect(render(text)).toBe(expected);
});

test("placeholders are filled in at any depth, and keys are not rendered", () => {
  expect(render({ "{{input.name}}": [{ deep: "{{input.count}}" }, "x"], same: 1 })).toEqual({
    "{{input.name}}": [{ deep: 3 }, "x"],
    same: 1,
  });
});

test("a value without placeholders is returned itself, not as a copy", () => {
  const constant = { large: [1, { two: "three" }] };
  expect(render(constant)).toBe(constant);
  const mixed = render({ constant, name: "{{input.name}}" }) as { constant: unknown };
  expect(mixed.constant).toBe(constant);
});

test("references are listed once each, with the step they name", () => {
  const template = compileTemplate({
    a: "{{steps.x.output}} {{steps.x.output}}",
    b: ['{{steps["y z"].error}}', "{{now}}"],
  });
  expect(template.references).toEqual([
    { root: "steps", path: ["x", "output"], stepId: "x", source: "steps.x.output" },
    { root: "steps", path: ["y z", "error"], stepId: "y z", source: 'steps["y z"].error' },
    { root: "now", path: [], source: "now" },
  ]);
});

test.each([
  "{{ 1 + 1 }}",
  "{{ input",
  "{{}}",
  "{{input.}}",
  "{{input[}}",
  "{{input[-1]}}",
  '{{input["\\u0061"]}}',
  "{{f(x)}}",
  "{{`x`}}",
  "{{ input[",
])("%s is reported when compiling and stays text when rendering", (text) => {
  const template = compileTemplate({ field: [text] });
  expect(template.problems).toHaveLength(1);
  expect(template.problems[0]?.path).toBe("field[0]");
  expect(renderTemplate(template, scope)).toEqual({ field: [text] });
});

describe("[S1] placeholders reach data and nothing else", () => {
  test.each([
    "{{input.constructor}}",
    "{{input.__proto__}}",
    '{{input["__proto__"].polluted}}',
    "{{input.list.constructor.constructor}}",
    "{{constructor}}",
    "{{__proto__.toString}}",
    "{{input.toString}}",
    "{{input.list.map}}",
    "{{steps.fetch-orders.output.items.prototype}}",
  ])("%s is null", (text) => {
    expect(compileTemplate(text).problems).toEqual([]);
    expect(render(text)).toBeNull();
  });

  test("forbidden names stay unreachable when the data itself has such keys", () => {
    const input = JSON.parse('{"__proto__":{"a":1},"constructor":2,"prototype":3}') as JsonValue;
    for (const name of ["__proto__", "constructor", "prototype"])
      expect(render(`{{input["${name}"]}}`, { input })).toBeNull();
  });

  test("only own properties of a value are readable", () => {
    const input = Object.create({ inherited: "leak" }) as JsonValue;
    expect(render("{{input.inherited}}", { input })).toBeNull();
  });

  test("a __proto__ key in a template stays a plain key", () => {
    const rendered = render(JSON.parse('{"__proto__":{"admin":"{{input.name}}"}}') as JsonValue) as object;
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":{"admin":"Ada"}}');
  });

  test("[S1] text that a placeholder inserts is never expanded again", () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        const inserted = `${noise}{{secrets.token}}${noise}`;
        expect(render("<{{input}}>", { ...scope, input: inserted })).toBe(`<${inserted}>`);
        expect(render("{{input}}", { ...scope, input: inserted })).toBe(inserted);
      }),
    );
  });
});

const bracesAndPaths = fc.array(
  fc.constantFrom("{{", "}}", "{", "\\", "input", ".", "[", "]", '"', "'", " ", "0", "é", "steps"),
  {
    maxLength: 40,
  },
);

test("no text makes compiling or rendering throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        bracesAndPaths.map((pieces) => pieces.join("")),
      ),
      (text) => {
        expect(typeof render({ text }, {})).toBe("object");
      },
    ),
    { numRuns: 2000 },
  );
});

test("any JSON without braces renders to itself", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(!JSON.stringify(value).includes("{{"));
      expect(render(value as JsonValue)).toBe(value);
    }),
  );
});

test.each(["{", "{{ ", "{{input", "{{a['", '{{a["\\"', "{{input[", "{{{{}}", "\\{{", "{{a.b"])(
  "[S29] a megabyte of %s is read in one pass",
  (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(compileTemplate(text).problems.length).toBeLessThanOrEqual(1);
  },
);

test("[S28] a value nested ten thousand deep is reported instead of overflowing the stack", () => {
  let deep: JsonValue = "{{input}}";
  for (let level = 0; level < 10_000; level++) deep = level % 2 ? [deep] : { deep };
  const template = compileTemplate(deep);
  expect(template.problems.map((problem) => problem.message)).toEqual([
    expect.stringContaining("200 levels"),
  ]);
  expect(() => renderTemplate(template, scope)).not.toThrow();
});

test("text that would exceed the maximum length is rejected", () => {
  const large = "x".repeat(1024 * 1024);
  const template = compileTemplate("{{input}}".repeat(maxTextLength / large.length + 1));
  expect(() => renderTemplate(template, { input: large })).toThrow(RangeError);
});
