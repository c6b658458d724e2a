import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCodes, warningCodes } from "../contract/graph.ts";
import { stepTypes } from "../contract/steps/catalogue.ts";
import { taskStatusSchema } from "../contract/tasks.ts";
import { statusOf } from "../server/http/errors.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the page of settings names every setting of .env.example and no other", () => {
  const settings = [...read(".env.example").matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  const documented = [...read("docs/reference/settings.md").matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(settings.length).toBeGreaterThan(40);
  expect(documented.toSorted()).toEqual(settings.toSorted());
});

test("the page of errors gives every code the status it has", () => {
  const rows = [...read("docs/reference/errors.md").matchAll(/^\| (\d{3}) \| `([a-z_]+)` \|/gm)];
  expect(rows.length).toBeGreaterThan(45);
  for (const [, status, code = ""] of rows) expect([code, statusOf(code)]).toEqual([code, Number(status)]);
  const documented = new Set(rows.map(([, , code]) => code));
  const register = read("test/conformance/contract-lines.test.ts");
  const catalogue = /const catalogue[^{]*\{([^}]+)\}/.exec(register)?.[1] ?? "";
  const codes = [...catalogue.matchAll(/[a-z]+(?:_[a-z]+)*/g)].map(([code]) => code);
  expect(codes.length).toBeGreaterThan(40);
  const named = codes.filter((code) => !/^(workflow|task|document)_not_found$/.test(code));
  expect(named.filter((code) => !documented.has(code))).toEqual([]);
});

test("the page of errors names every graph problem", () => {
  const page = read("docs/reference/errors.md");
  expect([...errorCodes, ...warningCodes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test("the pages of step types and statuses name all of them", () => {
  const types = read("docs/reference/step-types.md");
  expect(stepTypes.map(({ type }) => type).filter((type) => !types.includes(`| \`${type}\``))).toEqual([]);
  const statuses = read("docs/reference/statuses.md");
  expect(taskStatusSchema.options.filter((status) => !statuses.includes(`| \`${status}\` |`))).toEqual([]);
});
