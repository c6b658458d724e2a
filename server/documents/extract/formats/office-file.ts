import { posix } from "node:path";
import type { ByteSource } from "../byte-source.ts";
import { cleanTitle } from "../clean-text.ts";
import type { ReadLimits } from "../document-content.ts";
import { parseXml, readXml } from "../xml.ts";
import { openZip, type ZipFile } from "../zip.ts";

/** Streams that a document of the longest allowed text needs, several times over. */
const TOTAL_FACTOR = 8;

export function openArchive(source: ByteSource, { maxStreamBytes }: ReadLimits): Promise<ZipFile> {
  return openZip(source, { maxEntryBytes: maxStreamBytes, maxTotalBytes: maxStreamBytes * TOTAL_FACTOR });
}

export interface Relationship {
  /** The last part of its type: "slide", "notesSlide", "worksheet" … */
  type: string;
  /** The name of an entry. */
  target: string;
}

/** The relationships of a part by their id. Targets outside the archive are left out. */
export async function relationshipsOf(zip: ZipFile, part: string): Promise<Map<string, Relationship>> {
  const folder = posix.dirname(part);
  const xml = await readXml(zip, posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  const found = new Map<string, Relationship>();
  parseXml(xml ?? "", {
    open(name, attributes) {
      const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes;
      if (name !== "Relationship" || id === undefined || target === undefined || mode === "External") return;
      const path = target.startsWith("/") ? target.slice(1) : posix.join(folder, target);
      found.set(id, { type: type?.split("/").at(-1) ?? "", target: path });
    },
  });
  return found;
}

/** The title in the properties of an Office file. */
export async function officeTitle(zip: ZipFile): Promise<string | undefined> {
  return cleanTitle(textOfElement((await readXml(zip, "docProps/core.xml")) ?? "", "title"));
}

/** The text of the first element of this name. */
export function textOfElement(xml: string, element: string): string {
  let text = "";
  let state: "before" | "inside" | "after" = "before";
  parseXml(xml, {
    open(name) {
      if (name === element && state === "before") state = "inside";
    },
    text(piece) {
      if (state === "inside") text += piece;
    },
    close(name) {
      if (name === element && state === "inside") state = "after";
    },
  });
  return text;
}
