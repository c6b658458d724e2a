import { describe, expect, test } from "vitest";
import { atOnce } from "../../lib/in-turns.ts";
import { mysqlValue } from "./mysql-types.ts";
import { UnparsedCell } from "./unparsed-cell.ts";

type Point = readonly [number, number];

function valueOf(
  type: string,
  value: unknown,
  checkCount: (values: number) => void = () => undefined,
): unknown {
  const buffer = (): Buffer | null => (Buffer.isBuffer(value) ? value : null);
  const cell = mysqlValue({ type, buffer }, () => value);
  return cell instanceof UnparsedCell ? atOnce(cell.parse(checkCount)) : cell;
}

const uint32 = (value: number, little = true): Buffer => {
  const bytes = Buffer.alloc(4);
  if (little) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};
const pair = ([x, y]: Point, little = true): Buffer => {
  const bytes = Buffer.alloc(16);
  for (const [at, value] of [x, y].entries())
    if (little) bytes.writeDoubleLE(value, at * 8);
    else bytes.writeDoubleBE(value, at * 8);
  return bytes;
};
const shape = (type: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([1]), uint32(type), ...parts]);
const line = (...points: Point[]): Buffer =>
  Buffer.concat([uint32(points.length), ...points.map((at) => pair(at))]);
const point = (at: Point): Buffer => shape(1, pair(at));
const stored = (wkb: Buffer, srid = 0): Buffer => Buffer.concat([uint32(srid), wkb]);
const square: Point[] = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 0],
];

describe("values of MySQL", () => {
  test.each<[string, Buffer, unknown]>([
    ["a point", stored(point([1.5, -2]), 4326), { type: "Point", coordinates: [1.5, -2], srid: 4326 }],
    [
      "a line",
      stored(shape(2, line([0, 0], [1, 2]))),
      {
        type: "LineString",
        coordinates: [
          [0, 0],
          [1, 2],
        ],
      },
    ],
    ["a polygon", stored(shape(3, uint32(1), line(...square))), { type: "Polygon", coordinates: [square] }],
    ["points", stored(shape(4, uint32(1), point([1, 2]))), { type: "MultiPoint", coordinates: [[1, 2]] }],
    [
      "lines",
      stored(shape(5, uint32(1), shape(2, line([1, 2])))),
      { type: "MultiLineString", coordinates: [[[1, 2]]] },
    ],
    [
      "polygons",
      stored(shape(6, uint32(1), shape(3, uint32(1), line(...square)))),
      { type: "MultiPolygon", coordinates: [[square]] },
    ],
    [
      "a collection",
      stored(shape(7, uint32(2), point([1, 2]), shape(7, uint32(0)))),
      {
        type: "GeometryCollection",
        geometries: [
          { type: "Point", coordinates: [1, 2] },
          { type: "GeometryCollection", geometries: [] },
        ],
      },
    ],
    [
      "a point with the highest byte first",
      stored(Buffer.concat([Buffer.from([0]), uint32(1, false), pair([1, 2], false)])),
      { type: "Point", coordinates: [1, 2] },
    ],
  ])("%s is GeoJSON", (_name, bytes, value) => {
    expect(valueOf("GEOMETRY", bytes)).toEqual(value);
  });

  test.each<[string, Buffer]>([
    ["a geometry of no known type", stored(shape(99))],
    ["a geometry that ends too early", stored(shape(2, uint32(4_000_000_000), pair([1, 2])))],
    ["collections in collections without end", stored(Buffer.concat(Array(200).fill(shape(7, uint32(1)))))],
  ])("%s stays bytes", (_name, bytes) => {
    expect(valueOf("GEOMETRY", bytes)).toEqual({
      contentType: "application/octet-stream",
      base64: bytes.toString("base64"),
      bytes: bytes.length,
    });
  });

  test("the values of a geometry are counted while it is read", () => {
    const bytes = stored(shape(2, line(...Array.from({ length: 5000 }, (): Point => [1, 2]))));
    const refuse = (values: number): void => {
      if (values > 6000) throw new Error("too many");
    };
    expect(() => valueOf("GEOMETRY", bytes, refuse)).toThrow("too many");
  });

  test("single-precision numbers have the digits that were stored", () => {
    expect(valueOf("FLOAT", Math.fround(3.14))).toBe(3.14);
    expect(valueOf("FLOAT", Math.fround(16777217))).toBe(16777216);
    expect(valueOf("VECTOR", [Math.fround(0.1), 1, Math.fround(1e-10)])).toEqual([0.1, 1, 1e-10]);
    expect(valueOf("FLOAT", Number.NaN)).toBe("NaN");
  });

  test("large bytes are encoded in parts", () => {
    const bytes = Buffer.alloc(1_000_000, "baton");
    const cell = mysqlValue({ type: "BLOB", buffer: () => bytes }, () => bytes) as UnparsedCell;
    const work = cell.parse(() => undefined);
    expect(work.next().done).toBe(false);
    expect(valueOf("BLOB", bytes)).toMatchObject({ base64: bytes.toString("base64"), bytes: bytes.length });
  });

  test("numbers of JSON that are not exact are text, and text stays as it is", () => {
    const json =
      '{"a":12345678901234567890,"12345678901234567890":"\\"1e999, 12345678901234567890","b":[-9007199254740993,1e999,1.5,1e3]}';
    expect(valueOf("JSON", json)).toEqual({
      a: "12345678901234567890",
      "12345678901234567890": '"1e999, 12345678901234567890',
      b: ["-9007199254740993", "1e999", 1.5, 1000],
    });
  });
});
