import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

function coverageOf(workflows: { type: string; parameters?: object }[][], ...args: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-n8n-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [at, nodes] of workflows.entries())
    writeFileSync(join(folder, `${at}.json`), JSON.stringify({ nodes, connections: {} }));
  writeFileSync(join(folder, "package.json"), '{"name": "no workflow"}');
  writeFileSync(join(folder, "broken.json"), "{");
  return execFileSync(process.execPath, ["scripts/n8n-coverage.mjs", folder, ...args], { encoding: "utf8" });
}

const base = (name: string, parameters = {}) => ({ type: `n8n-nodes-base.${name}`, parameters });

const corpus = [
  [base("webhook"), base("set"), base("httpRequest", { authentication: "none" }), base("stickyNote")],
  [base("scheduleTrigger"), base("slack", { resource: "message" })],
  [base("slackTrigger"), base("gmail")],
  [base("manualTrigger"), base("code", { language: "python" })],
  [
    base("manualTrigger"),
    base("httpRequest", { authentication: "predefinedCredentialType", nodeCredentialType: "gmailOAuth2" }),
    base("postgres"),
  ],
  [base("webhook"), { type: "n8n-nodes-community.set" }],
];

test("a workflow of n8n counts only if every node has a counterpart, and missing nodes are counted", () => {
  const report = coverageOf(corpus);
  expect(report).toContain("workflows    6\n");
  expect(report).toContain("expressible  2 (33.3 %)");
  expect(report).toMatch(/^ +1 +1 {2}n8n-nodes-base\.slack$/m);
  expect(report).toMatch(/^ +1 +0 {2}n8n-nodes-base\.gmail$/m);
  for (const type of ["base.code", "community.set"])
    expect(report).toMatch(new RegExp(`^ +1 +1 {2}n8n-nodes-${type.replace(".", "\\.")}$`, "m"));
});

test("with the names of apps, their nodes and triggers count as well", () => {
  expect(coverageOf(corpus, "--apps", "slack")).toContain("expressible  3 (50.0 %)");
  expect(coverageOf(corpus, "--apps", "slack,gmail")).toContain("expressible  4 (66.7 %)");
});
