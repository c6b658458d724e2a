import { expect, test } from "vitest";
import type { AppOptions } from "../../apps/define-app.ts";
import type { AppOptionsQuery } from "../../contract/apps.ts";
import { createAppOptions } from "./app-options.ts";
import { exampleApp, type ScriptedAnswer, scriptedVendor } from "./testing/scripted-vendor.ts";

const lists: AppOptions = {
  title: "Lists",
  request: { path: "/boards/{{input.board}}/lists", query: { q: "{{search}}", cursor: "{{cursor}}" } },
  items: "{{body.items}}",
  paging: { kind: "cursor", size: 2, cursor: "{{body.next}}" },
  value: "{{item.id}}",
  label: "{{item.name}}",
};

const page = (names: string[], next = ""): ScriptedAnswer => ({
  body: { items: names.map((name) => ({ id: `id-${name}`, name })), next },
});

function open(answers: ScriptedAnswer[], changes: Partial<AppOptions> = {}) {
  const { client, use, sent } = scriptedVendor(answers);
  const app = exampleApp({ options: { lists: { ...lists, ...changes } } });
  const list = createAppOptions({
    client,
    catalogue: { find: (_owner, id) => Promise.resolve(id === "example" ? app : undefined) },
    useConnection: () => Promise.resolve(use),
  });
  const ask = (query: Partial<AppOptionsQuery> = {}, id = "example") =>
    list("user_1", id, { options: "lists", connection: "conn_1", input: { board: "b1" }, ...query });
  return { ask, sent };
}

test("choices have pages, and a cursor continues them", async () => {
  const { ask, sent } = open([page(["a", "b"], "n2"), page(["c"])]);
  const first = await ask();
  expect(first.options).toEqual([
    { value: "id-a", label: "a" },
    { value: "id-b", label: "b" },
  ]);
  const last = await ask({ cursor: first.nextCursor! });
  expect([last.options, last.nextCursor]).toEqual([[{ value: "id-c", label: "c" }], null]);
  expect(sent.map(({ url }) => url)).toEqual([
    "https://api.example.com/v1/boards/b1/lists",
    "https://api.example.com/v1/boards/b1/lists?cursor=n2",
  ]);
});

test("a search is the vendor's where it can, and reads labels of a few pages where it cannot", async () => {
  const own = open([page(["Tea"])], { search: true });
  expect((await own.ask({ search: "tea" })).options).toHaveLength(1);
  expect(own.sent[0]!.url).toContain("?q=tea");
  const compared = open([page(["a", "b"], "n2"), page(["Green TEA", "c"], "n3")]);
  const { options, nextCursor } = await compared.ask({ search: " tea" });
  expect(options).toEqual([{ value: "id-Green TEA", label: "Green TEA" }]);
  expect(nextCursor).not.toBeNull();
  const endless = open(Array.from({ length: 9 }, (_, i) => page(["a"], `n${i}`)));
  expect((await endless.ask({ search: "zzz" })).options).toEqual([]);
  expect(endless.sent).toHaveLength(5);
});

test.each<[string, Partial<AppOptionsQuery>, string, string]>([
  ["unknown options", { options: "toString" }, "invalid_request", 'Example has no options "toString".'],
  ["a broken cursor", { cursor: "e30x" }, "invalid_request", "The cursor is not one of this list."],
  ["a missing input", { input: {} }, "fetch_failed", 'The input "board" is required.'],
])("%s are refused with a sentence", async (_case, query, code, message) => {
  await expect(open([]).ask(query)).rejects.toMatchObject({ code, message });
});

test("an error of the vendor reaches the form", async () => {
  await expect(open([{ status: 403, body: {} }]).ask()).rejects.toMatchObject({
    code: "fetch_failed",
    message: "Example: The connection has no permission for this (status 403).",
  });
  await expect(open([]).ask({}, "none")).rejects.toMatchObject({ code: "app_not_found" });
});
