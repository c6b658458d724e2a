import type { Box } from "../page-text.ts";
import type { Pdf } from "../pdf/open-pdf.ts";

/** An upright picture of a page in shades of gray, one byte per pixel. */
export interface GrayImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export interface ScanImage {
  image: GrayImage;
  /** Where the picture is on the page. */
  box: Box;
}

/** A picture as the PDF library decodes it. */
interface DecodedImage {
  width: number;
  height: number;
  kind: number;
  data: Uint8Array | Uint8ClampedArray;
}

type Matrix = readonly [number, number, number, number, number, number];

/** A scan fills the page; a logo or a photo does not. */
const MIN_PAGE_SHARE = 0.3;
/** A page of A4 at 300 dots per inch has 3,508 lines. More dots do not improve recognition. */
const MAX_SIDE = 4000;

/** The picture that fills most of a page; undefined when none fills much of it. */
export async function findScan(pdf: Pdf, number: number): Promise<ScanImage | undefined> {
  const { OPS } = await (await import("unpdf")).getResolvedPDFJS();
  const page = await pdf.getPage(number);
  const view = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList();
  let best: { source: unknown; matrix: Matrix; area: number } | undefined;
  let matrix = view.transform as unknown as Matrix;
  const stack: Matrix[] = [];
  for (const [i, operator] of fnArray.entries()) {
    const args = argsArray[i] as unknown[];
    if (operator === OPS.save) stack.push(matrix);
    else if (operator === OPS.restore) matrix = stack.pop() ?? matrix;
    else if (operator === OPS.transform) matrix = multiply(matrix, args as unknown as Matrix);
    else if (operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject) {
      const { width, height } = boxOf(matrix);
      if (width * height > (best?.area ?? 0)) best = { source: args[0], matrix, area: width * height };
    }
  }
  try {
    if (best === undefined || best.area < view.width * view.height * MIN_PAGE_SHARE) return undefined;
    const decoded = await decodedImage(page, best.source);
    if (decoded === undefined) return undefined;
    const [a, b] = best.matrix;
    const quarters = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
    return { image: rotated(toGray(decoded), quarters), box: boxOf(best.matrix) };
  } finally {
    page.cleanup();
  }
}

type PdfPage = Awaited<ReturnType<Pdf["getPage"]>>;

async function decodedImage(page: PdfPage, source: unknown): Promise<DecodedImage | undefined> {
  const image =
    typeof source === "string"
      ? await new Promise<unknown>((resolve) =>
          (source.startsWith("g_") ? page.commonObjs : page.objs).get(source, resolve),
        )
      : source;
  const { width = 0, height = 0, kind = 0, data } = (image ?? {}) as Partial<DecodedImage>;
  return data === undefined || width < 1 || height < 1 ? undefined : { width, height, kind, data };
}

const ONE_BIT = 1;
const BYTES_PER_PIXEL: Record<number, number> = { 2: 3, 3: 4 };

/** Reduced by averaging whole blocks of pixels to at most MAX_SIDE. */
export function toGray({ width, height, kind, data }: DecodedImage): GrayImage {
  const step = Math.ceil(Math.max(width, height) / MAX_SIDE);
  const small = { width: Math.floor(width / step), height: Math.floor(height / step) };
  const pixels = new Uint8Array(small.width * small.height);
  const rowBytes = (width + 7) >> 3;
  const size = BYTES_PER_PIXEL[kind] ?? 1;
  const at = (x: number, y: number): number => {
    if (kind === ONE_BIT) return ((data[y * rowBytes + (x >> 3)] ?? 0) & (128 >> (x & 7))) === 0 ? 0 : 255;
    const i = (y * width + x) * size;
    if (size === 1) return data[i] ?? 255;
    return ((data[i] ?? 255) * 77 + (data[i + 1] ?? 255) * 150 + (data[i + 2] ?? 255) * 29) >> 8;
  };
  for (let y = 0; y < small.height; y += 1)
    for (let x = 0; x < small.width; x += 1) {
      let sum = 0;
      for (let dy = 0; dy < step; dy += 1)
        for (let dx = 0; dx < step; dx += 1) sum += at(x * step + dx, y * step + dy);
      pixels[y * small.width + x] = sum / (step * step);
    }
  return { ...small, pixels };
}

/** Turned clockwise by quarters, so that the text is upright as on the page. */
export function rotated({ width, height, pixels }: GrayImage, quarters: number): GrayImage {
  if (quarters === 0) return { width, height, pixels };
  const turned = new Uint8Array(pixels.length);
  const [w, h] = quarters === 2 ? [width, height] : [height, width];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [tx, ty] =
        quarters === 1
          ? [height - 1 - y, x]
          : quarters === 2
            ? [width - 1 - x, height - 1 - y]
            : [y, width - 1 - x];
      turned[ty * w + tx] = pixels[y * width + x] ?? 255;
    }
  return { width: w, height: h, pixels: turned };
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

/** The box of the unit square, in which every picture is drawn. */
function boxOf([a, b, c, d, e, f]: Matrix): Box {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
