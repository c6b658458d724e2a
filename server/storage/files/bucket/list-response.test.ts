import { expect, test } from "vitest";
import { parseListResponse } from "./list-response.ts";

test("a listing without ends is read in one go and is empty", () => {
  const xml = "<Contents>".repeat(400_000) + "<CommonPrefixes>".repeat(200_000);
  expect(parseListResponse(xml)).toEqual({ objects: [], folders: [], next: undefined });
});

test("elements end at their first end", () => {
  const xml =
    "<Contents><Key>a&amp;b</Key><Size>1</Size></Contents><x/><Contents><Key>c</Key></Contents><Contents>";
  expect(parseListResponse(xml).objects.map(({ key, bytes }) => [key, bytes])).toEqual([
    ["a&b", 1],
    ["c", 0],
  ]);
});
