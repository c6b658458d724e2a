import type { AppAuth } from "../contract/apps.ts";
import type { AppErrors } from "./define-app.ts";

/** The login of all Google apps. Google issues a refresh token only for offline access, and only when it asks for consent. */
export function googleAuth(...scopes: string[]): AppAuth {
  return {
    kind: "oauth2",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scopes: ["openid", "email", ...scopes],
    authorizationParameters: { access_type: "offline", prompt: "consent" },
    help: "Create an OAuth client (web application) at https://console.cloud.google.com/apis/credentials and enable the API.",
  };
}

/** The errors of all Google APIs. */
export const googleErrors: AppErrors = {
  code: "{{body.error.status}}",
  message: "{{body.error.message}}",
  words: {
    RESOURCE_EXHAUSTED: "Too many requests, or the quota of the Google project is used up. Try again later.",
    "404": "Google found nothing there, or the account has no access to it.",
    NOT_FOUND: "Google found nothing there, or the account has no access to it.",
  },
};
