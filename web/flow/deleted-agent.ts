/** Whether a step names an agent that no longer exists. A placeholder names another agent in each run. */
export function isDeletedAgent(agentId: unknown, agents: readonly { id: string }[] | undefined): boolean {
  if (typeof agentId !== "string" || agentId === "" || agentId.includes("{{")) return false;
  return agents !== undefined && !agents.some(({ id }) => id === agentId);
}
