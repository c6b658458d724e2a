import { type FileReference, isFileReference } from "../../contract/file-reference.ts";

const MAX_FILES = 20;
const MAX_VALUES = 5000;

/** The files that a value names, anywhere in it, each once. Of a large value only the beginning is searched. */
export function fileReferencesIn(value: unknown): FileReference[] {
  const found = new Map<string, FileReference>();
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0 && seen < MAX_VALUES && found.size < MAX_FILES; seen += 1) {
    const next = open.shift();
    if (isFileReference(next)) found.set(next.file, next);
    else if (typeof next === "object" && next !== null) open.push(...Object.values(next).slice(0, 200));
  }
  return [...found.values()];
}
