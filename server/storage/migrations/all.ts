import type { Migration } from "../migrate.ts";
import { connections } from "./053-connections.ts";
import { mcpServerConnections } from "./055-mcp-server-connections.ts";
import { agentConnections } from "./059-agent-connections.ts";
import { connectionReferences } from "./066-connection-references.ts";
import { removedTriggers } from "./054-removed-triggers.ts";
import { secondFactor } from "./056-second-factor.ts";
import { workspaceRules } from "./063-workspace-rules.ts";
import { workspaces } from "./058-workspaces.ts";
import { search } from "./060-search.ts";
import { apiApps } from "./061-api-apps.ts";
import { accountLinks } from "./062-account-links.ts";
import { connectedAppsByUser } from "./065-connected-apps-by-user.ts";
import { externalIdentities } from "./067-external-identities.ts";
import { notifications } from "./069-notifications.ts";
import { keyLastUsedFrom } from "./075-key-last-used-from.ts";
import { recordMoves } from "./076-record-moves.ts";
import { openSessions } from "./077-open-sessions.ts";
import { stepTests } from "./078-step-tests.ts";
import { templateSettings } from "./079-template-settings.ts";
import { draftRuns } from "./080-draft-runs.ts";
import { templateApiSettings } from "./081-template-api-settings.ts";
import { approvalEmails } from "./082-approval-emails.ts";
import { auditNames } from "./083-audit-names.ts";
import { deliveryIndex } from "./084-delivery-index.ts";
import { administration } from "./070-administration.ts";
import { auditLog } from "./068-audit-log.ts";
import { workflowMoves } from "./071-workflow-moves.ts";
import { taskWaiters } from "./072-task-waiters.ts";
import { workerSlots } from "./073-worker-slots.ts";
import { accountsAndWorkflows } from "./001-accounts-and-workflows.ts";
import { engine } from "./002-engine.ts";
import { triggers } from "./003-triggers.ts";
import { documents } from "./004-documents.ts";
import { teams } from "./005-teams.ts";
import { schedules } from "./006-schedules.ts";
import { sessionsOnTheEngine } from "./007-sessions-on-the-engine.ts";
import { documentsAmongProcesses } from "./008-documents-among-processes.ts";
import { documentsOnTheEngine } from "./010-documents-on-the-engine.ts";
import { deliveryRequests } from "./011-delivery-requests.ts";
import { nameReservations } from "./012-name-reservations.ts";
import { signatureOptions } from "./013-signature-options.ts";
import { severalProcesses } from "./009-several-processes.ts";
import { loginSessions } from "./014-login-sessions.ts";
import { tasksByOwner } from "./015-tasks-by-owner.ts";
import { scheduleClaims } from "./016-schedule-claims.ts";
import { customResponses } from "./017-custom-responses.ts";
import { onParentEnd } from "./018-on-parent-end.ts";
import { accountDeletions } from "./019-account-deletions.ts";
import { taskInputs } from "./020-task-inputs.ts";
import { retryRequests } from "./021-retry-requests.ts";
import { forms } from "./022-forms.ts";
import { approvalLinks } from "./023-approval-links.ts";
import { workflowDrafts } from "./024-workflow-drafts.ts";
import { taskHours } from "./025-task-hours.ts";
import { workflowLibrary } from "./026-workflow-library.ts";
import { agentLimits } from "./027-agent-limits.ts";
import { teamLimits } from "./028-team-limits.ts";
import { chunkHeadings } from "./029-chunk-headings.ts";
import { collections } from "./030-collections.ts";
import { sentenceVectors } from "./031-sentence-vectors.ts";
import { documentFormats } from "./032-document-formats.ts";
import { watchedFiles } from "./033-watched-files.ts";
import { outbox } from "./034-outbox.ts";
import { apiKeyScopes } from "./035-api-key-scopes.ts";
import { exposures } from "./036-exposures.ts";
import { events } from "./037-events.ts";
import { a2aTasks } from "./038-a2a-tasks.ts";
import { mcpServers } from "./039-mcp-servers.ts";
import { oauth } from "./040-oauth.ts";
import { a2aMessageOnce } from "./041-a2a-message-once.ts";
import { a2aPush } from "./042-a2a-push.ts";
import { externalAgents } from "./043-external-agents.ts";
import { a2aShownQuestion } from "./044-a2a-shown-question.ts";
import { a2aPushByOwner } from "./045-a2a-push-by-owner.ts";
import { storedTriggers } from "./046-stored-triggers.ts";
import { runFiles } from "./047-run-files.ts";
import { eventWaits } from "./048-event-waits.ts";
import { chatExchanges } from "./049-chat-exchanges.ts";
import { store } from "./050-store.ts";
import { runSettings } from "./051-run-settings.ts";
import { approvers } from "./057-approvers.ts";
import { errorWorkflows } from "./052-error-workflows.ts";
import { apiKeyAccess } from "./064-api-key-access.ts";

/** Forward only: a released migration is never edited; a later one corrects it. */
export const migrations: readonly Migration[] = [
  accountsAndWorkflows,
  engine,
  triggers,
  documents,
  teams,
  schedules,
  sessionsOnTheEngine,
  documentsAmongProcesses,
  severalProcesses,
  documentsOnTheEngine,
  deliveryRequests,
  nameReservations,
  signatureOptions,
  loginSessions,
  tasksByOwner,
  scheduleClaims,
  customResponses,
  onParentEnd,
  accountDeletions,
  taskInputs,
  retryRequests,
  forms,
  approvalLinks,
  workflowDrafts,
  taskHours,
  workflowLibrary,
  agentLimits,
  teamLimits,
  chunkHeadings,
  collections,
  sentenceVectors,
  documentFormats,
  watchedFiles,
  outbox,
  apiKeyScopes,
  exposures,
  events,
  a2aTasks,
  mcpServers,
  oauth,
  a2aMessageOnce,
  a2aPush,
  externalAgents,
  a2aShownQuestion,
  a2aPushByOwner,
  storedTriggers,
  runFiles,
  eventWaits,
  chatExchanges,
  store,
  runSettings,
  errorWorkflows,
  connections,
  removedTriggers,
  mcpServerConnections,
  secondFactor,
  approvers,
  workspaces,
  agentConnections,
  search,
  apiApps,
  accountLinks,
  workspaceRules,
  apiKeyAccess,
  connectedAppsByUser,
  connectionReferences,
  externalIdentities,
  auditLog,
  notifications,
  administration,
  workflowMoves,
  taskWaiters,
  workerSlots,
  keyLastUsedFrom,
  recordMoves,
  openSessions,
  stepTests,
  templateSettings,
  draftRuns,
  templateApiSettings,
  approvalEmails,
  auditNames,
  deliveryIndex,
];
