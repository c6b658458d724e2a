import { BaseSequencer, type TestSpecification } from "vitest/node";

const SLOW =
  /\/test\/(?:fuzz|processes|storage|documents|teams)\/|\/test\/(?:process|account-deletion|ownership)\.test|\/documents\/(?:answer\/quality|extract\/)/;

/**
 * Starts the files that take a minute first. As the last ones they would run while the other processes are idle. One project
 * after the other: a process that gets a file of another project starts anew and loads the whole service again.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => projectRank(a) - projectRank(b) || rank(a) - rank(b));
  }
}

const PROJECTS = ["unit", "postgres", "browser"];

function projectRank({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name);
}

/** Chaos tests, moves and the tour of all screens take the longest. */
function rank({ moduleId }: TestSpecification): number {
  if (/\/test\/(?:chaos\/|operations\/|browser\/every-screen)/.test(moduleId)) return 0;
  return SLOW.test(moduleId) ? 1 : 2;
}
