import { expect, test } from "vitest";
import { decodeEntities, hasMarkup, markdownSigns, safeLink } from "./markdown-text.ts";

test("only full web and email addresses are links", () => {
  expect(safeLink("https://example.com/a?b=1")).toBe("https://example.com/a?b=1");
  expect(safeLink("mailto:ada@example.com")).toBe("mailto:ada@example.com");
  for (const href of [
    "javascript:alert(1)",
    " java\nscript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:https://example.com/1",
    "file:///etc/passwd",
    "/runs/1",
    "//example.com",
    "#a",
    "",
  ])
    expect([href, safeLink(href)]).toEqual([href, undefined]);
});

test("character references are decoded once, and unknown ones stay as written", () => {
  expect(decodeEntities("a &amp;lt; b &#39;c&#x27; &nbsp;&copy; &#0; &#9999999;")).toBe(
    "a &lt; b 'c' \u00a0&copy; &#0; &#9999999;",
  );
});

test("Markdown is recognised, and data and program text are not", () => {
  for (const text of [
    "The **total** is 4.",
    "```js\n1\n```",
    "See [the page](https://a.b).",
    "| a | b |\n|---|---|\n| 1 | 2 |",
  ])
    expect([text, markdownSigns(text)]).toEqual([text, "clear"]);
  for (const text of ["- a\n- b", "# Title\ntext", "1. a\n2. b", "# comment\nname: a\nlist:\n- b"])
    expect([text, markdownSigns(text)]).toEqual([text, "possible"]);
  for (const text of ["plain", "a,b\n1,2", "2 * 3 * 4", "a ** b ** c", '{"a": [1]}', "2026-01-01 ok", "---"])
    expect([text, markdownSigns(text)]).toEqual([text, "none"]);
});

test("a text that needs no formatting loads no parser", () => {
  for (const text of ["Hello. How can we help?", "Two\n\nparagraphs, 3 (three)."])
    expect([text, hasMarkup(text)]).toEqual([text, false]);
  for (const text of ["*a*", "- a", "1. a", "`a`", "https://a.b", "a\n===", "a &amp; b", "\\*"])
    expect([text, hasMarkup(text)]).toEqual([text, true]);
  expect(hasMarkup("*".repeat(20_001))).toBe(false);
  expect(markdownSigns("[a](https://b.c) ".repeat(100_000))).toBe("none");
});
