import type { ErrorCode } from "../../contract/errors.ts";
import type { FileFormat } from "../../contract/steps/convert.ts";
import type { ValuePiece } from "./value-pieces.ts";

export interface ConvertOptions {
  delimiter?: string | undefined;
  header: boolean;
  sheet?: string | undefined;
  selector?: string | undefined;
  take: "text" | "html" | "markdown" | "attribute";
  attribute?: string | undefined;
  rootName: string;
  allowFormulas: boolean;
}

/** A local file, or text that is given in its place. */
export type ConvertSource = { path: string } | { text: string };

/** Files of an archive that is read or written. */
export const MAX_ENTRIES = 1000;

/** A file that becomes an entry of an archive. */
export type ArchiveEntry = { name: string } & ConvertSource;

/** One conversion in a worker. Values are sent as JSON text, which takes less time than objects. */
export type ConvertJob =
  | {
      kind: "read";
      format: FileFormat;
      source: ConvertSource;
      options: ConvertOptions;
      maxValueBytes: number;
    }
  | { kind: "write"; format: FileFormat; json: string; options: ConvertOptions; targetPath: string }
  | { kind: "list"; path: string; maxValueBytes: number }
  | { kind: "extract"; path: string; targetPath: string; maxTotalBytes: number }
  | { kind: "archive"; entries: ArchiveEntry[]; targetPath: string; maxTotalBytes: number }
  | { kind: "index"; path: string; format: "csv" | "jsonl"; rowsPerItem: number; maxItems: number }
  | {
      kind: "rows";
      bytes: Uint8Array;
      delimiter: string;
      names: string[] | null;
      encoding: string;
      maxValueBytes: number;
    };

export interface ExtractedEntry {
  /** The path in the archive. */
  path: string;
  /** Where its bytes are. */
  file: string;
}

/** Where each item of a file begins; the last offset is the end of the file. */
export interface FileIndex {
  delimiter: string;
  encoding: string;
  /** The names of the columns; null for JSON lines. */
  names: string[] | null;
  offsets: number[];
  rows: number;
}

export type ConvertResult =
  | { type: "value"; pieces: ValuePiece[] }
  | { type: "written" }
  | { type: "extracted"; entries: ExtractedEntry[] }
  | { type: "index"; index: FileIndex }
  | { type: "failed"; code: ErrorCode; message: string };
