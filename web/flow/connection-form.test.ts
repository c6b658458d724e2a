import { expect, test } from "vitest";
import { connectionSecrets, connectionSettings, CONNECTION_KINDS } from "../../contract/connections.ts";
import { signInLabel } from "./connection-error.ts";
import { authFields } from "./app-auth-fields.ts";
import { applyingFields, hostOf, initialValues, writtenValues } from "./connection-form.ts";
import { connectionKindForms, connectionKinds } from "./connection-kinds.ts";

test("every kind of the service has a form, and every field is one of its settings or secrets", () => {
  expect(connectionKinds.toSorted()).toEqual(CONNECTION_KINDS.toSorted());
  for (const kind of connectionKinds)
    for (const { name, secret } of connectionKindForms[kind].fields)
      expect(Object.keys((secret ? connectionSecrets : connectionSettings)[kind].shape)).toContain(name);
});

test("settings and secrets are written apart, in their types, without empty fields", () => {
  const { fields } = connectionKindForms.smtp;
  const values = { ...initialValues(fields), host: " mail.example.com ", user: "ada", password: "secret" };
  expect(writtenValues(fields, values)).toEqual({
    settings: { host: "mail.example.com", port: 465, security: "tls", user: "ada" },
    secrets: { password: "secret" },
  });
  const oauth = connectionKindForms.oauth2.fields;
  expect(writtenValues(oauth, { scopes: "read, write", audience: " " }).settings).toEqual({
    scopes: ["read", "write"],
  });
});

test("headers are read from lines; a line that is none is a problem of that field", () => {
  const { fields } = connectionKindForms.headers;
  expect(writtenValues(fields, { headers: "X-Key: a\nX-Tenant: b" }).secrets).toEqual({
    headers: { "X-Key": "a", "X-Tenant": "b" },
  });
  expect(writtenValues(fields, { headers: "a key" }).problem).toMatchObject({ field: "headers" });
});

test("a grant without a sign-in has no authorization URL, and does not send a typed one", () => {
  const { fields } = connectionKindForms.oauth2;
  const values = {
    grant: "client_credentials",
    authorizationUrl: "https://a.example",
    tokenUrl: "https://t.example",
  };
  expect(applyingFields(fields, values).map(({ name }) => name)).not.toContain("authorizationUrl");
  expect(writtenValues(fields, values).settings).not.toHaveProperty("authorizationUrl");
});

test("an app asks only for the credential, with its own words", () => {
  expect(authFields({ kind: "basic", username: "Email", password: "API token" })).toMatchObject([
    { name: "username", label: "Email" },
    { name: "password", label: "API token", secret: true },
  ]);
  expect(authFields({ kind: "bearer", title: "Bot token" })).toMatchObject([
    { label: "Bot token", secret: true },
  ]);
});

test.each([
  ["https://api.example.com/me", "api.example.com"],
  ["https://api.example.com:8443/me", "api.example.com:8443"],
  ["http://localhost/me", "localhost:80"],
  ["http://127.0.0.1:4102/me", "127.0.0.1:4102"],
  ["https:", ""],
  ["", ""],
])("the host of the test address %j is %j", (url, host) => {
  expect(hostOf(url)).toBe(host);
});

test("a connection whose sign-in has ended is reconnected; a new one is connected", () => {
  expect(signInLabel({ status: "authorization_needed", problem: null })).toBe("Connect");
  expect(signInLabel({ status: "authorization_needed", problem: { message: "invalid_grant" } })).toBe(
    "Reconnect",
  );
  expect(signInLabel({ status: "connected", problem: null })).toBe("Reconnect");
});
