import type { Step } from "../../../contract/graph.ts";

const MAX_PARAMETERS = 20_000;

/** A disabled step that keeps what a node without a counterpart had, as comments. Credentials are not among it. */
export function placeholderStep(
  stepId: string,
  { name, type, parameters }: { name: string; type: string; parameters: unknown },
): Step {
  const text = JSON.stringify(parameters, null, 2).slice(0, MAX_PARAMETERS);
  const lines = [`n8n node: ${name} (${type})`, "Parameters:", ...text.split("\n")];
  // Line separators of Unicode would end a comment.
  const code = [
    ...lines.map((line) => `// ${line.replaceAll(/[\r\n\u2028\u2029]/g, " ")}`),
    "return null;",
  ].join("\n");
  return { stepId, type: "code", name, code, disabled: true };
}
