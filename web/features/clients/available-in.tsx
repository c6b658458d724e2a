import { Link } from "wouter";
import { useExposure } from "../../api/exposures.ts";
import { PROTOCOL_TITLES } from "./protocol-titles.ts";

/** Where clients can use a published workflow, in one line. */
export function AvailableIn({ workflowId }: { workflowId: string }) {
  const { data: exposure } = useExposure("workflow", workflowId);
  if (exposure === undefined) return null;
  const titles = exposure.protocols
    .filter((protocol) => exposure[protocol])
    .map((protocol) => PROTOCOL_TITLES[protocol]);
  return (
    <p className="row wrap small">
      <span className="grow">
        {titles.length === 0 ? "Not available to clients" : `Available in ${titles.join(", ")}`}
      </span>
      <Link className="btn tiny" href="/clients">
        Clients
      </Link>
    </p>
  );
}
