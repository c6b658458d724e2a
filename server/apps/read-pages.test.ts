import { expect, test } from "vitest";
import type { AppAction, AppPaging } from "../../apps/define-app.ts";
import { readPage } from "./read-pages.ts";
import { runAction } from "./run-action.ts";
import { exampleApp, exampleCall, type ScriptedAnswer, scriptedVendor } from "./testing/scripted-vendor.ts";

const [a, b, c] = [{ id: 1 }, { id: 2 }, { id: 3 }];
const query = { size: "{{pageSize}}", cursor: "{{cursor}}", page: "{{page}}", offset: "{{offset}}" };

async function list(paging: AppPaging | undefined, answers: ScriptedAnswer[], limit = 100) {
  const action: AppAction = {
    title: "List",
    description: "Lists items.",
    input: {},
    request: { path: "/items", query },
    items: "{{body.items}}",
    ...(paging && { paging }),
    output: "{{item.id}}",
    sample: [1],
  };
  const { client, use, sent } = scriptedVendor(answers);
  const app = exampleApp();
  const input = { limit };
  const { output } = await runAction(client, { app, action, use, input, call: exampleCall, timeoutMs: 1000 });
  return { output, queries: sent.map(({ url }) => url.replace("https://api.example.com/v1/items", "")) };
}

test.each<[string, AppPaging, ScriptedAnswer[], string[]]>([
  [
    "cursor",
    { kind: "cursor", size: 2, cursor: "{{body.next}}" },
    [{ body: { items: [a, b], next: "n2" } }, { body: { items: [c], next: "" } }],
    ["?size=2", "?size=2&cursor=n2"],
  ],
  [
    "cursor and a sign for more",
    { kind: "cursor", size: 2, cursor: "{{last.id}}", more: "{{body.more}}" },
    [{ body: { items: [a, b], more: true } }, { body: { items: [c], more: false } }],
    ["?size=2", "?size=2&cursor=2"],
  ],
  [
    "the last item",
    { kind: "cursor", size: 2, cursor: "{{last.id}}" },
    [{ body: { items: [a, b] } }, { body: { items: [c] } }],
    ["?size=2", "?size=2&cursor=2"],
  ],
  [
    "next URL",
    { kind: "next_url", size: 2, next: "{{body['@next']}}" },
    [
      { body: { items: [a, b], "@next": "https://api.example.com/v1/items?skip=2" } },
      { body: { items: [c] } },
    ],
    ["?size=2", "?skip=2"],
  ],
  [
    "relative next URL",
    { kind: "next_url", size: 2, next: "{{body.next}}" },
    [{ body: { items: [a, b], next: "/v1/items?at=2" } }, { body: { items: [c], next: null } }],
    ["?size=2", "?at=2"],
  ],
  [
    "Link header",
    { kind: "link", size: 2 },
    [
      {
        body: { items: [a, b] },
        headers: {
          link: '<https://api.example.com/v1/items?p=9>; rel="last", <https://api.example.com/v1/items?p=2>; rel="next"',
        },
      },
      { body: { items: [c] }, headers: { link: '<https://api.example.com/v1/items?p=1>; rel="prev"' } },
    ],
    ["?size=2", "?p=2"],
  ],
  [
    "page number",
    { kind: "page", size: 2 },
    [{ body: { items: [a, b] } }, { body: { items: [c] } }],
    ["?size=2&page=1", "?size=2&page=2"],
  ],
  [
    "offset",
    { kind: "offset", size: 2 },
    [{ body: { items: [a, b] } }, { body: { items: [c] } }],
    ["?size=2&offset=0", "?size=2&offset=2"],
  ],
])("pages by %s", async (_kind, paging, answers, queries) => {
  expect(await list(paging, answers)).toEqual({ output: [1, 2, 3], queries });
  // The limit ends the reading in the middle of a page, and a smaller one asks for smaller pages.
  expect(await list(paging, answers, 1)).toMatchObject({
    output: [1],
    queries: [expect.stringContaining("size=1")],
  });
});

test("a cursor that stays the same, and a next page that is this one, end the list", async () => {
  const same = { body: { items: [a], next: "same" } };
  const cursor = await list({ kind: "cursor", size: 2, cursor: "{{body.next}}" }, [same, same, same]);
  expect(cursor.output).toEqual([1, 1]);
  const next = { body: { items: [a], next: "/v1/items?again" } };
  expect(
    (await list({ kind: "next_url", size: 2, next: "{{body.next}}" }, [next, next, next])).output,
  ).toEqual([1, 1]);
});

test("without paging one answer is the whole list, up to the limit", async () => {
  expect((await list(undefined, [{ body: { items: [a, b, c] } }], 2)).output).toEqual([1, 2]);
  expect((await list(undefined, [{ body: { items: null } }])).output).toEqual([]);
});

test("all pages share the size that one answer may have", async () => {
  const large = { id: "x".repeat(6_000_000) };
  const { client, use, sent } = scriptedVendor([
    { body: { items: [large], next: "n" } },
    { body: { items: [large] } },
  ]);
  const session = client.open({ app: exampleApp(), use, call: exampleCall, timeoutMs: 1000 });
  await client.send(session, { path: "/items" }, {});
  await client.send(session, { path: "/items" }, {}).catch(() => undefined);
  expect(sent[1]!.init.maxBytes).toBeLessThan(5_000_000);
});

test("a Link header with stray brackets is read, and one of more than 8 kB is ignored", async () => {
  const first = (link: string) => [{ body: { items: [a] }, headers: { link } }, { body: { items: [b] } }];
  const next = '<https://api.example.com/v1/items?p=2>; title="x"; REL = "prev Next"';
  expect((await list({ kind: "link", size: 2 }, first("<".repeat(1000) + next))).queries).toEqual([
    "?size=2",
    "?p=2",
  ]);
  expect((await list({ kind: "link", size: 2 }, first(`${"<".repeat(9000)}${next}`))).output).toEqual([1]);
});

test("a page has at most a thousand items: the first ones, or the last ones of a list with the newest last", async () => {
  const read = { request: { path: "/items" }, items: "{{body}}" };
  const body = Array.from({ length: 1500 }, (_, i) => i);
  async function ends(isNewestLast: boolean) {
    const { client, use } = scriptedVendor([{ body }]);
    const session = client.open({ app: exampleApp(), use, call: exampleCall, timeoutMs: 1000 });
    const scope = { input: {}, connection: {} };
    const { items } = await readPage(client, session, read, scope, {
      position: undefined,
      pageSize: 100,
      isNewestLast,
    });
    return [items.length, items[0], items.at(-1)];
  }
  expect(await ends(false)).toEqual([1000, 0, 999]);
  expect(await ends(true)).toEqual([1000, 500, 1499]);
});
