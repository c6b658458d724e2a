import { expect, test } from "vitest";
import { createLinkId } from "../engine/run/control/approval-notice.ts";
import { createSignedLinks } from "./signed-links.ts";

const id = createLinkId();
const links = createSignedLinks("approval link", ["a secret"]);

test("a token contains its id, and only its own text verifies", () => {
  const token = links.tokenOf(id);
  expect(links.verify(token)).toBe(id);
  const [, signature = ""] = token.split(".");
  for (const wrong of [
    "",
    id,
    `${id}.`,
    `${id}.${signature.slice(0, -1)}`,
    `${token}x`,
    `${createLinkId()}.${signature}`,
    `${id}.${"A".repeat(43)}`,
    `${id}.${signature}=`,
  ])
    expect(links.verify(wrong), wrong).toBeUndefined();
});

test("a token of another purpose or another secret does not verify, one of a previous secret does", () => {
  const token = links.tokenOf(id);
  expect(createSignedLinks("other", ["a secret"]).verify(token)).toBeUndefined();
  expect(createSignedLinks("approval link", ["another secret"]).verify(token)).toBeUndefined();
  expect(createSignedLinks("approval link", ["new secret", "a secret"]).verify(token)).toBe(id);
});
