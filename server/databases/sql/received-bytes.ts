import { outputTooLarge } from "../../limits/limit-reached.ts";

export function tooManyBytes(maxBytes: number) {
  return outputTooLarge(
    "value_bytes",
    `The database sent more than ${maxBytes} bytes. Select fewer columns or rows, or use as: file.`,
  );
}
