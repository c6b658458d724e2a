import { Parser } from "htmlparser2";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";

const MAX_BODY_LENGTH = 500_000;
const MAX_ADDRESSES = 100;
const MAX_ATTACHMENTS = 100;
/** The time of the parser grows with the square of the depth: 80,000 levels take 18 s. */
const MAX_DEPTH = 500;

export interface AttachedFile {
  name: string;
  contentType: string;
  content: Uint8Array;
}

export interface ReadMessage {
  /** The fields of the message as the input of a run, but for its attachments. */
  fields: Record<string, JsonValue>;
  files: AttachedFile[];
}

/** `isCut`: the source is only the beginning of the message. */
export async function readMessage(source: Uint8Array, isCut: boolean): Promise<ReadMessage> {
  const email = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" });
  const fields = {
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
    isCut,
  };
  return { fields, files: email.attachments.slice(0, MAX_ATTACHMENTS).map(toFile) };
}

function toFile({ filename, mimeType, content }: Attachment): AttachedFile {
  return {
    name: filename ?? "",
    contentType: mimeType,
    content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
  };
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

/** The words of a message that has no plain text, up to the first element that is nested too deeply. */
function htmlToText(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  let depth = 0;
  const parser = new Parser({
    onopentagname(name) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeep();
      if (HIDDEN.has(name)) hidden += 1;
      if (BREAKS.has(name)) parts.push("\n");
    },
    ontext: (text) => void (hidden === 0 && parts.push(text.replaceAll(/\s+/g, " "))),
    onclosetag(name) {
      depth -= 1;
      if (HIDDEN.has(name)) hidden -= 1;
    },
  });
  try {
    parser.end(html.slice(0, MAX_BODY_LENGTH));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return (
    parts
      .join("")
      // Spaces first: in one expression with the line breaks, a long run of them takes quadratic time.
      .replaceAll(/ +/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim()
  );
}

class TooDeep extends Error {}
