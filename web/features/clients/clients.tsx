import { Link } from "wouter";
import { Screen } from "../../ui/screen.tsx";
import { CallList } from "./call-list.tsx";
import { ConnectClient } from "./connect-client.tsx";
import { ExposureList } from "./exposure-list.tsx";
import "./clients.css";
import { useMayOpen } from "../shell/use-may-open.ts";

const TABS = [
  ["", "Available to clients"],
  ["connect", "Connect a client"],
  ["calls", "Calls"],
] as const;

/** What MCP, A2A and chat clients may use, how they connect, and what they called. */
export function Clients({ params: { tab = "" } }: { params: { tab?: string | undefined } }) {
  const mayOpen = useMayOpen();
  return (
    <Screen title="Clients">
      <div className="page">
        <nav className="tabs" aria-label="Clients">
          {TABS.filter(([path]) => mayOpen(`/clients/${path}`)).map(([path, label]) => (
            <Link
              key={path}
              href={path === "" ? "/clients" : `/clients/${path}`}
              aria-current={tab === path ? "page" : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        {tab === "connect" ? <ConnectClient /> : tab === "calls" ? <CallList /> : <ExposureList />}
      </div>
    </Screen>
  );
}
