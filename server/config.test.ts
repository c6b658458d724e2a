import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("an empty environment gives a complete configuration", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    allowRegistration: true,
    trustProxy: false,
    retentionDays: 0,
  });
  expect(config.limits).toMatchObject({ webhookPerMinute: 20, generatePerMinute: 10, loginPerMinute: 20 });
  expect(Object.isFrozen(config)).toBe(true);
});

test("an empty value counts as not set", () => {
  expect(readConfig({ PORT: "", LLM_PROVIDER: "" })).toMatchObject({
    port: 3000,
    llm: { provider: undefined },
  });
});

test("all invalid settings are reported in one error", () => {
  const wrong = {
    PORT: "banana",
    ENCRYPTION_KEY: "short",
    JWT_SECRET: "x",
    LLM_PROVIDER: "skynet",
    PUBLIC_URL: "ftp://x",
  };
  const read = () => readConfig(wrong);
  for (const name of Object.keys(wrong)) expect(read).toThrow(name);
});

test.each([
  [{}, "http://127.0.0.1:3000"],
  [{ PORT: "8080" }, "http://127.0.0.1:8080"],
  [{ HOST: "0.0.0.0" }, "http://127.0.0.1:3000"],
  [{ HOST: "::1" }, "http://[::1]:3000"],
  [{ PUBLIC_URL: "https://baton.example.com/", PORT: "8080" }, "https://baton.example.com"],
])("with %j the service URL is %s", (environment, url) => {
  expect(readConfig(environment).serviceUrl).toBe(url);
});

test("encryption keys can be hex or base64, with several keys for rotation", () => {
  const hex = "0123456789abcdef".repeat(4);
  const keys = readConfig({
    ENCRYPTION_KEY: `${hex},${Buffer.from(hex, "hex").toString("base64")}`,
  }).encryptionKeys;
  expect(keys.map((key) => key.toString("hex"))).toEqual([hex, hex]);
});

test("a key that repeats a few characters is refused with a way to create one", () => {
  const settings = {
    JWT_SECRET: "changeme".repeat(8).slice(0, 4).repeat(10),
    ENCRYPTION_KEY: "00".repeat(32),
  };
  for (const [name, value] of Object.entries(settings)) {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: is easy to guess`);
    expect(() => readConfig({ [name]: value })).toThrow("openssl rand -hex 32");
  }
  expect(() => readConfig({ JWT_SECRET: "short" })).toThrow("openssl rand -hex 32");
});

test("a weak key that is being replaced still decrypts", () => {
  const weak = "00".repeat(32);
  const keys = readConfig({ ENCRYPTION_KEY: `${"0123456789abcdef".repeat(4)},${weak}` }).encryptionKeys;
  expect(keys.map((key) => key.toString("hex"))).toContain(weak);
});

test("a proxy is trusted by number or address, never by default", () => {
  expect(readConfig({ TRUST_PROXY: "1" }).trustProxy).toBe(1);
  expect(readConfig({ TRUST_PROXY: "10.0.0.0/8, 127.0.0.1" }).trustProxy).toEqual([
    "10.0.0.0/8",
    "127.0.0.1",
  ]);
});

test("a number outside its range is rejected with the bound", () => {
  expect(() => readConfig({ LEASE_MS: "10" })).toThrow("LEASE_MS: must be at least 1000");
  expect(() => readConfig({ DATABASE_POOL_SIZE: "5000" })).toThrow(
    "DATABASE_POOL_SIZE: must be at most 1000",
  );
});

test("the address of the embedding service must be a URL, like that of the model", () => {
  for (const name of ["EMBEDDING_BASE_URL", "LLM_BASE_URL"])
    expect(() => readConfig({ [name]: "embeddings.internal:8080" })).toThrow(`${name}: must be an http`);
});

test("a partial bucket configuration is rejected", () => {
  expect(readConfig({}).bucket).toBeUndefined();
  const bucket = {
    S3_ENDPOINT: "https://s3.example.com",
    S3_BUCKET: "files",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  expect(readConfig({ ...bucket, S3_PREFIX: "a/b" }).bucket).toEqual({
    endpoint: "https://s3.example.com",
    bucket: "files",
    region: "us-east-1",
    accessKeyId: "id",
    secretAccessKey: "secret",
    prefix: "a/b",
  });
  for (const name of Object.keys(bucket))
    expect(() => readConfig({ ...bucket, [name]: "" })).toThrow(new RegExp(`${name}: must be set`));
  expect(() => readConfig({ S3_PREFIX: "../x", PORT: "x" })).toThrow(/PORT(.|\n)*S3_BUCKET/);
  for (const prefix of ["/x", "..", "a/../b", "a//b", "a/", "a b"])
    expect(() => readConfig({ ...bucket, S3_PREFIX: prefix })).toThrow(/S3_PREFIX/);
});
