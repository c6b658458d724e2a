/** How the senders of webhooks prove who they are. Without zod: the page loads this list. */
export const signatureSchemes = [
  "github",
  "stripe",
  "slack",
  "standard",
  "svix",
  "shopify",
  "woocommerce",
  "typeform",
  "twilio",
  "hubspot",
  "meta",
  "zoom",
  "x",
  "microsoft-graph",
  "bearer",
  "hmac",
] as const;
export type SignatureScheme = (typeof signatureSchemes)[number];
