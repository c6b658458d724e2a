import { Parser } from "htmlparser2";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { FileReference } from "../../../contract/file-reference.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";

const MAX_BODY_LENGTH = 500_000;
const MAX_ADDRESSES = 100;
const MAX_ATTACHMENTS = 100;

export interface AttachedFile {
  name: string;
  contentType: string;
  content: Uint8Array;
}

/** Stores a file for the run; undefined when it cannot be kept. */
export type KeepAttachment = (file: AttachedFile) => Promise<FileReference | undefined>;

/**
 * The fields of a message as the input of a run. `isCut`: the source is only the beginning of the message. Attachments are
 * described; with `keep` they are references to files.
 */
export async function readMessage(
  source: Uint8Array,
  isCut: boolean,
  keep?: KeepAttachment,
): Promise<Record<string, JsonValue>> {
  const email = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" });
  const attachments: JsonValue[] = [];
  for (const attachment of email.attachments.slice(0, MAX_ATTACHMENTS))
    attachments.push(await toAttachment(attachment, keep));
  return {
    messageId: email.messageId ?? "",
    inReplyTo: email.inReplyTo ?? "",
    subject: email.subject ?? "",
    from: toAddresses(email.from === undefined ? [] : [email.from])[0] ?? null,
    to: toAddresses(email.to),
    cc: toAddresses(email.cc),
    replyTo: toAddresses(email.replyTo),
    date: email.date ?? null,
    text: textOf(email).slice(0, MAX_BODY_LENGTH),
    html: (email.html ?? "").slice(0, MAX_BODY_LENGTH),
    attachments,
    isCut,
  };
}

async function toAttachment(
  { filename, mimeType, content }: Attachment,
  keep: KeepAttachment | undefined,
): Promise<JsonValue> {
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const described = { name: filename ?? "", contentType: mimeType };
  const reference = await keep?.({ ...described, content: bytes });
  return reference === undefined ? { ...described, size: bytes.length } : { ...reference };
}

/** A group of addresses counts as its members. */
function toAddresses(addresses: readonly Address[] = []): { name: string; address: string }[] {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address }) => ({ name, address: address ?? "" }));
}

function textOf({ text, html }: Email): string {
  return text !== undefined && text.trim() !== "" ? text : htmlToText(html ?? "");
}

const HIDDEN = new Set(["head", "style", "script", "title"]);
const BREAKS = new Set(["br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table", "blockquote", "hr"]);

/** The words of a message that has no plain text. */
function htmlToText(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (HIDDEN.has(name)) hidden += 1;
      if (BREAKS.has(name)) parts.push("\n");
    },
    ontext: (text) => void (hidden === 0 && parts.push(text.replaceAll(/\s+/g, " "))),
    onclosetag: (name) => void (HIDDEN.has(name) && (hidden -= 1)),
  });
  parser.end(html.slice(0, MAX_BODY_LENGTH));
  return parts
    .join("")
    .replaceAll(/[ \t]*\n[ \t]*/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
