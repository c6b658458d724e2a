import { Parser } from "htmlparser2";
import { decodeText } from "./decode-text.ts";
import { createNesting } from "./nesting.ts";
import { unreadable } from "./unreadable.ts";
import type { ZipFile } from "./zip.ts";

export type XmlAttributes = Readonly<Record<string, string>>;

/** Names are local: `w:p` is `p`. Text between elements arrives in one or several pieces. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Reports elements and text in order. The parser knows the five entities of XML and no others: declarations in a DTD
 * are ignored, so nothing is loaded from elsewhere, and no entity expands into another.
 */
export function parseXml(xml: string, handler: XmlHandler): void {
  const nesting = createNesting();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nesting.open();
        handler.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        nesting.close();
        handler.close?.(localName(name));
      },
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** An attribute by its local name: `r:id` is also found as `relationships:id`. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const key = Object.keys(attributes).find((candidate) => candidate.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

/** The text of an entry of an archive; undefined when it has none of this name. */
export async function readXml(zip: ZipFile, name: string): Promise<string | undefined> {
  const bytes = await zip.read(name);
  return bytes && decodeText(bytes);
}

export async function requireXml(zip: ZipFile, name: string): Promise<string> {
  const xml = await readXml(zip, name);
  if (xml === undefined) throw unreadable(`the part ${name} is missing`);
  return xml;
}
