import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), "utf8");

test(".env.example names every setting of environment.ts and no other", async () => {
  const schema =
    /environmentSchema = z\.object\(\{(.*?)\n\}\);/s.exec(await read("server/environment.ts"))?.[1] ?? "";
  const settings = [...schema.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map((match) => match[1]);
  const explained = [...(await read(".env.example")).matchAll(/^# ([A-Z0-9_]+)=/gm)].map((match) => match[1]);
  expect(settings.length).toBeGreaterThan(25);
  expect(new Set(explained)).toEqual(new Set(settings));
  expect(explained).toHaveLength(settings.length);
});
