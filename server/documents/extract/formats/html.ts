import { Parser } from "htmlparser2";
import { cleanTitle } from "../clean-text.ts";
import { decodeText } from "../decode-text.ts";
import { allBytes, type Reader } from "../document-content.ts";
import { createNesting } from "../nesting.ts";
import { type Block, toSectionPages } from "../section-pages.ts";
import { createTableCollector } from "../table-collector.ts";

export const readHtml: Reader = async (source) => {
  const { blocks, title } = htmlBlocks(decodeHtml(await allBytes(source)));
  return { pages: toSectionPages(blocks), title };
};

const SNIFFED_BYTES = 2048;

/**
 * With the encoding that HTML or XML declares in its first bytes, as browsers do. A declaration of UTF-16 that can be
 * read byte by byte is wrong; some programs write it into UTF-8.
 */
export function decodeHtml(bytes: Buffer): string {
  const head = bytes.toString("latin1", 0, SNIFFED_BYTES);
  const declared =
    /<meta[^>]+charset=["']?(?!utf-16)([\w-]+)|<\?xml[^>]+encoding=["'](?!utf-16)([\w-]+)/i.exec(head);
  return decodeText(bytes, { declared: declared?.[1] ?? declared?.[2] });
}

/** Elements whose text a reader of the page does not see, or sees on every page of the site. */
const SKIPPED = new Set(
  "script style noscript template svg math iframe object embed canvas audio video select button nav".split(
    " ",
  ),
);
/** Elements inside a line. Every other one begins and ends a line. */
const INLINE = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr img input".split(
    " ",
  ),
);

interface HtmlContent {
  blocks: Block[];
  title: string | undefined;
}

/** The visible text, line by line. Nothing is loaded or executed: this is a tokenizer, not a browser. */
export function htmlBlocks(html: string): HtmlContent {
  const blocks: Block[] = [];
  const table = createTableCollector((line) => blocks.push({ kind: "line", text: line }));
  const nesting = createNesting();
  const skipped: string[] = [];
  let line = "";
  let title = "";
  let inTitle = false;
  let heading = 0;
  /** Where the content of `<main>` begins and ends. */
  let main: { start: number; end: number } | undefined;

  function flush(): void {
    const text = line;
    line = "";
    if (text.trim() === "") return;
    if (table.isInCell()) table.addText(text);
    else if (heading > 0) blocks.push({ kind: "heading", text, level: heading });
    else blocks.push({ kind: "line", text });
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nesting.open();
        if (name === "title" && skipped.length === 0) {
          inTitle = true;
          return;
        }
        if (skipped.length > 0 || SKIPPED.has(name) || isHidden(attributes)) {
          if (!VOID.has(name)) skipped.push(name);
          return;
        }
        if (name === "br" || name === "hr")
          return heading > 0 || table.isInCell() ? void (line += " ") : flush();
        if (name === "img") line += ` ${attributes["alt"] ?? ""} `;
        if (INLINE.has(name)) return;
        flush();
        if (name === "main" && main === undefined) main = { start: blocks.length, end: Infinity };
        if (/^h[1-6]$/.test(name)) heading = Number(name[1]);
        table.open(name);
      },
      ontext(text) {
        if (inTitle) title += text;
        else if (skipped.length === 0) line += text;
      },
      onclosetag(name) {
        nesting.close();
        if (name === "title" && inTitle) {
          inTitle = false;
          return;
        }
        if (skipped.length > 0) {
          if (!VOID.has(name)) skipped.pop();
          return;
        }
        if (INLINE.has(name) || VOID.has(name)) return;
        flush();
        if (/^h[1-6]$/.test(name)) heading = 0;
        if (name === "main" && main?.end === Infinity) main.end = blocks.length;
        table.close(name);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  flush();
  const inMain = main === undefined ? [] : blocks.slice(main.start, main.end);
  return { blocks: inMain.length > 0 ? inMain : blocks, title: cleanTitle(title) };
}

const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

function isHidden(attributes: Record<string, string>): boolean {
  return (
    "hidden" in attributes || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes["style"] ?? "")
  );
}
