import { expect, test } from "vitest";
import { encodedForms } from "./secret-forms.ts";
import { MASK, redactInParts } from "./redact-value.ts";
import { createSecretSearch } from "./secret-search.ts";

// The letter 𐐀 has two code units and a lower case.
const SECRET = "Sésame𐐀 öffne-dich";
const forms = encodedForms([SECRET]);
const secrets = { forms, search: createSecretSearch(forms) };

function inParts<T>(value: T): { redacted: T; parts: number } {
  const work = redactInParts(value, secrets);
  for (let parts = 1; ; parts++) {
    const { done, value: redacted } = work.next();
    if (done === true) return { redacted, parts };
  }
}

const escaped = [...SECRET].map((char) => `\\u{${char.codePointAt(0)!.toString(16)}}`).join("");

test.each([
  ["plain", SECRET],
  ["upper case", SECRET.toUpperCase()],
  ["percent-encoded", encodeURIComponent(SECRET)],
  ["with escapes of JavaScript", escaped],
])("a secret in a long text is found wherever the text is divided: %s", (_name, form) => {
  for (let offset = -form.length - 1; offset < 2 * SECRET.length; offset++) {
    const [before, after] = ["é".repeat(64 * 1024 + offset), "\\n%41x".repeat(20)];
    const { redacted, parts } = inParts({ text: before + form + after });
    expect(redacted.text === before + MASK + after).toBe(true);
    expect(parts).toBeGreaterThan(4);
  }
});

test("a long list is redacted in parts", () => {
  const list = Array.from({ length: 20_000 }, (_, i) => ({ i }));
  expect(inParts(list).redacted).toBe(list);
  const { redacted, parts } = inParts([...list, { [SECRET]: [SECRET] }]);
  expect([redacted.at(-1), redacted.length]).toEqual([{ [MASK]: [MASK] }, 20_001]);
  expect(parts).toBeGreaterThan(30);
});
