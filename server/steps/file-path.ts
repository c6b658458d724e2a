import { outsideFolder, pathTooLong } from "../lib/file-store.ts";
import { permanentFailure } from "./step-failure.ts";

const DRIVE = /^[a-z]:/i;
// Windows opens a device under these names in every folder, with any extension.
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|:|$)/i;
const MAX_NAMES = 64;
// Limits of file systems. A bucket accepts more, but then its files could not be copied to a disk.
const MAX_NAME_BYTES = 255;
const isWindows = process.platform === "win32";

/**
 * Parses a path into names below the owner's folder. A leading slash is that folder, `..` may go up within it, and
 * `%2e%2e` is an ordinary name. A backslash separates names, as on Windows.
 */
export function namesOf(path: string): string[] {
  if (path.includes("\0")) throw outsideFolder("contains a NUL character");
  const names: string[] = [];
  for (const name of path.replaceAll("\\", "/").split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) throw outsideFolder("leads out of your folder");
      continue;
    }
    // Windows drops trailing dots and spaces, so ".. " would be "..".
    if (/^\.[\s.]*$/.test(name)) throw outsideFolder("has a name made of dots alone");
    if (DRIVE.test(name) || DEVICE.test(name) || (isWindows && name.includes(":")))
      throw outsideFolder("has the name of a drive or a device");
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw pathTooLong(name);
    names.push(name);
  }
  if (names.length > MAX_NAMES)
    throw permanentFailure("invalid_path", `A path may be ${MAX_NAMES} folders deep at most.`);
  return names;
}
