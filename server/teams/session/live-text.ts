import type { StreamPart } from "../../models/language-model.ts";

/** Text is collected for this long: a notification per token would cost more than the tokens. */
const COLLECT_MS = 120;
/** A notification between processes holds less than 8,000 bytes; a character may take six in JSON. */
const MAX_PIECE = 1000;

export interface LiveText {
  onPart(part: StreamPart): void;
  /** Sends what is left and stops. */
  close(): void;
}

/**
 * Shows an answer while it is written. `publish` receives pieces with their offset, so that a viewer notices a lost one.
 * Only a hint: the log entry that follows has the whole text.
 */
export function createLiveText(publish: {
  text(offset: number, text: string): void;
  tool(name: string): void;
}): LiveText {
  let offset = 0;
  let collected = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    while (collected !== "") {
      const piece = collected.slice(0, MAX_PIECE);
      collected = collected.slice(MAX_PIECE);
      publish.text(offset, piece);
      offset += piece.length;
    }
  }

  return {
    onPart(part) {
      if (part.type === "text-delta") {
        collected += part.text;
        timer ??= setTimeout(flush, COLLECT_MS).unref();
      } else if (part.type === "tool-call") {
        flush();
        publish.tool(part.name);
      }
    },
    close: flush,
  };
}
