import { splitSentences } from "../ingest/sentences.ts";

const INSTRUCTIONS: readonly RegExp[] = [
  /^(?:please )?(?:answer|respond|reply|round)\b/i,
  /^(?:[^,]{0,40}, )?(?:please )?(?:give|provide|state|address|base|support|express|write|keep|use|help|limit)\b.*\b(?:answers?|responses?|questions?|judge?ments?|sentences?|words|decimals?|units?|USD)\b/i,
  /^(?:assume|imagine|suppose|pretend) (?:that )?you\b/i,
  /^you are an? [^,.]*\b(?:analyst|banker|investor|accountant|auditor|lawyer|expert|assistant)\b/i,
  /^we (?:want|need|would like) to\b/i,
  // "If the quick ratio is not relevant, please state that and explain why."
  /^if\b.*\b(?:state|say|tell|mention|explain|note) (?:that|so|this|it|me|us|why)\b/i,
  // "ROA is defined as: net income / average total assets."
  /\b(?:is|are) (?:defined|calculated|computed) as\b/i,
];

/** "Answer the following question from the balance sheet: what is …", "Here's the question: what is …" */
const LEAD = /^[^:?]{0,200}\b(?:question|answer)\b[^:?]{0,200}:\s*(?=\S)/i;

/** A question as it was asked, and its content: the part that documents are searched for. */
export interface QuestionContent {
  text: string;
  content: string;
}

export function readQuestion(text: string): QuestionContent {
  return { text, content: withoutInstructions(text) };
}

/**
 * A question without the instructions and definitions around it: they describe the answer, and no page contains it in
 * their words. Nothing is cut from a text without a question mark, which may be an instruction itself.
 */
function withoutInstructions(question: string): string {
  const sentences = splitSentences(question).flatMap(({ start, end }) =>
    question
      .slice(start, end)
      .replace(LEAD, "")
      .split(/(?<=;) /),
  );
  if (!sentences.some(isAsked)) return question;
  return sentences.filter((sentence) => isAsked(sentence) || !isInstruction(sentence)).join(" ");
}

const isAsked = (sentence: string): boolean => sentence.endsWith("?");
const isInstruction = (sentence: string): boolean => INSTRUCTIONS.some((pattern) => pattern.test(sentence));
