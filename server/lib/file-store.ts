import type { Readable } from "node:stream";
import { AppError } from "./errors.ts";

export interface FileEntry {
  kind: "file" | "folder";
  /** 0 for a folder. */
  bytes: number;
  /** Where the store knows it without reading the file. */
  sha256?: string;
}

/** A file on this machine's disk, on its way into a store. */
export interface LocalFile {
  path: string;
  bytes: number;
  sha256: string;
}

/**
 * Files under keys: plain names joined by `/`, none of them empty, `.` or `..`. Large outputs, uploaded documents and
 * the files of `file` steps all go through here; whether they stand in a folder or in a bucket is the operator's choice.
 */
export interface FileStore {
  /** Over the limit it is `file_too_large`, and nothing of it is loaded. */
  read(key: string, maxBytes?: number): Promise<Buffer>;
  /** The stream must be read to its end or destroyed. */
  open(key: string): Promise<{ stream: Readable; bytes: number }>;
  /** For readers that need a path: it is good for as long as `use` takes. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Whole or not at all, and durable when it resolves. The folders on the way are made. */
  write(key: string, content: Uint8Array): Promise<void>;
  /** The same from a file of this disk, which may be gone afterwards: a folder moves it in place of copying it. */
  writeFile(key: string, file: LocalFile): Promise<void>;
  /** Returns the new size. At least once: an attempt that a crash cut off after the write may be made again. */
  append(key: string, content: Uint8Array, maxBytes: number): Promise<number>;
  stat(key: string): Promise<FileEntry | undefined>;
  /** The key `""` is the root, which is always there. */
  list(key: string): Promise<(FileEntry & { name: string })[]>;
  /** A file or an empty folder. False when there was nothing, which is no failure: a repeated attempt finds its work done. */
  remove(key: string): Promise<boolean>;
  /** With all that is in it. */
  removeFolder(key: string): Promise<void>;
  /** Every file and folder, in no order. */
  walk(): AsyncIterable<FileEntry & { key: string }>;
}

export interface FileStores {
  /** A store of its own below the name, and below that of its owner when one is given. */
  area(name: string, ownerId?: string): FileStore;
  /** Throws with what is to be mended when the store cannot be used. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** A retry may succeed: another run may be about to write the file. */
export function missingFile(key: string): AppError {
  return new AppError("file_not_found", `There is no file or folder "${key}" in your folder.`);
}

export function isFolder(key: string): AppError {
  return new AppError("is_a_folder", `"${key}" is a folder, and this action needs a file.`);
}

export function notFolder(key: string): AppError {
  return new AppError("not_a_folder", `"${key}", or a part of it, is a file and not a folder.`);
}

export function folderNotEmpty(key: string): AppError {
  return new AppError("folder_not_empty", `The folder "${key}" still has files in it.`);
}

export function outsideFolder(reason: string): AppError {
  return new AppError(
    "path_outside_folder",
    `The path ${reason}; only files in your own folder can be reached.`,
  );
}

export function pathTooLong(key: string): AppError {
  return new AppError("invalid_path", `The path "${key.slice(0, 80)}…" is too long.`);
}

export function checkFileSize(bytes: number, maxBytes: number | undefined): void {
  if (maxBytes === undefined || bytes <= maxBytes) return;
  throw new AppError("file_too_large", `A file may have ${maxBytes} bytes at most; this one has ${bytes}.`);
}

/** The names of a key. What makes keys has checked them; this is the last look before one becomes a path. */
export function namesOfKey(key: string): string[] {
  const names = key === "" ? [] : key.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0")))
    throw outsideFolder("has an empty or special name in it");
  return names;
}

export function areaNames(name: string, ownerId: string | undefined): string[] {
  const names = ownerId === undefined ? [name] : [name, ownerId];
  if (!names.every((part) => /^[\w-]{1,100}$/.test(part))) throw outsideFolder("belongs to nobody");
  return names;
}
