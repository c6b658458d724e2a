/** Positions of triggers that a vendor calls begin like this, also while it is not known whether the vendor has one. */
const MARK = '{"subscription":';

/** Where the position may stand for a subscription that the vendor must end. */
export const HOLDS_SUBSCRIPTION_SQL = `position like '${MARK}%'`;

export function holdsSubscription(position: string | null): boolean {
  return position?.startsWith(MARK) ?? false;
}
