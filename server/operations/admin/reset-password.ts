import { createAccountLinkStore } from "../../accounts/links/account-link.sql.ts";
import { AppError } from "../../lib/errors.ts";
import { createAccountLinks } from "../../security/account-links.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { findAccount } from "./find-account.ts";
import { openInstance } from "./open-instance.ts";

export const RESET_PASSWORD_USAGE = "reset-password <email or id>";

/** `npm run admin -- reset-password …` */
export async function resetPassword({ config, args, log }: AdminContext): Promise<void> {
  const [user, ...rest] = args;
  if (user === undefined || rest.length > 0) throw usage("admin", RESET_PASSWORD_USAGE);
  const { db, now, close } = await openInstance(config, log);
  try {
    const { id, email } = await findAccount(db, user);
    const links = createAccountLinks({
      store: createAccountLinkStore(db),
      clock: { now },
      pageUrl: config.serviceUrl,
    });
    const link = await links.create(id, "password_reset", null);
    if (link === undefined)
      throw new AppError(
        "usage",
        `${email} has five links that are still valid. Use one, or try again in an hour.`,
      );
    log(`${email} chooses a new password at this address within an hour:`);
    log(link);
  } finally {
    await close();
  }
}
