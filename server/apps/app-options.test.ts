import { expect, test } from "vitest";
import type { AppOptions } from "../../apps/define-app.ts";
import type { AppOptionsQuery } from "../../contract/apps.ts";
import { AppError } from "../lib/errors.ts";
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
  [
    "a broken cursor",
    { cursor: "e30x" },
    "invalid_request",
    "The cursor does not belong to this list. Use nextCursor of its last response, or leave it out.",
  ],
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

test("the credential is not in an error of the vendor", async () => {
  const refused = { status: 400, body: { message: "Bad key Bearer top-secret-token" } };
  const { client, use } = scriptedVendor([refused]);
  const app = exampleApp({ options: { lists }, errors: { message: "{{body.message}}" } });
  const list = createAppOptions({
    client,
    catalogue: { find: () => Promise.resolve(app) },
    useConnection: () => Promise.resolve(use),
  });
  const query = { options: "lists", connection: "conn_1", input: { board: "b1" } };
  await expect(list("user_1", "example", query)).rejects.toMatchObject({
    code: "fetch_failed",
    message: "Example: Bad key Bearer •••",
  });
});

const NEXT = "https://api.example.com/v1/boards/b1/lists?p=2";
const decoded = (cursor: string | null) =>
  cursor === null ? null : (JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown);

test.each([
  ["a query parameter is left out of it", `${NEXT}&key=top-secret-token&size=2`, { url: `${NEXT}&size=2` }],
  ["a path ends the list", "https://api.example.com/top-secret-token/lists?p=2", null],
])("the next page with the credential in %s", async (_where, next, position) => {
  const { ask } = open([page(["a", "b"], next)], {
    paging: { kind: "next_url", size: 2, next: "{{body.next}}" },
  });
  expect(decoded((await ask()).nextCursor)).toEqual(position);
});

test("a cursor replaces nothing of the request but the place in the list", async () => {
  const cursor = Buffer.from(JSON.stringify({ cursor: "n2", input: { board: "b9" } })).toString("base64url");
  const { ask, sent } = open([page(["a"])]);
  await ask({ cursor });
  expect(sent[0]!.url).toBe("https://api.example.com/v1/boards/b1/lists?cursor=n2");
});

test("each page may have 1 MB, and a larger one is an error of the vendor", async () => {
  const { ask, sent } = open([page(["a"], "n1"), page(["tea"])]);
  await ask({ search: "tea" });
  expect(sent.map(({ init }) => init.maxBytes)).toEqual([1024 * 1024, 1024 * 1024]);
  const { client, use } = scriptedVendor([]);
  const list = createAppOptions({
    client: {
      ...client,
      send: () => Promise.reject(new AppError("response_too_large", "The response is too large.")),
    },
    catalogue: { find: () => Promise.resolve(exampleApp({ options: { lists } })) },
    useConnection: () => Promise.resolve(use),
  });
  const query = { options: "lists", connection: "conn_1", input: { board: "b1" } };
  await expect(list("user_1", "example", query)).rejects.toMatchObject({ code: "fetch_failed" });
});
