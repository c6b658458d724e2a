import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";

const NOTICE = "NOT-IN-USE.txt";

/** A sentence on the door of a data folder: whoever starts on it by accident reads that instead. */
export function hangNotice(folder: string, sentence: string): void {
  writeFileSync(join(folder, NOTICE), `${sentence}\n`, { mode: 0o600, flush: true });
}

export function takeNoticeDown(folder: string): void {
  rmSync(join(folder, NOTICE), { force: true });
}

/** Throws with the sentence when there is one. */
export function heedNotice(folder: string): void {
  const path = join(folder, NOTICE);
  let sentence: string;
  try {
    sentence = readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  throw new AppError(
    "data_folder_not_in_use",
    `${sentence} (To use the folder all the same, delete ${path}.)`,
  );
}
