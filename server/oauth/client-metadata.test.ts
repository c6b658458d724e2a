import { expect, test } from "vitest";
import { readClientMetadata } from "./client-metadata.ts";

const redirect_uris = ["https://app.example/callback"];
const nameOf = (client_name?: string) =>
  readClientMetadata({ redirect_uris, ...(client_name !== undefined && { client_name }) }, "none").name;

test("a name is shown without invisible characters, and never longer than a line", () => {
  expect(nameOf("Claude")).toBe("Claude");
  expect(nameOf("Cl\u200Baude\u202Eedualc\n\tCode\0")).toBe("Claudeedualc Code");
  expect([...nameOf("😀".repeat(200))]).toHaveLength(80);
  expect(nameOf("クロード")).toBe("クロード");
});

test("a client without a readable name is called by the host to which it returns", () => {
  for (const name of [undefined, "", " \u200B "]) expect(nameOf(name)).toBe("app.example");
});

test("a name that mixes alphabets with look-alike letters is refused", () => {
  // The first letter is Cyrillic.
  for (const name of ["Сlaude", "Chаtgpt", "Clαude"]) expect(() => nameOf(name)).toThrow("mixes alphabets");
  expect(nameOf("Клод")).toBe("Клод");
});

test("only clients of the authorization code grant register, with a supported authentication", () => {
  const read = (more: object) => () => readClientMetadata({ redirect_uris, ...more }, "client_secret_basic");
  expect(read({})().authMethod).toBe("client_secret_basic");
  expect(read({ token_endpoint_auth_method: "private_key_jwt" })).toThrow("token_endpoint_auth_method");
  expect(read({ grant_types: ["client_credentials"] })).toThrow("grant_types");
  expect(read({ response_types: ["token"] })).toThrow("response_types");
});
