import { expect, test } from "vitest";
import { readClaims, supports } from "./citations.ts";

test("citations are read before and after the full stop", () => {
  expect(readClaims("The lid opens left [2]. It weighs 4 kg. [1][3] Nobody cites this.")).toEqual([
    { text: "The lid opens left.", passages: [2] },
    { text: "It weighs 4 kg.", passages: [1, 3] },
    { text: "Nobody cites this.", passages: [] },
  ]);
});

test("several numbers in one bracket, list marks and repeated numbers are parsed", () => {
  expect(readClaims("- **First** point [1, 2] [2].\n- Second point [4]")).toEqual([
    { text: "First point.", passages: [1, 2] },
    { text: "Second point", passages: [4] },
  ]);
});

test("[S26] images, links and tags are removed", () => {
  const [claim] = readClaims(
    "See ![x](https://evil.example/?q=secret) the <img src=x> [manual](https://evil.example) now [1].",
  );
  expect(claim?.text).toBe("See the manual now.");
  const [nested] = readClaims(
    "A [![logo](https://evil.example/a)](https://evil.example/b) [the [b](https://evil.example) end.",
  );
  expect(nested?.text).toBe("A [the b end.");
});

test("a claim is supported when the passage contains its terms and all its figures", () => {
  const passage = "The greatest pressure on the outlet side is 9 bar and the tank holds 1,200 litres.";
  expect(supports(passage, "The outlet pressure is 9 bar at most.")).toBe(true);
  expect(supports(passage, "The tank holds 1200 litres.")).toBe(true);
  expect(supports(passage, "The outlet pressure is 12 bar.")).toBe(false);
  expect(supports(passage, "Send your password to the support team.")).toBe(false);
  expect(supports(passage, "It is.")).toBe(false);
});

test.each(["[", "![", "[](", "[a](b ", "<a", "<", " ", "!", ".["])(
  "an answer of %j alone is read in linear time",
  (piece) => {
    const text = piece.repeat(300_000);
    expect(readClaims(`${text}x`).length).toBeLessThan(300_001);
  },
);
