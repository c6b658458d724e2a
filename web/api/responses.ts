import {
  serviceAccountListResponseSchema,
  serviceAccountResponseSchema,
} from "../../contract/service-accounts.ts";
import {
  eventDeliveryListResponseSchema,
  eventDeliveryResponseSchema,
  eventSubscriptionListResponseSchema,
  eventSubscriptionResponseSchema,
  eventSubscriptionSecretResponseSchema,
} from "../../contract/events.ts";
import * as z from "zod";
import type { ListFields } from "./list-fields.ts";
import {
  errorWorkflowResponseSchema,
  loginMethodsResponseSchema,
  loginResponseSchema,
  loginSessionListResponseSchema,
  meResponseSchema,
  oidcStartResponseSchema,
  recoveryCodesResponseSchema,
  secondFactorResponseSchema,
  secondFactorSetupResponseSchema,
} from "../../contract/accounts.ts";
import {
  adminTaskListResponseSchema,
  adminWorkspaceListResponseSchema,
  stoppedTasksResponseSchema,
  storageResponseSchema,
} from "../../contract/admin-instance.ts";
import {
  accountInvitationListResponseSchema,
  accountInvitationPreviewResponseSchema,
  adminUserResponseSchema,
  createdAccountInvitationResponseSchema,
  userDeletionResponseSchema,
  userListResponseSchema,
} from "../../contract/admin-users.ts";
import { copyResponseSchema, moveResponseSchema } from "../../contract/transfers.ts";
import { workspaceRulesResponseSchema } from "../../contract/administration.ts";
import { agentChatEventSchema } from "../../contract/agent-chat.ts";
import { agentResponseSchema, agentListResponseSchema } from "../../contract/agents.ts";
import { success } from "../../contract/api.ts";
import {
  collectionListResponseSchema,
  collectionResponseSchema,
  uploadKeyResponseSchema,
} from "../../contract/collections.ts";
import {
  approvalListResponseSchema,
  approverListResponseSchema,
  createdApprovalLinkSchema,
  decisionListResponseSchema,
  decidedByLinkSchema,
  linkedApprovalSchema,
} from "../../contract/approvals.ts";
import {
  documentListResponseSchema,
  documentPageResponseSchema,
  documentQueryEventSchema,
  documentQueryResponseSchema,
  documentResponseSchema,
  textDestinationsResponseSchema,
  uploadResponseSchema,
} from "../../contract/documents.ts";
import {
  apiOperationsResponseSchema,
  importedAppResponseSchema,
  refreshAppResponseSchema,
} from "../../contract/api-apps.ts";
import { appListResponseSchema, appOptionsResponseSchema, appResponseSchema } from "../../contract/apps.ts";
import {
  authorizeConnectionResponseSchema,
  connectionDetailsResponseSchema,
  connectionListResponseSchema,
  connectionResponseSchema,
  connectionTestResponseSchema,
  oauthClientListResponseSchema,
} from "../../contract/connections.ts";
import { draftResponseSchema, savedDraftResponseSchema } from "../../contract/drafts.ts";
import {
  clientCallListResponseSchema,
  exposureListResponseSchema,
  exposureResponseSchema,
} from "../../contract/exposures.ts";
import { evaluatedExpressionsResponseSchema } from "../../contract/expressions.ts";
import { fileListResponseSchema } from "../../contract/files.ts";
import { designResponseSchema } from "../../contract/generation.ts";
import { createdKeyResponseSchema, keyResponseSchema, keyListResponseSchema } from "../../contract/keys.ts";
import {
  authorizeResponseSchema,
  mcpPromptListResponseSchema,
  mcpResourceListResponseSchema,
  mcpServerListResponseSchema,
  mcpServerResponseSchema,
  mcpServerTestResponseSchema,
  mcpServerUsesResponseSchema,
  mcpToolListResponseSchema,
  stdioServerListResponseSchema,
} from "../../contract/mcp-servers.ts";
import { searchResponseSchema } from "../../contract/search.ts";
import { auditListResponseSchema, auditVerificationResponseSchema } from "../../contract/audit.ts";
import { limitListResponseSchema } from "../../contract/limits.ts";
import { modelListResponseSchema } from "../../contract/models.ts";
import { n8nImportResponseSchema, n8nPreviewResponseSchema } from "../../contract/n8n-import.ts";
import {
  notificationListResponseSchema,
  notificationSettingsResponseSchema,
  unreadResponseSchema,
} from "../../contract/notifications.ts";
import {
  authorizationResponseSchema,
  connectedAppListSchema,
  decidedAuthorizationSchema,
} from "../../contract/oauth.ts";
import { acknowledgementSchema, socketEvents } from "../../contract/realtime.ts";
import {
  nextTimesResponseSchema,
  scheduleListResponseSchema,
  scheduleResponseSchema,
} from "../../contract/schedules.ts";
import {
  triggerItemListResponseSchema,
  triggerListResponseSchema,
  triggerResponseSchema,
  triggerSampleResponseSchema,
} from "../../contract/triggers.ts";
import {
  attemptListResponseSchema,
  childTaskResponseSchema,
  loopItemListResponseSchema,
  partialResponseSchema,
  replayResponseSchema,
  rerunResponseSchema,
  resumeResponseSchema,
  startedResponseSchema,
  taskResponseSchema,
  taskListResponseSchema,
} from "../../contract/tasks.ts";
import {
  failuresResponseSchema,
  recentRunsResponseSchema,
  statsResponseSchema,
} from "../../contract/stats.ts";
import { bulkTasksResponseSchema, taskCountsResponseSchema } from "../../contract/task-list.ts";
import { taskEventListResponseSchema, taskStreamEventSchema } from "../../contract/task-events.ts";
import {
  discoveryResponseSchema,
  sessionResponseSchema,
  sessionListResponseSchema,
  teamResponseSchema,
  teamListResponseSchema,
  teamRunResponseSchema,
  teamSecretResponseSchema,
  agentCardResponseSchema,
  externalAgentSecretResponseSchema,
} from "../../contract/teams.ts";
import { templateResponseSchema, templateListResponseSchema } from "../../contract/templates.ts";
import { storeListResponseSchema, storeValueResponseSchema } from "../../contract/store.ts";
import { variableResponseSchema, variableListResponseSchema } from "../../contract/variables.ts";
import {
  deliveryListResponseSchema,
  redeliverResponseSchema,
  webhookResponseSchema,
  webhookListResponseSchema,
  webhookSecretResponseSchema,
} from "../../contract/webhooks.ts";
import { eventWaitListResponseSchema } from "../../contract/wait-events.ts";
import {
  createdInvitationResponseSchema,
  invitationListResponseSchema,
  invitationPreviewResponseSchema,
  memberListResponseSchema,
  memberResponseSchema,
  workspaceResponseSchema,
} from "../../contract/workspaces.ts";
import {
  folderListResponseSchema,
  movedWorkflowsResponseSchema,
  savedWorkflowResponseSchema,
  versionResponseSchema,
  versionListResponseSchema,
  workflowResponseSchema,
  workflowListResponseSchema,
} from "../../contract/workflows.ts";

/** Lists that are read page by page: the items are under the noun, next to `nextCursor`. */
const listSchemas = {
  connections: connectionListResponseSchema,
  agents: agentListResponseSchema,
  apps: connectedAppListSchema,
  accountInvitations: accountInvitationListResponseSchema,
  adminTasks: adminTaskListResponseSchema,
  adminWorkspaces: adminWorkspaceListResponseSchema,
  users: userListResponseSchema,
  approvals: approvalListResponseSchema,
  attempts: attemptListResponseSchema,
  calls: clientCallListResponseSchema,
  collections: collectionListResponseSchema,
  deliveries: deliveryListResponseSchema,
  documents: documentListResponseSchema,
  events: taskEventListResponseSchema,
  exposures: exposureListResponseSchema,
  files: fileListResponseSchema,
  invitations: invitationListResponseSchema,
  limits: limitListResponseSchema,
  notifications: notificationListResponseSchema,
  notificationSettings: notificationSettingsResponseSchema,
  unread: unreadResponseSchema,
  keys: keyListResponseSchema,
  members: memberListResponseSchema,
  schedules: scheduleListResponseSchema,
  triggers: triggerListResponseSchema,
  items: triggerItemListResponseSchema,
  serviceAccounts: serviceAccountListResponseSchema,
  sessions: sessionListResponseSchema,
  subscriptions: eventSubscriptionListResponseSchema,
  tasks: taskListResponseSchema,
  teams: teamListResponseSchema,
  templates: templateListResponseSchema,
  values: storeListResponseSchema,
  variables: variableListResponseSchema,
  servers: mcpServerListResponseSchema,
  versions: versionListResponseSchema,
  waits: eventWaitListResponseSchema,
  webhooks: webhookListResponseSchema,
  workflows: workflowListResponseSchema,
};

/** The contract schema of every response and event the page reads. Only development builds load it; others use its types. */
export const responseSchemas = {
  ...listSchemas,
  app: appResponseSchema,
  apiOperations: apiOperationsResponseSchema,
  importedApp: importedAppResponseSchema,
  refreshedApp: refreshAppResponseSchema,
  appOptions: appOptionsResponseSchema,
  appList: appListResponseSchema,
  connection: connectionResponseSchema,
  connectionDetails: connectionDetailsResponseSchema,
  connectionTest: connectionTestResponseSchema,
  authorizeConnection: authorizeConnectionResponseSchema,
  oauthClients: oauthClientListResponseSchema,
  agent: agentResponseSchema,
  agentChatEvent: agentChatEventSchema,
  childTask: childTaskResponseSchema,
  approvalLink: createdApprovalLinkSchema,
  approvers: approverListResponseSchema,
  decisions: decisionListResponseSchema,
  authorization: authorizationResponseSchema,
  decidedAuthorization: decidedAuthorizationSchema,
  decidedByLink: decidedByLinkSchema,
  collection: collectionResponseSchema,
  accountInvitation: createdAccountInvitationResponseSchema,
  accountInvitationPreview: accountInvitationPreviewResponseSchema,
  adminUser: adminUserResponseSchema,
  workspaceStorage: storageResponseSchema,
  stoppedTasks: stoppedTasksResponseSchema,
  userDeletion: userDeletionResponseSchema,
  copied: copyResponseSchema,
  moved: moveResponseSchema,
  workspaceRules: workspaceRulesResponseSchema,
  createdInvitation: createdInvitationResponseSchema,
  createdKey: createdKeyResponseSchema,
  invitationPreview: invitationPreviewResponseSchema,
  member: memberResponseSchema,
  workspace: workspaceResponseSchema,
  discovery: discoveryResponseSchema,
  document: documentResponseSchema,
  documentPage: documentPageResponseSchema,
  documentQuery: documentQueryResponseSchema,
  documentQueryEvent: documentQueryEventSchema,
  documentUpload: uploadResponseSchema,
  errorWorkflow: errorWorkflowResponseSchema,
  evaluatedExpressions: evaluatedExpressionsResponseSchema,
  exposure: exposureResponseSchema,
  failures: failuresResponseSchema,
  generatedWorkflow: designResponseSchema,
  joinedRoom: acknowledgementSchema("join_war_room"),
  key: keyResponseSchema,
  linkedApproval: linkedApprovalSchema,
  loginMethods: loginMethodsResponseSchema,
  loginSessions: loginSessionListResponseSchema,
  me: meResponseSchema,
  providerLogin: oidcStartResponseSchema,
  recoveryCodes: recoveryCodesResponseSchema,
  secondFactor: secondFactorResponseSchema,
  secondFactorSetup: secondFactorSetupResponseSchema,
  models: modelListResponseSchema,
  n8nImport: n8nImportResponseSchema,
  n8nPreview: n8nPreviewResponseSchema,
  ok: success({}),
  loopItems: loopItemListResponseSchema,
  partialRun: partialResponseSchema,
  recentRuns: recentRunsResponseSchema,
  folders: folderListResponseSchema,
  renamedFolder: movedWorkflowsResponseSchema,
  redelivery: redeliverResponseSchema,
  replay: replayResponseSchema,
  rerun: rerunResponseSchema,
  resumedTask: resumeResponseSchema,
  draft: draftResponseSchema,
  savedDraft: savedDraftResponseSchema,
  savedWorkflow: savedWorkflowResponseSchema,
  schedule: scheduleResponseSchema,
  search: searchResponseSchema,
  trigger: triggerResponseSchema,
  triggerSample: triggerSampleResponseSchema,
  nextTimes: nextTimesResponseSchema,
  serviceAccount: serviceAccountResponseSchema,
  session: sessionResponseSchema,
  signedIn: loginResponseSchema,
  startedRun: startedResponseSchema,
  stats: statsResponseSchema,
  startedSession: teamRunResponseSchema,
  auditLog: auditListResponseSchema,
  auditVerification: auditVerificationResponseSchema,
  bulkTasks: bulkTasksResponseSchema,
  task: taskResponseSchema,
  taskCounts: taskCountsResponseSchema,
  taskEvent: taskStreamEventSchema,
  team: teamResponseSchema,
  teamWithSecret: teamSecretResponseSchema,
  template: templateResponseSchema,
  storeValue: storeValueResponseSchema,
  variable: variableResponseSchema,
  server: mcpServerResponseSchema,
  serverTest: mcpServerTestResponseSchema,
  serverUses: mcpServerUsesResponseSchema,
  authorizeServer: authorizeResponseSchema,
  mcpTools: mcpToolListResponseSchema,
  mcpResources: mcpResourceListResponseSchema,
  mcpPrompts: mcpPromptListResponseSchema,
  stdioServers: stdioServerListResponseSchema,
  textDestinations: textDestinationsResponseSchema,
  uploadKey: uploadKeyResponseSchema,
  version: versionResponseSchema,
  webhook: webhookResponseSchema,
  webhookWithSecret: webhookSecretResponseSchema,
  subscription: eventSubscriptionResponseSchema,
  subscriptionWithSecret: eventSubscriptionSecretResponseSchema,
  eventDeliveries: eventDeliveryListResponseSchema,
  eventDelivery: eventDeliveryResponseSchema,
  agentCard: agentCardResponseSchema,
  externalAgentSecret: externalAgentSecretResponseSchema,
  workflow: workflowResponseSchema,
} satisfies Record<string, z.ZodType>;

/** Pushed over the socket of the war room. */
export const socketEventSchemas: Record<string, z.ZodType> = socketEvents;

export type ResponseName = keyof typeof responseSchemas;
export type Responses = { [Name in ResponseName]: z.output<(typeof responseSchemas)[Name]> };

export type ListNoun = keyof typeof listSchemas;
type FieldOf<Noun extends ListNoun> = Noun extends keyof ListFields ? ListFields[Noun] : Noun;
export type ItemOf<Noun extends ListNoun> =
  Responses[Noun] extends Record<FieldOf<Noun>, readonly (infer Item)[]> ? Item : never;
