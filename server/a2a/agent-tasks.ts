import type { Message, StreamResponse, Task, TaskState } from "@a2a-js/sdk";
import type { TaskPosition } from "./a2a-task.sql.ts";

/** What a page of ListTasks asks for; validated. */
export interface TaskQuery {
  contextId: string | undefined;
  state: TaskState | undefined;
  statusAfter: number | undefined;
  before: TaskPosition | undefined;
  limit: number;
}

export interface TaskPage {
  positions: TaskPosition[];
  total: number;
}

/** The tasks of one caller at one agent: a team or a workflow. A task of another caller is an unknown one. */
export interface AgentTasks {
  /** Starts or continues a task with the message; returns the task's id. Durable when it resolves. */
  deliver(message: Message): Promise<string>;
  /** With its whole history, and all artifacts unless they are not wanted. Throws TaskNotFoundError. */
  read(taskId: string, withArtifacts?: boolean): Promise<Task>;
  /** The events after `task`, up to the end of the task or the next question to the caller. */
  follow(task: Task, stop: AbortSignal): AsyncGenerator<StreamResponse, void, undefined>;
  cancel(taskId: string): Promise<void>;
  list(query: TaskQuery): Promise<TaskPage>;
}
