import * as z from "zod";
import { isStorableText } from "../../../contract/api.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { type ProviderClaims, providerLoginFailed } from "./oidc-provider.ts";

const MAX_NAME = 200;
const emailSchema = z.email().max(254).toLowerCase();

/** The user as this service knows them, from the claims of the provider. */
export interface ProviderUser {
  issuer: string;
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string | null;
  groups: readonly string[];
}

export function readProviderUser(
  claims: ProviderClaims,
  { groupsClaim, trustEmail }: Pick<OidcSettings, "groupsClaim" | "trustEmail">,
): ProviderUser {
  const email = emailSchema.safeParse(claims["email"]);
  if (!email.success)
    throw providerLoginFailed("it sent no email address. Add the scope email to OIDC_SCOPES");
  const verified = claims["email_verified"];
  return {
    issuer: claims.issuer,
    subject: claims.subject,
    email: email.data,
    isEmailVerified: trustEmail || verified === true || verified === "true",
    name: nameOf(claims["name"]) ?? nameOf(claims["preferred_username"]),
    groups: groupsOf(claims, groupsClaim),
  };
}

function nameOf(value: unknown): string | null {
  if (typeof value !== "string" || value === "" || !isStorableText(value)) return null;
  return value.slice(0, MAX_NAME);
}

/** A claim by its name, or by a path such as `realm_access.roles`. One group may be a text instead of a list. */
function groupsOf(claims: Record<string, unknown>, name: string): string[] {
  const found = claims[name] ?? name.split(".").reduce<unknown>(memberOf, claims);
  return (Array.isArray(found) ? found : [found]).filter((group) => typeof group === "string");
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
