import PostalMime, { type Address, type Email } from "postal-mime";
import type { Reader } from "../document-content.ts";
import { cleanText, cleanTitle } from "../clean-text.ts";
import { allBytes } from "../document-content.ts";
import { type Block, shorten, toSectionPages } from "../section-pages.ts";
import { htmlBlocks } from "./html.ts";
import { paragraphs } from "./text.ts";

export const readEmail: Reader = async (source) => {
  const email = await PostalMime.parse(await allBytes(source));
  const from = nameOf(email.from);
  const blocks: Block[] = [
    { kind: "page", location: from === "" ? "message" : `message from ${shorten(from)}` },
    ...headerBlocks(email),
    ...bodyBlocks(email),
  ];
  return { pages: toSectionPages(blocks), title: cleanTitle(email.subject) };
};

/** Questions ask who wrote what to whom, and when. */
function headerBlocks(email: Email): Block[] {
  const names = (addresses: readonly Address[] | undefined): string =>
    (addresses ?? []).map(nameOf).filter(Boolean).join(", ");
  const attachments = email.attachments.map(({ filename }) => filename ?? "").filter(Boolean);
  const lines: [string, string][] = [
    ["From", nameOf(email.from)],
    ["To", names(email.to)],
    ["Cc", names(email.cc)],
    ["Date", email.date ?? ""],
    ["Attachments", attachments.join(", ")],
  ];
  const subject = email.subject ?? "";
  return [
    ...(cleanText(subject) === "" ? [] : [{ kind: "heading" as const, text: subject, level: 1 }]),
    ...lines.flatMap(([label, text]) =>
      text === "" ? [] : [{ kind: "line" as const, text: `${label}: ${text}` }],
    ),
  ];
}

/** The plain text, else the HTML without its markup. */
function bodyBlocks({ text, html }: Email): Block[] {
  if (text !== undefined && text.trim() !== "")
    return [...paragraphs(text)].map((line) => ({ kind: "line", text: line.text }));
  return html === undefined ? [] : htmlBlocks(html).blocks;
}

function nameOf(address: Address | undefined): string {
  if (address === undefined) return "";
  const { name, address: mailbox } = address as { name?: string; address?: string };
  return name && mailbox ? `${name} <${mailbox}>` : (name ?? "") || (mailbox ?? "");
}
