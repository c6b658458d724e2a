export interface Operation {
  method: string;
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  /** A role, `account` or `administrator`. */
  role: string;
  scope: string | null;
}

type Documented = Record<string, Record<string, any>>;

/** The operations of the OpenAPI document that need a role. */
export function operationsOf(document: { paths: Documented }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => operation["x-required-role"] !== undefined)
      .map(([verb, operation]) => ({
        method: verb.toUpperCase(),
        path,
        operationId: operation.operationId as string,
        summary: operation.summary as string,
        tag: operation.tags[0] as string,
        role: operation["x-required-role"] as string,
        scope: (operation["x-required-scope"] as string | null | undefined) ?? null,
      })),
  );
}

const INTRODUCTION = `<!-- Generated from the routes by \`npx vitest run test/roles.test.ts -u\`. Do not edit. -->

# Roles and scopes of the routes

Each role includes the ones before it: viewer, operator, builder, admin, owner. The role is that of the person in the workspace of
the request ([workspaces and roles](../operate/workspaces.md)). *Account* routes are the person's own, *administrator* routes the
instance's. The scope is the one that an API key needs; routes without a scope accept a login only.
`;

/** The page of the reference: one table for each tag. */
export function renderRoles(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))].toSorted();
  const sections = tags.map((tag) => {
    const rows = operations
      .filter((operation) => operation.tag === tag)
      .map(
        ({ method, path, summary, role, scope }) =>
          `| \`${method} ${path}\` | ${summary} | ${role} | ${scope === null ? "" : `\`${scope}\``} |`,
      );
    return [
      `## ${tag}`,
      "",
      "| Route | What it does | Role | Scope |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  });
  return [INTRODUCTION, ...sections].join("\n");
}

/** The module of the contract from which the page knows what it may offer to a role. */
export function renderOperationRoles(operations: readonly Operation[], roles: readonly string[]): string {
  const lines = operations
    .filter(({ role }) => roles.includes(role) && role !== roles[0])
    .map(({ operationId, role }) => `  ${operationId}: "${role}",`)
    .toSorted();
  return [
    "// Generated from the routes by `npx vitest run test/roles.test.ts -u`. Do not edit.",
    'import type { Role } from "./role-order.ts";',
    "",
    "/** The least role of every operation that a viewer may not call. */",
    "export const OPERATION_ROLES = {",
    ...lines,
    "} as const satisfies Record<string, Role>;",
    "",
  ].join("\n");
}
