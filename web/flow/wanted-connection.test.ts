import { expect, test } from "vitest";
import type { Connection } from "../../contract/connections.ts";
import { fits, wantedConnection } from "./wanted-connection.ts";

const connection = (more: Partial<Connection>): Connection =>
  ({ app: null, kind: "bearer", settings: {}, ...more }) as Connection;
const takes = (type: string, more: Partial<Connection>, step: object = {}): boolean =>
  fits(connection(more), wantedConnection({ stepId: "a", type, ...step }));

test("a request takes credentials of HTTP, also those of an app, and no database", () => {
  expect(takes("http", {})).toBe(true);
  expect(takes("http", { app: "slack", kind: "oauth2" })).toBe(true);
  expect(takes("http", { kind: "database", settings: { type: "postgres" } })).toBe(false);
});

test("an app step takes connections of its app only", () => {
  expect(takes("app", { app: "slack" }, { app: "slack" })).toBe(true);
  expect(takes("app", { app: "github" }, { app: "slack" })).toBe(false);
  expect(takes("app", {}, { app: "slack" })).toBe(false);
});

test("a query takes a database that understands SQL, a redis step a Redis, an s3 step its keys", () => {
  const database = (type: string): Partial<Connection> => ({ kind: "database", settings: { type } });
  expect(takes("sql", database("mysql"))).toBe(true);
  expect(takes("sql", database("redis"))).toBe(false);
  expect(takes("redis", database("redis"))).toBe(true);
  expect(takes("redis", database("postgres"))).toBe(false);
  expect(takes("s3", { kind: "s3" })).toBe(true);
  expect(takes("s3", {})).toBe(false);
});
