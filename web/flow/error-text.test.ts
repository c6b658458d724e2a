import { expect, test } from "vitest";
import { errorText } from "./error-text.ts";

test("an error names a field as the step panel does, unless the type does not have it", () => {
  const message = 'The field "topK" must be a whole number from 1 to 20.';
  expect(errorText(message, "document_query")).toBe(
    "The field “Passages to use” must be a whole number from 1 to 20.",
  );
  expect(errorText(message, "foreach")).toBe(message);
  expect(errorText(message, undefined)).toBe(message);
  expect(errorText('No file has the field "topK".', "document_query")).toBe('No file has the field "topK".');
});
