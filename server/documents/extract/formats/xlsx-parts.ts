import { parseXml } from "../xml.ts";

/** The texts that cells refer to by number. Phonetic guides are left out. */
export function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let phonetic = false;
  parseXml(xml, {
    open(name) {
      if (name === "si") text = "";
      if (name === "t") inText = true;
      if (name === "rPh") phonetic = true;
    },
    text(piece) {
      if (inText && !phonetic) text += piece;
    },
    close(name) {
      if (name === "t") inText = false;
      if (name === "rPh") phonetic = false;
      if (name === "si") strings.push(unescapeText(text));
    },
  });
  return strings;
}

/** Excel writes characters that XML does not allow, and carriage returns, as `_x000D_`. */
export function unescapeText(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_match, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** A duration counts its hours beyond a day. */
export type DateStyle = "date" | "time" | "both" | "duration";

/** The number formats that come with the program. */
const BUILT_IN = new Map<number, DateStyle>([
  ...[14, 15, 16, 17].map((id): [number, DateStyle] => [id, "date"]),
  ...[18, 19, 20, 21, 45, 47].map((id): [number, DateStyle] => [id, "time"]),
  [46, "duration"],
  [22, "both"],
]);

/** The styles of cells that show a number as a date or a time: in the file, a date is a count of days. */
export function dateStyles(xml: string): Map<number, DateStyle> {
  const formats = new Map(BUILT_IN);
  const styles = new Map<number, DateStyle>();
  let inCellFormats = false;
  let index = 0;
  parseXml(xml, {
    open(name, attributes) {
      if (name === "numFmt") {
        const style = dateStyleOf(attributes["formatCode"] ?? "");
        if (style !== undefined) formats.set(Number(attributes["numFmtId"]), style);
      }
      if (name === "cellXfs") inCellFormats = true;
      if (name !== "xf" || !inCellFormats) return;
      const style = formats.get(Number(attributes["numFmtId"]));
      if (style !== undefined) styles.set(index, style);
      index += 1;
    },
    close(name) {
      if (name === "cellXfs") inCellFormats = false;
    },
  });
  return styles;
}

/** `[Red]` and quoted text in a format are not letters of a date; `[h]` counts hours. */
function dateStyleOf(code: string): DateStyle | undefined {
  const unquoted = code.replace(/"[^"]*"|\\./g, "").toLowerCase();
  if (/\[(?:h+|m+|s+)\]/.test(unquoted)) return "duration";
  const letters = unquoted.replace(/\[[^\]]*\]/g, "");
  const hasDate = /[dy]/.test(letters);
  const hasTime = /[hs]/.test(letters);
  if (/[0#?]/.test(letters.replace(/[hms.:0]+/g, "")) && !hasDate) return undefined;
  if (hasDate && hasTime) return "both";
  return hasDate ? "date" : hasTime ? "time" : undefined;
}
