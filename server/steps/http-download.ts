import type { FileReference } from "../../contract/file-reference.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { GuardedInit } from "../security/guarded-fetch.ts";
import { toFileFailure } from "./file-failure.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

export type Download = ReturnType<typeof createDownload>;

/** Streams the response into a file between steps. */
export function createDownload(
  { ownerId, taskId }: Pick<StepCall, "ownerId" | "taskId">,
  runFiles: Pick<RunFiles, "create">,
) {
  let file: FileReference | undefined;
  const save: GuardedInit["saveBody"] = async (body, { headers, url }) => {
    const name = nameIn(headers["content-disposition"]) ?? nameInUrl(url);
    const description = { name, contentType: headers["content-type"] };
    try {
      file = await runFiles.create({ ownerId, taskId }, description, body);
    } catch (error) {
      throw toFileFailure(error);
    }
  };
  return { save, file: () => file };
}

function nameIn(disposition = ""): string | undefined {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined)
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Falls through to the plain name.
    }
  const [, quoted, plain] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted ?? plain;
}

function nameInUrl(url: string): string {
  return percentDecode(new URL(url).pathname.split("/").at(-1) ?? "");
}
