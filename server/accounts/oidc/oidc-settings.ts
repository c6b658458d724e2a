import * as z from "zod";
import { parseJson } from "../../lib/lenient-parse.ts";

/** One entry of OIDC_ROLE_MAPPING: what the members of a group get when they log in. */
const ruleSchema = z.union([
  z.strictObject({ group: z.string().min(1), administrator: z.literal(true) }),
  z.strictObject({
    group: z.string().min(1),
    workspace: z.string().min(1),
    role: z.enum(["admin", "builder", "operator", "viewer"]),
  }),
]);
export type RoleRule = z.infer<typeof ruleSchema>;

export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  scopes: string;
  groupsClaim: string;
  roleRules: readonly RoleRule[];
  buttonLabel: string;
  /** Passwords do not log in. */
  only: boolean;
  /** A first login creates an account. */
  createAccounts: boolean;
  /** Every address of this provider counts as verified. */
  trustEmail: boolean;
}

/** Reads OIDC_ROLE_MAPPING, a JSON list. */
export function readRoleMapping(text: string, context: z.RefinementCtx): readonly RoleRule[] {
  if (text === "") return [];
  const parsed = z.array(ruleSchema).safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  context.addIssue(
    'must be a JSON list such as [{"group": "data", "workspace": "ws_…", "role": "builder"}, {"group": "it", "administrator": true}]',
  );
  return z.NEVER;
}
