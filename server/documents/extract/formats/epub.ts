import { posix } from "node:path";
import type { Reader } from "../document-content.ts";
import { cleanTitle } from "../clean-text.ts";
import { type Block, toSectionPages } from "../section-pages.ts";
import { unreadable } from "../unreadable.ts";
import { parseXml, readXml, requireXml } from "../xml.ts";
import { decodeHtml, htmlBlocks } from "./html.ts";
import { openArchive, textOfElement } from "./office-file.ts";
import { percentDecode } from "../../../lib/lenient-parse.ts";

export const readEpub: Reader = async (source, limits) => {
  const zip = await openArchive(source, limits);
  const packagePart = rootFile(await requireXml(zip, "META-INF/container.xml"));
  const opf = await requireXml(zip, packagePart);
  // Fonts may be obscured in any book; chapters are encrypted only in a protected one.
  const encryption = (await readXml(zip, "META-INF/encryption.xml")) ?? "";
  const blocks: Block[] = [];
  for (const part of chapters(opf, packagePart)) {
    if (encryption.includes(posix.basename(part))) throw unreadable("it is protected against copying");
    const bytes = await zip.read(part);
    if (bytes) blocks.push(...htmlBlocks(decodeHtml(bytes)).blocks);
  }
  return { pages: toSectionPages(blocks), title: cleanTitle(textOfElement(opf, "title")) };
};

function rootFile(container: string): string {
  let path = "";
  parseXml(container, {
    open(name, attributes) {
      if (name === "rootfile" && path === "") path = attributes["full-path"] ?? "";
    },
  });
  if (path === "") throw unreadable("it names no content");
  return path;
}

/** The parts of the spine, in reading order. */
function chapters(opf: string, packagePart: string): string[] {
  const hrefs = new Map<string, string>();
  const parts: string[] = [];
  parseXml(opf, {
    open(name, { id, href, idref }) {
      if (name === "item" && id !== undefined && href !== undefined) hrefs.set(id, href);
      const chapter = name === "itemref" && idref !== undefined ? hrefs.get(idref) : undefined;
      if (chapter !== undefined) parts.push(posix.join(posix.dirname(packagePart), decodePath(chapter)));
    },
  });
  return parts;
}

function decodePath(href: string): string {
  return percentDecode(href.split("#")[0] ?? "");
}
