import { afterEach, expect, test, vi } from "vitest";
import { authHeaders, authToken } from "./auth-token.ts";
import { localValues } from "./browser-storage.ts";

/** As in a browser that blocks storage: naming it throws. */
function blockStorage(): void {
  vi.stubGlobal("localStorage", undefined);
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("The operation is insecure.");
    },
  });
}
afterEach(() => vi.unstubAllGlobals());

test("a login lasts until the page is closed where the browser blocks storage", () => {
  blockStorage();
  expect(authHeaders()).toEqual({});
  authToken.save("secret");
  expect(authHeaders()).toEqual({ authorization: "Bearer secret" });
  authToken.remove();
  expect(authHeaders()).toEqual({});
});

test("a value that full storage refuses replaces the stored one until storage accepts another", () => {
  const stored = new Map([["key", "old"]]);
  let isFull = true;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, text: string) {
      if (isFull) throw new Error("The quota has been exceeded.");
      stored.set(key, text);
    },
  });
  localValues.save("key", "new");
  expect([localValues.read("key"), stored.get("key")]).toEqual(["new", "old"]);
  isFull = false;
  localValues.save("key", "{}");
  expect([localValues.readJson("key"), stored.get("key")]).toEqual([{}, "{}"]);
});
