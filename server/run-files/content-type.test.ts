import { expect, test } from "vitest";
import { contentTypeOf } from "./content-type.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n....", "latin1");
const PROGRAM = Buffer.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0]);

test("the content decides over the name and the declared type", () => {
  expect(contentTypeOf(PNG, "text/csv", "orders.csv")).toBe("image/png");
  expect(contentTypeOf(PROGRAM, "image/png", "photo.png")).toBe("application/octet-stream");
  expect(contentTypeOf(PROGRAM, "text/csv; charset=utf-8", "orders.csv")).toBe("application/octet-stream");
  expect(contentTypeOf(Buffer.from("MZ is a name,1"), "application/pdf", "a.pdf")).toBe("text/plain");
});

test("the declared type, then the name, decides between kinds of text and archives", () => {
  expect(contentTypeOf(Buffer.from("a,b\n1,2\n"), "text/csv; charset=utf-8", "x")).toBe("text/csv");
  expect(contentTypeOf(Buffer.from("a,b\n"), "application/octet-stream", "x.csv")).toBe("text/csv");
  expect(contentTypeOf(Buffer.from("a,b\n"), "text/plain", "x.csv")).toBe("text/csv");
  expect(contentTypeOf(Buffer.from("a"), undefined, "x")).toBe("text/plain");
  expect(contentTypeOf(Buffer.from("a"), undefined, "x.constructor")).toBe("text/plain");
  const zip = Buffer.from("PK\x03\x04....", "latin1");
  expect(contentTypeOf(zip, undefined, "book.xlsx")).toContain("spreadsheetml");
  expect(contentTypeOf(zip, "text/plain", "notes.txt")).toBe("application/zip");
});
