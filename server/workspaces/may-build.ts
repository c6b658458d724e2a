/**
 * Holds while the person `$userId` may create and delete records in the workspace. The statement that writes carries it,
 * because a role may be lost after it was checked.
 */
export const mayBuild = (workspace: "$sourceId" | "$targetId"): string =>
  `exists (select 1 from member as m join workspace as w on w.id = m.workspace_id and w.deleted_at is null
    where m.workspace_id = ${workspace} and m.user_id = $userId and m.role in ('builder', 'admin', 'owner'))`;
