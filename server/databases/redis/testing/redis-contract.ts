import { expect, test } from "vitest";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { createFairQueue } from "../../../lib/fair-queue.ts";
import type { LimitValues } from "../../../limits/limits.ts";
import { limitsOf } from "../../../limits/testing/limits-of.ts";
import { createEgress, type Egress } from "../../../security/egress.ts";
import { sampleCall } from "../../../steps/testing/sample-call.ts";
import { parseDatabaseUrl, type DatabaseTarget } from "../../database-url.ts";
import type { TlsTrust } from "../../sql/tls-options.ts";
import { createRedisRunner } from "../redis-step.ts";

export interface RedisCall {
  limits?: Partial<LimitValues>;
  egress?: Egress;
  trust?: TlsTrust;
  target?: Partial<DatabaseTarget>;
  signal?: AbortSignal;
}

export async function runRedis(
  url: string,
  fields: Record<string, JsonValue>,
  { limits = {}, egress, trust, target = {}, signal }: RedisCall = {},
): Promise<JsonValue> {
  const runner = createRedisRunner({
    egress: egress ?? createEgress({ allowPrivate: true, allow: [], deny: [] }),
    trust,
    withTarget: (_call, work) => work({ ...parseDatabaseUrl(url), ...target } as DatabaseTarget),
    limits: limitsOf(limits),
    queue: createFairQueue({ slots: 4, slotsPerKey: 4, refuse: () => new Error("The queue is full.") }),
  });
  const call = sampleCall({ connection: "conn_1", ...fields }, signal ? { signal } : {});
  return (await runner.run(call)).output;
}

/** What the step does on every server. Keys begin with `test:`. */
export function testRedis(url: () => string): void {
  const redis = (command: string, fields: Record<string, JsonValue> = {}) =>
    runRedis(url(), { command, key: "test:key", ...fields });

  test("text is stored unchanged, other values as JSON", async () => {
    expect(await redis("set", { value: "007" })).toEqual({ set: true });
    expect(await redis("get")).toBe("007");
    expect(await redis("get", { as: "json" })).toBe("007");
    await redis("set", { value: { a: [1, null] } });
    expect(await redis("get")).toBe('{"a":[1,null]}');
    expect(await redis("get", { as: "json" })).toEqual({ a: [1, null] });
    expect(await redis("set", { value: "x", onlyIf: "absent" })).toEqual({ set: false });
    expect(await redis("exists")).toEqual({ exists: true });
    expect(await redis("delete")).toEqual({ deleted: true });
    expect(await redis("get")).toBeNull();
    expect(await redis("expire", { expiresInMs: 1000 })).toEqual({ set: false });
  });

  test("numbers, lists, hashes and sets", async () => {
    for (const name of ["key", "count", "list", "hash", "set"])
      await redis("delete", { key: `test:${name}` });
    expect(await redis("increment", { key: "test:count", amount: 5, expiresInMs: 60_000 })).toEqual({
      value: 5,
    });
    expect(await redis("increment", { key: "test:count", amount: -2 })).toEqual({ value: 3 });
    expect(await redis("list_push", { key: "test:list", value: ["a", { b: 1 }] })).toEqual({ length: 2 });
    expect(await redis("list_range", { key: "test:list", as: "json" })).toEqual(["a", { b: 1 }]);
    expect(await redis("list_pop", { key: "test:list" })).toBe("a");
    expect(await redis("hash_set", { key: "test:hash", fields: { name: "Ada", tags: ["x"] } })).toEqual({
      added: 2,
    });
    expect(await redis("hash_get", { key: "test:hash", as: "json" })).toEqual({ name: "Ada", tags: ["x"] });
    expect(await redis("hash_get", { key: "test:hash", fields: ["name", "none"] })).toEqual({
      name: "Ada",
      none: null,
    });
    expect(await redis("hash_delete", { key: "test:hash", fields: ["name"] })).toEqual({ deleted: 1 });
    expect(await redis("set_add", { key: "test:set", value: ["a", "b", "a"] })).toEqual({ added: 2 });
    expect(await redis("set_remove", { key: "test:set", value: "b" })).toEqual({ removed: 1 });
    expect(await redis("set_members", { key: "test:set" })).toEqual(["a"]);
    expect(await redis("keys", { pattern: "test:*" })).toEqual([
      "test:count",
      "test:hash",
      "test:list",
      "test:set",
    ]);
    expect(await redis("publish", { channel: "test", value: "hello" })).toEqual({ receivers: 0 });
  });

  test("a value is never a command, and a wrong type is the server's message", async () => {
    await redis("set", { value: "a\r\nDEL test:key\r\n" });
    expect(await redis("get")).toBe("a\r\nDEL test:key\r\n");
    await expect(redis("list_push", { value: "x" })).rejects.toMatchObject({
      code: "query_failed",
      permanent: true,
      message: expect.stringContaining("WRONGTYPE"),
    });
  });

  test("a value larger than the budget ends the connection", async () => {
    await redis("set", { value: "x".repeat(5_000_000) });
    const read = runRedis(url(), { command: "get", key: "test:key" }, { limits: { value_bytes: 100_000 } });
    await expect(read).rejects.toMatchObject({ code: "output_too_large" });
  });

  test("a refused login names neither user nor password", async () => {
    const failure = await runRedis(
      url(),
      { command: "get", key: "x" },
      { target: { user: "nobody", password: "s3cret" } },
    ).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "connection_authorization_required", permanent: true });
    expect((failure as Error).message).not.toMatch(/s3cret|nobody/);
  });

  test("no connection is opened to an address that the guard refuses", async () => {
    const egress = createEgress({ allowPrivate: false, allow: [], deny: [] });
    await expect(runRedis(url(), { command: "get", key: "x" }, { egress })).rejects.toMatchObject({
      code: "egress_denied",
    });
  });
}
