import type { AppAuth } from "../contract/apps.ts";
import type { AppErrors } from "./define-app.ts";

/** The login of all apps of Microsoft Graph, for work, school and personal accounts. */
export function microsoftAuth(...scopes: string[]): AppAuth {
  return {
    kind: "oauth2",
    authorizationUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    // Without offline_access Microsoft issues no refresh token.
    scopes: ["offline_access", "User.Read", ...scopes],
    help: "Register an app at https://entra.microsoft.com (App registrations, platform Web) and create a client secret.",
  };
}

/** The errors of Microsoft Graph. */
export const microsoftErrors: AppErrors = {
  code: "{{body.error.code}}",
  message: "{{body.error.message}}",
  words: {
    ErrorItemNotFound: "Microsoft found nothing there, or the account has no access to it.",
    itemNotFound: "Microsoft found nothing there, or the account has no access to it.",
    ErrorAccessDenied: "The connection lacks a permission. Connect Microsoft again.",
    accessDenied: "The connection lacks a permission. Connect Microsoft again.",
  },
  expired: ["InvalidAuthenticationToken"],
};
