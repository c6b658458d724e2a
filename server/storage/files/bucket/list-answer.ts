/** One page of a listing: S3's XML holds a handful of plain elements, which need no parser of their own. */
export interface ListPage {
  objects: { key: string; bytes: number }[];
  /** With a delimiter: the folders, with the delimiter behind them. */
  folders: string[];
  /** Where to go on; undefined at the end. */
  next: string | undefined;
}

export function readListAnswer(xml: string): ListPage {
  // Asked to, a server sends keys percent-encoded, since XML cannot hold every character of a name.
  const isEncoded = textOf(xml, "EncodingType") === "url";
  const keyOf = (text: string): string =>
    isEncoded ? decodeURIComponent(unescapeXml(text).replaceAll("+", " ")) : unescapeXml(text);
  return {
    objects: elements(xml, "Contents").map((content) => ({
      key: keyOf(elements(content, "Key")[0] ?? ""),
      bytes: Number(textOf(content, "Size") ?? 0),
    })),
    folders: elements(xml, "CommonPrefixes").map((folder) => keyOf(elements(folder, "Prefix")[0] ?? "")),
    next: textOf(xml, "IsTruncated") === "true" ? textOf(xml, "NextContinuationToken") : undefined,
  };
}

/** The text of the first such element. */
export function textOf(xml: string, name: string): string | undefined {
  const [text] = elements(xml, name);
  return text === undefined ? undefined : unescapeXml(text);
}

function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map((match) => match[1] ?? "");
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    const hex = name[1] === "x" || name[1] === "X";
    return String.fromCodePoint(Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10));
  });
}
