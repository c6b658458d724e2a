import { type ComponentType, Suspense } from "react";
import { Redirect, Route, Switch, useLocation, useRoute } from "wouter";
import { useIdentity } from "./api/accounts.ts";
import { useIsOffline } from "./api/connection.ts";
import { ErrorBoundary } from "./features/shell/error-boundary.tsx";
import { RestrictedScreen } from "./features/shell/restricted-screen.tsx";
import { Shell } from "./features/shell/shell.tsx";
import { Home } from "./features/home/home.tsx";
import { WorkflowList } from "./features/workflows/workflow-list.tsx";
import { lazyComponent } from "./ui/lazy-component.ts";
import { Screen } from "./ui/screen.tsx";
import { Skeleton } from "./ui/states.tsx";
import { Toasts } from "./ui/toasts.tsx";

const NotFound = lazyComponent(() => import("./features/shell/not-found.tsx"), "NotFound");
const SignIn = lazyComponent(() => import("./features/accounts/sign-in.tsx"), "SignIn");
const Builder = lazyComponent(() => import("./features/builder/builder-screen.tsx"), "BuilderScreen");
const oldLinks = () => import("./features/builder/triggers/old-links.tsx");
const OldEndpointLink = lazyComponent(oldLinks, "OldEndpointLink");
const OldWebhookLink = lazyComponent(oldLinks, "OldWebhookLink");
const RunList = lazyComponent(() => import("./features/runs/run-list.tsx"), "RunList");
const RunView = lazyComponent(() => import("./features/runs/run-screen.tsx"), "RunScreen");
const RunCompare = lazyComponent(() => import("./features/runs/run-compare.tsx"), "RunCompare");
const Approvals = lazyComponent(() => import("./features/approvals/approvals.tsx"), "Approvals");
const ApprovalPage = lazyComponent(() => import("./features/approvals/approval-page.tsx"), "ApprovalPage");
const ResetPassword = lazyComponent(() => import("./features/accounts/reset-password.tsx"), "ResetPassword");
const Register = lazyComponent(() => import("./features/accounts/register.tsx"), "Register");
const Administration = lazyComponent(
  () => import("./features/administration/administration.tsx"),
  "Administration",
);
const ConfirmEmail = lazyComponent(() => import("./features/accounts/confirm-email.tsx"), "ConfirmEmail");
const ProviderCallback = lazyComponent(
  () => import("./features/accounts/provider-callback.tsx"),
  "ProviderCallback",
);
const Security = lazyComponent(() => import("./features/settings/security.tsx"), "Security");
const ConsentScreen = lazyComponent(() => import("./features/oauth/consent-screen.tsx"), "ConsentScreen");
const InvitationPage = lazyComponent(
  () => import("./features/accounts/invitation-page.tsx"),
  "InvitationPage",
);
const Limits = lazyComponent(() => import("./features/settings/limits.tsx"), "Limits");
const Notifications = lazyComponent(
  () => import("./features/notifications/notification-screen.tsx"),
  "Notifications",
);
const NotificationSettings = lazyComponent(
  () => import("./features/settings/notification-settings.tsx"),
  "NotificationSettings",
);
const AuditLog = lazyComponent(() => import("./features/settings/audit-log.tsx"), "AuditLog");
const Members = lazyComponent(() => import("./features/settings/members.tsx"), "Members");
const ConnectedApps = lazyComponent(() => import("./features/settings/connected-apps.tsx"), "ConnectedApps");
const ApiKeys = lazyComponent(() => import("./features/settings/api-keys.tsx"), "ApiKeys");
const Events = lazyComponent(() => import("./features/events/events.tsx"), "Events");
const Store = lazyComponent(() => import("./features/store/store.tsx"), "Store");
const Variables = lazyComponent(() => import("./features/variables/variables.tsx"), "Variables");
const Account = lazyComponent(() => import("./features/settings/account.tsx"), "Account");
const Documents = lazyComponent(() => import("./features/documents/documents.tsx"), "Documents");
const Files = lazyComponent(() => import("./features/files/files.tsx"), "Files");
const Clients = lazyComponent(() => import("./features/clients/clients.tsx"), "Clients");
const McpServers = lazyComponent(() => import("./features/settings/mcp-servers.tsx"), "McpServers");
const McpCallback = lazyComponent(() => import("./features/settings/mcp-callback.tsx"), "McpCallback");
const Connections = lazyComponent(() => import("./features/connections/connections.tsx"), "Connections");
const ConnectionCallback = lazyComponent(
  () => import("./features/connections/connection-callback.tsx"),
  "ConnectionCallback",
);
const Apis = lazyComponent(() => import("./features/apis/apis.tsx"), "Apis");
const OauthClients = lazyComponent(() => import("./features/connections/oauth-clients.tsx"), "OauthClients");
const Agents = lazyComponent(() => import("./features/agents/agents.tsx"), "Agents");
const AgentView = lazyComponent(() => import("./features/agents/agent-screen.tsx"), "AgentScreen");
const Teams = lazyComponent(() => import("./features/teams/teams.tsx"), "Teams");
const TeamView = lazyComponent(() => import("./features/teams/team-screen.tsx"), "TeamScreen");
const WarRoom = lazyComponent(() => import("./features/teams/war-room.tsx"), "WarRoom");
const Templates = lazyComponent(() => import("./features/templates/templates.tsx"), "Templates");

const N8nImport = lazyComponent(() => import("./features/n8n-import/n8n-import.tsx"), "N8nImport");
const TemplateView = lazyComponent(
  () => import("./features/templates/template-screen.tsx"),
  "TemplateScreen",
);

/** Addresses that people type or have as bookmarks. After the sign-in, which any address shows, `/login` is Home. */
const REDIRECTS = [
  ["/login", "/"],
  ["/endpoints/webhooks", "/workflows"],
  ["/endpoints/schedules", "/workflows"],
  ["/webhooks", "/workflows"],
  ["/schedules", "/workflows"],
  ["/account", "/settings"],
  ["/endpoints/keys", "/settings/api-keys"],
] as const;

/** Pages that a mail or a login provider opens, with or without a login. */
const LINK_PAGES: Readonly<Record<string, ComponentType>> = {
  "/reset-password": ResetPassword,
  "/confirm-email": ConfirmEmail,
  "/login/callback": ProviderCallback,
  "/register": Register,
};

function Routes() {
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
        <Route path="/" component={Home} />
        <Route path="/workflows" component={WorkflowList} />
        <Route path="/workflows/import-n8n" component={N8nImport} />
        <Route path="/workflows/:id" component={Builder} />
        <Route path="/runs" component={RunList} />
        <Route path="/runs/compare" component={RunCompare} />
        <Route path="/runs/:id" component={RunView} />
        <Route path="/approvals" component={Approvals} />
        <Route path="/notifications" component={Notifications} />
        <Route path="/endpoints" component={OldEndpointLink} />
        <Route path="/endpoints/webhooks/:id" component={OldWebhookLink} />
        {REDIRECTS.map(([from, to]) => (
          <Route key={from} path={from}>
            <Redirect to={to} replace />
          </Route>
        ))}
        <Route path="/connections/callback" component={ConnectionCallback} />
        <Route path="/connections/oauth-clients" component={OauthClients} />
        <Route path="/connections/apis/:id?" component={Apis} />
        <Route path="/connections/:id?" component={Connections} />
        <Route path="/variables" component={Variables} />
        <Route path="/store" component={Store} />
        <Route path="/settings" component={Account} />
        <Route path="/settings/security" component={Security} />
        <Route path="/settings/members" component={Members} />
        <Route path="/settings/notifications" component={NotificationSettings} />
        <Route path="/settings/audit-log" component={AuditLog} />
        <Route path="/settings/limits" component={Limits} />
        <Route path="/settings/api-keys" component={ApiKeys} />
        <Route path="/settings/connected-apps" component={ConnectedApps} />
        <Route path="/settings/events" component={Events} />
        <Route path="/settings/mcp-servers" component={McpServers} />
        <Route path="/settings/mcp-servers/callback" component={McpCallback} />
        <Route path="/administration/:tab?" component={Administration} />
        <Route path="/documents" component={Documents} />
        <Route path="/files" component={Files} />
        <Route path="/clients/:tab?" component={Clients} />
        <Route path="/agents" component={Agents} />
        <Route path="/agents/:id" component={AgentView} />
        <Route path="/teams" component={Teams} />
        <Route path="/teams/:id" component={TeamView} />
        <Route path="/teams/:id/sessions/:sessionId" component={WarRoom} />
        <Route path="/templates" component={Templates} />
        <Route path="/templates/:id" component={TemplateView} />
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}

export function App() {
  const identity = useIdentity();
  const isOffline = useIsOffline();
  // Decides without a login, and shows nothing of the account that happens to be signed in.
  const [isApprovalLink] = useRoute("/a/:token");
  // Without the rail: the user came to answer one question of another program.
  const [isConsent] = useRoute("/oauth/authorize");
  const [isInvitation] = useRoute("/invitations/:token");
  const [location] = useLocation();
  const LinkPage = LINK_PAGES[location];
  return (
    <ErrorBoundary>
      {isApprovalLink ? (
        <Suspense fallback={<Skeleton />}>
          <Route path="/a/:token" component={ApprovalPage} />
        </Suspense>
      ) : LinkPage !== undefined ? (
        <Suspense fallback={<Skeleton />}>
          <LinkPage />
        </Suspense>
      ) : identity === null ? (
        <Suspense fallback={<Skeleton />}>
          <SignIn />
        </Suspense>
      ) : isInvitation ? (
        <Suspense fallback={<Skeleton />}>
          <Route path="/invitations/:token" component={InvitationPage} />
        </Suspense>
      ) : isConsent ? (
        <Suspense fallback={<Skeleton />}>
          <ConsentScreen key={identity} />
        </Suspense>
      ) : (
        // Another user or workspace gets a fresh component tree.
        <Shell key={identity}>
          <RestrictedScreen>
            <Routes />
          </RestrictedScreen>
        </Shell>
      )}
      <Toasts
        persistent={
          isOffline
            ? "The service cannot be reached. This page reconnects automatically; your input is kept."
            : undefined
        }
      />
    </ErrorBoundary>
  );
}
