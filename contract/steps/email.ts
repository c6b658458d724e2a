import * as z from "zod";
import { text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export function recipients(description: string) {
  const error = "must be an address or a list of addresses";
  return z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error }).describe(description);
}

export const emailStep = defineStepType({
  type: "email",
  title: "Send an email",
  description: "Sends an email through the configured mail server.",
  category: "connect",
  synonyms: ["mail", "smtp", "send", "message", "notify", "gmail"],
  fields: {
    to: recipients("The recipients: one address or a list of addresses."),
    subject: text("The subject line."),
    text: text("The message as plain text.").optional(),
    html: text("The message as HTML.").optional(),
  },
  alternatives: { fields: ["text", "html"], exclusive: false },
  example: {
    stepId: "tell-customer",
    type: "email",
    to: "{{input.email}}",
    subject: "Your order {{input.orderId}}",
    text: "Thank you! We have received your order.",
  },
});
