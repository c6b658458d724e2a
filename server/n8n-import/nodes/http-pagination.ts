import { at, entriesAt, numberOf, textOf } from "../source/parameters.ts";
import type { NodeContext } from "./node-context.ts";

const MAX_QUOTED = 120;
const quoted = (value: unknown): string => `“${textOf(value).replace(/^=/, "").slice(0, MAX_QUOTED)}”`;

/** Says how n8n asks for the next page, and when it ends: the step requests one. */
export function reportPagination({ parameters, check }: NodeContext): void {
  const pagination = at(parameters, "options", "pagination", "pagination");
  const mode = at(pagination, "paginationMode") ?? "updateAParameterInEachRequest";
  if (pagination === undefined || mode === "off") return;
  const names = entriesAt(pagination, "parameters", "parameters").map(
    ({ name, value }) => `${quoted(name)} = ${quoted(value)}`,
  );
  const next =
    mode === "responseContainsNextURL"
      ? `at ${quoted(at(pagination, "nextURL"))}`
      : `with ${names.slice(0, 3).join(", ") || "other parameters"}`;
  const most =
    at(pagination, "limitPagesFetched") === true ? numberOf(at(pagination, "maxRequests")) : undefined;
  check(
    `It requests one page. n8n requests the next one ${next} until ${endOf(pagination)}${most === undefined ? "" : `, ${most} at most`}: put the step into a Repeat while.`,
  );
}

function endOf(pagination: unknown): string {
  const given = at(pagination, "paginationCompleteWhen");
  if (given === "receiveSpecificStatusCodes")
    return `the status is ${quoted(at(pagination, "statusCodesWhenComplete"))}`;
  return given === "other"
    ? `${quoted(at(pagination, "completeExpression"))} is true`
    : "the response is empty";
}
