import { expect, test } from "vitest";
import { useVisits } from "./support/visit.ts";
import { weigh } from "./support/weight.ts";

const visit = useVisits();
const KB = 1000;

// The step panel and the editor of its fields are loaded when a step is opened.
test("home loads less than 130 kB, and the builder less than 325 kB in all", async () => {
  const user = await visit.register("light");
  const { body } = await user.post("/api/workflows", {
    name: "Light",
    metadata: { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] },
  });
  const page = await visit.open("/documents", { user });
  // What that screen still loads must not count.
  await page.waitForLoadState("networkidle");
  // Nor what the page loads some seconds later, which a slow machine would count.
  await page.addInitScript(() => {
    const start = setTimeout;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0) => start(run, ms >= 3000 ? 600_000 : ms),
    });
  });
  const weight = weigh(page);
  await page.goto(`${visit.base}/`);
  await page.getByRole("link", { name: "Light" }).waitFor();
  const first = weight.total();
  expect(first).toBeGreaterThan(20 * KB);
  expect(first).toBeLessThan(130 * KB);
  await page.getByRole("link", { name: "Light" }).click();
  await page.locator(".react-flow__node-step").waitFor();
  expect(page.url()).toContain(body.workflow.id);
  expect(weight.total() - first).toBeGreaterThan(20 * KB);
  expect(weight.total()).toBeLessThan(325 * KB);
});
