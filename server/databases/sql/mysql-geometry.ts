import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import { binaryValueInParts } from "../../steps/binary-value.ts";
import { floatValue } from "./sql-values.ts";
import type { CheckCount } from "./unparsed-cell.ts";

const TYPES = [
  "",
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
] as const;
const SRID_BYTES = 4;
/** A point is a list with two numbers. */
const VALUES_OF_POINT = 3;
const POINTS_AT_ONCE = 1000;
/** Collections within collections; deeper ones would overflow the stack. */
const MAX_DEPTH = 100;

/**
 * MySQL stores a geometry as its SRID and WKB. GeoJSON keeps its type, and `ST_GeomFromGeoJSON` reads it. Bytes that are no
 * geometry stay bytes.
 */
export function* geometryInParts(bytes: Buffer, checkCount: CheckCount): PartedWork<JsonValue> {
  try {
    const srid = bytes.readUInt32LE(0);
    const geometry = yield* new WkbReader(bytes, checkCount).geometry(0);
    return srid === 0 ? geometry : { ...geometry, srid };
  } catch (error) {
    if (error instanceof RangeError) return yield* binaryValueInParts(bytes);
    throw error;
  }
}

class WkbReader {
  readonly #bytes: Buffer;
  readonly #checkCount: CheckCount;
  #at = SRID_BYTES;
  #points = 0;
  #isLittleEndian = true;

  constructor(bytes: Buffer, checkCount: CheckCount) {
    this.#bytes = bytes;
    this.#checkCount = checkCount;
  }

  *geometry(depth: number): PartedWork<Record<string, JsonValue>> {
    if (depth > MAX_DEPTH) throw new RangeError("The geometry is nested too deeply.");
    this.#isLittleEndian = this.#bytes.readUInt8(this.#at) === 1;
    this.#at += 1;
    const type = TYPES[this.#count()] ?? "";
    switch (type) {
      case "Point":
        return { type, coordinates: this.#point() };
      case "LineString":
        return { type, coordinates: yield* this.#line() };
      case "Polygon":
        return { type, coordinates: yield* this.#list(() => this.#line()) };
      case "MultiPoint":
      case "MultiLineString":
      case "MultiPolygon": {
        const parts = yield* this.#list(() => this.geometry(depth + 1));
        return { type, coordinates: parts.map((part) => part["coordinates"] ?? null) };
      }
      case "GeometryCollection":
        return { type, geometries: yield* this.#list(() => this.geometry(depth + 1)) };
      default:
        throw new RangeError("Unknown type of geometry.");
    }
  }

  *#list<T>(read: () => PartedWork<T>): PartedWork<T[]> {
    const items: T[] = [];
    for (let left = this.#count(); left > 0; left--) {
      this.#counted();
      items.push(yield* read());
      if (items.length % POINTS_AT_ONCE === 0) yield;
    }
    return items;
  }

  *#line(): PartedWork<JsonValue[]> {
    const points: JsonValue[] = [];
    for (let left = this.#count(); left > 0; left--) {
      points.push(this.#point());
      if (points.length % POINTS_AT_ONCE === 0) yield;
    }
    return points;
  }

  #point(): JsonValue[] {
    this.#counted();
    return [this.#number(), this.#number()];
  }

  #counted(): void {
    this.#points += 1;
    this.#checkCount(this.#points * VALUES_OF_POINT);
  }

  #count(): number {
    const at = this.#at;
    this.#at += 4;
    return this.#isLittleEndian ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  #number(): number | string {
    const at = this.#at;
    this.#at += 8;
    return floatValue(this.#isLittleEndian ? this.#bytes.readDoubleLE(at) : this.#bytes.readDoubleBE(at));
  }
}
