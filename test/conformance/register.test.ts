import { expect, test } from "vitest";
import { API_ERRORS } from "../../contract/errors.ts";
import { errorCodes, warningCodes } from "../../contract/graph.ts";
import { stepTypes } from "../../contract/steps/catalogue.ts";
import { useTestApp } from "../support/test-app.ts";
import { missingProofs, read, testFiles } from "./proofs.ts";
import { apiSections, guardSections, REGISTER_FILE, renderRegister } from "./register.ts";
import type { Section } from "./promises/section.ts";

const promisesOf = (sections: Section[]) => sections.flatMap(({ promises }) => promises);
const apiPromises = promisesOf(apiSections);
const apiText = apiPromises.map(({ text }) => text).join("\n");

test("every line of the register names tests that exist", () => {
  expect(apiPromises.length).toBeGreaterThan(150);
  expect(missingProofs([...apiSections, ...guardSections])).toEqual([]);
});

test("the generated register is up to date (npm run conformance -- --write)", () => {
  expect(read(REGISTER_FILE)).toBe(renderRegister());
});

test("every guard id in a test title is a line of the register", () => {
  const known = new Set(promisesOf(guardSections).map(({ id }) => id));
  const used = testFiles().flatMap((file) =>
    [...read(file).matchAll(/\[([RS]\d+)\] /g)].map(([, id]) => `${id} in ${file}`),
  );
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((use) => !known.has(use.split(" ")[0]!))).toEqual([]);
});

test("every line has a unique id", () => {
  const ids = promisesOf([...apiSections, ...guardSections]).map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test("every route of the OpenAPI document is in a line", async () => {
  const app = await useTestApp();
  const { paths } = (await app.anonymous.get("/api/openapi.json")).body;
  const routes = Object.entries<object>(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `\`${verb.toUpperCase()} ${path}\``),
  );
  expect(routes.filter((route) => !apiText.includes(route))).toEqual([]);
});

test("every error code of the service is in a line", () => {
  const codes = Object.keys(API_ERRORS);
  expect(codes.length).toBeGreaterThan(40);
  // The lines name this one by its status, 413.
  const plain = new Set(["payload_too_large"]);
  expect(codes.filter((code) => !plain.has(code) && !apiText.includes(`\`${code}\``))).toEqual([]);
});

test("every step type and every graph problem is in a line", () => {
  for (const { type } of stepTypes) expect([type, apiText.includes(`\`${type}\``)]).toEqual([type, true]);
  for (const code of [...errorCodes, ...warningCodes])
    expect([code, apiText.includes(`\`${code}\``)]).toEqual([code, true]);
});

test("every security guard from S1 to S35 is proved or marked as not applicable, and its tests carry its id", () => {
  const [security] = guardSections;
  const guards = new Map(security!.promises.map((guard) => [guard.id, guard]));
  const notApplicable = new Set(security!.notApplicable?.map(({ id }) => id));
  for (let number = 1; number <= 35; number += 1) {
    const id = `S${number}`;
    const guard = guards.get(id);
    expect([id, guard !== undefined || notApplicable.has(id)]).toEqual([id, true]);
    for (const proof of guard?.proofs ?? []) expect(proof).toContain(`[${id}]`);
  }
});
