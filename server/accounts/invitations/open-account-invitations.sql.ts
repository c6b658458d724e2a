import type { Clock } from "../../lib/clock.ts";
import { createMailer } from "../../mail/mailer.ts";
import type { Db } from "../../storage/db.ts";
import { createAccountInvitationStore } from "./account-invitation.sql.ts";
import { type AccountInvitations, createAccountInvitations } from "./account-invitations.ts";

/** On a database, for the service and for commands of operators. */
export function openAccountInvitations(
  db: Db,
  clock: Pick<Clock, "now">,
  { smtp, serviceUrl }: { smtp: Parameters<typeof createMailer>[0]; serviceUrl: string },
  onMailError: (error: unknown) => void,
): AccountInvitations {
  return createAccountInvitations({
    store: createAccountInvitationStore(db),
    mailer: createMailer(smtp),
    clock,
    pageUrl: serviceUrl,
    onMailError,
  });
}
