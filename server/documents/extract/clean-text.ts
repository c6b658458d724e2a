import { replaceControls } from "../../lib/text-decoder.ts";

/** NFKC expands ligatures and full-width forms. PostgreSQL rejects control characters and lone surrogates in text. */
export function cleanText(text: string): string {
  return replaceControls(text)
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/\u00ad/g, "")
    .normalize("NFKC")
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A title in the file's own properties, when it has one. */
export function cleanTitle(title: string | undefined): string | undefined {
  const clean = cleanText(title ?? "").slice(0, 300);
  return clean === "" ? undefined : clean;
}
