import type { ImportResult, N8nNode, N8nRewrite } from "../../../contract/n8n-import.ts";
import type { Expression } from "../expressions/expressions.ts";
import { limitedText } from "../report/limited-text.ts";
import { redactSecrets } from "./secrets.ts";

/** What a converter says about its node. */
export interface NodeReport extends Omit<N8nNode, "becomes" | "note"> {
  notes: string[];
  /** Expressions over the limit of the report. */
  hiddenExpressions: number;
}

export interface Reporter {
  /** The node is to check, for this reason. */
  check: (sentence: string) => void;
  note: (sentence: string) => void;
  /** Code that was taken over, and what in it is unknown here. */
  code: (before: string, after: string, problems: readonly string[]) => void;
  expression: (field: string, expression: Expression) => void;
  /** The connection that a person chose for the node. */
  connection: (kind: string, app?: string) => string | undefined;
  /** The same, or an id that does not exist: the draft has a warning, and a run fails there until one is chosen. */
  requiredConnection: (kind: string) => string;
  app: (id: string) => void;
}

const NO_CONNECTION = "conn_choose";
const MAX_SHOWN = 2000;
const MAX_EXPRESSIONS = 200;

export function createReporter(
  report: NodeReport,
  { chosen, credential }: { chosen: string | undefined; credential: string | undefined },
): Reporter {
  function note(sentence: string): void {
    if (!report.notes.includes(sentence)) report.notes.push(sentence);
  }

  function check(sentence: string): void {
    report.result = worse(report.result, "check");
    note(sentence);
  }

  function connection(kind: string, app?: string): string | undefined {
    report.connection = {
      kind,
      ...(app !== undefined && { app }),
      ...(chosen !== undefined && { chosen }),
      ...(credential !== undefined && { credential }),
    };
    return chosen;
  }

  return {
    check,
    note,
    code(before, after, problems) {
      report.code = {
        field: "code",
        before: redactSecrets(before),
        after: redactSecrets(after),
        result: problems.length === 0 ? "ready" : "check",
        note: ["The code runs unchanged, below definitions of what n8n gives it.", ...problems].join(" "),
      };
      for (const problem of problems) check(problem);
      if (problems.length === 0) note("The code runs unchanged.");
    },
    expression(field, expression) {
      if (report.expressions.length < MAX_EXPRESSIONS) report.expressions.push(rewriteOf(field, expression));
      else report.hiddenExpressions += 1;
      if (expression.result === "check") check(expression.note ?? "Check the expressions.");
    },
    connection,
    requiredConnection: (kind) => connection(kind) ?? NO_CONNECTION,
    app(id) {
      report.app = id;
    },
  };
}

function rewriteOf(field: string, { source, path, script, result, note }: Expression): N8nRewrite {
  const after = script === undefined ? "" : path === undefined ? `{{= ${script} }}` : `{{${path}}}`;
  return {
    field,
    before: limitedText(redactSecrets(`{{ ${source} }}`), MAX_SHOWN),
    after: limitedText(redactSecrets(after), MAX_SHOWN),
    result,
    ...(note !== undefined && { note }),
  };
}

export function worse(one: ImportResult, other: ImportResult): ImportResult {
  const order = ["ready", "check", "unsupported"] as const;
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}
