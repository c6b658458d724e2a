import { anyValue, choice, textRecord, webAddress } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const httpStep = defineStepType({
  type: "http",
  title: "HTTP request",
  description:
    "Calls a web address and hands on what it answers: JSON as a value, text as text, anything else as {contentType, base64, bytes}, nothing as null. An answer other than 2xx fails the step. Every try sends the same Idempotency-Key header unless you set one.",
  category: "connect",
  fields: {
    method: choice(
      "What to do at the address. GET, when left out, only reads.",
      ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
      true,
    ).optional(),
    url: webAddress("The web address to call, with http:// or https:// in front."),
    headers: textRecord("Headers to send along, each a name and a text.").optional(),
    query: textRecord(
      "What to add to the address after the question mark, each a name and a text.",
    ).optional(),
    body: anyValue(
      "What to send: text as it is (said to be JSON when it is an object or a list), a {contentType, base64, bytes} of an earlier step as those bytes, anything else as JSON.",
    ).optional(),
  },
  example: {
    stepId: "fetch-orders",
    type: "http",
    method: "GET",
    url: "https://api.example.com/orders",
    query: { customer: "{{input.customerId}}" },
    maxRetries: 2,
  },
});
