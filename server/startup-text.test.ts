import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { startupText } from "./startup-text.ts";

const text = (environment: Record<string, string>) =>
  startupText(readConfig(environment), "http://127.0.0.1:3000");

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
