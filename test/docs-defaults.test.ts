import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { environmentSchema } from "../server/environment.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const defaults: Readonly<Record<string, unknown>> = {
  // server/telemetry applies the defaults of these two.
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_SERVICE_NAME: "baton",
  ...environmentSchema.parse({}),
};

/** Settings of the text with another value than the default of the code. */
function wrongDefaults(stated: Iterable<RegExpMatchArray>): string[] {
  const wrong: string[] = [];
  for (const [, name = "", value = ""] of stated) {
    const inCode = defaults[name];
    if (String(inCode) !== value) wrong.push(`${name}: ${value}, but ${String(inCode)} in the code`);
  }
  return wrong;
}

test("the page of settings states the defaults of the code", () => {
  const stated = [...read("docs/reference/settings.md").matchAll(/^\| `([A-Z0-9_]+)` \| `([^`]+)` \|/gm)];
  expect(stated.length).toBeGreaterThan(60);
  expect(wrongDefaults(stated)).toEqual([]);
});

test(".env.example states the defaults of the code as numbers", () => {
  const stated = [...read(".env.example").matchAll(/^# ([A-Z0-9_]+)=(\d+)$/gm)];
  expect(stated.length).toBeGreaterThan(50);
  expect(wrongDefaults(stated)).toEqual([]);
});
