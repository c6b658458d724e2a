import { decodeText } from "../decode-text.ts";
import { allBytes, type Reader } from "../document-content.ts";
import { type Block, toSectionPages } from "../section-pages.ts";
import { tableLines } from "../table-rows.ts";
import { trimEndOf } from "../../../../contract/trim-end.ts";

export const readMarkdown: Reader = async (source) => {
  const blocks = [...markdownBlocks(decodeText(await allBytes(source)))];
  const title = blocks.find((block) => block.kind === "heading" && block.level === 1);
  return { pages: toSectionPages(blocks), title: title?.kind === "heading" ? title.text : undefined };
};

const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Headings, paragraphs, list items, table rows and lines of code, without the marks. */
export function* markdownBlocks(text: string): Generator<Block> {
  const lines = withoutFrontMatter(text.split(/\r\n|[\n\r]/));
  let open: string[] = [];
  function* flush(): Generator<Block> {
    if (open.length > 0) yield { kind: "line", text: inline(open.join(" ")) };
    open = [];
  }
  let fence: string | undefined;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
      else yield { kind: "line", text: line };
      continue;
    }
    if (mark !== undefined) {
      yield* flush();
      fence = mark;
      continue;
    }
    const heading = /^\s{0,3}(#{1,6})\s+(.*)$/.exec(line.trimEnd());
    const underline = open.length === 1 ? /^\s{0,3}(=+|-{2,})\s*$/.exec(line)?.[1] : undefined;
    if (heading !== null) {
      yield* flush();
      yield {
        kind: "heading",
        text: inline(trimEndOf(heading[2] ?? "", "#").trimEnd()),
        level: heading[1]?.length ?? 1,
      };
    } else if (underline !== undefined) {
      yield { kind: "heading", text: inline(open[0] ?? ""), level: underline.startsWith("=") ? 1 : 2 };
      open = [];
    } else if (
      line.includes("|") &&
      (lines[i + 1] ?? "").includes("|") &&
      TABLE_RULE.test(lines[i + 1] ?? "")
    ) {
      yield* flush();
      const rows = [cellsOf(line)];
      for (i += 2; i < lines.length && lines[i]?.includes("|"); i += 1) rows.push(cellsOf(lines[i] ?? ""));
      i -= 1;
      for (const row of tableLines(rows, true)) yield { kind: "line", text: row };
    } else if (line.trim() === "" || /^\s{0,3}(?:[-*_]\s*){3,}$/.test(line)) yield* flush();
    else {
      if (ITEM.test(line)) yield* flush();
      open.push(
        line
          .replace(/^\s*>+\s?/, "")
          .replace(ITEM, "")
          .trim(),
      );
    }
  }
  yield* flush();
}

function withoutFrontMatter(lines: string[]): string[] {
  const end = lines[0]?.trim() === "---" ? lines.indexOf("---", 1) : -1;
  return end > 0 && end < 100 ? lines.slice(end + 1) : lines;
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/);
  return cells.map((cell) => inline(cell.replaceAll("\\|", "|").trim()));
}

/** The text of links and images, without marks of emphasis and HTML. Code stays as it is, without its backticks. */
function inline(text: string): string {
  const codes: string[] = [];
  const withoutCode = text.replace(
    /(?<!`)(`+)(?!`)(.{1,2000}?)(?<!`)\1(?!`)/g,
    (_span, _ticks, code: string) => `\0${codes.push(code) - 1}\0`,
  );
  return plain(withoutCode).replace(/\0(\d+)\0/g, (_mark, index: string) => codes[Number(index)] ?? "");
}

function plain(text: string): string {
  return text
    .replace(/<!--.*?-->/g, "")
    .replace(/!?\[([^\]]{0,1000})\]\([^)]{0,2000}\)/g, "$1")
    .replace(/<(https?:\/\/[^>\s]+)>/g, "$1")
    .replace(/<\/?[a-zA-Z][^>]{0,500}>/g, "")
    .replace(/(\*\*|__|~~)(?=\S)(.{1,2000}?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_]{1,2000})(?<=\S)\1(?![\p{L}\p{N}*_])/gu, "$2")
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~])/g, "$1");
}
