import { github } from "../../apps/github.ts";
import fixture from "./fixtures/github.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const issue = {
  id: 1,
  number: 1347,
  title: "Found a bug",
  state: "open",
  html_url: "https://github.com/octocat/Hello-World/issues/1347",
  body: "I'm having a problem with this.",
  user: { login: "octocat", id: 1 },
  created_at: "2011-04-22T13:33:48Z",
};
const second = { ...issue, id: 2, number: 1348, title: "Found another" };
const repository = { full_name: "octocat/Hello-World", id: 1296269 };
const input = { repository: "octocat/Hello-World" };

const nextPage = (path: string) => ({
  link: `<https://api.github.com${path}>; rel="next", <https://api.github.com${path}>; rel="last"`,
});

export const githubExamples: AppExamples = {
  app: github,
  source: "https://docs.github.com/rest",
  fixture,
  test: { body: { login: "octocat", id: 1 }, account: "octocat" },
  actions: {
    create_issue: {
      input: {
        ...input,
        title: "Found a bug",
        body: "I'm having a problem with this.",
        labels: ["bug"],
        assignees: ["octocat"],
      },
      answer: { status: 201, body: issue },
    },
    update_issue: { input: { ...input, number: 1347, state: "open" }, answer: { body: issue } },
    get_issue: { input: { ...input, number: "1347" }, answer: { body: issue } },
    list_issues: {
      input: { ...input, labels: "bug", since: "2011-01-01T00:00:00Z" },
      pages: [
        { body: [issue], headers: nextPage("/repos/octocat/Hello-World/issues?per_page=100&page=2") },
        { body: [second] },
      ],
    },
    add_comment: {
      input: { ...input, number: 1347, body: "Me too" },
      answer: {
        status: 201,
        body: {
          id: 1,
          html_url: "https://github.com/octocat/Hello-World/issues/1347#issuecomment-1",
          body: "Me too",
          user: { login: "octocat" },
          created_at: "2011-04-14T16:00:49Z",
        },
      },
    },
    create_pull_request: {
      input: {
        ...input,
        title: "Amazing new feature",
        head: "octocat:new-feature",
        base: "master",
        body: "Please pull these awesome changes in!",
        draft: false,
      },
      answer: {
        status: 201,
        body: {
          ...issue,
          html_url: "https://github.com/octocat/Hello-World/pull/1347",
          title: "Amazing new feature",
          body: "Please pull these awesome changes in!",
          created_at: "2011-01-26T19:01:12Z",
        },
      },
    },
    get_file: {
      input: { ...input, path: "docs/README.md", ref: "main" },
      answer: { headers: { "content-type": "text/plain" }, body: "text" },
    },
    create_release: {
      input: {
        ...input,
        tag: "v1.0.0",
        name: "v1.0.0",
        body: "Description of the release",
        prerelease: false,
      },
      answer: {
        status: 201,
        body: {
          id: 1,
          tag_name: "v1.0.0",
          name: "v1.0.0",
          html_url: "https://github.com/octocat/Hello-World/releases/v1.0.0",
        },
      },
    },
    run_workflow: {
      input: { ...input, workflow: "deploy.yml", ref: "topic-branch", inputs: { name: "Mona the Octocat" } },
      answer: { status: 204 },
    },
  },
  options: {
    repositories: {
      pages: [
        { body: [repository], headers: nextPage("/user/repos?sort=pushed&per_page=100&page=2") },
        { body: [{ full_name: "octocat/Spoon-Knife" }] },
      ],
      first: { value: "octocat/Hello-World", label: "octocat/Hello-World" },
    },
  },
  triggers: {
    repository_event: {
      kind: "webhook",
      input: { ...input, events: ["issues", "push"] },
      subscribed: { status: 201, body: { type: "Repository", id: 12345678, active: true }, id: "12345678" },
      delivery: {
        headers: { "x-github-event": "issues", "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" },
        body: {
          action: "opened",
          issue: { number: 1, title: "Spelling error in the README file" },
          repository: { full_name: "Codertocat/Hello-World" },
        },
      },
      ignored: {
        headers: { "x-github-event": "ping", "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0959" },
        body: { zen: "Keep it logically awesome.", hook_id: 12345678 },
      },
    },
    new_issue: {
      kind: "polling",
      input,
      pages: [
        { body: [issue], headers: nextPage("/repos/octocat/Hello-World/issues?page=2") },
        { body: [second] },
      ],
    },
  },
  errors: [
    {
      status: 404,
      body: { message: "Not Found" },
      says: "GitHub: GitHub found nothing there, or the connection has no access to it. Check the repository and the number.",
    },
    { status: 422, body: { message: "Validation Failed" }, says: "GitHub: Validation Failed" },
  ],
  rateLimit: {
    status: 403,
    body: { message: "API rate limit exceeded" },
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" },
    seconds: 30,
  },
};
