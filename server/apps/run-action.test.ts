import { expect, test } from "vitest";
import type { AppAction } from "../../apps/define-app.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { AppError } from "../lib/errors.ts";
import { runAction } from "./run-action.ts";
import { exampleApp, exampleCall, type ScriptedAnswer, scriptedVendor } from "./testing/scripted-vendor.ts";

const create: AppAction = {
  title: "Create",
  description: "Creates an item.",
  input: {
    list: { type: "string", title: "List", required: true },
    name: { type: "string", title: "Name", required: true },
    count: { type: "integer", title: "Count" },
    note: { type: "string", title: "Note" },
    tags: { type: "array", title: "Tags", items: { type: "string" } },
  },
  request: {
    method: "POST",
    path: "/lists/{{input.list}}/items",
    query: { dry: "{{input.dry}}" },
    body: {
      name: "{{input.name}}",
      label: "Item {{input.name}}",
      count: "{{input.count}}",
      note: { text: "{{input.note}}" },
      tags: "{{input.tags}}",
    },
  },
  output: { id: "{{body.item.id}}", url: "{{body.item.url}}" },
  sample: { id: 1 },
};

const run = (
  input: JsonValue,
  answers: ScriptedAnswer[],
  { action = create, app = exampleApp(), connection = {} } = {},
) => {
  const vendor = scriptedVendor(answers, connection);
  const result = runAction(vendor.client, {
    app,
    action,
    use: vendor.use,
    input,
    call: exampleCall,
    timeoutMs: 1000,
  });
  return { ...vendor, result };
};

const failureOf = async (...given: Parameters<typeof run>) => {
  const { result, ...vendor } = run(...given);
  const error = await result.then(
    () => undefined,
    (thrown: AppError) => thrown,
  );
  return { error, ...vendor };
};

test("an action sends the request of its template and maps the answer", async () => {
  const { result, sent } = run({ list: "a/b c", name: "Tea", count: "3", tags: ["x"], note: null }, [
    { body: { item: { id: 7 } }, headers: { "x-id": "1", "set-cookie": "a=b" } },
  ]);
  expect(await result).toEqual({
    output: { id: 7 },
    extra: { response: { status: 200, headers: { "content-type": "application/json", "x-id": "1" } } },
  });
  expect(sent[0]).toMatchObject({
    url: "https://api.example.com/v1/lists/a%2Fb%20c/items",
    init: { method: "POST", headers: { "content-type": "application/json", accept: "application/json" } },
  });
  // Missing values omit their keys, and numbers in texts become numbers.
  expect(JSON.parse(sent[0]!.init.body as string)).toEqual({
    name: "Tea",
    label: "Item Tea",
    count: 3,
    tags: ["x"],
  });
});

test.each<[JsonValue, string]>([
  [{ list: "a" }, "Name is required."],
  [{ list: "a", name: null }, "Name is required."],
  [{ list: "a", name: "b", count: "many" }, "Count must be a whole number."],
  [{ list: "..", name: "b" }, 'The input "list" is not valid: "..".'],
  [{ list: "", name: "b" }, 'The input "list" is required.'],
])("the input %j is refused before anything is sent", async (input, message) => {
  const { error, sent } = await failureOf(input, []);
  expect([error?.code, error?.permanent, error?.message]).toEqual(["invalid_field", true, message]);
  expect(sent).toEqual([]);
});

test("a value cannot reach another path or host", async () => {
  const action = { ...create, request: { path: "/repos/{{input.list}}/x", segments: ["list"] } };
  const { result, sent } = run({ list: "octo/hello?a#b", name: "n" }, [{ body: {} }], { action });
  await result;
  expect(sent[0]!.url).toBe("https://api.example.com/v1/repos/octo/hello%3Fa%23b/x");
  for (const list of ["octo/../../admin", "octo//x", "./x", "/x"])
    expect((await failureOf({ list, name: "n" }, [], { action })).error?.code).toBe("invalid_field");
  const app = exampleApp({ baseUrl: "https://{{connection.shop}}.example.com" });
  for (const shop of ["evil.com/", "evil.com#", "a@evil.com", "", "a b"])
    expect(
      (await failureOf({ list: "a", name: "n" }, [], { app, connection: { fields: { shop } } })).error?.code,
    ).toBe("invalid_field");
  const shop = run({ list: "a", name: "n" }, [{ body: {} }], {
    app,
    connection: { fields: { shop: "tea" } },
  });
  await shop.result;
  expect(shop.sent[0]!.url).toBe("https://tea.example.com/lists/a/items");
});

test("a text of a user with braces is a text, not a template", async () => {
  const { result, sent } = run(
    { list: "a", name: "{{connection.username}} {{input.list}}" },
    [{ body: {} }],
    {
      connection: { settings: { username: "ada" } },
    },
  );
  await result;
  expect(JSON.parse(sent[0]!.init.body as string)).toMatchObject({
    name: "{{connection.username}} {{input.list}}",
  });
});

test("a list in a list stays one, and missing items are left out", async () => {
  const action: AppAction = {
    ...create,
    request: { method: "POST", path: "/x", body: { rows: ["{{input.tags}}", "{{input.note}}"] } },
  };
  const { result, sent } = run({ list: "a", name: "b", tags: ["x", "y"] }, [{ body: {} }], { action });
  await result;
  expect(sent[0]!.init.body).toBe('{"rows":[["x","y"]]}');
});

test("a form is sent with nested names", async () => {
  const action: AppAction = {
    ...create,
    request: {
      method: "POST",
      path: "/x",
      form: {
        name: "{{input.name}}",
        note: "{{input.note}}",
        tags: "{{input.tags}}",
        meta: { list: "{{input.list}}" },
      },
    },
  };
  const { result, sent } = run({ list: "a&b", name: "Tea", tags: ["x", "y"] }, [{ body: {} }], { action });
  await result;
  expect(sent[0]!.init).toMatchObject({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "name=Tea&tags%5B0%5D=x&tags%5B1%5D=y&meta%5Blist%5D=a%26b",
  });
});

const errors = {
  ok: "{{body.ok}}",
  code: "{{body.error}}",
  message: "{{body.message}}",
  words: { no_list: "There is no such list.", "404": "It does not exist." },
  expired: ["token_expired"],
  rateLimit: { wait: "{{headers['x-reset']}}", remaining: "{{headers['x-left']}}" },
};

test.each<[string, ScriptedAnswer, string, number | undefined]>([
  ["a known code", { body: { ok: false, error: "no_list" } }, "Example: There is no such list.", undefined],
  ["an unknown code", { body: { ok: false, error: "odd_thing" } }, "Example: odd_thing", undefined],
  ["its own message", { status: 400, body: { message: "Bad  name" } }, "Example: Bad name", undefined],
  ["a known status", { status: 404, body: {} }, "Example: It does not exist.", undefined],
  [
    "no words",
    { status: 503, body: null },
    "Example: The service has a problem (status 503). Try again later.",
    undefined,
  ],
  [
    "Retry-After",
    { status: 429, body: {}, headers: { "retry-after": "7" } },
    "Example: Too many requests. The next one is possible in 7 s.",
    7000,
  ],
  [
    "its own seconds",
    { status: 429, body: {}, headers: { "x-reset": "2.5" } },
    "Example: Too many requests. The next one is possible in 3 s.",
    2500,
  ],
  [
    "a used-up limit",
    {
      status: 403,
      body: { message: "API rate limit exceeded" },
      headers: { "x-reset": "1000000060", "x-left": "0" },
    },
    "Example: Too many requests. The next one is possible in 999999060 s.",
    999_999_060_000,
  ],
  [
    "a refusal",
    { status: 403, body: {}, headers: { "x-reset": "60", "x-left": "5" } },
    "Example: The connection has no permission for this (status 403).",
    undefined,
  ],
])(
  "an error of the vendor is a sentence, with the time to wait: %s",
  async (_case, answer, message, wait) => {
    const { error } = await failureOf({ list: "a", name: "b" }, [answer], { app: exampleApp({ errors }) });
    expect([error?.code, error?.message, error?.retryAfterMs]).toEqual(["http_error", message, wait]);
    expect(error?.stepExtra).toMatchObject({ response: { status: answer.status ?? 200 } });
  },
);

test("an expired token is renewed once, and the request is repeated", async () => {
  const expired = { body: { ok: false, error: "token_expired" } };
  const app = exampleApp({ errors });
  const { result, sent } = run({ list: "a", name: "b" }, [expired, { body: { ok: true } }], { app });
  expect((await result).output).toEqual({});
  expect(sent[1]!.init.body).toBe(sent[0]!.init.body);
  const refused = await failureOf({ list: "a", name: "b" }, [expired, expired, { body: { ok: true } }], {
    app,
  });
  expect(refused.error?.message).toBe("Example refused the credential.");
  expect([refused.sent.length, refused.renewals()]).toEqual([2, 2]);
});

test("the credential is redacted from outputs and errors", async () => {
  const echo = { ...create, output: "{{body}}" };
  const { result } = run({ list: "a", name: "b" }, [{ body: { sent: "Bearer top-secret-token" } }], {
    action: echo,
  });
  expect((await result).output).toEqual({ sent: "Bearer •••" });
  const app = exampleApp({ errors: { message: "{{body.message}}" } });
  const { error } = await failureOf(
    { list: "a", name: "b" },
    [{ status: 400, body: { message: "top-secret-token" } }],
    { app },
  );
  expect(error?.message).toBe("Example: •••");
  expect(JSON.stringify(error?.stepExtra)).not.toContain("top-secret");
});

test("code prepares what a template cannot, and reads what it cannot", async () => {
  const action: AppAction = {
    ...create,
    prepare: ({ input }) => ({ raw: Buffer.from(String(input["name"])).toString("base64") }),
    parse: (body) => ({ decoded: Buffer.from(String((body as { raw: string }).raw), "base64").toString() }),
    request: { method: "POST", path: "/raw", body: { raw: "{{prepared.raw}}" } },
    output: "{{body.decoded}}",
  };
  const { result, sent } = run({ list: "a", name: "Tea" }, [{ body: { raw: "VGVh" } }], { action });
  expect((await result).output).toBe("Tea");
  expect(sent[0]!.init.body).toBe('{"raw":"VGVh"}');
});
