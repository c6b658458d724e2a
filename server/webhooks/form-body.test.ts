import { expect, test, vi } from "vitest";
import { parseForm } from "./form-body.ts";

const MULTIPART = "multipart/form-data; boundary=b";
const file = '--b\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n\r\n';

test("a form with too many files is refused before one is stored", async () => {
  const save = vi.fn<() => Promise<null>>(async () => null);
  const body = (files: number) => Buffer.from(`${file.repeat(files)}--b--\r\n`);
  await expect(parseForm(MULTIPART, body(1001), save)).rejects.toThrow("more than 1000 fields");
  expect(save).not.toHaveBeenCalled();
  expect(await parseForm(MULTIPART, body(2), save)).toEqual({ a: [null, null] });
});

test("a file may contain the words of a form any number of times", async () => {
  const log = "POST /users multipart/form-data\n".repeat(1001);
  const body = Buffer.from(`${file.trimEnd()}\r\n\r\n${log}\r\n--b--\r\n`);
  expect(await parseForm(MULTIPART, body, async ({ size }) => size)).toEqual({ a: log.length });
});

test("fields are counted before the form is parsed", async () => {
  const body = Buffer.from(`${"a&".repeat(1001)}%`);
  await expect(parseForm("application/x-www-form-urlencoded", body, async () => null)).rejects.toThrow(
    "1000 fields",
  );
});
