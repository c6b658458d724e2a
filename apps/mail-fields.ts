import type { AppField } from "../contract/apps.ts";

/** The fields of an email, for all apps that send one. */
export const mailFields: Readonly<Record<string, AppField>> = {
  to: {
    type: "string",
    title: "To",
    description: "Addresses, separated by commas.",
    required: true,
    example: "ada@example.com",
  },
  subject: { type: "string", title: "Subject", required: true },
  text: { type: "string", title: "Text", format: "multiline" },
  html: {
    type: "string",
    title: "HTML",
    description: "In place of the text.",
    format: "multiline",
    advanced: true,
  },
  cc: { type: "string", title: "Cc", advanced: true },
  bcc: { type: "string", title: "Bcc", advanced: true },
};
