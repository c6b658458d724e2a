import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";

export interface FeedItem {
  id: string;
  title: string;
  link: string;
  author: string;
  /** ISO 8601; null when the feed gives none that can be read. */
  published: string | null;
  summary: string;
  /** As the feed has it, which is usually HTML. */
  content: string;
  categories: string[];
  enclosure: { url: string; type: string; length: number | null } | null;
}

export interface Feed {
  title: string;
  link: string;
  items: FeedItem[];
}

const ROOTS = new Set(["rss", "rdf:rdf", "feed"]);
const MAX_ITEMS = 500;
const MAX_FIELD_LENGTH = 200_000;
const MAX_CATEGORIES = 50;
/** The time of the parser grows with the square of the depth: 100,000 levels take 13 s. */
const MAX_DEPTH = 200;
/** The event loop serves others between two parts: five megabytes take 100 ms. */
const PART_LENGTH = 64 * 1024;

type TextField =
  | "id"
  | "title"
  | "link"
  | "author"
  | "published"
  | "updated"
  | "summary"
  | "content"
  | "category";

/** The field of each element, RSS 0.9 to 2.0, RDF and Atom. */
const FIELDS: Readonly<Record<string, TextField>> = {
  guid: "id",
  id: "id",
  title: "title",
  link: "link",
  author: "author",
  "dc:creator": "author",
  pubdate: "published",
  published: "published",
  "dc:date": "published",
  updated: "updated",
  description: "summary",
  summary: "summary",
  "content:encoded": "content",
  content: "content",
  category: "category",
};

type Texts = Partial<Record<TextField, string>>;
interface OpenItem {
  texts: Texts;
  categories: string[];
  enclosure: FeedItem["enclosure"];
  depth: number;
}

/**
 * Reads RSS and Atom. The parser knows no document type: it neither loads nor expands entities of a feed. Items after the
 * first 500 are left out.
 */
export async function parseFeed(text: string, feedUrl: string): Promise<Feed> {
  const channel: Texts = {};
  const items: OpenItem[] = [];
  let root: string | undefined;
  let depth = 0;
  let item: OpenItem | undefined;
  let field: { name: TextField; depth: number } | undefined;

  const texts = () => item?.texts ?? channel;

  function openField(name: string, attributes: Record<string, string>): void {
    const found = FIELDS[name];
    if (found === undefined) return;
    if (found === "link" && attributes["href"] !== undefined) return openLink(attributes);
    if (found === "category" && attributes["term"] !== undefined) return addCategory(attributes["term"]);
    // The first of several counts: a feed may repeat its title in another namespace.
    if (found === "category" || texts()[found] === undefined) field = { name: found, depth };
  }

  /** Atom has its links in attributes: one to the page, others to files and other forms. */
  function openLink({ href = "", rel = "alternate", type = "", length = "" }: Record<string, string>): void {
    if (rel === "alternate") texts().link ??= href;
    if (rel === "enclosure" && item !== undefined) item.enclosure ??= toEnclosure(href, type, length);
  }

  function addCategory(name: string): void {
    if (item !== undefined && name.trim() !== "" && item.categories.length < MAX_CATEGORIES)
      item.categories.push(name.trim().slice(0, 200));
  }

  const { Parser } = await import("htmlparser2");
  const parser = new Parser(
    {
      onopentag(given, attributes) {
        const name = given.toLowerCase();
        root ??= name;
        depth += 1;
        if (depth > MAX_DEPTH)
          throw new AppError("invalid_response", `The feed is nested deeper than ${MAX_DEPTH} levels.`);
        if (field !== undefined) return;
        if (name === "item" || name === "entry") {
          item = { texts: {}, categories: [], enclosure: null, depth };
          if (attributes["rdf:about"] !== undefined) item.texts.id = attributes["rdf:about"];
          return;
        }
        if (name === "enclosure" && item !== undefined) {
          const { url = "", type = "", length = "" } = attributes;
          item.enclosure ??= toEnclosure(url, type, length);
          return;
        }
        // Elements below others describe those: the title of an image is not that of the channel.
        const isDirect = item === undefined ? depth <= (root === "feed" ? 2 : 3) : depth === item.depth + 1;
        if (isDirect) openField(name, attributes);
      },
      ontext(data) {
        if (field === undefined) return;
        const current = texts()[field.name] ?? "";
        if (current.length < MAX_FIELD_LENGTH)
          texts()[field.name] = (current + data).slice(0, MAX_FIELD_LENGTH);
      },
      onclosetag(given) {
        if (field !== undefined && depth === field.depth) {
          if (field.name === "category") {
            addCategory(texts().category ?? "");
            delete texts().category;
          }
          field = undefined;
        } else if (item !== undefined && depth === item.depth && /^(item|entry)$/i.test(given)) {
          if (items.length < MAX_ITEMS) items.push(item);
          item = undefined;
        }
        depth -= 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let start = 0; start < text.length; start += PART_LENGTH) {
    if (start > 0) await nextTurn();
    parser.write(text.slice(start, start + PART_LENGTH));
    if (root !== undefined && !ROOTS.has(root)) break;
  }
  parser.end();
  if (root === undefined || !ROOTS.has(root))
    throw new AppError("invalid_response", "The URL does not return an RSS or Atom feed.");

  const absolute = (link: string) => absoluteUrl(link, feedUrl);
  return {
    title: short(channel.title),
    link: absolute(channel.link ?? ""),
    items: items.map(({ texts: found, categories, enclosure }) =>
      toItem(found, { categories, enclosure }, absolute),
    ),
  };
}

function toItem(
  texts: Texts,
  { categories, enclosure }: Pick<FeedItem, "categories" | "enclosure">,
  absolute: (link: string) => string,
): FeedItem {
  const link = absolute(texts.link ?? "");
  return {
    id: (texts.id ?? "").trim() || link || short(texts.title) + (texts.published ?? ""),
    title: short(texts.title),
    link,
    author: short(texts.author),
    published: toTime(texts.published) ?? toTime(texts.updated),
    summary: (texts.summary ?? "").trim(),
    content: (texts.content ?? "").trim(),
    categories,
    enclosure: enclosure === null ? null : { ...enclosure, url: absolute(enclosure.url) },
  };
}

function toEnclosure(url: string, type: string, length: string): FeedItem["enclosure"] {
  return { url, type, length: /^\d{1,15}$/.test(length) ? Number(length) : null };
}

function short(text = ""): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 1000);
}

function toTime(text = ""): string | null {
  const time = new Date(text.trim());
  return text.trim() === "" || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Empty for a link that is neither http nor https: steps and people open it. */
function absoluteUrl(link: string, base: string): string {
  if (link.trim() === "" || !URL.canParse(link.trim(), base)) return "";
  const url = new URL(link.trim(), base);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : "";
}
