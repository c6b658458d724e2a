import { NOTIFICATION_KINDS, notificationKinds } from "../../contract/notifications.ts";
import { includesRole, type Role, ROLES } from "../../contract/roles.ts";

const rolesFrom = (least: Role): string =>
  `(${ROLES.filter((role) => includesRole(role, least))
    .map((role) => `'${role}'`)
    .join(", ")})`;

/** `replace` finds an address in a list in JSON, in both databases and without wildcards: it may contain `_`. */
const IS_APPROVER = [
  `replace(n.approvers, '"' || lower(a.email) || '"', '') <> n.approvers`,
  ...ROLES.map((role) => `(n.approvers like '%"role:${role}"%' and m.role in ${rolesFrom(role)})`),
].join(" or ");

/** SQL: the member `m` with the account `a` may act on the notification `n`. Its events are not older than the membership. */
export const MAY_SEE = `n.last_at >= m.created_at and (${notificationKinds
  .map((kind) => `n.kind = '${kind}' and m.role in ${rolesFrom(NOTIFICATION_KINDS[kind])}`)
  .join(" or ")}) and (n.approvers is null or ${IS_APPROVER})`;

/** SQL: the member has not switched off this channel; `p` is their settings, or null. */
export const isWanted = (channel: "page" | "mail"): string =>
  `(p.muted is null or replace(p.muted, '"' || n.kind || ':${channel}"', '') = p.muted)`;

/** SQL: `r` is what the member has read, or null. An approval that is decided needs nobody. */
export const IS_UNREAD = `(n.count > coalesce(r.count, 0) and (n.kind not in ('approval_requested', 'approval_blocked') or exists
  (select 1 from approval as open where open.task_id = n.task_id and open.path = n.step_id and open.decided_at is null)))`;

/** A notification with the member, the account and the settings that it is shown to. */
export const OF_MEMBERS = `notification as n
  join workspace as w on w.id = n.owner_id and w.deleted_at is null
  join member as m on m.workspace_id = n.owner_id
  join account as a on a.id = m.user_id and a.disabled_at is null
  left join notification_person as p on p.owner_id = n.owner_id and p.user_id = m.user_id
  left join notification_read as r on r.notification_id = n.id and r.user_id = m.user_id`;
