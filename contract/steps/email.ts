import * as z from "zod";
import { inWords } from "./common.ts";
import { connection, list, MAX_ENTRIES, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export function recipients(description: string) {
  const error = "must be an address or a list of addresses";
  const address = z.string().min(1, { error });
  return z
    .union([address, z.array(address).min(1, { error }).max(MAX_ENTRIES)], { error })
    .describe(description);
}

export const emailStep = defineStepType({
  type: "email",
  title: "Send an email",
  description: "Sends an email through the configured mail server, or through one of your own.",
  category: "connect",
  synonyms: ["mail", "smtp", "send", "message", "notify", "gmail"],
  fields: {
    to: recipients("The recipients: one address or a list of addresses."),
    subject: text("The subject line."),
    text: text("The message as plain text.").optional(),
    html: text("The message as HTML.").optional(),
    connection: connection(
      "One of your SMTP connections, by id, in place of the mail server of this instance.",
    ).optional(),
    attachments: list(
      "Files of earlier steps, or {name, content} with text or a file; at most 25 MiB in total.",
    ).optional(),
  },
  alternatives: { fields: ["text", "html"], exclusive: false },
  shortTitle: "Email",
  summary: ({ to }) => inWords(to),
  form: {
    to: { label: "To", control: "line", example: "ada@example.com" },
    subject: { label: "Subject", example: "Your order has shipped" },
    text: { label: "Message", control: "long", example: "Write the message" },
    connection: { label: "Mail server" },
    attachments: { label: "Attachments", example: "Type @ for a file of an earlier step" },
    html: { label: "Message as HTML", control: "long", example: "<p>Write the message</p>" },
  },
  example: {
    stepId: "tell-customer",
    type: "email",
    to: "{{input.email}}",
    subject: "Your order {{input.orderId}}",
    text: "Thank you! We have received your order.",
  },
});
