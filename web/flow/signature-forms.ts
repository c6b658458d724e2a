import type { SignatureScheme } from "../../contract/signature-schemes.ts";

interface SignatureForm {
  label: string;
  /** What the sender calls the value to enter. */
  secret: string;
  /** Where to find it, or what else the sender needs. */
  hint: string;
}

/** What to ask for, by scheme. The sender's own words, so that people find the value in its settings. */
export const signatureForms: Readonly<Record<SignatureScheme, SignatureForm>> = {
  github: {
    label: "GitHub",
    secret: "Secret",
    hint: "The secret entered in the webhook settings of the repository.",
  },
  stripe: {
    label: "Stripe",
    secret: "Signing secret",
    hint: "Begins with whsec_. Shown on the webhook in Stripe.",
  },
  slack: { label: "Slack", secret: "Signing secret", hint: "Basic Information of the Slack app." },
  standard: {
    label: "Standard Webhooks",
    secret: "Signing secret",
    hint: "Begins with whsec_. Shown by the sender.",
  },
  svix: { label: "Svix", secret: "Signing secret", hint: "Begins with whsec_. Shown by the sender." },
  shopify: {
    label: "Shopify",
    secret: "Client secret",
    hint: "API credentials of the app, or Notifications › Webhooks.",
  },
  woocommerce: {
    label: "WooCommerce",
    secret: "Secret",
    hint: "The secret entered in the webhook of the shop.",
  },
  typeform: { label: "Typeform", secret: "Secret", hint: "The secret entered in the webhook of the form." },
  twilio: {
    label: "Twilio",
    secret: "Auth token",
    hint: "Account › API keys and tokens. The signature covers the URL as shown above.",
  },
  hubspot: {
    label: "HubSpot",
    secret: "Client secret",
    hint: "Auth settings of the app. The signature covers the URL as shown above.",
  },
  meta: {
    label: "Meta (Facebook, Instagram, WhatsApp)",
    secret: "App secret",
    hint: "Settings › Basic of the app. Enter the webhook's secret as the verify token.",
  },
  zoom: { label: "Zoom", secret: "Secret token", hint: "Features › Access of the app." },
  x: {
    label: "X (Twitter)",
    secret: "API secret key",
    hint: "Keys and tokens of the app (consumer secret).",
  },
  "microsoft-graph": {
    label: "Microsoft Graph",
    secret: "Client state",
    hint: "The clientState of the subscription. Microsoft sends it with every notification.",
  },
  bearer: {
    label: "Bearer token",
    secret: "Token",
    hint: "The sender sends it as Authorization: Bearer <token>.",
  },
  hmac: { label: "HMAC (other)", secret: "Signing secret", hint: "Shared with the sender." },
};
