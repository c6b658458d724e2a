import { citedNumbers } from "../../contract/citations.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { serialize } from "../lib/serialize-json.ts";

/** Fields in which steps return their text: an answer from documents, a response of an agent. */
const TEXT_FIELDS = ["text", "answer", "message", "content", "output"];

/**
 * The result of a run as the text of an answer: a text as it is, the text of an object, anything else as JSON. The sources
 * of an answer from documents follow if its text cites them by number.
 */
export async function toAnswerText(output: JsonValue): Promise<string> {
  if (typeof output === "string") return output;
  if (output === null) return "";
  if (isRecord(output))
    for (const name of TEXT_FIELDS)
      if (typeof output[name] === "string")
        return name === "answer" ? withSources(output[name], output["sources"]) : output[name];
  return serialize(output, { indent: true });
}

function withSources(answer: string, sources: JsonValue | undefined): string {
  if (!Array.isArray(sources)) return answer;
  const cited = citedNumbers(answer);
  const lines = sources.flatMap((source, i) => {
    if (!cited.has(i + 1) || !isRecord(source) || typeof source["title"] !== "string") return [];
    const { title, page, location } = source;
    return [`[${i + 1}] ${title}, ${typeof location === "string" ? location : `page ${Number(page)}`}`];
  });
  return lines.length === 0 ? answer : `${answer}\n\n${lines.join("\n\n")}`;
}
