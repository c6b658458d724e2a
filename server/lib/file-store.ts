import type { Readable } from "node:stream";
import { AppError } from "./errors.ts";

export interface FileEntry {
  kind: "file" | "folder";
  /** 0 for a folder. */
  bytes: number;
  /** Where the store knows it without reading the file. */
  sha256?: string;
}

/** A file on the local disk that is about to be stored. */
export interface LocalFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** Both positions are part of the range. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Files under keys: plain names joined by `/`, none of them empty, `.` or `..`. Large outputs, uploaded documents and
 * the files of `file` steps all use it; the operator chooses between a folder and a bucket.
 */
export interface FileStore {
  /** A file over the limit is `file_too_large`, and no part of it is loaded. */
  read(key: string, maxBytes?: number): Promise<Buffer>;
  /** The stream must be read to its end or destroyed. With a range, `bytes` is its length. */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }>;
  /** For readers that need a path, which is valid until `use` has ended. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Atomic, and durable when it resolves. Creates missing folders. */
  write(key: string, content: Uint8Array): Promise<void>;
  /** The same from a local file, which may no longer exist afterwards: a folder moves it instead of copying. */
  writeFile(key: string, file: LocalFile): Promise<void>;
  /** Returns the new size. At least once: after a crash the same content may be appended again. */
  append(key: string, content: Uint8Array, maxBytes: number): Promise<number>;
  stat(key: string): Promise<FileEntry | undefined>;
  /** The key `""` is the root, which always exists. */
  list(key: string): Promise<(FileEntry & { name: string })[]>;
  /** Removes a file or an empty folder. False when it does not exist, so that a retry succeeds. */
  remove(key: string): Promise<boolean>;
  /** Removes the folder and everything in it. */
  removeFolder(key: string): Promise<void>;
  /** Every file and folder, in any order. */
  walk(): AsyncIterable<FileEntry & { key: string }>;
}

export interface FileStores {
  /** A separate store for the name and, when given, the owner. */
  area(name: string, ownerId?: string): FileStore;
  /** Throws when the store cannot be used; the message says what to fix. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** A retry may succeed: another run may be about to write the file. */
export function missingFile(key: string): AppError {
  return new AppError(
    "file_not_found",
    `There is no file or folder "${key}" in your folder. Check the path.`,
  );
}

export function isFolder(key: string): AppError {
  return new AppError("is_a_folder", `"${key}" is a folder, but this action needs a file.`);
}

export function notFolder(key: string): AppError {
  return new AppError("not_a_folder", `"${key}", or a part of its path, is a file and not a folder.`);
}

export function folderNotEmpty(key: string): AppError {
  return new AppError("folder_not_empty", `The folder "${key}" is not empty. Delete its files first.`);
}

export function outsideFolder(reason: string): AppError {
  return new AppError(
    "path_outside_folder",
    `The path ${reason}. Only files in your own folder can be used.`,
  );
}

export function pathTooLong(key: string): AppError {
  return new AppError("invalid_path", `The path "${key.slice(0, 80)}…" is too long. Use shorter names.`);
}

export function checkFileSize(bytes: number, maxBytes: number | undefined): void {
  if (maxBytes === undefined || bytes <= maxBytes) return;
  throw new AppError("file_too_large", `The file has ${bytes} bytes; at most ${maxBytes} are allowed.`);
}

/** The names of a key. Callers validate keys; this check is the last one before a key becomes a path. */
export function namesOfKey(key: string): string[] {
  const names = key === "" ? [] : key.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0")))
    throw outsideFolder("contains an empty or special name");
  return names;
}

export function areaNames(name: string, ownerId: string | undefined): string[] {
  const names = ownerId === undefined ? [name] : [name, ownerId];
  if (!names.every((part) => /^[\w-]{1,100}$/.test(part))) throw outsideFolder("has no valid owner");
  return names;
}
