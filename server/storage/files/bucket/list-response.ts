/** One page of a listing. The XML of S3 has a handful of flat elements, so no XML parser is needed. */
export interface ListPage {
  objects: { key: string; bytes: number; modifiedAt?: string }[];
  /** When listing with a delimiter: the folders, each ending with it. */
  folders: string[];
  /** Continuation token; undefined on the last page. */
  next: string | undefined;
}

export function parseListResponse(xml: string): ListPage {
  // On request, a server percent-encodes keys, because XML cannot contain every character.
  const isEncoded = textOf(xml, "EncodingType") === "url";
  const keyOf = (text: string): string =>
    isEncoded ? decodeURIComponent(unescapeXml(text).replaceAll("+", " ")) : unescapeXml(text);
  return {
    objects: elements(xml, "Contents").map((content) => ({
      key: keyOf(elements(content, "Key")[0] ?? ""),
      bytes: Number(textOf(content, "Size") ?? 0),
      modifiedAt: textOf(content, "LastModified") ?? "",
    })),
    folders: elements(xml, "CommonPrefixes").map((folder) => keyOf(elements(folder, "Prefix")[0] ?? "")),
    next: textOf(xml, "IsTruncated") === "true" ? textOf(xml, "NextContinuationToken") : undefined,
  };
}

/** The text of the first element with this name. */
export function textOf(xml: string, name: string): string | undefined {
  const [text] = elements(xml, name);
  return text === undefined ? undefined : unescapeXml(text);
}

/** Looks at each character once: a regular expression would read the rest again for each element without an end. */
function elements(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const found: string[] = [];
  for (let start = xml.indexOf(open); start !== -1;) {
    const end = xml.indexOf(close, start + open.length);
    if (end === -1) break;
    found.push(xml.slice(start + open.length, end));
    start = xml.indexOf(open, end + close.length);
  }
  return found;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    const hex = name[1] === "x" || name[1] === "X";
    return String.fromCodePoint(Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10));
  });
}
