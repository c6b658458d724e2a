import { removeSecondFactor } from "../../accounts/second-factor/second-factor.sql.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { findAccount } from "./find-account.ts";
import { openInstance } from "./open-instance.ts";

export const RESET_SECOND_FACTOR_USAGE = "reset-second-factor <email or id>";

/** `npm run admin -- reset-second-factor …` */
export async function resetSecondFactor({ config, args, log }: AdminContext): Promise<void> {
  const [user, ...rest] = args;
  if (user === undefined || rest.length > 0) throw usage("admin", RESET_SECOND_FACTOR_USAGE);
  const { db, close } = await openInstance(config, log);
  try {
    const { id, email } = await findAccount(db, user);
    const wasOn = await removeSecondFactor(db, id);
    log(wasOn ? `${email} logs in with the password only.` : `${email} has no second factor.`);
  } finally {
    await close();
  }
}
