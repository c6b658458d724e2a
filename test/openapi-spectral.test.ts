import { expect, test } from "vitest";
import { lintWithSpectral } from "./support/openapi-linters.ts";
import { useTestApp } from "./support/test-app.ts";

test("Spectral finds nothing with its recommended rules", async () => {
  const app = await useTestApp();
  const source = (await app.anonymous.get("/api/openapi.json")).text;
  // Redocly has compared the examples with their schemas: a second time would take four times as long as all other rules.
  expect(await lintWithSpectral(source, ["oas3-valid-media-example"])).toEqual([]);
});
