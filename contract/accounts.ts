import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, success, text, timeSchema } from "./api.ts";

const email = z
  .email("must be an email address")
  .max(254)
  .transform((address) => address.toLowerCase());

export const registerSchema = z.object({
  email,
  password: text(200, 8),
  name: text(200).optional(),
  setupCode: text(200).optional().describe("The code in the log, for the first account of a new instance"),
});

export const loginSchema = z.object({
  email: text(254, 1).transform((address) => address.toLowerCase()),
  password: text(1000, 1),
});

export const changePasswordSchema = z.object({
  currentPassword: text(1000, 1),
  newPassword: text(200, 8),
});

export const deleteAccountSchema = z.object({ password: text(1000, 1) });

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
export const meResponseSchema = success({ user: userSchema });

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
