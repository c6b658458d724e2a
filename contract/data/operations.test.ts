import { describe, expect, test } from "vitest";
import type { JsonValue } from "../placeholders/json-value.ts";
import { DataProblem, DataTooLarge } from "./data-problem.ts";
import { dataWork } from "./operations.ts";

// oxlint-disable-next-line no-explicit-any
type Fields = any;

function run(operation: string, fields: Fields, maxBytes = 1e9): JsonValue[] {
  const work = dataWork({ operation, ...fields }, maxBytes);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

function problemOf(operation: string, fields: Fields): string {
  try {
    run(operation, fields);
  } catch (error) {
    if (error instanceof DataProblem) return `${error.field} ${error.message}`;
    throw error;
  }
  throw new Error("no problem");
}

const orders = [
  { id: 1, customer: { email: "a@x" }, total: 30 },
  { id: 2, customer: { email: "b@x" }, total: "5" },
  { id: 3, customer: { email: "a@x" }, total: 10 },
];

describe("filter", () => {
  test("keeps items by a path, with the rules of the condition step", () => {
    expect(run("filter", { items: orders, field: "total", operator: "gte", value: "10" })).toEqual([
      orders[0],
      orders[2],
    ]);
    expect(run("filter", { items: orders, field: "customer.email", operator: "eq", value: "b@x" })).toEqual([
      orders[1],
    ]);
    expect(run("filter", { items: [3, 1, 2], operator: "gt", value: 1 })).toEqual([3, 2]);
  });

  test("combines several conditions with all or any", () => {
    const fields = {
      items: orders,
      field: "total",
      operator: "lt",
      value: 20,
      conditions: [{ field: "customer.email", operator: "eq", value: "a@x" }],
    };
    expect(run("filter", fields)).toEqual([orders[2]]);
    expect(run("filter", { ...fields, match: "any" })).toEqual(orders);
  });

  test("refuses an unknown comparison", () => {
    expect(problemOf("filter", { items: [], operator: "matches", value: "x" })).toMatch(
      /^operator must name/,
    );
    expect(problemOf("filter", { items: [], conditions: [{ operator: "like" }] })).toMatch(
      /^conditions must/,
    );
    expect(problemOf("filter", { items: [] })).toMatch(/^operator is missing/);
    const misspelt = { path: "total", operator: "gt", value: 1 };
    expect(problemOf("filter", { items: orders, conditions: [misspelt] })).toMatch(/^conditions must/);
  });
});

describe("sort", () => {
  test("sorts numbers as numbers, also as text, and descending with a minus", () => {
    expect(run("sort", { items: orders, by: ["total"] }).map((o: Fields) => o.id)).toEqual([2, 3, 1]);
    expect(run("sort", { items: orders, by: "customer.email, -total" }).map((o: Fields) => o.id)).toEqual([
      1, 3, 2,
    ]);
    expect(run("sort", { items: ["10", "9", "b", "a"] })).toEqual(["9", "10", "a", "b"]);
  });

  test("sorts times of several zones as times", () => {
    const times = [
      "2026-03-29T02:30:00+01:00",
      "2026-03-29T01:31:00Z",
      "2026-03-29T01:30:00.5Z",
      "2026-03-29T01:30:00.25Z",
      "2026-03-29",
    ];
    const order = (by: string) =>
      run("sort", { items: times.map((at) => ({ at })), by }).map((o: Fields) => o.at);
    expect(order("at")).toEqual([times[4], times[0], times[3], times[2], times[1]]);
    expect(order("-at")).toEqual([times[1], times[2], times[3], times[0], times[4]]);
  });

  test("keeps the order of equal items, and puts missing values last in both directions", () => {
    const items = [
      { n: 1, k: null },
      { n: 2, k: 5 },
      { n: 3, k: 5 },
      { n: 4, k: 1 },
    ];
    expect(run("sort", { items, by: ["k"] }).map((o: Fields) => o.n)).toEqual([4, 2, 3, 1]);
    expect(run("sort", { items, by: ["-k"] }).map((o: Fields) => o.n)).toEqual([2, 3, 4, 1]);
  });

  test("sorts like the built-in sort, in many small parts", () => {
    const items = Array.from({ length: 1003 }, (_, i) => (i * 7919) % 1003);
    expect(run("sort", { items })).toEqual(items.toSorted((a, b) => a - b));
    const work = dataWork({ operation: "sort", items }, 1e9);
    let parts = 0;
    while (work.next().done !== true) parts += 1;
    expect(parts).toBeGreaterThan(20);
  });
});

test("limit takes from the start or the end, after those to skip", () => {
  const items = [1, 2, 3, 4, 5];
  expect(run("limit", { items, count: 2 })).toEqual([1, 2]);
  expect(run("limit", { items, count: "2", skip: 1 })).toEqual([2, 3]);
  expect(run("limit", { items, count: 2, from: "end" })).toEqual([4, 5]);
  expect(run("limit", { items, count: 2, skip: 4, from: "end" })).toEqual([1]);
  expect(problemOf("limit", { items, count: -1 })).toMatch(/^count must be a whole number/);
});

test("deduplicate keeps the first or the last of equal items", () => {
  expect(run("deduplicate", { items: orders, by: ["customer.email"] })).toEqual([orders[0], orders[1]]);
  expect(run("deduplicate", { items: orders, by: ["customer.email"], keep: "last" })).toEqual([
    orders[2],
    orders[1],
  ]);
  expect(run("deduplicate", { items: [1, "1", "01", { a: 1, b: 2 }, { b: 2, a: 1 }, null, "null"] })).toEqual(
    [1, "01", { a: 1, b: 2 }, null, "null"],
  );
});

describe("group", () => {
  test("computes each function over the items of a key", () => {
    const aggregates = {
      orders: "count",
      sum: "sum(total)",
      mean: "average(total)",
      low: "min(total)",
      high: "max(total)",
      first: "first(id)",
      last: "last(id)",
      ids: "list(id)",
    };
    expect(run("group", { items: orders, by: ["customer.email"], aggregates })).toEqual([
      { email: "a@x", orders: 2, sum: 40, mean: 20, low: 10, high: 30, first: 1, last: 3, ids: [1, 3] },
      { email: "b@x", orders: 1, sum: 5, mean: 5, low: "5", high: "5", first: 2, last: 2, ids: [2] },
    ]);
  });

  test("without functions has the items, and without a field is one group", () => {
    expect(run("group", { items: orders, by: ["customer.email"] })[1]).toEqual({
      email: "b@x",
      count: 1,
      items: [orders[1]],
    });
    expect(run("group", { items: orders, aggregates: { total: "sum(total)" } })).toEqual([{ total: 45 }]);
    expect(run("group", { items: [], by: ["a"] })).toEqual([]);
  });

  test("refuses an unknown function and a sum of text", () => {
    expect(problemOf("group", { items: orders, aggregates: { x: "median(total)" } })).toMatch(
      /^aggregates must/,
    );
    expect(problemOf("group", { items: [{ a: "x" }], aggregates: { x: "sum(a)" } })).toBe(
      'aggregates cannot compute "x": "x" is not a number',
    );
  });
});

describe("merge", () => {
  const people = [
    { email: "a@x", name: "Ada" },
    { email: "c@x", name: "Cy" },
  ];
  const join = (mode: string, more: object = {}) =>
    run("merge", { items: orders, with: people, mode, by: ["customer.email"], withBy: ["email"], ...more });

  test("appends by default", () => {
    expect(run("merge", { items: [1], with: [2] })).toEqual([1, 2]);
  });

  test("joins by a key: inner, left, right, full", () => {
    const pairs = (rows: JsonValue[]) => rows.map((row: Fields) => [row.id ?? null, row.name ?? null]);
    expect(pairs(join("inner"))).toEqual([
      [1, "Ada"],
      [3, "Ada"],
    ]);
    expect(pairs(join("left"))).toEqual([
      [1, "Ada"],
      [2, null],
      [3, "Ada"],
    ]);
    expect(pairs(join("right"))).toEqual([
      [1, "Ada"],
      [3, "Ada"],
      [null, "Cy"],
    ]);
    expect(pairs(join("full"))).toEqual([
      [1, "Ada"],
      [2, null],
      [3, "Ada"],
      [null, "Cy"],
    ]);
    expect(join("inner", { as: "person" })[0]).toEqual({ ...orders[0], person: people[0] });
  });

  test('matches 1 with "1" and never a missing key', () => {
    const rows = run("merge", {
      items: [{ id: 1 }, { id: null }, {}],
      with: [{ id: "1", ok: true }, { id: null }, {}],
      mode: "inner",
      by: "id",
    });
    expect(rows).toEqual([{ id: "1", ok: true }]);
  });

  test("combines by position up to the longer list", () => {
    expect(run("merge", { items: [{ a: 1 }], with: [{ b: 1 }, { b: 2 }], mode: "position" })).toEqual([
      { a: 1, b: 1 },
      { b: 2 },
    ]);
    expect(problemOf("merge", { items: [1], with: [2], mode: "position" })).toMatch(
      /^items must be a list of objects/,
    );
  });

  test("a join of 100,000 by 100,000 equal keys is refused before it is built", () => {
    const items = Array.from({ length: 100_000 }, () => ({ key: 1 }));
    expect(() => run("merge", { items, with: items, mode: "inner", by: ["key"] }, 16e6)).toThrow(
      DataTooLarge,
    );
  });
});

test("keys that would take many times the memory of their list are refused, and those of whole items are not", () => {
  // Every path reads the rest of the nested value, so that a key has it about a hundred times.
  let nested: object = { text: "x".repeat(1000) };
  for (let depth = 0; depth < 99; depth += 1) nested = { a: nested };
  const by = Array.from(
    { length: 100 },
    (_, depth) => Array.from({ length: depth }, () => "a").join(".") || "a",
  );
  const items = Array.from({ length: 10 }, (_, id) => ({ ...nested, id }));
  const maxBytes = 10 * (JSON.stringify(nested).length + 20);
  for (const operation of ["deduplicate", "group"])
    expect(() => run(operation, { items, by }, maxBytes)).toThrow(DataTooLarge);
  expect(() => run("merge", { items, with: items, mode: "left", by }, maxBytes)).toThrow(DataTooLarge);
  expect(run("deduplicate", { items }, maxBytes)).toEqual(items);
});

test("split_out makes a row of each element, with the other fields when they are asked for", () => {
  const items = [{ id: 1, address: { lines: ["a", "b"], zip: 1 } }, { id: 2, address: {} }, { id: 3 }];
  expect(run("split_out", { items, field: "address.lines" })).toEqual(["a", "b"]);
  expect(run("split_out", { items, field: "address.lines", as: "line" })).toEqual([
    { id: 1, address: { zip: 1 }, line: "a" },
    { id: 1, address: { zip: 1 }, line: "b" },
  ]);
  const wide = [{ text: "x".repeat(1000), list: Array.from({ length: 1000 }, () => 1) }];
  expect(() => run("split_out", { items: wide, field: "list", as: "n" }, 100_000)).toThrow(DataTooLarge);
});

test("pick keeps, renames and removes fields", () => {
  const items = [{ id: 1, customer: { email: "a@x", name: "Ada" }, "First name": "A" }];
  expect(run("pick", { items, fields: ["id", "customer.email", "First name"] })).toEqual([
    { id: 1, email: "a@x", "First name": "A" },
  ]);
  expect(
    run("pick", { items, rename: { "customer.email": "mail", id: "nr" }, remove: ["First name"] }),
  ).toEqual([{ customer: { name: "Ada" }, mail: "a@x", nr: 1 }]);
  expect(run("pick", { items, remove: ["customer.name", "none.here"] })).toEqual([
    { id: 1, customer: { email: "a@x" }, "First name": "A" },
  ]);
  expect(items[0]!.customer).toEqual({ email: "a@x", name: "Ada" });
});

test("something that is no list is refused with the lists that it has", () => {
  expect(problemOf("sort", { items: { data: [1], total: 1 } })).toBe(
    'items must be a list, not an object. The object has a list in "data"',
  );
  expect(problemOf("sort", {})).toBe("items has no value: it must be a list");
  expect(problemOf("sort", { items: "[1]" })).toBe('items must be a list, not "[1]"');
});

test("names of JavaScript internals are plain keys or nothing", () => {
  const items = [JSON.parse('{"__proto__": {"admin": true}, "id": 1}')];
  const [row] = run("pick", { items, rename: { id: "__proto__" } }) as object[];
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  expect(run("filter", { items, field: "constructor.name", operator: "exists" })).toEqual([]);
});

describe("limits", () => {
  const names = (length: number) => Array.from({ length }, (_, i) => `n${i}`);
  const textsOf = (length: number, text: string) =>
    Object.fromEntries(names(length).map((name) => [name, text]));

  test("lists of names and conditions have a maximum, also as text with commas", () => {
    expect(problemOf("pick", { items: [], fields: names(1001) })).toBe(
      "fields must have at most 1000 entries",
    );
    expect(problemOf("pick", { items: [], fields: ",".repeat(1000) })).toMatch(/^fields must have at most/);
    expect(problemOf("pick", { items: [], rename: textsOf(1001, "x") })).toMatch(/^rename must have at most/);
    expect(problemOf("pick", { items: [], remove: names(101) })).toBe("remove must have at most 100 entries");
    for (const operation of ["sort", "deduplicate", "group"])
      expect(problemOf(operation, { items: [], by: names(101) })).toMatch(/^by must have at most 100/);
    expect(problemOf("group", { items: [], aggregates: textsOf(1001, "count") })).toMatch(
      /^aggregates must have/,
    );
    const conditions = names(101).map((field) => ({ field, operator: "exists" }));
    expect(problemOf("filter", { items: [], conditions })).toBe("conditions must have at most 100 entries");
  });

  test("rows with many names are refused before they are built", () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id }));
    expect(() => run("pick", { items, fields: names(1000) }, 16e6)).toThrow(DataTooLarge);
    expect(() =>
      run(
        "pick",
        { items, rename: Object.fromEntries(names(1000).map((name) => [name, `to ${name}`])) },
        16e6,
      ),
    ).toThrow(DataTooLarge);
    expect(() => run("group", { items, by: ["id"], aggregates: textsOf(1000, "count") }, 16e6)).toThrow(
      DataTooLarge,
    );
    expect(() => run("group", { items, aggregates: textsOf(1000, "list(id)") }, 16e6)).toThrow(DataTooLarge);
    expect(run("pick", { items, fields: names(10) }, 16e6)).toHaveLength(20_000);
  });

  test("the more values an item has to read, the more often the work can pause", () => {
    const items = Array.from({ length: 100 }, () => ({}));
    const conditions = names(100).map((field) => ({ field, operator: "empty" }));
    const partsOf = (fields: Fields): number => {
      const work = dataWork({ items, ...fields }, 1e9);
      for (let parts = 0; ; parts += 1) if (work.next().done === true) return parts;
    };
    expect(partsOf({ operation: "filter", conditions })).toBe(100);
    expect(partsOf({ operation: "pick", fields: names(1000) })).toBe(100);
    expect(partsOf({ operation: "deduplicate", by: names(100) })).toBe(100);
    expect(partsOf({ operation: "group", by: names(100) })).toBeGreaterThanOrEqual(100);
  });

  test("removing several fields of one object leaves the input as it was", () => {
    const inner = { a: 1, b: 2, c: 3, d: { e: 4 } };
    const items = [{ inner }, { inner }];
    const kept = { inner: { c: 3, d: {} } };
    expect(run("pick", { items, remove: ["inner.a", "inner.b", "inner.d.e"] })).toEqual([kept, kept]);
    expect(inner).toEqual({ a: 1, b: 2, c: 3, d: { e: 4 } });
  });

  test("a sort reads the later keys only between equal items", () => {
    let reads = 0;
    const items = [3, 1, 2].map((a) => ({
      a,
      get b() {
        reads += 1;
        return 0;
      },
    }));
    expect(run("sort", { items, by: ["a", "b"] }).map((item: Fields) => item.a)).toEqual([1, 2, 3]);
    expect(reads).toBe(0);
  });
});
