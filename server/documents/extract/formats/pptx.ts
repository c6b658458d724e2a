import type { Reader } from "../document-content.ts";
import { cleanText } from "../clean-text.ts";
import { pieces } from "../line-pages.ts";
import type { PageText } from "../page-text.ts";
import { createTableCollector } from "../table-collector.ts";
import { attribute, parseXml, readXml, requireXml } from "../xml.ts";
import type { ZipFile } from "../zip.ts";
import { officeTitle, openArchive, relationshipsOf } from "./office-file.ts";

const PRESENTATION = "ppt/presentation.xml";

export const readPptx: Reader = async (source, limits) => {
  const zip = await openArchive(source, limits);
  const pages: PageText[] = [];
  for (const part of await slideParts(zip)) pages.push(await readSlide(zip, part, pages.length + 1));
  return { pages, title: await officeTitle(zip) };
};

/** In the order of the presentation, which is not that of the names. */
async function slideParts(zip: ZipFile): Promise<string[]> {
  const targets = await relationshipsOf(zip, PRESENTATION);
  const parts: string[] = [];
  parseXml(await requireXml(zip, PRESENTATION), {
    open(name, attributes) {
      // `id` is the number of the slide, `r:id` its relationship.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const target = name === "sldId" && id !== undefined ? targets.get(id)?.target : undefined;
      if (target !== undefined) parts.push(target);
    },
  });
  return parts;
}

/** A slide is a page even without text, so that the numbers are those of the presentation. */
async function readSlide(zip: ZipFile, part: string, page: number): Promise<PageText> {
  const { title, lines } = slideText((await readXml(zip, part)) ?? "");
  const all = title === "" ? lines : [title, ...lines];
  const notes = [...(await relationshipsOf(zip, part)).values()].find(({ type }) => type === "notesSlide");
  if (notes !== undefined) {
    const spoken = slideText((await readXml(zip, notes.target)) ?? "").lines;
    if (spoken.length > 0) all.push("Notes:", ...spoken);
  }
  const headings = title === "" ? {} : { headings: [{ start: 0, text: title, level: 1 }] };
  const text = all.flatMap((line) => [...pieces(line)]).join("\n");
  return { page, width: 0, height: 0, text, runs: [], location: `slide ${page}`, ...headings };
}

const TABLE: Record<string, string> = { tbl: "table", tr: "tr", tc: "td" };
/** Placeholders with the same text on every slide. */
const REPEATED = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

function slideText(xml: string): { title: string; lines: string[] } {
  const lines: string[] = [];
  const table = createTableCollector((line) => lines.push(line));
  let title = "";
  let placeholder = "";
  let paragraph = "";
  let inText = false;
  parseXml(xml, {
    open(name, attributes) {
      if (name === "sp") placeholder = "";
      if (name === "ph") placeholder = attribute(attributes, "type") ?? "body";
      if (name === "p") paragraph = "";
      if (name === "t") inText = true;
      if (name === "br" || name === "tab") paragraph += " ";
      if (TABLE[name] !== undefined) table.open(TABLE[name]);
    },
    text(text) {
      if (inText) paragraph += text;
    },
    close(name) {
      if (name === "t") inText = false;
      if (name === "p") {
        const text = cleanText(paragraph);
        paragraph = "";
        if (text === "" || REPEATED.has(placeholder)) return;
        if (table.isInCell()) table.addText(text);
        else if (/^(?:title|ctrTitle)$/.test(placeholder)) title = `${title} ${text}`.trim();
        else lines.push(text);
      }
      if (TABLE[name] !== undefined) table.close(TABLE[name]);
    },
  });
  return { title, lines };
}
