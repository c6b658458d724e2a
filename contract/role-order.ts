/** From the least to the most: each role includes the ones before it. Without zod: the page orders roles on its first screen. */
export const ROLES = ["viewer", "operator", "builder", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export function includesRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
