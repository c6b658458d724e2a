import {
  inviteAccount,
  useAccountInvitations,
  useAdministration,
  withdrawInvitation,
} from "../../api/administration.ts";
import { InvitationSection } from "../../ui/invitation-section.tsx";

/** Links with which people create an account, also while registration is closed. */
export function AccountInvitations() {
  const create = useAdministration(inviteAccount);
  const withdraw = useAdministration(withdrawInvitation);
  return (
    <InvitationSection
      invitations={useAccountInvitations()}
      create={create}
      action="Invite"
      onCancel={withdraw.mutateAsync}
      hint="Only this address can register with the link. Without an address, anyone who has the link can."
      about="An invitation is a link that creates one account."
    />
  );
}
