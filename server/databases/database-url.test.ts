import { expect, test } from "vitest";
import { parseDatabaseUrl } from "./database-url.ts";

test.each([
  [
    "postgres://ada:p%40ss@db.example.com/shop",
    { type: "postgres", port: 5432, password: "p@ss", database: "shop", tls: "verified" },
  ],
  ["postgresql://db.example.com:6432/shop?sslmode=disable", { port: 6432, tls: "off" }],
  ["postgres://db.example.com/shop?sslmode=require", { tls: "verified" }],
  ["postgres://db.example.com/shop?sslmode=no-verify", { tls: "unverified" }],
  ["postgres://127.0.0.1/shop", { tls: "off" }],
  ["mysql://db.example.com/shop?ssl-mode=DISABLED", { type: "mysql", port: 3306, tls: "off" }],
  ["mariadb://[::1]:3307/shop", { type: "mysql", host: "::1", port: 3307 }],
  ["redis://cache.example.com/3", { type: "redis", port: 6379, database: "3", tls: "off" }],
  ["rediss://cache.example.com", { tls: "verified", database: undefined }],
  ["sqlite:data/shop.db", { type: "sqlite", path: "data/shop.db" }],
  ["sqlite://data/shop%20two.db", { type: "sqlite", path: "data/shop two.db" }],
])("%s", (url, target) => {
  expect(parseDatabaseUrl(url)).toMatchObject(target);
});

test.each(["http://example.com", "postgres://", "nonsense", "file:///etc/passwd"])("%s is refused", (url) => {
  expect(() => parseDatabaseUrl(url)).toThrow(/database URL/);
});
