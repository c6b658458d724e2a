import { MAX_ANSWER_CHARACTERS } from "../../../contract/documents.ts";
import { type Claim, readClaims } from "./citations.ts";

/**
 * Reads a model's answer while it is written and passes on each sentence once it is complete. Returns the text, cut at the longest answer. A
 * sentence is complete when the next one has begun, because its citation may follow the full stop.
 */
export async function streamClaims(
  pieces: AsyncIterable<string>,
  onClaim: (claim: Claim) => void,
): Promise<string> {
  let text = "";
  let passed = 0;
  for await (const piece of pieces) {
    text = (text + piece).slice(0, MAX_ANSWER_CHARACTERS);
    const claims = readClaims(text);
    if (!/\p{L}/u.test(claims.at(-1)?.text ?? "")) continue;
    for (; passed < claims.length - 1; passed++) onClaim(claims[passed]!);
    if (text.length === MAX_ANSWER_CHARACTERS) break;
  }
  for (const claim of readClaims(text).slice(passed)) onClaim(claim);
  return text;
}
