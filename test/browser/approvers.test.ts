import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { addTeamWorkspace, inWorkspace } from "../support/workspaces.ts";
import { findingsInOtherTheme, seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits({ ALLOW_REGISTRATION: "true" });

async function makeTeam() {
  const [ann, bob, cid] = [
    await visit.register("Ann"),
    await visit.register("Bob"),
    await visit.register("Cid"),
  ];
  const id = await addTeamWorkspace(visit.app, [
    [ann, "admin"],
    [bob, "operator"],
    [cid, "operator"],
  ]);
  const open = async (path: string, user: RegisteredUser, width = 1440): Promise<Page> => {
    const page = await visit.open("/approvals", { user, width });
    await page.setExtraHTTPHeaders({ "x-workspace": id });
    await page.goto(`${visit.base}${path}`);
    return page;
  };
  return { ann: inWorkspace(ann, id), bob, cid, open };
}

async function addWorkflow(user: RegisteredUser, more: object): Promise<string> {
  const steps = [{ stepId: "ask", type: "approval", message: "Pay the invoice?", ...more }];
  return (await user.post("/api/workflows", { name: "Invoices", metadata: { steps, edges: [] } })).body
    .workflow.id as string;
}

test("two approvers decide on the page: each sees the progress, and one who is none sees why", async () => {
  const { ann, bob, cid, open } = await makeTeam();
  const approvers = [bob.user.email, "role:admin"];
  const workflowId = await addWorkflow(ann, { approvers, requiredApprovals: 2 });
  const { taskId } = (await ann.post(`/api/workflows/${workflowId}/run?wait=true`, {})).body;

  const bobs = await open("/approvals", bob);
  await bobs.getByText("0 of 2 approvals").waitFor();
  await bobs.getByLabel("Comment").fill("Checked the amount");
  expect(await seriousFindings(bobs)).toEqual([]);
  await bobs.getByRole("button", { name: "Approve" }).click();
  await bobs.getByText("Approved. The run waits for another approver.", { exact: true }).waitFor();
  await bobs.getByText("You have approved. The run waits for another approver.").waitFor();
  await bobs.getByText("1 of 2 approvals").waitFor();
  expect(await bobs.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await bobs.getByLabel("Waiting for me").check();
  await bobs.getByText("No approvals wait for you").waitFor();

  const cids = await open("/approvals", cid, 390);
  await cids.getByText("You are not an approver of this step.").waitFor();
  await cids.getByText("Checked the amount").waitFor();
  expect(await cids.getByRole("button", { name: "Approve" }).count()).toBe(0);
  expect(await seriousFindings(cids)).toEqual([]);
  expect(await findingsInOtherTheme(cids)).toEqual([]);

  const anns = await open(`/runs/${taskId}`, ann);
  await anns.getByText("1 of 2 approvals").waitFor();
  await anns.getByText("Bob approved").waitFor();
  expect(await seriousFindings(anns)).toEqual([]);
  expect(await findingsInOtherTheme(anns)).toEqual([]);
  await anns.getByLabel("Comment").fill("Paid today");
  await anns.getByRole("button", { name: "Approve" }).click();
  await anns.getByText("Approved by Bob, Ann").waitFor();
});

test("the form of the step picks members and roles, or takes a value of an earlier step", async () => {
  const { ann, bob, open } = await makeTeam();
  const workflowId = await addWorkflow(ann, {});
  const page = await open(`/workflows/${workflowId}?step=ask`, ann);
  await page.getByRole("button", { name: "Approvers" }).click();
  await page.getByLabel(`Bob (${bob.user.email})`).check();
  await page.getByLabel("Admins and owners", { exact: true }).check();
  await page.getByRole("button", { name: "Approvals needed" }).click();
  await page.getByLabel("Approvals needed").fill("2");
  expect(await seriousFindings(page)).toEqual([]);
  const savedStep = async () =>
    (await ann.get(`/api/workflows/${workflowId}/draft`)).body.draft?.metadata.steps[0];
  await expect
    .poll(savedStep, { timeout: 10_000 })
    .toMatchObject({ approvers: [bob.user.email, "role:admin"], requiredApprovals: 2 });
  await page.getByRole("button", { name: "Use a value of an earlier step" }).click();
  await page.getByRole("textbox", { name: "Approvers" }).fill("{{input.manager}}");
  await expect.poll(savedStep, { timeout: 10_000 }).toMatchObject({ approvers: "{{input.manager}}" });
});

test("a personal link says in whose name it decides, once", async () => {
  const { ann, bob, open } = await makeTeam();
  const workflowId = await addWorkflow(ann, { approvers: bob.user.email });
  await ann.post(`/api/workflows/${workflowId}/run?wait=true`, {});
  const bobs = await open("/approvals", bob);
  await bobs.getByRole("button", { name: "Copy my link" }).click();
  await bobs.getByText("It decides in your name, once.").waitFor();
  const url = await bobs.evaluate<string>("navigator.clipboard.readText()");
  const page = await visit.open(new URL(url).pathname, { width: 390 });
  await page.getByText("You decide as Bob.").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
});
