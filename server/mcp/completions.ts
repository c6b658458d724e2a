import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { Documents } from "../documents/documents.ts";
import type { Handler } from "./call.ts";
import { invalidParams, requireText } from "./protocol.ts";
import type { ListPrompts } from "./prompts.ts";
import { PAGE_TEMPLATE } from "./resources.ts";

export interface CompletionDeps {
  documents: Pick<Documents, "list">;
  areExposed(ownerId: string): Promise<boolean>;
  listPrompts: ListPrompts;
}

const MAX_VALUES = 100;

/** Suggests documents, by id or title, for the template of their pages. The arguments of prompts are free text. */
export function completionMethods({
  documents,
  areExposed,
  listPrompts,
}: CompletionDeps): Record<string, Handler> {
  async function documentIds(ownerId: string, typed: string): Promise<string[]> {
    if (!(await areExposed(ownerId))) return [];
    const { items } = await documents.list(ownerId, { limit: MAX_VALUES });
    const wanted = typed.toLowerCase();
    return items
      .filter(({ document_id: id, title }) => id.startsWith(typed) || title.toLowerCase().includes(wanted))
      .map(({ document_id: id }) => id);
  }

  return {
    async "completion/complete"({ caller, params }) {
      const { ref, argument } = params;
      if (!isRecord(ref) || !isRecord(argument) || typeof argument["value"] !== "string")
        throw invalidParams("params.ref and params.argument with name and value are required.");
      if (ref["type"] === "ref/prompt") {
        const name = requireText(ref, "name");
        if (!(await listPrompts(caller.ownerId)).some((prompt) => prompt.name === name))
          throw invalidParams(`Unknown prompt: ${name.slice(0, 100)}`);
        return toCompletion([]);
      }
      if (ref["type"] !== "ref/resource" || ref["uri"] !== PAGE_TEMPLATE)
        throw invalidParams("params.ref names no prompt and no resource template.");
      return toCompletion(
        argument["name"] === "documentId" ? await documentIds(caller.ownerId, argument["value"]) : [],
      );
    },
  };
}

function toCompletion(values: readonly string[]) {
  return { completion: { values, total: values.length, hasMore: false } };
}
