import type { Graph } from "../../../../contract/graph.ts";
import { addLoop } from "./add-loop.ts";
import {
  type Draft,
  newDraft,
  newLoop,
  type Notice,
  type Planning,
  type Product,
  type Tail,
} from "./draft.ts";
import { type Instruction, readInstructions } from "./instructions.ts";
import { markLiterals, unmarked } from "./literals.ts";
import { readFile } from "./read-file.ts";
import { readHttp } from "./read-http.ts";
import { readMail } from "./read-mail.ts";
import { readCallOut, readShaping } from "./read-shaping.ts";
import { addTest } from "./read-test.ts";
import { addThought, readAgent, readDocumentQuestion, readThinking } from "./read-thinking.ts";
import { readApproval, readDelay } from "./read-waiting.ts";
import { sentence } from "./words.ts";

export interface Plan {
  graph: Graph;
  notices: Notice[];
}

type Reader = (text: string, draft: Draft, planning: Planning) => boolean;

/** Tried in order: specific readings first. */
const READERS: readonly Reader[] = [
  readNothing,
  readDelay,
  readCallOut,
  readAgent,
  readDocumentQuestion,
  readFile,
  readApprovalUnlessAddressed,
  readMail,
  readHttp,
  readShaping,
  readThinking,
];

/** Builds a graph from English text by rules, for services without a model; deterministic. */
export function planWorkflow(prompt: string): Plan {
  const { text, literals } = markLiterals(prompt);
  const planning: Planning = { literals, notices: [], usedIds: new Set(), hasApproval: false };
  const draft = newDraft();
  build(readInstructions(text), draft, planning);
  if (draft.steps.length === 0) {
    addThought(prompt.trim(), draft, planning);
    planning.notices.push({
      code: "not_understood",
      message: "No instruction was recognised, so the whole text is handed to a language model.",
    });
  }
  return { graph: { steps: draft.steps, edges: draft.edges }, notices: planning.notices };
}

function build(instructions: readonly Instruction[], draft: Draft, planning: Planning): void {
  for (const instruction of instructions) {
    switch (instruction.kind) {
      case "do":
        buildAction(instruction.text, draft, planning);
        break;
      case "each":
        buildLoop(instruction, draft, planning);
        break;
      case "if":
        buildBranches(instruction, draft, planning);
        break;
      case "start":
        planning.notices.push({
          code: "needs_trigger",
          message: `"${unmarked(instruction.text, planning.literals)}" says when to start: set up a schedule or a webhook for this workflow.`,
        });
        break;
    }
  }
}

const SAYS_EACH = /\b(?:each|every)\b(?!\s+time\b)/i;
/** "Classify each by severity": each item of the most recent output. */
const EACH_OF_IT = /\b(?:each|every\s+one)\s+(?=(?:by|in|into|to|as|with|for|from|using)\b)/i;
const TRAILING_EACH = /\b(?:each|every|all(?:\s+of)?\s+the|all)\s+(?:of\s+(?:the|them)\s+)?([\p{L}]+)/iu;

function buildAction(text: string, draft: Draft, planning: Planning): void {
  if (!draft.isLoop && EACH_OF_IT.test(text)) {
    const body: Instruction[] = [{ kind: "do", text: text.replace(EACH_OF_IT, "it ") }];
    return buildLoop({ what: "item", body }, draft, planning);
  }
  const each = draft.isLoop || !SAYS_EACH.test(text) ? null : TRAILING_EACH.exec(text);
  if (each !== null) {
    const what = `${each[1] ?? "item"}${/\s+(?:in|of|from)\s+(?:the\s+)?[\p{L}]+$/iu.exec(text)?.[0] ?? ""}`;
    return buildLoop(
      {
        what,
        body: [{ kind: "do", text: text.replace(/\b(?:each|every)(?:\s+of\s+(?:the|them))?\b/i, "the") }],
      },
      draft,
      planning,
    );
  }
  const stepsBefore = draft.steps.length;
  if (READERS.some((read) => read(text, draft, planning))) {
    const maxRetries = retriesIn(text);
    if (maxRetries > 0) for (const step of draft.steps.slice(stepsBefore)) step["maxRetries"] = maxRetries;
    return;
  }
  const last = draft.steps.findLast((step) => step.type === "llm");
  // "It should be short." refines the previous instruction.
  if (last !== undefined && /^(?:it|the|make|keep|use|in|with|be|do)\b/i.test(text)) {
    const [task = "", ...rest] = String(last["prompt"]).split("\n\n");
    last["prompt"] = [`${task} ${sentence(unmarked(text, planning.literals))}.`, ...rest].join("\n\n");
    return;
  }
  const stepId = addThought(text, draft, planning);
  planning.notices.push({
    code: "not_understood",
    message: `"${unmarked(text, planning.literals)}" is handed to a language model, because no other step fits it.`,
    stepId,
  });
}

/** Matches phrases such as "retry up to three times". */
function retriesIn(text: string): number {
  if (!/\bretr(?:y|ies|ying)\b|\btry\b.*\bagain\b|\battempts?\b/i.test(text)) return 0;
  const times = /\b(\d{1,2}|two|three|four|five|ten)\s+(?:times|retries|attempts)\b/i
    .exec(text)?.[1]
    ?.toLowerCase();
  return { two: 2, three: 3, four: 4, five: 5, ten: 10 }[times ?? ""] ?? (Number(times) || 3);
}

/** "Else ignore it": a branch without a step. */
function readNothing(text: string): boolean {
  const isIdle =
    /^(?:ignore|skip|do\s+nothing|nothing|stop|end|finish|continue|proceed|go\s+on|carry\s+on|auto-?approve|approve\s+(?:it\s+)?automatically|that's\s+(?:it|all))\b/i;
  return (
    isIdle.test(text) || (/^(?:take|given|accept|receive|start\s+with)\b/i.test(text) && !/«/.test(text))
  );
}

function readApprovalUnlessAddressed(text: string, draft: Draft, planning: Planning): boolean {
  // "Send the approval to https://…" is a call, not an approval.
  return /«\d+»/.test(text) && /^(?:post|send|fetch|get|e-?mail)/i.test(text)
    ? false
    : readApproval(text, draft, planning);
}

function buildLoop(
  { what, body }: { what: string; body: readonly Instruction[] },
  draft: Draft,
  planning: Planning,
): void {
  const inner = newLoop(draft, what.split(/\s+/)[0] ?? "");
  build(body, inner, planning);
  if (inner.steps.length > 0) addLoop(what, inner, draft, planning);
}

/** Joins two branches: the next step runs after either of them. */
function buildBranches(
  { test, isNegated, actions, otherwise }: Extract<Instruction, { kind: "if" }>,
  draft: Draft,
  planning: Planning,
): void {
  const before = draft.current.flatMap((product) => product.about ?? [product]);
  const tailsBefore = draft.tails;
  const failed = draft.steps.at(-1)?.stepId;
  const { stepId, isNegated: isReversed, kind } = addTest(test, draft, planning);
  if (kind === "approval") return build(actions, draft, planning);
  const error: Product = { placeholder: `{{steps.${failed}.error}}`, form: "data", nouns: ["error"] };
  const isSwapped = isNegated !== isReversed;
  const [thenTails, elseTails]: [Tail[], Tail[]] =
    stepId === undefined
      ? [tailsBefore.map(({ source }) => ({ source, condition: "error" as const })), tailsBefore]
      : [
          [{ source: stepId, condition: isSwapped ? "false" : "true" }],
          [{ source: stepId, condition: isSwapped ? "true" : "false" }],
        ];

  const ends = [
    [thenTails, actions],
    [elseTails, otherwise],
  ].map(([tails, instructions]) => {
    draft.tails = tails as Tail[];
    draft.current = kind === "failure" && instructions === actions ? [error] : before;
    build(instructions as Instruction[], draft, planning);
    return draft.tails;
  });
  draft.tails = ends.flat();
  draft.current = before;
}
