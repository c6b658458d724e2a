import { selectAll } from "css-select";
import { type AnyNode, isTag } from "domhandler";
import { getAttributeValue, getOuterHTML, textContent } from "domutils";
import { parseDocument, Parser } from "htmlparser2";
import { marked } from "marked";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { decodeHtml } from "../../documents/extract/formats/html.ts";
import { createNesting } from "../../documents/extract/nesting.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { ConvertOptions, ConvertSource } from "../convert-job.ts";
import { readText } from "../read-text.ts";
import { createRowList } from "../row-list.ts";
import { type Table, toTable } from "../table.ts";
import { cannotWrite, unreadableFile } from "../unreadable-file.ts";
import { markdownTable, toMarkdown } from "./html-to-markdown.ts";
import { piecesOf, type ValuePiece } from "../value-pieces.ts";

/** What the selector matches, as a list; without a selector, the whole page. Scripts in it are never run. */
export async function readHtml(
  source: ConvertSource,
  options: ConvertOptions,
  maxValueBytes: number,
): Promise<ValuePiece[]> {
  const html = await readText(source, maxValueBytes, decodeHtml);
  checkNesting(html);
  const page = parseDocument(html);
  if (options.selector === undefined) return piecesOf(taken(page, options));
  const matches = createRowList(maxValueBytes);
  for (const node of select(options.selector, page)) matches.add(taken(node, options));
  return matches.pieces();
}

/** Code that walks the page would overflow the stack. */
function checkNesting(html: string): void {
  const nesting = createNesting();
  const parser = new Parser({ onopentag: () => nesting.open(), onclosetag: () => nesting.close() });
  try {
    parser.end(html);
  } catch (error) {
    throw unreadableFile("it is nested too deeply", error);
  }
}

function select(selector: string, page: AnyNode): AnyNode[] {
  try {
    return selectAll(selector, page);
  } catch (error) {
    throw new AppError("invalid_field", `The field "selector" is not a CSS selector: ${messageOf(error)}.`);
  }
}

function taken(node: AnyNode, { take, attribute = "" }: ConvertOptions): string | null {
  if (take === "html") return getOuterHTML(node);
  if (take === "markdown") return toMarkdown([node]);
  if (take === "attribute") return isTag(node) ? (getAttributeValue(node, attribute) ?? null) : null;
  return visibleText(node);
}

function visibleText(node: AnyNode): string {
  return textContent(withoutScripts(node)).replaceAll(/\s+/g, " ").trim();
}

function withoutScripts(node: AnyNode): AnyNode[] {
  if (isTag(node) && /^(script|style|noscript|template)$/.test(node.name)) return [];
  if (!("children" in node) || node.children.length === 0) return [node];
  return node.children.flatMap(withoutScripts);
}

export async function readMarkdown(source: ConvertSource, maxValueBytes: number): Promise<ValuePiece[]> {
  return piecesOf(toHtml(await readText(source, maxValueBytes)));
}

/** Text is Markdown, a list is a table. */
export function writeHtml(value: JsonValue): string {
  if (typeof value === "string") return toHtml(value);
  return htmlTable(toTable(value, true));
}

/** Text is HTML, a list is a table. */
export function writeMarkdown(value: JsonValue): string {
  if (typeof value === "string") {
    checkNesting(value);
    return `${toMarkdown([parseDocument(value)])}\n`;
  }
  const { names, rows } = toTable(value, true);
  const cells = [...(names === undefined ? [] : [names]), ...rows].map((row) =>
    row.map((cell) => textOf(cell).replaceAll(/\r?\n/g, " ").replaceAll("|", "\\|")),
  );
  return `${markdownTable(cells)}\n`;
}

function toHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

function htmlTable({ names, rows }: Table): string {
  const line = (cells: Table["rows"][number], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(textOf(cell))}</${tag}>`).join("")}</tr>`;
  const head = names === undefined ? "" : `<thead>${line(names, "th")}</thead>\n`;
  return `<table>\n${head}<tbody>\n${rows.map((row) => line(row, "td")).join("\n")}\n</tbody>\n</table>\n`;
}

function textOf(cell: Table["rows"][number][number]): string {
  return cell === null ? "" : String(cell);
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => ESCAPES[char]!);
}

export function writeText(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (isRecord(value) || Array.isArray(value)) throw cannotWrite("must be text");
  return String(value);
}
