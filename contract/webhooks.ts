import * as z from "zod";
import { nameText, nextCursorSchema, success, text, timeSchema } from "./api.ts";
import { type SignatureScheme, signatureSchemes } from "./signature-schemes.ts";

export const webhookSourceSchema = z
  .string()
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/,
    "must be 1–100 letters, digits, . - or _, and begin with a letter or digit",
  )
  .refine((source) => source.toLowerCase() !== "a2a", "must not be a2a, which is reserved for agents");

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header");

/** Settings of the `hmac` scheme; other schemes ignore them. */
const hmacOptions = {
  header: headerName
    .optional()
    .describe("For `hmac`: the header with the signature; `x-signature` by default"),
  prefix: z
    .string()
    .regex(/^[\x21-\x7e]{1,50}$/, "must be 1–50 visible ASCII characters")
    .optional()
    .describe("For `hmac`: the text before the signature in its header, such as `sha256=`"),
  algorithm: z.enum(["sha1", "sha256", "sha512"]).optional().describe("For `hmac`: `sha256` by default"),
  encoding: z.enum(["hex", "base64"]).optional().describe("For `hmac`: `hex` by default"),
  timestampHeader: headerName
    .optional()
    .describe(
      "For `hmac`: the header with the time in Unix seconds. The signature then covers `<time>.<body>` and is valid for five minutes.",
    ),
};
const hmacOptionsSchema = z.object(hmacOptions);
export type HmacOptions = z.infer<typeof hmacOptionsSchema>;

export const signatureInputSchema = z
  .object({
    scheme: z.enum(signatureSchemes),
    secret: text(1000, 1).describe("The signing secret of the sender; stored encrypted and never returned"),
    ...hmacOptions,
  })
  .refine(({ scheme, secret }) => !hasEmptyKey(scheme, secret), {
    path: ["secret"],
    message: "must have a key in base64 after whsec_",
  });
export type SignatureInput = z.infer<typeof signatureInputSchema>;

/** Anyone could sign with an empty key, so verification refuses it. */
function hasEmptyKey(scheme: SignatureScheme, secret: string): boolean {
  const encoded = /^whsec_(.*)$/s.exec(secret)?.[1];
  const isEncoded = encoded !== undefined && (scheme === "standard" || scheme === "svix");
  // Two characters of base64 are the first byte.
  return isEncoded && encoded.replaceAll(/[^\w+/-]/g, "").length < 2;
}

const metadata = z.looseObject({ events: z.array(text(200)).max(1000).optional() });
const name = nameText(200);

export const createWebhookSchema = z.object({
  name,
  source: webhookSourceSchema,
  workflowId: text(200),
  metadata: metadata.optional(),
  signature: signatureInputSchema.nullable().optional(),
  customResponse: z
    .boolean()
    .optional()
    .describe(
      "The call waits for the run, and the output of the response step, `{statusCode, headers, body}`, is the response",
    ),
  active: z.boolean().optional(),
});
export type CreateWebhook = z.infer<typeof createWebhookSchema>;

export const updateWebhookSchema = createWebhookSchema.partial();
export type UpdateWebhook = z.infer<typeof updateWebhookSchema>;

export const webhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    source: z.string(),
    workflowId: z.string(),
    metadata,
    signature: z
      .object({ scheme: z.enum(signatureSchemes), ...hmacOptions })
      .nullable()
      .describe("Without its secret"),
    url: z
      .string()
      .describe("The address for the sender; it sends the secret in x-webhook-secret or ?secret="),
    customResponse: z.literal(true).optional(),
    active: z.boolean(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhookSchema>;

const webhookWithSecret = webhookSchema
  .extend({ secret: z.string().describe("Returned only here") })
  .meta({ id: "WebhookWithSecret" });

export const webhookResponseSchema = success({ webhook: webhookSchema });
export const webhookSecretResponseSchema = success({ webhook: webhookWithSecret });
export const webhookListResponseSchema = success({
  webhooks: z.array(webhookSchema),
  nextCursor: nextCursorSchema,
});

export const deliverySchema = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    status: z.enum(["accepted", "rejected"]),
    reason: z
      .string()
      .nullable()
      .describe(
        "Why it was rejected; `duplicate` when an earlier delivery started the task, `challenge` when the vendor checked the URL",
      ),
    method: z.string(),
    headers: z.record(z.string(), z.string()).describe("Credentials are redacted"),
    query: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe("Without the secret; other credentials are redacted"),
    body: z
      .unknown()
      .describe(
        "The JSON as received, or the fields of a form or of a GET request; null when the signature was invalid",
      ),
    taskId: z.string().nullable(),
    redeliveryOf: z.string().nullable(),
    createdAt: timeSchema,
  })
  .meta({ id: "Delivery" });
export type Delivery = z.infer<typeof deliverySchema>;

export const deliveryListResponseSchema = success({
  deliveries: z.array(deliverySchema),
  nextCursor: nextCursorSchema,
});
export const redeliverResponseSchema = success({ taskId: z.string(), delivery: deliverySchema });
export const webhookAcceptedSchema = success({ taskId: z.string() });
export const webhookChallengeSchema = z
  .union([
    z.record(z.string(), z.string()).describe("Slack, Zoom and X: an object with the fields of the vendor"),
    z.string().describe("Meta and Microsoft Graph, as text"),
  ])
  .describe("The response to a vendor's check of the URL, which starts no task");
