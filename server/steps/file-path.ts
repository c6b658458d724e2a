import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { AppError } from "../lib/errors.ts";
import { codeOf, notThere } from "./file-failures.ts";
import { permanentFailure } from "./step-failure.ts";

const DRIVE = /^[a-z]:/i;
// Windows opens a device under these names in every folder, whatever follows the dot.
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|:|$)/i;
const MAX_NAMES = 64;
const isWindows = process.platform === "win32";

/** A place inside an owner's folder: its names from the folder's root, none of them special. */
export interface FilePlace {
  root: string;
  names: string[];
  /** As people write it, from the root, without a leading slash. */
  path: string;
}

/**
 * Reads a path as names below the owner's folder. A leading slash is that folder, `..` may go up within it,
 * and `%2e%2e` is a name like any other. A backslash separates, as it would on Windows.
 */
export function namesOf(path: string): string[] {
  if (path.includes("\0")) throw outside("has a character that ends a path");
  const names: string[] = [];
  for (const name of path.replaceAll("\\", "/").split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) throw outside("leads out of your folder");
      continue;
    }
    // Windows drops dots and spaces at the end, so ".. " would be "..".
    if (/^\.+[\s.]*$/.test(name)) throw outside("has a name made of dots alone");
    if (DRIVE.test(name) || DEVICE.test(name) || (isWindows && name.includes(":")))
      throw outside("has the name of a drive or a device");
    names.push(name);
  }
  if (names.length > MAX_NAMES)
    throw permanentFailure("invalid_path", `A path may be ${MAX_NAMES} folders deep at most.`);
  return names;
}

/** The real folder of an owner, made on first use. The operator may have put a link above it. */
export async function ownerRoot(filesFolder: string, ownerId: string): Promise<string> {
  if (!/^[\w-]{1,100}$/.test(ownerId)) throw outside("belongs to nobody");
  return made(join(await realpath(await made(filesFolder)), ownerId));
}

/**
 * The folder that holds the place. Every folder on the way is looked at without following links: a link would
 * lead out, and realpath afterwards could not tell a swapped one.
 */
export async function parentFolder(place: FilePlace, create: boolean): Promise<string> {
  let folder = place.root;
  for (const name of place.names.slice(0, -1)) {
    folder = join(folder, name);
    if (create) await mkdir(folder, { mode: 0o700 }).catch(unlessExists);
    const entry = await lstat(folder).catch((error: unknown) => {
      throw codeOf(error) === "ENOENT" ? notThere(place.path) : error;
    });
    if (entry.isSymbolicLink()) throw linkOnTheWay();
    if (!entry.isDirectory())
      throw permanentFailure("not_a_folder", `A part of the path "${place.path}" is a file, not a folder.`);
  }
  // The owner's root itself may not be a link either.
  if ((await realpath(folder)) !== folder) throw linkOnTheWay();
  return folder;
}

export function linkOnTheWay(): AppError {
  return outside("leads over a link");
}

function outside(reason: string): AppError {
  return permanentFailure(
    "path_outside_folder",
    `The path ${reason}; a file step reaches only files in your own folder.`,
  );
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function unlessExists(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}
