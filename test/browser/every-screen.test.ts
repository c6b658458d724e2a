import { beforeAll, expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { pathWithIds, screens, type SeededIds, seedScreens } from "./support/screens.ts";
import {
  findingsInOtherTheme,
  saveToken,
  seriousFindings,
  takeScreenshot,
  useVisits,
} from "./support/visit.ts";

const visit = useVisits();
let user: RegisteredUser;
let ids: SeededIds;

beforeAll(async () => {
  user = await visit.register("everywhere");
  ids = await seedScreens(user);
});

const screenshots = new Map([
  ["/workflows/:workflow", "builder"],
  ["/runs/:task", "run"],
  ["/workflows", "workflows"],
  ["/workflows/:workflow?trigger=trigger%3Aendpoint%3A:workflow", "endpoint"],
  ["/teams/:team/sessions/:session", "war-room"],
]);

test.each([
  [1440, "light"],
  [1024, "dark"],
  [390, "light"],
  // A window of 1440 pixels at 200 %.
  [720, "light"],
] as const)(
  "at %i pixels in the %s theme, no screen has a serious accessibility finding or overflows",
  async (width, theme) => {
    const page = await visit.open("/", { width, theme });
    await page.getByLabel("Email").waitFor();
    const findings: string[] = [];
    const check = async (path: string): Promise<void> => {
      if (width === 720) return;
      const found = await seriousFindings(page);
      // Colours do not depend on the width.
      if (width === 1440) found.push(...(await findingsInOtherTheme(page)));
      findings.push(...found.map((finding) => `${path} ${finding}`));
    };
    await check("sign-in");
    await saveToken(page, user.token);
    await page.reload();
    await page.locator("nav").first().waitFor({ state: "attached" });
    for (const [path, ready] of screens) {
      // Client-side navigation keeps axe loaded in the page.
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(pathWithIds(path, ids))})`);
      await page.locator(ready).first().waitFor();
      const name = screenshots.get(path);
      if (name !== undefined && width !== 1440) await takeScreenshot(page, `${name}-${width}-${theme}`);
      await check(path);
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (overflow > 0) findings.push(`${path} is ${overflow} pixels wider than the window`);
      // The buttons at the end of its rows would be out of sight.
      const hidden = await page.evaluate<number>(
        `Math.max(0, ...[...document.querySelectorAll(".scroll-x")].map((list) => list.scrollWidth - list.clientWidth))`,
      );
      if (hidden > 0) findings.push(`${path} has a list that is ${hidden} pixels too wide`);
    }
    expect(findings).toEqual([]);
  },
  // Every screen: over two minutes on a busy machine.
  400_000,
);
