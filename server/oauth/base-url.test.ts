import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { createBaseUrl } from "./base-url.ts";

const requestTo = (headers: Record<string, string>) =>
  ({ protocol: "https", headers, host: headers["x-forwarded-host"] ?? headers["host"] }) as FastifyRequest;

test("the address is PUBLIC_URL, else that of the checked Host header, never that of a forwarded one", () => {
  const headers = { host: "baton.example:3000", "x-forwarded-host": "attacker.example" };
  expect(createBaseUrl("https://public.example")(requestTo(headers))).toBe("https://public.example");
  expect(createBaseUrl(undefined)(requestTo(headers))).toBe("https://baton.example:3000");
  expect(() => createBaseUrl(undefined)(requestTo({}))).toThrow(/Host header/);
});
