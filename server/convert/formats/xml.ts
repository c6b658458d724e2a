import { XMLBuilder, XMLParser, XMLValidator } from "fast-xml-parser";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { decodeHtml } from "../../documents/extract/formats/html.ts";
import { messageOf } from "../../lib/errors.ts";
import type { ConvertOptions, ConvertSource } from "../convert-job.ts";
import { readText } from "../read-text.ts";
import { cannotWrite, unreadableFile } from "../unreadable-file.ts";
import { piecesOf, type ValuePiece } from "../value-pieces.ts";

const ATTRIBUTES = { ignoreAttributes: false, attributeNamePrefix: "@" };

/** A DTD may declare entities that load files or expand a billion times. Data has none. */
const DECLARES_ENTITIES = /<!DOCTYPE[^>[]*\[|<!ENTITY/i;

/** Elements are fields, attributes `@name`, repeated elements lists, and all values text. */
export async function readXml(source: ConvertSource, maxValueBytes: number): Promise<ValuePiece[]> {
  const text = await readText(source, maxValueBytes, decodeHtml);
  if (DECLARES_ENTITIES.test(text))
    throw unreadableFile("it declares entities in a DOCTYPE, which are never loaded or expanded");
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw unreadableFile(`line ${checked.err.line}: ${checked.err.msg}`);
  try {
    // Without htmlEntities, numeric references such as &#228; stay as they are.
    const parser = new XMLParser({
      ...ATTRIBUTES,
      parseTagValue: false,
      ignoreDeclaration: true,
      htmlEntities: true,
    });
    return piecesOf(parser.parse(text) as JsonValue);
  } catch (error) {
    throw unreadableFile(messageOf(error), error);
  }
}

/** An object with one field is the root itself. */
export function writeXml(value: JsonValue, { rootName }: ConvertOptions): string {
  if (typeof value !== "object" || value === null) throw cannotWrite("must be an object or a list");
  const isRoot =
    isRecord(value) && Object.keys(value).length === 1 && !Array.isArray(Object.values(value)[0]);
  const content = isRoot ? value : { [rootName]: Array.isArray(value) ? { item: value } : value };
  const builder = new XMLBuilder({ ...ATTRIBUTES, format: true, suppressEmptyNode: true });
  const xml = String(builder.build(content));
  // A field name with spaces or signs would make another element of it.
  const checked = XMLValidator.validate(xml);
  if (checked !== true) throw cannotWrite(`has names that are not allowed in XML (${checked.err.msg})`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}
