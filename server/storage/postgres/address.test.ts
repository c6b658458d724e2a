import { expect, test } from "vitest";
import { hostAndPort, readAddress } from "./address.ts";

const read = (query: string): string =>
  readAddress(`postgres://u:p@db.example:6432/baton${query}`, "DATABASE_URL");

test("a provider's connection string is accepted, with the certificate verified", () => {
  expect(
    read("?sslmode=require&channel_binding=require&connect_timeout=10&target_session_attrs=read-write"),
  ).toBe("postgres://u:p@db.example:6432/baton?sslmode=verify-full");
});

test.each([
  ["?sslmod=require", /^DATABASE_URL has the unknown parameter sslmod\. Supported parameters: sslmode, /],
  ["?sslmode=required", /^DATABASE_URL has sslmode=required; use one of disable, /],
])("%s is refused: nothing would be encrypted", (query, message) => {
  expect(() => read(query)).toThrow(message);
});

test.each(["disable", "no-verify", "verify-full"])("sslmode=%s is passed on unchanged", (sslmode) => {
  expect(read(`?sslmode=${sslmode}`)).toMatch(new RegExp(`sslmode=${sslmode}$`));
});

test("host and port are printed without user and password", () => {
  expect(hostAndPort("postgres://u:secret@db.example/baton")).toBe("db.example:5432");
  expect(hostAndPort("postgres:///baton?host=/run/postgresql&port=5433")).toBe("/run/postgresql:5433");
});
