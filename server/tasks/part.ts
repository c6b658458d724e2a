import type { Member } from "../../contract/approvers.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { approvalLinkRoutes } from "./approval-link.routes.ts";
import { createApprovalLinkStore } from "./approval-link.sql.ts";
import { approvalRoutes } from "./approval.routes.ts";
import { createApprovalStore } from "./approval.sql.ts";
import { createApprovalLinks } from "./approval-links.ts";
import type { ApprovalUrls } from "./approval-urls.ts";
import { runRoutes } from "./run.routes.ts";
import { taskEventRoutes } from "./task-event.routes.ts";
import { taskStepRoutes } from "./task-step.routes.ts";
import { taskListRoutes } from "./task-list.routes.ts";
import { taskRoutes } from "./task.routes.ts";
import { createTaskListStore } from "./task-list.sql.ts";
import { createTaskStore } from "./task.sql.ts";
import { createTaskSteps } from "./task-steps.ts";
import { createTasks, type Tasks } from "./tasks.ts";

export interface TasksPart extends Part {
  tasks: Tasks;
}

export interface TasksPartDeps {
  workflows: WorkflowsPart;
  engine: Engine;
  approvalUrls: ApprovalUrls;
  listMembers(workspaceId: string): Promise<Member[]>;
}

export function createTasksPart(
  { config, clock, db, limiter, limits }: Platform,
  { workflows: workflowsPart, engine, approvalUrls, listMembers }: TasksPartDeps,
): TasksPart {
  const { workflows, drafts, runnable } = workflowsPart;
  const store = createTaskStore(db);
  const tasks = createTasks({
    store,
    approvals: createApprovalStore(db),
    listMembers,
    lists: createTaskListStore(db),
    engine,
    async runnable(userId, id, version = "live", choose) {
      const live = await workflows.get(userId, id);
      const draft = version === "draft" ? await drafts.find(userId, id) : undefined;
      if (draft !== undefined) {
        await workflows.requireValid(draft.metadata, live.metadata, choose);
        return runnable.getVersion(id, await drafts.storeSnapshot(draft));
      }
      if (typeof version === "number") await workflows.requireRunnable(userId, id, version);
      return runnable.getVersion(id, typeof version === "number" ? version : live.version);
    },
  });
  const links = createApprovalLinks({
    store: createApprovalLinkStore(db),
    engine,
    verify: approvalUrls.verify,
    listMembers,
    clock,
  });
  return {
    tasks,
    routes(http) {
      runRoutes(http, { tasks, engine, syncTimeoutMs: config.syncTimeoutMs });
      taskRoutes(http, tasks);
      approvalRoutes(http, tasks, limiter("approval mail", config.limits.loginPerMinute));
      taskListRoutes(http, tasks);
      taskStepRoutes(http, createTaskSteps({ store, engine }));
      taskEventRoutes(http, { tasks, engine, clock, openStream: limits.openStream });
      approvalLinkRoutes(http, {
        tasks,
        links,
        urlOf: approvalUrls.urlOf,
        publicUrl: config.publicUrl,
        limiter: limiter("approval_link", config.limits.loginPerMinute),
      });
    },
  };
}
