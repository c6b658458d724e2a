import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { registerUser } from "./support/test-app.ts";

const { app, alice } = await shareApp(["alice"]);

const named = async (name: string) =>
  (await alice.get("/api/variables?limit=200")).body.variables.find(
    (variable: { name: string }) => variable.name === name,
  );

test("a variable stores any JSON value and can be replaced", async () => {
  for (const value of ["text", "", 1.5, false, null, { a: [1, { b: "c" }] }]) {
    const response = await alice.put("/api/variables/base_url", { value });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      ok: true,
      variable: { name: "base_url", secret: false, value, updatedAt: expect.stringMatching(/Z$/) },
    });
    expect((await named("base_url")).value).toEqual(value);
  }
});

test("[S21] a secret is in no response and is encrypted in the database", async () => {
  const value = `hush-${randomBytes(12).toString("hex")}`;
  const put = await alice.put("/api/variables/apiKey", { value, secret: true });
  expect(put.body.variable).toEqual({ name: "apiKey", secret: true, updatedAt: expect.any(String) });
  const list = await alice.get("/api/variables?limit=200");
  expect(list.text).not.toContain(value);
  expect((await named("apiKey")).secret).toBe(true);
  for (const file of await readdir(app.dataDir)) {
    if (!file.startsWith("baton.sqlite")) continue;
    const bytes = await readFile(join(app.dataDir, file));
    for (const form of [value, Buffer.from(value).toString("base64"), Buffer.from(value).toString("hex")]) {
      expect(bytes.includes(form)).toBe(false);
    }
  }
});

test("a secret with a new value stays a secret unless the request says otherwise", async () => {
  await alice.put("/api/variables/kept", { value: "first", secret: true });
  expect((await alice.put("/api/variables/kept", { value: "second" })).body.variable.secret).toBe(true);
  const opened = await alice.put("/api/variables/kept", { value: "third", secret: false });
  expect(opened.body.variable.value).toBe("third");
});

test("creating a variable never replaces one or turns it into a secret; PUT does", async () => {
  const created = await alice.post("/api/variables", { name: "created", value: { a: 1 } });
  expect(created.status).toBe(201);
  expect(created.body.variable).toMatchObject({ name: "created", secret: false, value: { a: 1 } });
  for (const more of [{}, { secret: true }]) {
    const refused = await alice.post("/api/variables", { name: "created", value: "other", ...more });
    expect([refused.status, refused.body.error]).toEqual([409, "variable_exists"]);
  }
  expect(await named("created")).toMatchObject({ secret: false, value: { a: 1 } });
  expect((await alice.put("/api/variables/created", { value: "other" })).status).toBe(200);
  expect(await named("created")).toMatchObject({ value: "other" });
  expect((await alice.post("/api/variables", { name: "a.b", value: 1 })).status).toBe(400);
});

test("invalid names, sizes and kinds are rejected", async () => {
  for (const name of ["1st", "with%20space", "a.b", "__proto__", "constructor", "x".repeat(101), "ü"]) {
    const response = await alice.put(`/api/variables/${name}`, { value: "v" });
    expect(response.status).toBe(400);
  }
  const longest = "x".repeat(64 * 1024);
  expect((await alice.put("/api/variables/long", { value: longest })).status).toBe(200);
  for (const body of [
    {},
    { value: `${longest}x` },
    { value: 1, secret: true },
    { value: "", secret: true },
    { value: `${longest}x`, secret: true },
    { value: "v", secret: "yes" },
    { value: "half a pair: \ud800", secret: true },
  ]) {
    expect((await alice.put("/api/variables/refused", body)).status).toBe(400);
  }
  expect(await named("refused")).toBeUndefined();
});

test("a variable is deleted by name, and a second delete is 404", async () => {
  await alice.put("/api/variables/passing", { value: 1 });
  expect((await alice.delete("/api/variables/passing")).body).toEqual({ ok: true });
  const again = await alice.delete("/api/variables/passing");
  expect(again.status).toBe(404);
  expect(again.body.error).toBe("variable_not_found");
});

test("variable names are separate per user and listed by name in pages", async () => {
  const bob = await registerUser(app, "bob");
  for (const name of ["c", "a", "b"]) await bob.put(`/api/variables/${name}`, { value: name });
  const first = await bob.get("/api/variables?limit=2");
  const second = await bob.get(`/api/variables?limit=2&cursor=${first.body.nextCursor}`);
  const names = [...first.body.variables, ...second.body.variables].map(({ name }: { name: string }) => name);
  expect(names).toEqual(["a", "b", "c"]);
  expect(second.body.nextCursor).toBeNull();
  expect((await bob.delete("/api/variables/base_url")).status).toBe(404);
});

test("saving a workflow warns about placeholders of other tools and unknown providers", async () => {
  const steps = [
    { stepId: "call", type: "http", url: "https://a.example/${name}" },
    { stepId: "ask", type: "llm", prompt: "Hello", provider: "opnai" },
  ];
  const { body } = await alice.post("/api/workflows", { name: "x", metadata: { steps, edges: [] } });
  expect(body.warnings).toMatchObject([
    { code: "no_edges" },
    { code: "unknown_provider", stepId: "ask" },
    { code: "template_literal", stepId: "call" },
  ]);
});

test("saving a workflow warns about variables and secrets that do not exist", async () => {
  await alice.put("/api/variables/shop", { value: "lamps" });
  await alice.put("/api/variables/shop_key", { value: "s3cret", secret: true });
  const call = (stepId: string, url: string, key: string) => ({
    stepId,
    type: "http",
    url,
    headers: { authorization: `Bearer {{secrets.${key}}}` },
  });
  const steps = [
    call("right", "https://{{vars.shop}}.example", "shop_key"),
    {
      stepId: "each",
      type: "foreach",
      items: [1],
      steps: [call("wrong", "https://{{vars.shp}}", "shop_kye")],
    },
    { stepId: "script", type: "code", code: "return vars.shap", secrets: ["shop"] },
  ];
  const { body } = await alice.post("/api/workflows", { name: "x", metadata: { steps, edges: [] } });
  const warning = (stepId: string, what: string) => ({
    code: "unknown_variable",
    stepId,
    message: `Step "${stepId}" refers to the ${what}, which does not exist and is empty in a run. Create it under Variables, or correct the name.`,
  });
  expect(body.warnings.filter(({ code }: { code: string }) => code === "unknown_variable")).toEqual([
    warning("wrong", 'variable "shp"'),
    warning("script", 'variable "shap"'),
    warning("wrong", 'secret "shop_kye"'),
    warning("script", 'secret "shop"'),
  ]);
});
