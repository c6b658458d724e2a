import { type AnyNode, isTag, isText, type Element } from "domhandler";
import { getAttributeValue, textContent } from "domutils";

const SKIPPED = new Set(["script", "style", "head", "noscript", "template", "svg", "iframe", "object"]);
const BLOCKS = new Set(
  "p div section article main header footer aside nav figure figcaption form fieldset address details summary dl dt dd".split(
    " ",
  ),
);

/** Markdown of HTML: headings, lists, tables, links, images, code and emphasis. Everything else is its text. */
export function toMarkdown(nodes: readonly AnyNode[]): string {
  return blocks(nodes, "")
    .replaceAll(/(?<![ \t])[ \t]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function blocks(nodes: readonly AnyNode[], indent: string): string {
  return nodes.map((node) => block(node, indent)).join("");
}

function block(node: AnyNode, indent: string): string {
  if (isText(node)) return node.data.replaceAll(/\s+/g, " ");
  if (!isTag(node)) return "children" in node ? blocks(node.children, indent) : "";
  const { name } = node;
  if (SKIPPED.has(name)) return "";
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) return `\n\n${"#".repeat(Number(level))} ${inline(node)}\n\n`;
  if (name === "ul" || name === "ol") return `\n\n${list(node, indent)}\n\n`;
  if (name === "pre") return `\n\n\`\`\`\n${textContent(node).replace(/\n$/, "")}\n\`\`\`\n\n`;
  if (name === "blockquote") return `\n\n${quote(toMarkdown(node.children))}\n\n`;
  if (name === "table") return `\n\n${table(node)}\n\n`;
  if (name === "hr") return "\n\n---\n\n";
  if (name === "br") return "  \n";
  if (BLOCKS.has(name)) return `\n\n${blocks(node.children, indent).trim()}\n\n`;
  return span(node, indent);
}

function span(node: Element, indent: string): string {
  const { name } = node;
  const text = blocks(node.children, indent);
  if (name === "a") {
    const href = getAttributeValue(node, "href");
    return href === undefined || text.trim() === "" ? text : `[${text.trim()}](${href})`;
  }
  if (name === "img") {
    const source = getAttributeValue(node, "src");
    return source === undefined ? "" : `![${getAttributeValue(node, "alt") ?? ""}](${source})`;
  }
  if (text.trim() === "") return text;
  if (name === "strong" || name === "b") return around(text, "**");
  if (name === "em" || name === "i") return around(text, "*");
  if (name === "del" || name === "s") return around(text, "~~");
  return name === "code" ? around(text, "`") : text;
}

/** Marks touch the words: `** bold **` is not emphasis. */
function around(text: string, mark: string): string {
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(text.trimEnd().length);
  return `${before}${mark}${text.trim()}${mark}${after}`;
}

function inline(node: Element): string {
  return blocks(node.children, "").replaceAll(/\s+/g, " ").trim();
}

function list(node: Element, indent: string): string {
  const items = node.children.filter(isTag).filter(({ name }) => name === "li");
  return items
    .map((item, index) => {
      const mark = node.name === "ol" ? `${index + 1}. ` : "- ";
      const text = toMarkdown(item.children).replaceAll("\n\n", "\n");
      return `${mark}${text.replaceAll("\n", `\n${indent}${" ".repeat(mark.length)}`)}`;
    })
    .join(`\n${indent}`);
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function table(node: Element): string {
  const rows = rowsOf(node).map((row) =>
    row.children
      .filter(isTag)
      .filter(({ name }) => name === "td" || name === "th")
      .map((cell) => inline(cell).replaceAll("|", "\\|")),
  );
  return markdownTable(rows);
}

function rowsOf(node: Element): Element[] {
  return node.children
    .filter(isTag)
    .flatMap((child) =>
      child.name === "tr" ? [child] : /^t(head|body|foot)$/.test(child.name) ? rowsOf(child) : [],
    );
}

/** The first row is the header. */
export function markdownTable(rows: readonly string[][]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, i) => cells[i] ?? "").join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), line(Array.from({ length: width }, () => "---")), ...body.map(line)].join("\n");
}
