import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { API_ERRORS } from "../contract/errors.ts";
import { errorCodes, warningCodes } from "../contract/graph.ts";
import { stepTypes } from "../contract/steps/catalogue.ts";
import { taskStatusSchema, triggerSchema } from "../contract/tasks.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the page of settings names every setting of .env.example and no other", () => {
  const settings = [...read(".env.example").matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  const documented = [...read("docs/reference/settings.md").matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(settings.length).toBeGreaterThan(40);
  expect(documented.toSorted()).toEqual(settings.toSorted());
});

test("the page of errors lists every code of the API with its status", () => {
  const rows = [...read("docs/reference/errors.md").matchAll(/^\| (\d{3}) \| `([a-z_]+)` \|/gm)];
  const documented = Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]));
  const statuses = Object.entries(API_ERRORS).map(([code, { status }]) => [code, status]);
  expect(documented).toEqual(Object.fromEntries(statuses));
});

test("the page of errors lists every code of a step", () => {
  const [, table = ""] = /const STEP_ERRORS = \{([\s\S]+?)\n\}/.exec(read("contract/errors.ts")) ?? [];
  const codes = [...table.matchAll(/^ {2}([a-z_]+):/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(30);
  const page = read("docs/reference/errors.md");
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
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
  expect(triggerSchema.options.filter((trigger) => !statuses.includes(`\`${trigger}\``))).toEqual([]);
});
