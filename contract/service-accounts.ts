import * as z from "zod";
import { nameText, nextCursorSchema, success, timeSchema } from "./api.ts";
import { ROLES } from "./roles.ts";

/** An owner is a person: somebody must be able to log in. */
export const serviceAccountRoleSchema = z.enum(ROLES).exclude(["owner"]).meta({ id: "ServiceAccountRole" });
export type ServiceAccountRole = z.infer<typeof serviceAccountRoleSchema>;

/** Per workspace. */
export const MAX_SERVICE_ACCOUNTS = 200;

export const createServiceAccountSchema = z.object({
  name: nameText(200),
  role: serviceAccountRoleSchema.describe("Its keys act with this role"),
});
export const updateServiceAccountSchema = createServiceAccountSchema.partial();

export const serviceAccountSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: serviceAccountRoleSchema,
    createdAt: timeSchema,
  })
  .meta({ id: "ServiceAccount", description: "A member without a login, for programs" });
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

export const serviceAccountResponseSchema = success({ serviceAccount: serviceAccountSchema });
export const serviceAccountListResponseSchema = success({
  serviceAccounts: z.array(serviceAccountSchema),
  nextCursor: nextCursorSchema,
});
