import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { finishMcpAuthorization, useMcpServerMutation } from "../../api/mcp-servers.ts";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";

/** Where the authorization server of an MCP server sends the user back. */
export function McpCallback() {
  const [, navigate] = useLocation();
  const isSent = useRef(false);
  const { mutate, error } = useMcpServerMutation(finishMcpAuthorization, () =>
    navigate("/settings/mcp-servers", { replace: true }),
  );
  useEffect(() => {
    // A state works once, and React runs effects twice in development.
    if (isSent.current) return;
    isSent.current = true;
    const answer = new URLSearchParams(location.search);
    const read = (name: string): string | undefined => answer.get(name) ?? undefined;
    const [code, iss, failure] = [read("code"), read("iss"), read("error")];
    // The code must not stay in the history.
    history.replaceState(null, "", location.pathname);
    mutate({
      state: read("state") ?? "none",
      ...(code === undefined ? {} : { code }),
      ...(iss === undefined ? {} : { iss }),
      ...(failure === undefined ? {} : { error: failure }),
    });
  }, [mutate]);
  return (
    <Screen title="Connecting the MCP server">
      <div className="page">
        {error === null ? (
          <Skeleton rows={2} />
        ) : (
          <Failure error={error} retry={() => navigate("/settings/mcp-servers")} />
        )}
      </div>
    </Screen>
  );
}
