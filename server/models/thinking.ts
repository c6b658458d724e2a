const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Models write their reasoning as `<think>…</think>` before the answer. Only there is it removed: later in the text, and
 * in JSON, it is part of the answer.
 */
export function stripThinking(text: string): string {
  const filter = createThinkingFilter();
  return filter.push(text) + filter.end();
}

/** The same for a text that arrives in pieces. */
export function createThinkingFilter(): { push(piece: string): string; end(): string } {
  let held = "";
  let state: "start" | "thinking" | "answer" = "start";
  let hasThought = false;

  function push(piece: string): string {
    if (state === "answer") return piece;
    held += piece;
    for (;;) {
      if (state === "start") {
        const text = held.trimStart();
        if (text.startsWith(OPEN)) {
          state = "thinking";
          hasThought = true;
          held = text.slice(OPEN.length);
        } else if (OPEN.startsWith(text)) {
          // Too short to tell.
          return "";
        } else {
          state = "answer";
          const answer = hasThought ? text : held;
          held = "";
          return answer;
        }
      } else {
        const end = held.indexOf(CLOSE);
        if (end < 0) {
          // The tag itself may be cut in two.
          held = held.slice(-CLOSE.length);
          return "";
        }
        held = held.slice(end + CLOSE.length);
        state = "start";
      }
    }
  }

  return {
    push,
    /** An unfinished block is reasoning: an answer never came. */
    end: () => (state === "start" && !hasThought ? held : state === "start" ? held.trimStart() : ""),
  };
}
