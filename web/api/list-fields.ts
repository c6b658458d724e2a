/** Lists of the instance, whose field has the name of a list of the workspace. */
export const LIST_FIELDS = {
  accountInvitations: "invitations",
  adminTasks: "tasks",
  adminWorkspaces: "workspaces",
} as const;
export type ListFields = typeof LIST_FIELDS;
