import type { OnTimeout } from "../../../../contract/approvals.ts";
import type { ControlCall } from "../run.ts";

/** What the time limit of an approval decides. */
export function timeoutOf(fields: ControlCall["fields"]): OnTimeout {
  const { onTimeout } = fields;
  // A placeholder can hold any text.
  return onTimeout === "approve" || onTimeout === "fail" ? onTimeout : "reject";
}
