import { expect, test } from "vitest";
import { readMessage } from "./read-message.ts";

const textOf = async (html: string) =>
  (await readMessage(Buffer.from(`Subject: x\nContent-Type: text/html\n\n${html}`), false)).fields["text"];

test("HTML is read up to the depth limit, and ordinary nesting is far below it", async () => {
  const nested = (levels: number) => `Hello ${"<b>".repeat(levels)}deep${"</b>".repeat(levels)} end`;
  expect(await textOf(nested(400))).toBe("Hello deep end");
  // Without the limit, such a message takes 18 s.
  expect(await textOf(`Hello ${"<b>".repeat(80_000)}deep${"</i>".repeat(50_000)}`)).toBe("Hello");
});

test("elements beside each other do not count as depth", async () => {
  expect(await textOf(`${"<p>a<br>b</p><img>".repeat(600)}end`)).toMatch(/end$/);
});

test("a long run of spaces is one space", async () => {
  expect(await textOf(`a${" <!>".repeat(100_000)}b<br>c`)).toBe("a b\nc");
});
