import { number, text, textList } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const documentQueryStep = defineStepType({
  type: "document_query",
  title: "Ask your documents",
  description: "Answers a question from your uploaded documents and says on which pages the answer stands.",
  category: "ai",
  fields: {
    query: text("The question, in plain words."),
    documentIds: textList("The documents to look into; all of yours when left out.").optional(),
    topK: number("How many passages to look at; 5 when left out.", {
      min: 1,
      max: 50,
      whole: true,
    }).optional(),
  },
  example: { stepId: "ask-handbook", type: "document_query", query: "{{input.question}}", topK: 5 },
});
