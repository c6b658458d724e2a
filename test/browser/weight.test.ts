import { expect, test } from "vitest";
import { useVisits } from "./support/visit.ts";
import { weigh } from "./support/weight.ts";

const visit = useVisits();
const KB = 1000;

test("the first screen loads less than 250 kB, and the builder adds less than 200 kB", async () => {
  const user = await visit.register("light");
  const { body } = await user.post("/api/workflows", {
    name: "Light",
    metadata: { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] },
  });
  const page = await visit.open("/documents", { user });
  const weight = weigh(page);
  await page.goto(`${visit.base}/workflows`);
  await page.getByRole("link", { name: "Light" }).waitFor();
  const first = weight.total();
  expect(first).toBeGreaterThan(20 * KB);
  expect(first).toBeLessThan(250 * KB);
  await page.getByRole("link", { name: "Light" }).click();
  await page.locator(`.react-flow__node`).waitFor();
  expect(page.url()).toContain(body.workflow.id);
  expect(weight.total() - first).toBeGreaterThan(20 * KB);
  expect(weight.total() - first).toBeLessThan(200 * KB);
});
