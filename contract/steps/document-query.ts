import { inWords } from "./common.ts";
import { anyValue, number, text, textList } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const documentQueryStep = defineStepType({
  type: "document_query",
  title: "Ask your documents",
  description: "Answers a question from your uploaded documents and cites the pages.",
  category: "ai",
  synonyms: ["pdf", "rag", "search", "knowledge", "question", "documents", "vector"],
  fields: {
    query: text("The question, in plain language."),
    documentIds: textList("The documents to search; all of your documents by default.").optional(),
    collectionIds: textList("Collections to search, in addition to the documents.").optional(),
    history: anyValue(
      "Earlier messages, oldest first, with which a follow-up question is completed. In a chat: {{input.history}}.",
    ).optional(),
    topK: number("Number of passages to use; 5 by default.", {
      min: 1,
      max: 50,
      whole: true,
    }).optional(),
  },
  shortTitle: "Documents",
  summary: ({ query }) => inWords(query),
  form: {
    query: { label: "Question", control: "long", example: "How long is the warranty?" },
    documentIds: { label: "Documents" },
    collectionIds: { label: "Collections" },
    history: { label: "Earlier messages", control: "long", example: "{{input.history}}" },
    topK: { label: "Passages to use", example: "5" },
  },
  example: { stepId: "ask-handbook", type: "document_query", query: "{{input.question}}", topK: 5 },
});
