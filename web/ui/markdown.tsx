import { Marked, type MarkedToken, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode, useMemo } from "react";
import { decodeEntities, MAX_MARKDOWN_CHARACTERS, safeLink } from "../flow/markdown-text.ts";

interface MarkdownProps {
  text: string;
  /** Renders the plain parts, for example to make citations clickable. */
  renderText?: ((text: string) => ReactNode) | undefined;
}

const MAX_DEPTH = 30;

// A definition such as `[1]: https://…` would turn the citation [1] into a link.
const marked = new Marked({ gfm: true, breaks: true, tokenizer: { def: () => undefined } });

/**
 * Markdown of models and other untrusted sources as React elements. HTML stays text, only links to web and email
 * addresses are links, and images are links: nothing is loaded from another host.
 */
export function Markdown({ text, renderText = (plain) => plain }: MarkdownProps) {
  const tokens = useMemo(() => lex(text), [text]);
  if (tokens === undefined) return <p className="prose-plain">{renderText(text)}</p>;
  return renderAll(tokens, { renderText, depth: 0 });
}

/** Undefined for a text that is too long or nested too deeply. */
function lex(text: string): Token[] | undefined {
  if (text.length > MAX_MARKDOWN_CHARACTERS) return undefined;
  try {
    return marked.lexer(text);
  } catch {
    return undefined;
  }
}

interface Context {
  renderText: (text: string) => ReactNode;
  depth: number;
}

function renderAll(tokens: readonly Token[] | undefined, context: Context): ReactNode {
  if (context.depth > MAX_DEPTH) return tokens?.map(({ raw }) => raw).join("");
  const inner = { ...context, depth: context.depth + 1 };
  return tokens?.map((token, index) => (
    // Markdown names no types of its own: no extension is installed.
    <Fragment key={index}>{renderToken(token as MarkedToken, inner)}</Fragment>
  ));
}

function renderToken(token: MarkedToken, context: Context): ReactNode {
  switch (token.type) {
    case "paragraph":
      return <p>{renderAll(token.tokens, context)}</p>;
    case "heading":
      // Below the headings of the screen.
      return createElement(`h${Math.min(token.depth + 2, 6)}`, {}, renderAll(token.tokens, context));
    case "list":
      return renderList(token, context);
    case "blockquote":
      return <blockquote>{renderAll(token.tokens, context)}</blockquote>;
    case "code":
      return (
        // Focusable, because it may scroll.
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "table":
      return renderTable(token, context);
    case "hr":
      return <hr />;
    case "strong":
      return <strong>{renderAll(token.tokens, context)}</strong>;
    case "em":
      return <em>{renderAll(token.tokens, context)}</em>;
    case "del":
      return <del>{renderAll(token.tokens, context)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "link":
      return renderLink(token.href, renderAll(token.tokens, context));
    case "image":
      return renderLink(token.href, token.text || token.href);
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "br":
      return <br />;
    case "html":
      if (/^<br\s*\/?>$/i.test(token.raw)) return <br />;
      return token.block ? <p className="prose-plain">{token.raw.trim()}</p> : token.raw;
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined
        ? context.renderText(decodeEntities(token.text))
        : renderAll(token.tokens, context);
    default:
      return null;
  }
}

function renderList({ ordered, start, items }: Tokens.List, context: Context): ReactNode {
  const rows = items.map((item, index) => <li key={index}>{renderAll(item.tokens, context)}</li>);
  return ordered ? <ol start={start === "" ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function renderTable({ header, rows }: Tokens.Table, context: Context): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], tag: "th" | "td"): ReactNode[] =>
    row.map(({ tokens, align }, index) =>
      createElement(
        tag,
        { key: index, style: align === null ? undefined : { textAlign: align } },
        renderAll(tokens, context),
      ),
    );
  return (
    // Focusable, because it may scroll.
    <div className="prose-table" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(header, "th")}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The title shows where the link leads, whatever its text says. */
function renderLink(href: string, content: ReactNode): ReactNode {
  const url = safeLink(href);
  if (url === undefined) return content;
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  );
}
