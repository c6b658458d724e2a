import type { Problem } from "../../contract/graph.ts";
import { allSteps } from "../../contract/graph/all-steps.ts";
import { PROVIDERS } from "../../contract/models.ts";
import type { LanguageModels } from "./language-model.ts";

const MAX_WARNINGS = 100;

/** Warns about steps whose provider does not exist or, without a connection, has no model on this instance. */
export function providerWarnings(
  models: Pick<LanguageModels, "list">,
  graph: { steps: readonly unknown[] },
): Problem[] {
  const configured = new Set<string>(models.list().map((model) => model.provider));
  return allSteps(graph)
    .flatMap(({ stepId, type, provider, connection }): Problem[] => {
      if (type !== "llm" || typeof provider !== "string" || provider === "" || provider.includes("{{"))
        return [];
      const reason = reasonFor(provider, connection === undefined || connection === "", configured);
      if (reason === undefined) return [];
      const message = `Step "${String(stepId)}" names the provider "${provider.slice(0, 50)}", ${reason}`;
      return [{ code: "unknown_provider", message, stepId: String(stepId) }];
    })
    .slice(0, MAX_WARNINGS);
}

function reasonFor(
  provider: string,
  usesInstance: boolean,
  configured: ReadonlySet<string>,
): string | undefined {
  if (!PROVIDERS.some((known) => known === provider))
    return `which does not exist. Choose one of ${PROVIDERS.join(", ")}.`;
  if (!usesInstance || configured.has(provider)) return undefined;
  return "which has no model on this instance. Choose a connection to your own account, or another provider.";
}
