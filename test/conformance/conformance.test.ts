import { expect, test } from "vitest";
import { errorCodes, warningCodes } from "../../contract/graph.ts";
import { stepTypes } from "../../contract/steps/catalogue.ts";
import { useTestApp } from "../support/test-app.ts";
import { linesOf, problemsOf, read, testFiles } from "./proofs.ts";

const promises = linesOf(read("docs/conformance.md"));
const said = promises.map(({ promise }) => promise).join("\n");

test("every line of docs/conformance.md, docs/security.md and docs/durability.md names tests that exist", () => {
  expect(promises.length).toBeGreaterThan(150);
  const documents = ["docs/conformance.md", "docs/security.md", "docs/durability.md"];
  expect(documents.flatMap(problemsOf)).toEqual([]);
});

test("every number in a test's name stands in a line of docs/security.md or docs/durability.md", () => {
  const numbered = [...linesOf(read("docs/security.md")), ...linesOf(read("docs/durability.md"))];
  const known = new Set(numbered.map(({ id }) => id));
  const used = testFiles().flatMap((file) =>
    [...read(file).matchAll(/\[([RS]\d+)\] /g)].map(([, id]) => `${id} in ${file}`),
  );
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((use) => !known.has(use.split(" ")[0]!))).toEqual([]);
});

test("no line stands there twice", () => {
  const ids = promises.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test("every route of the OpenAPI document stands in a line", async () => {
  const app = await useTestApp();
  const { paths } = (await app.anonymous.get("/api/openapi.json")).body;
  const routes = Object.entries<object>(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `\`${verb.toUpperCase()} ${path}\``),
  );
  expect(routes.filter((route) => !said.includes(route))).toEqual([]);
});

test("every error code of the service stands in a line", () => {
  const table = /const STATUS[^{]*\{([^}]+)\}/.exec(read("server/http/errors.ts"))?.[1] ?? "";
  const codes = [...table.matchAll(/^\s+([a-z_]+):/gm)].map((match) => match[1]!);
  expect(codes.length).toBeGreaterThan(40);
  // Those that are no more than their status are named by it.
  const plain = new Set(["payload_too_large"]);
  expect(codes.filter((code) => !plain.has(code) && !said.includes(`\`${code}\``))).toEqual([]);
});

test("every step type and every code of a graph's problems stands in a line", () => {
  for (const { type } of stepTypes) expect([type, said.includes(`\`${type}\``)]).toEqual([type, true]);
  for (const code of [...errorCodes, ...warningCodes])
    expect([code, said.includes(`\`${code}\``)]).toEqual([code, true]);
});

test("every security line from 1 to 34 is proved or said not to apply, and carries its number in its tests", () => {
  const text = read("docs/security.md");
  const lines = new Map(linesOf(text).map((line) => [line.id, line]));
  for (let number = 1; number <= 34; number += 1) {
    const line = lines.get(`S${number}`);
    if (line === undefined) expect(text).toContain(`- **S${number}**:`);
    else
      for (const { title } of line.proofs)
        expect([title, title.includes(`[S${number}]`)]).toEqual([title, true]);
  }
});
