import { defineApp } from "./define-app.ts";

const repository = {
  type: "string",
  title: "Repository",
  description: "The owner and the name.",
  required: true,
  options: "repositories",
  example: "octocat/hello-world",
} as const;

const number = {
  type: "integer",
  title: "Number",
  description: "Of the issue or pull request.",
  required: true,
  minimum: 1,
} as const;
const labels = { type: "array", title: "Labels", items: { type: "string" }, advanced: true } as const;
const assignees = {
  type: "array",
  title: "Assignees",
  description: "User names.",
  items: { type: "string" },
  advanced: true,
} as const;
const body = { type: "string", title: "Text", description: "Markdown.", format: "multiline" } as const;

const issue = {
  number: "{{body.number}}",
  title: "{{body.title}}",
  state: "{{body.state}}",
  url: "{{body.html_url}}",
  body: "{{body.body}}",
  author: "{{body.user.login}}",
  createdAt: "{{body.created_at}}",
};
const issueItem = {
  number: "{{item.number}}",
  title: "{{item.title}}",
  state: "{{item.state}}",
  url: "{{item.html_url}}",
  body: "{{item.body}}",
  author: "{{item.user.login}}",
  createdAt: "{{item.created_at}}",
};
const issueSample = {
  number: 1347,
  title: "Found a bug",
  state: "open",
  url: "https://github.com/octocat/Hello-World/issues/1347",
  body: "I'm having a problem with this.",
  author: "octocat",
  createdAt: "2011-04-22T13:33:48Z",
};
const repositoryPath = "/repos/{{input.repository}}";

export const github = defineApp({
  id: "github",
  title: "GitHub",
  description: "Issues, pull requests, files and releases of repositories.",
  category: "development",
  synonyms: ["git", "repository", "code", "bug"],
  icon: { letters: "Gh", color: "#1f2328" },
  documentation: "https://docs.github.com/rest",
  baseUrl: "https://api.github.com",
  hosts: ["api.github.com"],
  auth: [
    {
      kind: "oauth2",
      authorizationUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
      scopes: ["repo", "admin:repo_hook", "workflow"],
      help: "Create an OAuth app at https://github.com/settings/developers.",
    },
    {
      kind: "bearer",
      title: "Personal access token",
      help: "Create a token at https://github.com/settings/tokens with access to your repositories.",
    },
  ],
  headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  test: { request: { path: "/user" }, account: "{{body.login}}" },
  errors: {
    message: "{{body.message}}",
    words: {
      "404":
        "GitHub found nothing there, or the connection has no access to it. Check the repository and the number.",
      "410": "This was deleted, or issues are turned off in the repository.",
    },
    rateLimit: {
      wait: "{{headers['x-ratelimit-reset']}}",
      remaining: "{{headers['x-ratelimit-remaining']}}",
    },
  },
  options: {
    repositories: {
      title: "Repositories",
      request: { path: "/user/repos", query: { sort: "pushed", per_page: "{{pageSize}}" } },
      items: "{{body}}",
      paging: { kind: "link", size: 100 },
      value: "{{item.full_name}}",
      label: "{{item.full_name}}",
    },
  },
  actions: {
    create_issue: {
      title: "Create an issue",
      description: "Opens an issue in a repository.",
      synonyms: ["bug", "ticket"],
      input: {
        repository,
        title: { type: "string", title: "Title", required: true },
        body,
        labels,
        assignees,
      },
      request: {
        method: "POST",
        path: `${repositoryPath}/issues`,
        segments: ["repository"],
        body: {
          title: "{{input.title}}",
          body: "{{input.body}}",
          labels: "{{input.labels}}",
          assignees: "{{input.assignees}}",
        },
      },
      output: issue,
      sample: issueSample,
    },
    update_issue: {
      title: "Change an issue",
      description: "Changes the title, text, state or labels of an issue.",
      synonyms: ["close", "reopen", "edit"],
      input: {
        repository,
        number,
        title: { type: "string", title: "Title" },
        body,
        state: { type: "string", title: "State", enum: ["open", "closed"] },
        labels,
        assignees,
      },
      request: {
        method: "PATCH",
        path: `${repositoryPath}/issues/{{input.number}}`,
        segments: ["repository"],
        body: {
          title: "{{input.title}}",
          body: "{{input.body}}",
          state: "{{input.state}}",
          labels: "{{input.labels}}",
          assignees: "{{input.assignees}}",
        },
      },
      output: issue,
      sample: issueSample,
    },
    get_issue: {
      title: "Get an issue",
      description: "Reads one issue or pull request.",
      input: { repository, number },
      request: { path: `${repositoryPath}/issues/{{input.number}}`, segments: ["repository"] },
      output: issue,
      sample: issueSample,
    },
    list_issues: {
      title: "List issues",
      description: "Lists issues and pull requests of a repository, the newest first.",
      synonyms: ["search"],
      input: {
        repository,
        state: { type: "string", title: "State", enum: ["open", "closed", "all"], default: "open" },
        labels: { type: "string", title: "Labels", description: "Separated by commas.", advanced: true },
        since: { type: "string", title: "Changed after", format: "date-time", advanced: true },
      },
      request: {
        path: `${repositoryPath}/issues`,
        segments: ["repository"],
        query: {
          state: "{{input.state}}",
          labels: "{{input.labels}}",
          since: "{{input.since}}",
          per_page: "{{pageSize}}",
        },
      },
      items: "{{body}}",
      paging: { kind: "link", size: 100 },
      output: issueItem,
      sample: [issueSample],
    },
    add_comment: {
      title: "Add a comment",
      description: "Comments on an issue or pull request.",
      synonyms: ["reply"],
      input: { repository, number, body: { ...body, required: true } },
      request: {
        method: "POST",
        path: `${repositoryPath}/issues/{{input.number}}/comments`,
        segments: ["repository"],
        body: { body: "{{input.body}}" },
      },
      output: {
        id: "{{body.id}}",
        url: "{{body.html_url}}",
        body: "{{body.body}}",
        author: "{{body.user.login}}",
        createdAt: "{{body.created_at}}",
      },
      sample: {
        id: 1,
        url: "https://github.com/octocat/Hello-World/issues/1347#issuecomment-1",
        body: "Me too",
        author: "octocat",
        createdAt: "2011-04-14T16:00:49Z",
      },
    },
    create_pull_request: {
      title: "Create a pull request",
      description: "Opens a pull request from one branch into another.",
      synonyms: ["pr", "merge"],
      input: {
        repository,
        title: { type: "string", title: "Title", required: true },
        head: { type: "string", title: "From branch", required: true, example: "fix-login" },
        base: { type: "string", title: "Into branch", required: true, example: "main" },
        body,
        draft: { type: "boolean", title: "Draft", advanced: true },
      },
      request: {
        method: "POST",
        path: `${repositoryPath}/pulls`,
        segments: ["repository"],
        body: {
          title: "{{input.title}}",
          head: "{{input.head}}",
          base: "{{input.base}}",
          body: "{{input.body}}",
          draft: "{{input.draft}}",
        },
      },
      output: issue,
      sample: {
        ...issueSample,
        title: "Amazing new feature",
        body: "Please pull these awesome changes in!",
        url: "https://github.com/octocat/Hello-World/pull/1347",
        createdAt: "2011-01-26T19:01:12Z",
      },
    },
    get_file: {
      title: "Get a file",
      description: "Reads a file of a repository as a file for later steps.",
      synonyms: ["download", "content"],
      input: {
        repository,
        path: { type: "string", title: "Path", required: true, example: "docs/README.md" },
        ref: { type: "string", title: "Branch, tag or commit", advanced: true },
      },
      request: {
        path: `${repositoryPath}/contents/{{input.path}}`,
        segments: ["repository", "path"],
        query: { ref: "{{input.ref}}" },
        headers: { accept: "application/vnd.github.raw+json" },
        responseAs: "file",
      },
      sample: { file: "file_01j9x3", name: "README.md", contentType: "text/plain", size: 5362 },
    },
    create_release: {
      title: "Create a release",
      description: "Publishes a release of a tag.",
      synonyms: ["version", "tag"],
      input: {
        repository,
        tag: { type: "string", title: "Tag", required: true, example: "v1.0.0" },
        name: { type: "string", title: "Name" },
        body,
        prerelease: { type: "boolean", title: "Prerelease", advanced: true },
      },
      request: {
        method: "POST",
        path: `${repositoryPath}/releases`,
        segments: ["repository"],
        body: {
          tag_name: "{{input.tag}}",
          name: "{{input.name}}",
          body: "{{input.body}}",
          prerelease: "{{input.prerelease}}",
        },
      },
      output: {
        id: "{{body.id}}",
        tag: "{{body.tag_name}}",
        name: "{{body.name}}",
        url: "{{body.html_url}}",
      },
      sample: {
        id: 1,
        tag: "v1.0.0",
        name: "v1.0.0",
        url: "https://github.com/octocat/Hello-World/releases/v1.0.0",
      },
    },
    run_workflow: {
      title: "Run a GitHub Actions workflow",
      description: "Starts a workflow that has the trigger workflow_dispatch.",
      synonyms: ["ci", "dispatch", "deploy"],
      input: {
        repository,
        workflow: {
          type: "string",
          title: "Workflow",
          description: "The name of its file.",
          required: true,
          example: "deploy.yml",
        },
        ref: { type: "string", title: "Branch or tag", required: true, example: "main" },
        inputs: { type: "object", title: "Inputs", advanced: true },
      },
      request: {
        method: "POST",
        path: `${repositoryPath}/actions/workflows/{{input.workflow}}/dispatches`,
        segments: ["repository"],
        body: { ref: "{{input.ref}}", inputs: "{{input.inputs}}" },
      },
      sample: null,
    },
  },
  triggers: {
    repository_event: {
      title: "Event in a repository",
      description:
        "Starts a run when something happens in a repository: a push, an issue, a pull request, a release.",
      synonyms: ["push", "commit", "webhook", "issue", "release"],
      input: {
        repository,
        events: {
          type: "array",
          title: "Events",
          items: {
            type: "string",
            enum: [
              "push",
              "issues",
              "issue_comment",
              "pull_request",
              "release",
              "workflow_run",
              "star",
              "fork",
            ],
          },
          required: true,
          minItems: 1,
        },
      },
      webhook: {
        subscribe: {
          method: "POST",
          path: `${repositoryPath}/hooks`,
          segments: ["repository"],
          body: {
            name: "web",
            active: true,
            events: "{{input.events}}",
            config: {
              url: "{{webhook.url}}",
              content_type: "json",
              secret: "{{webhook.secret}}",
              insecure_ssl: "0",
            },
          },
        },
        id: "{{body.id}}",
        unsubscribe: {
          method: "DELETE",
          path: `${repositoryPath}/hooks/{{subscription.id}}`,
          segments: ["repository"],
        },
        list: {
          request: { path: `${repositoryPath}/hooks`, segments: ["repository"], query: { per_page: "100" } },
          items: "{{body}}",
          url: "{{item.config.url}}",
          id: "{{item.id}}",
        },
        scheme: "github",
        except: { "{{headers['x-github-event']}}": ["ping"] },
        output: { event: "{{headers['x-github-event']}}", payload: "{{body}}" },
      },
      sample: {
        event: "issues",
        payload: {
          action: "opened",
          issue: { number: 1, title: "Spelling error in the README file" },
          repository: { full_name: "Codertocat/Hello-World" },
        },
      },
    },
    new_issue: {
      title: "New issue",
      description: "Starts a run for each new issue or pull request, without a webhook.",
      input: { repository },
      polling: {
        request: {
          path: `${repositoryPath}/issues`,
          segments: ["repository"],
          query: { state: "all", sort: "created", direction: "desc", per_page: "{{pageSize}}" },
        },
        items: "{{body}}",
        paging: { kind: "link", size: 50 },
        key: "{{item.id}}",
        name: "#{{item.number}} {{item.title}}",
        order: "newest_first",
        output: issueItem,
      },
      sample: issueSample,
    },
  },
});
