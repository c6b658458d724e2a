import { Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useToken } from "./api/accounts.ts";
import { useIsOffline } from "./api/connection.ts";
import { SignIn } from "./features/accounts/sign-in.tsx";
import { CrashGuard } from "./features/shell/crash-guard.tsx";
import { Shell } from "./features/shell/shell.tsx";
import { WorkflowList } from "./features/workflows/workflow-list.tsx";
import { loadPart } from "./ui/load-part.ts";
import { Screen } from "./ui/screen.tsx";
import { Empty, Skeleton } from "./ui/states.tsx";
import { Toasts } from "./ui/toasts.tsx";

const Builder = loadPart(() => import("./features/builder/builder-screen.tsx"), "BuilderScreen");
const RunList = loadPart(() => import("./features/runs/run-list.tsx"), "RunList");
const RunView = loadPart(() => import("./features/runs/run-screen.tsx"), "RunScreen");
const RunCompare = loadPart(() => import("./features/runs/run-compare.tsx"), "RunCompare");
const Approvals = loadPart(() => import("./features/approvals/approvals.tsx"), "Approvals");
const Endpoints = loadPart(() => import("./features/endpoints/endpoints.tsx"), "Endpoints");
const Keys = loadPart(() => import("./features/endpoints/keys.tsx"), "Keys");
const Webhooks = loadPart(() => import("./features/webhooks/webhooks.tsx"), "Webhooks");
const WebhookView = loadPart(() => import("./features/webhooks/webhook-screen.tsx"), "WebhookScreen");
const Schedules = loadPart(() => import("./features/schedules/schedules.tsx"), "Schedules");
const Variables = loadPart(() => import("./features/variables/variables.tsx"), "Variables");
const Documents = loadPart(() => import("./features/documents/documents.tsx"), "Documents");
const Agents = loadPart(() => import("./features/agents/agents.tsx"), "Agents");
const Teams = loadPart(() => import("./features/teams/teams.tsx"), "Teams");
const TeamView = loadPart(() => import("./features/teams/team-screen.tsx"), "TeamScreen");
const WarRoom = loadPart(() => import("./features/teams/war-room.tsx"), "WarRoom");
const Templates = loadPart(() => import("./features/templates/templates.tsx"), "Templates");

function Screens() {
  return (
    <Suspense
      fallback={
        <Screen title="Loading">
          <div className="page">
            <Skeleton rows={6} />
          </div>
        </Screen>
      }
    >
      <Switch>
        <Route path="/">
          <Redirect to="/workflows" replace />
        </Route>
        <Route path="/workflows" component={WorkflowList} />
        <Route path="/workflows/:id" component={Builder} />
        <Route path="/runs" component={RunList} />
        <Route path="/runs/compare" component={RunCompare} />
        <Route path="/runs/:id" component={RunView} />
        <Route path="/approvals" component={Approvals} />
        <Route path="/endpoints" component={Endpoints} />
        <Route path="/endpoints/keys" component={Keys} />
        <Route path="/endpoints/webhooks" component={Webhooks} />
        <Route path="/endpoints/webhooks/:id" component={WebhookView} />
        <Route path="/endpoints/schedules" component={Schedules} />
        <Route path="/variables" component={Variables} />
        <Route path="/documents" component={Documents} />
        <Route path="/agents" component={Agents} />
        <Route path="/teams" component={Teams} />
        <Route path="/teams/:id" component={TeamView} />
        <Route path="/teams/:id/sessions/:sessionId" component={WarRoom} />
        <Route path="/templates" component={Templates} />
        <Route>
          <Screen title="Not found">
            <div className="page">
              <Empty title="There is nothing at this address">
                Choose something from the menu, or press the keys for “go anywhere”.
              </Empty>
            </div>
          </Screen>
        </Route>
      </Switch>
    </Suspense>
  );
}

export function App() {
  const token = useToken();
  const isAway = useIsOffline();
  return (
    <CrashGuard>
      {token === null ? (
        <SignIn />
      ) : (
        // Everything begins anew for another person.
        <Shell key={token}>
          <Screens />
        </Shell>
      )}
      <Toasts
        lasting={
          isAway
            ? "The service cannot be reached. This page goes on by itself when it is back; what you entered stays."
            : undefined
        }
      />
    </CrashGuard>
  );
}
