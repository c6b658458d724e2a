import { Parser } from "htmlparser2";
import PostalMime, { type Address, type Email } from "postal-mime";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";

const MAX_BODY_LENGTH = 500_000;
const MAX_ADDRESSES = 100;
const MAX_ATTACHMENTS = 100;

/** The fields of a message as the input of a run. `isCut`: the source is only the beginning of the message. */
export async function readMessage(source: Uint8Array, isCut: boolean): Promise<Record<string, JsonValue>> {
  const email = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" });
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
    attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map(({ filename, mimeType, content }) => ({
      name: filename ?? "",
      contentType: mimeType,
      size: typeof content === "string" ? content.length : content.byteLength,
    })),
    isCut,
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
