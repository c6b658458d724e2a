import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ContractError } from "./api-error.ts";
import { createKey } from "./keys.ts";

const apiKey = {
  id: "key_1",
  name: "",
  prefix: "bk_1",
  scopes: ["endpoints"],
  workflowIds: null,
  addresses: null,
  createdBy: null,
  serviceAccount: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  lastUsedAt: null,
  lastUsedFrom: null,
  expiresAt: null,
  revokedAt: null,
};

function respondWith(body: object): void {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status: 201 }));
}

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("a response that matches its contract schema is returned", async () => {
  respondWith({ ok: true, apiKey, rawKey: "bk_1secret" });
  expect(await createKey({})).toBe("bk_1secret");
  expect(console.error).not.toHaveBeenCalled();
});

test("a response that does not match its contract schema is reported and thrown in development", async () => {
  respondWith({ ok: true, apiKey: { ...apiKey, prefix: 7 }, rawKey: "bk_1secret" });
  const failure = await createKey({}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ContractError);
  const message = (failure as Error).message;
  expect(message).toContain('/api/keys does not match the contract schema "createdKey"');
  expect(message).toContain("apiKey.prefix: ");
  expect(console.error).toHaveBeenCalledWith(message, expect.objectContaining({ rawKey: "bk_1secret" }));
});

test("a production build does not check responses", async () => {
  vi.stubEnv("DEV", false);
  respondWith({ ok: true, rawKey: "bk_1secret" });
  expect(await createKey({})).toBe("bk_1secret");
});
