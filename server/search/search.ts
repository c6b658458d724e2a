import type { MatchedField, SearchQuery, SearchResult, SearchType } from "../../contract/search.ts";
import { toIso } from "../lib/clock.ts";
import { foldText } from "./fold-text.ts";
import { rankBest, wordsOf } from "./rank.ts";
import type { FoundRun, NamedRecord, SearchStore } from "./search.sql.ts";
import { fieldsOf, type IndexedWorkflow, nameOf, type WorkflowFields } from "./workflow-text.ts";
import type { WorkflowIndex } from "./workflow-index.sql.ts";

/** A passage of a document that contains words of a query. */
export interface FoundPassage {
  documentId: string;
  title: string;
  page: number;
  text: string;
}

export interface SearchDeps {
  store: SearchStore;
  index: Pick<WorkflowIndex, "refreshOwned" | "read">;
  /** The passages of the owner's documents with most of these words, best first. */
  findPassages(ownerId: string, query: string, limit: number): Promise<FoundPassage[]>;
}

export type Search = (ownerId: string, query: SearchQuery) => Promise<SearchResult[]>;

interface RankedResult {
  rank: number;
  result: SearchResult;
}

type Finder = (ownerId: string, query: string, limit: number) => Promise<RankedResult[]>;

/** What a search waits for after an upgrade; the rest is indexed in the background. */
const REFRESHED_AT_ONCE = 300;
/** Ranks of matches outside names: after them, before approximate names. */
const RANK = { id: 0, passage: 10, error: 11, runOfWorkflow: 12, input: 13 };
const WORKFLOWS_WITH_RUNS = 3;
const RUNS_PER_WORKFLOW = 5;
const EXCERPT_CHARACTERS = 160;
const RUN_ID = /^#?[\w-]{4,80}$/;

/** Finds records of an owner by words. All types are searched at once; the best results of all come first. */
export function createSearch({ store, index, findPassages }: SearchDeps): Search {
  async function readWorkflows(ownerId: string): Promise<IndexedWorkflow[]> {
    await index.refreshOwned(ownerId, REFRESHED_AT_ONCE);
    return index.read(ownerId);
  }

  const findWorkflows = async (
    workflows: readonly IndexedWorkflow[],
    ownerId: string,
    query: string,
    limit: number,
  ): Promise<RankedResult[]> => {
    const ranked = rankWorkflows(workflows, query, limit);
    const found = await store.workflows(
      ownerId,
      ranked.map(({ item }) => fieldsOf(item).id),
    );
    return ranked.flatMap(({ item, match: { rank, field } }): RankedResult[] => {
      const fields = fieldsOf(item);
      const workflow = found.get(fields.id);
      if (workflow === undefined) return [];
      const excerpt = field === "folder" ? workflow.folder : excerptOf(fields, field, query);
      const { id, name } = workflow;
      return [
        { rank, result: { type: "workflow", id, title: name, matched: field, ...(excerpt && { excerpt }) } },
      ];
    });
  };

  const findNamed =
    (type: SearchType, list: (ownerId: string) => Promise<NamedRecord[]>): Finder =>
    async (ownerId, query, limit) =>
      rankBest(await list(ownerId), foldText(query), limit, {
        fieldsOf: ({ name, detail, tags }) => ({
          name: foldText(name),
          others: () => [
            ["tag", tags.map(foldText).join("\n")],
            ["description", foldText(detail)],
          ],
        }),
      }).map(({ item, match: { rank, field } }) => ({
        rank,
        result: {
          type,
          id: item.id,
          title: item.name,
          matched: field,
          ...(field === "tag" && { excerpt: item.tags.join(", ") }),
        },
      }));

  const findDocuments: Finder = async (ownerId, query, limit) => {
    const [byName, passages] = await Promise.all([
      findNamed("document", store.documents)(ownerId, query, limit),
      findPassages(ownerId, query, limit),
    ]);
    const known = new Set(byName.map(({ result }) => result.id));
    const byText = passages.flatMap(({ documentId, title, page, text }): RankedResult[] => {
      if (known.has(documentId)) return [];
      known.add(documentId);
      const excerpt = cutAround(text, wordsOf(foldText(query)));
      return [
        {
          rank: RANK.passage,
          result: { type: "document", id: documentId, title, matched: "text", page, excerpt },
        },
      ];
    });
    return [...byName, ...byText];
  };

  const findRuns = async (
    workflows: readonly IndexedWorkflow[],
    ownerId: string,
    query: string,
    limit: number,
  ): Promise<RankedResult[]> => {
    const folded = foldText(query);
    const words = wordsOf(folded);
    const id = query.trim().replace(/^#/, "");
    const contains = (text: string): boolean => {
      const plain = foldText(text);
      return words.every((word) => plain.includes(word));
    };
    const [byId, failed, newest] = await Promise.all([
      !RUN_ID.test(query.trim())
        ? []
        : id.startsWith("task_")
          ? store.runsFrom(ownerId, id, limit)
          : store.runsUntil(ownerId, id, limit),
      store.newestFailed(ownerId),
      store.newest(ownerId),
    ]);
    const named = rankWorkflows(workflows, query, WORKFLOWS_WITH_RUNS).filter(
      ({ match }) => match.field === "name",
    );
    const ofWorkflows = await Promise.all(
      named.map(({ item }) => store.newestOf(ownerId, fieldsOf(item).id, RUNS_PER_WORKFLOW)),
    );
    const found = new Map<string, RankedResult>();
    const add = (run: FoundRun, rank: number, matched: MatchedField, text?: string): void => {
      if (!found.has(run.id))
        found.set(run.id, { rank, result: toRunResult(run, matched, text && cutAround(text, words)) });
    };
    for (const run of byId) add(run, RANK.id, "id");
    for (const run of failed) {
      const message = messageOf(run.error);
      if (contains(message)) add(run, RANK.error, "error", message);
    }
    for (const run of ofWorkflows.flat()) add(run, RANK.runOfWorkflow, "workflow");
    for (const run of newest) if (contains(run.input)) add(run, RANK.input, "input", run.input);
    return [...found.values()].slice(0, limit);
  };

  return async (ownerId, { q, types, limit }) => {
    if (wordsOf(foldText(q)).length === 0) return [];
    const needsWorkflows = types.includes("workflow") || types.includes("run");
    const workflows = needsWorkflows ? await readWorkflows(ownerId) : [];
    const finders: Readonly<Record<SearchType, Finder>> = {
      workflow: (...query) => findWorkflows(workflows, ...query),
      run: (...query) => findRuns(workflows, ...query),
      document: findDocuments,
      agent: findNamed("agent", store.agents),
      team: findNamed("team", store.teams),
      connection: findNamed("connection", store.connections),
    };
    const found = await Promise.all(types.map((type) => finders[type](ownerId, q, limit)));
    return found
      .flat()
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, limit)
      .map(({ result }) => result);
  };
}

function rankWorkflows(workflows: readonly IndexedWorkflow[], query: string, limit: number) {
  return rankBest(workflows, foldText(query), limit, {
    textOf: (text) => text,
    fieldsOf: (text) => ({
      name: nameOf(text),
      others() {
        const { folder, tags, steps, description } = fieldsOf(text);
        return [
          ["folder", folder],
          ["tag", tags],
          ["step", steps],
          ["description", description],
        ];
      },
    }),
  });
}

function toRunResult(run: FoundRun, matched: MatchedField, excerpt: string | undefined): SearchResult {
  return {
    type: "run",
    id: run.id,
    title: run.workflowName ?? run.workflowId,
    matched,
    status: run.status,
    createdAt: toIso(run.createdAt),
    ...(excerpt && { excerpt }),
  };
}

/** The tag, step or part of the description that has a word of the query. */
function excerptOf(item: WorkflowFields, field: MatchedField, query: string): string | undefined {
  if (field === "name") return undefined;
  const text = field === "tag" ? item.tags : field === "step" ? item.steps : item.description;
  const words = wordsOf(foldText(query));
  const line = text.split("\n").find((each) => words.some((word) => each.includes(word)));
  return line && cutAround(line, words);
}

/** The message of a stored error, whose JSON may be cut off. */
function messageOf(error: string): string {
  try {
    const { code, message } = JSON.parse(error) as { code?: string; message?: string };
    return `${message ?? ""} (${code ?? ""})`;
  } catch {
    return error;
  }
}

/** A part of the text around the first of these words. */
function cutAround(text: string, words: readonly string[]): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (plain.length <= EXCERPT_CHARACTERS) return plain;
  const folded = foldText(plain);
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, plain.length) - 40);
  const start = from + EXCERPT_CHARACTERS > plain.length ? plain.length - EXCERPT_CHARACTERS : from;
  const cut = plain.slice(start, start + EXCERPT_CHARACTERS).replaceAll(/\p{Cs}/gu, "");
  return `${start > 0 ? "…" : ""}${cut}${start + EXCERPT_CHARACTERS < plain.length ? "…" : ""}`;
}
