import type { Pdf } from "./open-pdf.ts";
import type { DrawnText } from "./turned-text.ts";

interface FieldObject {
  type?: unknown;
  value?: unknown;
  rect?: unknown;
  page?: unknown;
  hidden?: unknown;
  password?: unknown;
}

const MAX_VALUES = 5000;
const LINE_HEIGHT = 12;

/** The values that were filled into a form, as text at the place of their fields, by the index of the page. */
export async function readFormFields(pdf: Pdf): Promise<Map<number, DrawnText[]>> {
  const values = new Map<number, DrawnText[]>();
  try {
    const fields = Object.values((await pdf.getFieldObjects()) ?? {}).flat() as FieldObject[];
    for (const field of fields.slice(0, MAX_VALUES)) {
      if (typeof field.page !== "number" || field.hidden === true || field.password === true) continue;
      const page = values.get(field.page) ?? [];
      values.set(field.page, page);
      page.push(...toTexts(field));
    }
  } catch {
    // A damaged form hides none of the printed text.
  }
  return values;
}

function toTexts({ type, value, rect }: FieldObject): DrawnText[] {
  const [left, bottom, right, top] = (Array.isArray(rect) ? rect : []).map(Number);
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return [];
  const size = Math.min(LINE_HEIGHT, Math.max(6, (top - bottom) * 0.8));
  return linesOf(type, value).map((str, i) => ({
    str,
    transform: [
      size,
      0,
      0,
      size,
      left,
      top - (top - bottom < size * 2 ? (top - bottom + size * 0.6) / 2 : size * (i + 1)),
    ],
    width: Math.min(right - left, str.length * size * 0.5),
    height: size,
    fontName: "form field",
  }));
}

function linesOf(type: unknown, value: unknown): string[] {
  if (type === "button" || type === "signature") return [];
  if (type === "checkbox" || type === "radiobutton")
    return typeof value === "string" && value !== "" && value !== "Off" ? ["[x]"] : [];
  const texts = Array.isArray(value) ? value : [value];
  return texts
    .filter((text): text is string => typeof text === "string")
    .flatMap((text) => text.split(/\r\n|\r|\n/))
    .filter((text) => text.trim() !== "");
}
