import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, success, text, timeSchema } from "./api.ts";
import { workspaceSchema } from "./workspaces.ts";

const email = z
  .email("must be an email address")
  .max(254)
  .transform((address) => address.toLowerCase());

export const registerSchema = z.object({
  email,
  password: text(200, 8),
  name: text(200).optional(),
  setupCode: text(200).optional().describe("The code in the log, for the first account of a new instance"),
  invitation: text(200).optional().describe("The token of an invitation, while registration is closed"),
});

export const loginSchema = z.object({
  email: text(254, 1).transform((address) => address.toLowerCase()),
  password: text(1000, 1),
});

export const changePasswordSchema = z.object({
  currentPassword: text(1000, 1),
  newPassword: text(200, 8),
});

const linkToken = text(200, 1)
  .describe("The part of the mailed link after `#token=`")
  .meta({ examples: ["mZ0pJc1Qv7sYk2Rr8b5TtXq3Wd6Gh9Lf4Na0Ee1Uu2I"] });

export const forgotPasswordSchema = z.object({ email });

export const resetPasswordSchema = z.object({ token: linkToken, newPassword: text(200, 8) });

export const confirmEmailSchema = z.object({ token: linkToken });

export const loginMethodsResponseSchema = success({
  registration: z
    .enum(["open", "setup_code", "closed"])
    .describe("`setup_code`: only the first account, with the code in the log"),
  hasAccounts: z
    .boolean()
    .describe("False until the first account exists: its login screen begins with creating it"),
  password: z.boolean().describe("Whether people log in with a password"),
  provider: z
    .object({ label: z.string() })
    .nullable()
    .describe("The login provider of the operator; null without one")
    .meta({ examples: [{ label: "Example SSO" }] }),
  mail: z.boolean().describe("Whether this service sends mail: password resets, confirmations of addresses"),
});
export type LoginMethods = Omit<z.infer<typeof loginMethodsResponseSchema>, "ok">;

export const oidcStartSchema = z
  .object({
    invitation: text(200)
      .optional()
      .describe("The token of an invitation: the login may create the account that it allows"),
  })
  .nullish();

export const oidcStartResponseSchema = success({
  authorizationUrl: z
    .string()
    .describe("The login page of the provider")
    .meta({ examples: ["https://sso.example.com/auth?client_id=baton&state=k2vq7bmd"] }),
});

export const oidcCallbackSchema = z.object({
  query: text(8000, 1)
    .describe("What the provider appended to `/login/callback`, without the question mark")
    .meta({ examples: ["code=SplxlOBeZQQYbYS6WxSbIA&state=k2vq7bmd"] }),
});

export const logoutResponseSchema = success({
  providerLogoutUrl: z
    .string()
    .optional()
    .describe("Where a user who logged in with the provider ends that login too; absent otherwise")
    .meta({ examples: ["https://sso.example.com/logout?client_id=baton"] }),
});

export const deleteAccountSchema = z.object({
  password: text(1000, 1)
    .optional()
    .describe("Accounts without a password need a login of the last ten minutes instead"),
});

export const logoutQuerySchema = z.object({
  everywhere: emptyAsAbsent(z.enum(["true", "false"])).describe("`true` ends all logins of the account"),
});

export const userSchema = z
  .object({ id: z.string(), email: z.string(), name: z.string().nullable(), createdAt: timeSchema })
  .meta({ id: "User" });
export type User = z.infer<typeof userSchema>;

export const loginResponseSchema = success({
  token: z.string().describe("A JWT, valid for seven days"),
  user: userSchema,
});
export const meResponseSchema = success({
  user: userSchema
    .extend({
      isAdministrator: z.boolean().describe("Whether this account administers the instance"),
      twoFactor: z.boolean().describe("Whether a login needs a code as well"),
      emailConfirmedAt: timeSchema.nullable().describe("null until the link of a mail was opened"),
      providerOnly: z
        .boolean()
        .describe("True for an account without a password, which logs in with a provider"),
    })
    .meta({ id: "CurrentUser" }),
  workspaces: z.array(workspaceSchema).describe("Your workspaces, the personal one first"),
});

const code = text(100, 1)
  .describe("Of the authenticator app, or a recovery code")
  .meta({ examples: ["492039"] });

export const secondFactorLoginSchema = z.object({
  challenge: text(4100, 1)
    .describe("`details.challenge` of the `second_factor_required` error")
    .meta({ examples: ["eyJ1c2VySWQiOiJ1c2VyXzAxIn0.7Qm1pX0vVw3kq4m0wJm3"] }),
  code,
});

export const confirmWithCodeSchema = z.object({ password: text(1000, 1), code });

export const secondFactorResponseSchema = success({
  enabled: z.boolean(),
  enabledAt: timeSchema.nullable(),
  recoveryCodesLeft: z.number().int().describe("Recovery codes that were not used yet"),
});

export const secondFactorSetupResponseSchema = success({
  secret: z
    .string()
    .describe("To type into an authenticator app, in base 32")
    .meta({ examples: ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"] }),
  uri: z
    .string()
    .describe("The `otpauth://` address to show as a QR code")
    .meta({ examples: ["otpauth://totp/Baton:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Baton"] }),
});

export const recoveryCodesResponseSchema = success({
  recoveryCodes: z
    .array(z.string())
    .describe("Shown only once. Each one replaces a code of the app once")
    .meta({ examples: [["k2vq-7bmd-x4ta-p6ns"]] }),
});

export const loginSessionSchema = z
  .object({
    id: z.string(),
    userAgent: z.string().nullable().describe("The program that logged in, as it named itself"),
    address: z.string().nullable().describe("The network address of the login"),
    createdAt: timeSchema,
    expiresAt: timeSchema,
    current: z.boolean().describe("Whether this request uses this login"),
  })
  .meta({ id: "LoginSession" });
export const loginSessionListResponseSchema = success({
  sessions: z.array(loginSessionSchema),
  nextCursor: nextCursorSchema,
});

export const errorWorkflowResponseSchema = success({
  errorWorkflowId: z.string().nullable().describe("Runs when a run of a workflow without its own one fails"),
});
