import type { Reader } from "../document-content.ts";
import { type Block, toSectionPages } from "../section-pages.ts";
import { createTableCollector } from "../table-collector.ts";
import { attribute, parseXml, readXml, requireXml } from "../xml.ts";
import { officeTitle, openArchive } from "./office-file.ts";

const DOCUMENT = "word/document.xml";

export const readDocx: Reader = async (source, limits) => {
  const zip = await openArchive(source, limits);
  const levels = headingLevels((await readXml(zip, "word/styles.xml")) ?? "");
  const blocks = docxBlocks(await requireXml(zip, DOCUMENT), levels);
  for (const notes of ["word/footnotes.xml", "word/endnotes.xml"])
    blocks.push(...docxBlocks((await readXml(zip, notes)) ?? "", new Map()));
  return { pages: toSectionPages(blocks), title: await officeTitle(zip) };
};

/** Level of the headings by style id. The name "heading 2" is the same in every language, the id is not. */
function headingLevels(styles: string): Map<string, number> {
  const levels = new Map<string, number>();
  const parents = new Map<string, string>();
  let id = "";
  parseXml(styles, {
    open(name, attributes) {
      const value = attribute(attributes, "val") ?? "";
      if (name === "style") id = attribute(attributes, "styleId") ?? "";
      if (name === "basedOn") parents.set(id, value);
      if (name === "outlineLvl" && Number(value) < 9) levels.set(id, Number(value) + 1);
      const level = name === "name" ? /^heading ([1-9])$/i.exec(value)?.[1] : undefined;
      if (level !== undefined) levels.set(id, Number(level));
      if (name === "name" && /^title$/i.test(value)) levels.set(id, 1);
    },
  });
  for (const child of parents.keys()) {
    let ancestor: string | undefined = child;
    // A chain of styles is short; a broken file may have a circle.
    for (let step = 0; step < 10 && ancestor !== undefined && !levels.has(ancestor); step += 1)
      ancestor = parents.get(ancestor);
    const level = ancestor === undefined ? undefined : levels.get(ancestor);
    if (level !== undefined) levels.set(child, level);
  }
  return levels;
}

interface Paragraph {
  text: string;
  level: number;
}

const BREAKS: Record<string, string> = { tab: "\t", br: " ", cr: " ", noBreakHyphen: "-" };
/** Text that was deleted, instructions of fields, and the copy of a drawing for old programs. */
const SKIPPED = new Set(["del", "moveFrom", "instrText", "Fallback"]);
const TABLE: Record<string, string> = { tbl: "table", tr: "tr", tc: "td" };

function docxBlocks(xml: string, levels: ReadonlyMap<string, number>): Block[] {
  const isPaged = xml.includes("lastRenderedPageBreak");
  const blocks: Block[] = [];
  const table = createTableCollector((line) => blocks.push({ kind: "line", text: line }));
  // A text box is a paragraph inside a paragraph.
  const paragraphs: Paragraph[] = [];
  let skipped = 0;
  let inText = false;
  let page = 1;
  if (isPaged) blocks.push({ kind: "page", location: "page 1" });

  function end({ text, level }: Paragraph): void {
    if (text.trim() === "") return;
    if (table.isInCell()) table.addText(text);
    else if (level > 0) blocks.push({ kind: "heading", text, level });
    else blocks.push({ kind: "line", text });
  }

  /** The pages that the word processor showed when it saved the file. */
  function breakPage(): void {
    const open = paragraphs.at(-1);
    if (open && open.text.trim() !== "" && !table.isInCell()) {
      end(open);
      open.text = "";
    }
    page += 1;
    if (!table.isInCell()) blocks.push({ kind: "page", location: `page ${page}` });
  }

  parseXml(xml, {
    open(name, attributes) {
      if (SKIPPED.has(name)) skipped += 1;
      const open = paragraphs.at(-1);
      if (name === "p") paragraphs.push({ text: "", level: 0 });
      else if (name === "t") inText = true;
      else if (name === "lastRenderedPageBreak") breakPage();
      else if (name === "pStyle" && open) open.level = levels.get(attribute(attributes, "val") ?? "") ?? 0;
      else if (name === "outlineLvl" && open) {
        const level = Number(attribute(attributes, "val"));
        if (level < 9) open.level = level + 1;
      } else if (open && skipped === 0) open.text += BREAKS[name] ?? "";
      if (TABLE[name] !== undefined) table.open(TABLE[name]);
      if (name === "tblHeader") table.markHeader();
    },
    text(text) {
      const open = paragraphs.at(-1);
      if (inText && skipped === 0 && open) open.text += text;
    },
    close(name) {
      if (SKIPPED.has(name)) skipped -= 1;
      if (name === "t") inText = false;
      if (name === "p") {
        const ended = paragraphs.pop();
        if (ended) end(ended);
      }
      if (TABLE[name] !== undefined) table.close(TABLE[name]);
    },
  });
  return blocks;
}
