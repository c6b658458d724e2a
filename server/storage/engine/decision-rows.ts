import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { DecisionRecord } from "../../engine/approval-store.ts";
import type { Row } from "../db.ts";

export function toDecisionRecord(row: Row): DecisionRecord {
  const personId = row["person_id"] as string | null;
  return {
    id: row["id"] as string,
    path: row["path"] as string,
    decision: row["decision"] as DecisionRecord["decision"],
    comment: row["comment"] as string | null,
    data: JSON.parse((row["data"] as string | null) ?? "null") as JsonValue,
    decidedBy: row["decided_by"] as string,
    person:
      personId === null
        ? null
        : {
            id: personId,
            name: row["person_name"] as string | null,
            email: row["person_email"] as string,
          },
    via: row["via"] as DecisionRecord["via"],
    linkCreatedBy: row["link_created_by"] as string | null,
    at: Number(row["at"]),
  };
}
