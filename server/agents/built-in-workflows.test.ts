import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { builtInWorkflows } from "./built-in-workflows.ts";

test("every workflow that a module of agents exports is listed, under an id of its own", async () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[\w-]+\.ts$/.test(name));
  const modules = await Promise.all(
    files.map((name) => import(`./${name}`) as Promise<Record<string, unknown>>),
  );
  const exported = modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.endsWith("Workflow"))
    .map(([, workflow]) => workflow);
  expect(exported.length).toBeGreaterThan(0);
  expect(new Set(builtInWorkflows)).toEqual(new Set(exported));
  expect(new Set(builtInWorkflows.map(({ id }) => id)).size).toBe(exported.length);
});
