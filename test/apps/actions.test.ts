import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { apps } from "../../apps/all.ts";
import type { AppAction } from "../../apps/define-app.ts";
import { createAppOptions } from "../../server/apps/app-options.ts";
import { runAction } from "../../server/apps/run-action.ts";
import { testApp } from "../../server/apps/test-app.ts";
import type { AppError } from "../../server/lib/errors.ts";
import { allExamples } from "./all.ts";
import type { AppExamples, ReadExample } from "./support/app-examples.ts";
import { appProblems } from "./support/app-problems.ts";
import { checkRequest } from "./support/check-request.ts";
import { connectionOf, openFakeVendor, testCall, TOKENS } from "./support/fake-vendor.ts";

const vendor = await openFakeVendor();
afterAll(vendor.close);

const actions = allExamples.flatMap((examples) =>
  Object.entries(examples.app.actions).map(([id, action]) => ({
    name: `${examples.app.id} ${id}`,
    examples,
    action: action as AppAction,
    example: examples.actions[id] ?? {},
  })),
);
const lists = actions.filter(({ action }) => action.paging !== undefined);

function run(examples: AppExamples, action: AppAction, { input = {} }: ReadExample, limit?: number) {
  return runAction(vendor.client, {
    app: examples.app,
    action,
    use: connectionOf(examples),
    input: limit === undefined ? input : { ...input, limit },
    call: testCall,
    timeoutMs: 5000,
  });
}

test.each(apps.map((app) => [app.id, app] as const))(
  "%s is short: five actions take 250 lines",
  (id, app) => {
    const operations = Object.keys(app.actions).length + Object.keys(app.triggers ?? {}).length;
    const lines = readFileSync(`apps/${id}.ts`, "utf8").split("\n").length;
    expect(lines / operations).toBeLessThan(250 / 5);
  },
);

const answersOf = ({ answer, pages }: ReadExample) => pages ?? [answer ?? {}];

async function failureOf(examples: AppExamples, answer: { status?: number }): Promise<AppError> {
  const [id, action] = Object.entries(examples.app.actions)[0]!;
  vendor.answers(answer, answer);
  return run(examples, action as AppAction, examples.actions[id] ?? {}).then(
    () => expect.unreachable("the vendor refused"),
    (error: AppError) => error,
  );
}

test("every app has examples for all of its actions, options and triggers, and none for others", () => {
  expect(allExamples.map(({ app }) => app.id)).toEqual(apps.map(({ id }) => id));
  expect(apps.map(({ id }) => id)).toEqual(apps.map(({ id }) => id).sort());
  for (const { app, actions: given, options = {}, triggers = {}, errors } of allExamples) {
    expect(Object.keys(given).sort()).toEqual(Object.keys(app.actions).sort());
    expect(Object.keys(options).sort()).toEqual(Object.keys(app.options ?? {}).sort());
    expect(Object.keys(triggers).sort()).toEqual(Object.keys(app.triggers ?? {}).sort());
    expect(errors.length).toBeGreaterThan(0);
  }
});

test.each(apps.map((app) => [app.id, app] as const))(
  "the templates and fields of %s are valid",
  (_id, app) => {
    expect(appProblems(app)).toEqual([]);
  },
);

test.each(actions)(
  "$name sends what the vendor describes and returns its sample",
  async ({ examples, action, example }) => {
    vendor.answers(...answersOf(example));
    const { output } = await run(examples, action, example);
    checkRequest(examples, vendor.received[0]!, example.request);
    if (action.request.responseAs === "file")
      expect(output).toMatchObject({ file: expect.any(String), size: expect.any(Number) });
    else if (example.pages)
      expect((output as unknown[]).slice(0, (action.sample as unknown[]).length)).toEqual(action.sample);
    else expect(output).toEqual(action.sample);
  },
);

test.each(lists)("$name reads two pages", async ({ examples, action, example }) => {
  expect(example.pages, "a list with paging needs two pages").toBeDefined();
  vendor.answers(...answersOf(example));
  const { output } = await run(examples, action, example);
  expect(vendor.received).toHaveLength(2);
  const [first, second] = vendor.received;
  expect(`${second!.url.href}${second!.text}`).not.toBe(`${first!.url.href}${first!.text}`);
  const both = (output as unknown[]).length;
  vendor.answers(example.pages![0], {});
  expect(((await run(examples, action, example, 1)).output as unknown[]).length).toBe(1);
  expect(both).toBeGreaterThan(1);
});

test.each(
  allExamples.flatMap((examples) =>
    Object.entries(examples.options ?? {}).map(([id, example]) => ({
      name: `${examples.app.id} ${id}`,
      id,
      examples,
      example,
    })),
  ),
)("$name lists choices", async ({ id, examples, example }) => {
  vendor.answers(...answersOf(example));
  const list = createAppOptions({
    client: vendor.client,
    catalogue: { find: () => Promise.resolve(examples.app) },
    useConnection: () => Promise.resolve(connectionOf(examples)),
  });
  const { options, nextCursor } = await list("user_1", examples.app.id, {
    options: id,
    connection: "conn_1",
    input: example.input ?? {},
  });
  checkRequest(examples, vendor.received[0]!, example.request);
  expect(options[0]).toEqual(example.first);
  expect(nextCursor === null).toBe(example.pages === undefined);
});

describe.each(allExamples.map((examples) => [examples.app.id, examples] as const))("%s", (_id, examples) => {
  const { app } = examples;
  const [firstId, firstAction] = Object.entries(app.actions)[0]!;
  const firstExample = examples.actions[firstId] ?? {};

  test("a connection is tested, and names its account", async () => {
    vendor.answers(examples.test);
    const result = await testApp(vendor.client, app, connectionOf(examples), testCall.stop);
    expect(result).toEqual({ account: examples.test.account });
  });

  test("429 with Retry-After says how long to wait", async () => {
    const error = await failureOf(examples, {
      status: 429,
      headers: { "retry-after": "7" },
      body: {},
    } as object);
    expect([error.code, error.retryAfterMs]).toEqual(["http_error", 7000]);
    expect(error.message).toMatch(new RegExp(`^${app.title}: `));
    if (examples.rateLimit === undefined) return;
    expect((await failureOf(examples, examples.rateLimit)).retryAfterMs).toBe(
      examples.rateLimit.seconds * 1000,
    );
  });

  test("an expired token is renewed and the request is sent once more", async () => {
    for (const expired of [{ status: 401, body: {} }, examples.expired ?? { status: 401, body: {} }]) {
      vendor.answers(expired, ...answersOf(firstExample));
      await run(examples, firstAction as AppAction, firstExample);
      const [before, after] = vendor.received.map(({ headers, url, text }) =>
        JSON.stringify([headers, url, text]),
      );
      const holds = (request: string | undefined, token: string) =>
        [token, Buffer.from(`${examples.username ?? "ada"}:${token}`).toString("base64")].some((one) =>
          request?.includes(one),
        );
      expect([holds(before, TOKENS[0]), holds(after, TOKENS[1])]).toEqual([true, true]);
    }
  });

  test.each(examples.errors)("an error of the vendor is a sentence: $says", async ({ says, ...answer }) => {
    expect((await failureOf(examples, answer)).message).toBe(says);
  });
});
