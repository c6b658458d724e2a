import type { StepCall } from "../engine/run/step-runner.ts";
import type { StreamPart } from "../models/language-model.ts";

export interface LiveReader {
  onPart(part: StreamPart): void;
  /** Sends what was held back because it might have been the start of a secret. */
  end(): void;
}

/** Sends the text of an answer while it is written. Texts before and after a call of a tool are separate paragraphs. */
export function createLiveReader(
  { redactStream }: Pick<StepCall, "redactStream">,
  onText: ((text: string) => void) | undefined,
): LiveReader | undefined {
  if (onText === undefined) return undefined;
  const stream = redactStream();
  let begun = false;
  let hasPaused = false;
  const send = (text: string): void => {
    if (text === "") return;
    onText(hasPaused ? `\n\n${text}` : text);
    begun = true;
    hasPaused = false;
  };
  return {
    onPart(part) {
      if (part.type === "text-delta") return send(stream.push(part.text));
      send(stream.end());
      if (part.type === "tool-call") hasPaused = begun;
    },
    end: () => send(stream.end()),
  };
}
