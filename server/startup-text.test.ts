import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { startupText } from "./startup-text.ts";

const text = (environment: Record<string, string>, setupCode?: string) =>
  startupText(readConfig(environment), "http://127.0.0.1:3000", setupCode);

test("names the addresses of the page and of the API documentation", () => {
  expect(text({})).toContain("http://127.0.0.1:3000/\n");
  expect(text({})).toContain("http://127.0.0.1:3000/api/docs\n");
});

test("says whether workflows can call private addresses, and why", () => {
  expect(text({})).toContain("open to workflows, because only this machine can reach Baton");
  expect(text({ HOST: "0.0.0.0", TRUST_PROXY: "1" })).toContain(
    "closed to workflows, because others can reach Baton (HOST, TRUST_PROXY)\n",
  );
  expect(text({ PUBLIC_URL: "https://baton.example.com", EGRESS_ALLOW: "10.0.0.5,nas.local" })).toContain(
    "(PUBLIC_URL), except 10.0.0.5, nas.local (EGRESS_ALLOW)\n",
  );
});

test("says in one paragraph what is open while others can reach the service", () => {
  expect(text({})).not.toContain("Others can reach");
  const first = text({ HOST: "0.0.0.0" }, "12345-67890");
  expect(first).toContain("needs the set-up code 12345-67890.");
  expect(first).toContain("/metrics and the API documentation are open");
  expect(first).toContain("Private addresses are closed to workflows.");
  expect(text({ HOST: "0.0.0.0" })).toContain("Registration is closed.");
  expect(text({ HOST: "0.0.0.0", ALLOW_REGISTRATION: "true" })).toContain("Registration is open to everyone");
  expect(text({ PUBLIC_URL: "https://baton.example.com" })).toContain("Registration is open to everyone");
});
